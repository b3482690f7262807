"""Types of the extension module; ``tests/test_stubs.py`` compares them with the module."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

from numpy import bool_, float64, int8, int64
from numpy.typing import NDArray

__version__: str

_Path = str | PathLike[str]
_Relation = tuple[str | None, NDArray[int64], NDArray[int64], NDArray[int8] | None]
_Settings = list[tuple[str, str]]
_Callback = Callable[[str, dict[str, Any]], Any] | None
_Field = NDArray[float64] | tuple[list[str], list[list[tuple[int, float]]]]
_Column = NDArray[float64] | tuple[list[str], list[int | None]]
_Split = tuple[str, float | None, int | None, float | None, str | None]
_Method = tuple[str, _Settings] | tuple[Callable[..., Any], bool]

class Network:
    @staticmethod
    def from_numbers(
        name: str,
        names: Sequence[str],
        directed: bool,
        two_mode: bool | None,
        relations: list[_Relation],
        unlisted: bool | None,
    ) -> Network: ...
    @staticmethod
    def from_integers(
        name: str,
        directed: bool,
        two_mode: bool | None,
        relations: list[_Relation],
        declared: NDArray[int64] | None,
        unlisted: bool | None,
    ) -> Network: ...
    @staticmethod
    def read(
        path: _Path,
        columns: str | None,
        directed: bool,
        two_mode: bool | None,
        delimiter: str | None,
        entities: int | None,
        entities_file: _Path | None,
        unlisted: bool | None,
        header: bool | None,
    ) -> Network: ...
    @staticmethod
    def columns() -> list[str]: ...
    @staticmethod
    def les_miserables() -> Network: ...
    @property
    def name(self) -> str: ...
    @property
    def notices(self) -> list[str]: ...
    @property
    def directed(self) -> bool: ...
    @property
    def two_mode(self) -> bool: ...
    def modes(self) -> tuple[list[int], list[int]] | None: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def relations(self) -> list[str | None]: ...
    def __len__(self) -> int: ...
    def links(self, relation: int) -> NDArray[int64]: ...
    def non_links(self, relation: int) -> NDArray[int64]: ...
    def unobserved(self, relation: int) -> NDArray[int64]: ...
    def unlisted_unobserved(self, relation: int) -> bool: ...
    def observed_count(self, relation: int) -> int: ...

class SideInfo:
    def __new__(
        cls,
        network: Network,
        attribute_files: list[_Path],
        attributes: list[tuple[str, _Field]],
        pair_file: _Path | None,
        pairs: tuple[NDArray[int64], list[tuple[str, _Column]]] | None,
    ) -> SideInfo: ...
    @property
    def notices(self) -> list[str]: ...

class Model:
    @staticmethod
    def load(path: _Path) -> Model: ...
    def save(self, path: _Path) -> None: ...
    def to_bytes(self) -> tuple[bytes, bytes | None]: ...
    @staticmethod
    def from_bytes(data: bytes, checkpoint: bytes | None) -> Model: ...
    @property
    def name(self) -> str: ...
    @property
    def directed(self) -> bool: ...
    @property
    def interrupted(self) -> bool: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def relations(self) -> list[str | None]: ...
    @property
    def settings(self) -> str: ...
    @property
    def versions(self) -> str: ...
    def predict_mean(self, pairs: NDArray[int64], relation: int) -> NDArray[float64]: ...
    def predict(
        self, pairs: NDArray[int64], relation: int
    ) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]: ...
    def predict_draws(self, pairs: NDArray[int64], relation: int) -> NDArray[float64]: ...
    def top(
        self, count: int, node: int | None, relation: int | None
    ) -> list[tuple[int, int, int, float, float, float]]: ...
    def features(self, relation: int) -> str: ...
    def figures(self, relation: int) -> str: ...
    def explain(self, pair: NDArray[int64], relation: int) -> str: ...
    def links(self, relation: int) -> NDArray[int64]: ...
    def traces(self, relation: int) -> list[dict[str, NDArray[float64]]]: ...
    def draws(self, relation: int) -> NDArray[int64]: ...
    def report(
        self, path: _Path, top: int, seed: int, test: tuple[NDArray[int64], NDArray[bool_]] | None
    ) -> None: ...

class TrainingPairs:
    @property
    def entities(self) -> int: ...
    @property
    def symmetric(self) -> bool: ...
    def __len__(self) -> int: ...
    def links(self) -> NDArray[int64]: ...
    def labelled(self) -> tuple[NDArray[int64], NDArray[bool_]]: ...

def settings() -> list[tuple[str, str, str, list[str]]]: ...
def models() -> list[str]: ...
def defaults(model: str, pairs: int) -> str: ...
def fit(
    network: Network,
    model: str,
    settings: _Settings,
    side_info: SideInfo | None,
    asymmetric: bool,
    share_features: bool | None,
    negatives: float | None,
    hold_out: float | None,
    memory: float | None,
    until: float | None,
    time: float | None,
    n_jobs: int | None,
    callback: _Callback,
) -> Model: ...
def resume(
    model: Model,
    draws: int,
    until: float | None,
    time: float | None,
    memory: float | None,
    n_jobs: int | None,
    callback: _Callback,
) -> Model: ...
def update(
    model: Model,
    more: Network,
    until: float | None,
    time: float | None,
    memory: float | None,
    n_jobs: int | None,
    callback: _Callback,
) -> Model: ...
def tune(
    network: Network,
    model: str,
    settings: _Settings,
    side_info: SideInfo | None,
    budget: float,
    n_jobs: int | None,
    callback: _Callback,
) -> str: ...
def split(
    network: Network, how: _Split, runs: int, seed: int
) -> list[tuple[list[tuple[TrainingPairs, NDArray[int64], NDArray[bool_]]], Network | None]]: ...
def evaluate(
    network: Network,
    side_info: SideInfo | None,
    methods: list[tuple[str, _Method]],
    how: _Split,
    runs: int,
    seed: int,
    scores: list[str] | None,
    share_features: bool | None,
    n_jobs: int | None,
    callback: _Callback,
) -> str: ...
def score_pairs(
    name: str, network: Network, relation: int, pairs: NDArray[int64], settings: _Settings, seed: int
) -> NDArray[float64]: ...
def methods(of: list[str] | None = None) -> list[str]: ...
def protocols() -> list[str]: ...
def generate(
    entities: int, directed: bool, rows: int | None, diagonal: bool, alpha: float, nu: float, intercept: float, seed: int
) -> tuple[Network, list[list[int]], list[list[float]]]: ...
def plant(
    entities: int,
    mean_degree: float,
    max_degree: int | None,
    degree_exponent: float,
    group_size: tuple[int, int] | None,
    size_exponent: float,
    mixing: float,
    overlapping: int,
    memberships: int,
    seed: int,
) -> tuple[Network, list[list[int]]]: ...
def measure(
    name: str,
    labels: NDArray[bool_],
    scores: NDArray[float64],
    pairs: NDArray[int64] | None,
    symmetric: bool,
) -> float | None: ...
def curve(kind: str, labels: NDArray[bool_], scores: NDArray[float64]) -> list[tuple[float, float]]: ...
def calibration(
    labels: NDArray[bool_], probabilities: NDArray[float64], bins: int
) -> list[tuple[int, float, float]]: ...
def onmi(found: list[list[int]], truth: list[list[int]], entities: int) -> float: ...
