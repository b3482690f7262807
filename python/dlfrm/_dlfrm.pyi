"""
Bindings of the Rust library; use the package `dlfrm`.
"""

from _typeshed import SupportsGetItem
from numpy import bool_, float64, int64, int8
from numpy.typing import NDArray
from os import PathLike
from typing import Any, Final, SupportsFloat, SupportsIndex, final

__all__ = ["__version__", "Model", "Network", "SideInfo", "TrainingPairs", "calibration", "curve", "defaults", "evaluate", "fit", "generate", "measure", "methods", "models", "onmi", "plant", "protocols", "resume", "score_pairs", "settings", "split", "tune", "update"]

__version__: Final[str]

@final
class Model:
    """
    A fitted model.
    """
    @property
    def directed(self, /) -> bool: ...
    def draws(self, /, relation: SupportsIndex) -> NDArray[int64]:
        """
        The chain and the sweep of every kept draw.
        """
    def explain(self, /, pair: NDArray[int64], relation: SupportsIndex) -> str:
        """
        Why a pair has its probability, as JSON; `text` has the sentences of `dlfrm explain`.
        """
    def features(self, /, relation: SupportsIndex) -> str:
        """
        The features of a relation that draws agree on, as JSON.
        """
    def figures(self, /, relation: SupportsIndex) -> str:
        """
        The figures of a relation, as JSON.
        """
    @staticmethod
    def from_bytes(data: bytes, checkpoint: bytes | None) -> Model: ...
    @property
    def interrupted(self, /) -> bool: ...
    def links(self, /, relation: SupportsIndex) -> NDArray[int64]:
        """
        The links that the model learned from.
        """
    @staticmethod
    def load(path: str | PathLike[str]) -> Model:
        """
        Reads a file, and the checkpoint beside it if the fit was ended early.
        """
    @property
    def name(self, /) -> str: ...
    @property
    def names(self, /) -> list[str]: ...
    def predict(self, /, pairs: NDArray[int64], relation: SupportsIndex) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """
        The mean, the 5 % and the 95 % quantile of the probability of each pair.
        """
    def predict_draws(self, /, pairs: NDArray[int64], relation: SupportsIndex) -> NDArray[float64]:
        """
        The probability of each pair in every draw: a row per pair.
        """
    def predict_mean(self, /, pairs: NDArray[int64], relation: SupportsIndex) -> NDArray[float64]:
        """
        The posterior mean of the probability of each pair.
        """
    @property
    def relations(self, /) -> list[str | None]: ...
    def report(self, /, path: str | PathLike[str], top: SupportsIndex, seed: SupportsIndex, test: tuple[NDArray[int64], NDArray[bool_]] | None) -> None:
        """
        The page of the report.
        """
    def save(self, /, path: str | PathLike[str]) -> None:
        """
        Writes a file, and the checkpoint beside it if the fit was ended early, as the command does.
        """
    def score(self, /, pairs: NDArray[int64], relation: SupportsIndex) -> NDArray[float64]:
        """
        The score of each pair, which ranks.
        """
    @property
    def settings(self, /) -> str:
        """
        The settings of the fit, as JSON.
        """
    def to_bytes(self, /) -> tuple[bytes, bytes | None]:
        """
        The bytes of the model file, and of the checkpoint if the fit was ended early.
        """
    def top(self, /, count: SupportsIndex, node: SupportsIndex | None, relation: SupportsIndex | None) -> list[tuple[int, int, int, float, float, float, float]]:
        """
        The most probable pairs that are no links.
        """
    def traces(self, /, relation: SupportsIndex) -> list[dict[str, NDArray[float64]]]:
        """
        The traces of the chains over all sweeps: an array per quantity.
        """
    @property
    def versions(self, /) -> str:
        """
        The versions that the model was fitted with, as JSON.
        """
    def with_new_nodes(self, /, links: Network) -> Model:
        """
        The model with nodes that were not there at the fit, to predict with.
        """

@final
class Network:
    """
    One or several relations between the same nodes.
    """
    def __len__(self, /) -> int: ...
    @property
    def bipartite(self, /) -> bool: ...
    @staticmethod
    def columns() -> list[str]:
        """
        The words for columns of a file.
        """
    def counts(self, /, relation: SupportsIndex) -> tuple[int, int, int]:
        """
        How many links, listed non-links and listed unobserved pairs a relation has.
        """
    @property
    def directed(self, /) -> bool: ...
    @staticmethod
    def from_numbers(name: str, names: SupportsGetItem[int, str], directed: bool, bipartite: bool | None, relations: SupportsGetItem[int, tuple[str | None, NDArray[int64], NDArray[int64], NDArray[int8] | None]], unlisted: bool | None) -> Network:
        """
        Of nodes with these names; the ends of pairs are their numbers.
        """
    @staticmethod
    def les_miserables() -> Network:
        """
        The characters of Les Misérables.
        """
    def links(self, /, relation: SupportsIndex) -> NDArray[int64]:
        """
        The links of a relation.
        """
    @property
    def looks(self, /) -> str | None:
        """
        What it looks like and nobody asked for: undirected or bipartite.
        """
    def modes(self, /) -> tuple[list[int], list[int]] | None:
        """
        The numbers of the rows and of the columns of a bipartite network.
        """
    @property
    def name(self, /) -> str: ...
    @property
    def names(self, /) -> list[str]: ...
    def non_links(self, /, relation: SupportsIndex) -> NDArray[int64]:
        """
        The listed non-links of a relation.
        """
    def observed_count(self, /, relation: SupportsIndex) -> int:
        """
        How many pairs of a relation are observed.
        """
    @staticmethod
    def read(path: str | PathLike[str], columns: str | None, directed: bool | None, bipartite: bool | None, delimiter: str | None, nodes: SupportsIndex | None, unlisted: bool | None, header: bool | None, format: str | None) -> Network:
        """
        Reads a file.
        """
    @property
    def relations(self, /) -> list[str | None]: ...
    @property
    def report(self, /) -> str:
        """
        What was read of a file, as JSON.
        """
    @staticmethod
    def titled(title: str) -> str | None:
        """
        The word for the column that a title names.
        """
    def unlisted_unobserved(self, /, relation: SupportsIndex) -> bool:
        """
        Whether pairs that are not listed are unobserved.
        """
    def unobserved(self, /, relation: SupportsIndex) -> NDArray[int64]:
        """
        The unobserved pairs of a relation that are listed.
        """
    @property
    def warnings(self, /) -> str:
        """
        What a user may not expect, as JSON.
        """

@final
class SideInfo:
    """
    Side information of a network.
    """
    def __new__(cls, /, network: Network, attribute_files: SupportsGetItem[int, str | PathLike[str]], attributes: SupportsGetItem[int, tuple[str, NDArray[float64] | tuple[SupportsGetItem[int, str], SupportsGetItem[int, SupportsGetItem[int, tuple[SupportsIndex, SupportsFloat | SupportsIndex]]]]]], pair_file: str | PathLike[str] | None, pairs: tuple[NDArray[int64], SupportsGetItem[int, tuple[str, NDArray[float64] | tuple[SupportsGetItem[int, str], SupportsGetItem[int, SupportsIndex | None]]]]] | None) -> SideInfo:
        """
        Gathers attributes of nodes, from files and arrays, and covariates of pairs, from a file or arrays.
        """
    @property
    def warnings(self, /) -> str:
        """
        How tables were understood and what a user may not expect of them, as JSON.
        """

@final
class TrainingPairs:
    """
    Pairs that a method may learn from.
    """
    def __len__(self, /) -> int: ...
    def labelled(self, /) -> tuple[NDArray[int64], NDArray[bool_]]:
        """
        All pairs, and whether they are links.
        """
    def links(self, /) -> NDArray[int64]:
        """
        The links.
        """
    @property
    def nodes(self, /) -> int: ...
    @property
    def symmetric(self, /) -> bool:
        """
        Whether (i, j) and (j, i) are one pair.
        """

def calibration(labels: NDArray[bool_], probabilities: NDArray[float64], bins: SupportsIndex) -> list[tuple[int, float, float]]:
    """
    The calibration curve: pairs, mean probability and share of links of each bin that is not empty.
    """

def curve(kind: str, labels: NDArray[bool_], scores: NDArray[float64]) -> list[tuple[float, float]]:
    """
    The points of a curve: `roc` or `precision-recall`.
    """

def defaults(model: str, pairs: SupportsIndex) -> str:
    """
    The default of every setting for a model and so many pairs, as JSON.
    """

def evaluate(network: Network, side_info: SideInfo | None, methods: SupportsGetItem[int, tuple[str, tuple[str, SupportsGetItem[int, tuple[str, str]]] | tuple[Any, bool]]], how: tuple[str, SupportsFloat | SupportsIndex | None, SupportsIndex | None, SupportsFloat | SupportsIndex | None, str | None], runs: SupportsIndex, seed: SupportsIndex, scores: SupportsGetItem[int, str] | None, share_features: bool | None, n_jobs: SupportsIndex | None, callback: Any | None) -> str:
    """
    Evaluates methods, as JSON.
    """

def fit(network: Network, model: str | None, settings: SupportsGetItem[int, tuple[str, str]], side_info: SideInfo | None, asymmetric: bool, share_features: bool | None, negatives: SupportsFloat | SupportsIndex | None, hold_out: SupportsFloat | SupportsIndex | None, memory: SupportsFloat | SupportsIndex | None, until: SupportsFloat | SupportsIndex | None, time: SupportsFloat | SupportsIndex | None, n_jobs: SupportsIndex | None, callback: Any | None) -> Model:
    """
    Fits a model. An interrupt, a `StopIteration` of the callback or the end of its time ends the fit with the draws kept so far.
    """

def generate(nodes: SupportsIndex, directed: bool, rows: SupportsIndex | None, diagonal: bool, alpha: SupportsFloat | SupportsIndex, nu: SupportsFloat | SupportsIndex, intercept: SupportsFloat | SupportsIndex, seed: SupportsIndex) -> tuple[Network, list[list[int]], list[list[float]]]:
    """
    A network drawn from the model, with the members of its features and their weights.
    """

def measure(name: str, labels: NDArray[bool_], scores: NDArray[float64], pairs: NDArray[int64] | None, symmetric: bool) -> float | None:
    """
    A measure by its name; `None` if the labels leave it undefined.
    """

def methods(of: SupportsGetItem[int, str] | None = None) -> list[str]:
    """
    The names of all methods, models first; groups of methods are replaced by theirs.
    """

def models() -> list[str]:
    """
    The names of the models.
    """

def onmi(found: SupportsGetItem[int, SupportsGetItem[int, SupportsIndex]], truth: SupportsGetItem[int, SupportsGetItem[int, SupportsIndex]], nodes: SupportsIndex) -> float:
    """
    How similar two lists of groups of so many nodes are.
    """

def plant(nodes: SupportsIndex, mean_degree: SupportsFloat | SupportsIndex, max_degree: SupportsIndex | None, degree_exponent: SupportsFloat | SupportsIndex, group_size: tuple[SupportsIndex, SupportsIndex] | None, size_exponent: SupportsFloat | SupportsIndex, mixing: SupportsFloat | SupportsIndex, overlapping: SupportsIndex, memberships: SupportsIndex, seed: SupportsIndex) -> tuple[Network, list[list[int]]]:
    """
    A network with planted groups, and the groups.
    """

def protocols() -> list[str]:
    """
    The names of the protocols.
    """

def resume(model: Model, draws: SupportsIndex, until: SupportsFloat | SupportsIndex | None, time: SupportsFloat | SupportsIndex | None, memory: SupportsFloat | SupportsIndex | None, n_jobs: SupportsIndex | None, callback: Any | None) -> Model:
    """
    Goes on with a fit, as `dlfrm resume` does: with so many draws more of each chain, or until the chains agree.
    """

def score_pairs(name: str, network: Network, relation: SupportsIndex, pairs: NDArray[int64], settings: SupportsGetItem[int, tuple[str, str]], seed: SupportsIndex) -> NDArray[float64]:
    """
    The scores that a known method gives to some pairs after learning from a relation.
    """

def settings() -> list[tuple[str, str, str, list[str]]]:
    """
    Every setting in order: its name, its kind (switch, number, count or word), its help and its words.
    """

def split(network: Network, how: tuple[str, SupportsFloat | SupportsIndex | None, SupportsIndex | None, SupportsFloat | SupportsIndex | None, str | None], runs: SupportsIndex, seed: SupportsIndex) -> list[tuple[list[tuple[TrainingPairs, NDArray[int64], NDArray[bool_]]], Network | None]]:
    """
    The splits of some runs: the parts of each relation, and the network to learn from if there is one.
    """

def tune(network: Network, model: str | None, settings: SupportsGetItem[int, tuple[str, str]], side_info: SideInfo | None, budget: SupportsFloat | SupportsIndex, n_jobs: SupportsIndex | None, callback: Any | None) -> str:
    """
    Searches for settings, as JSON.
    """

def update(model: Model, more: Network, until: SupportsFloat | SupportsIndex | None, time: SupportsFloat | SupportsIndex | None, memory: SupportsFloat | SupportsIndex | None, n_jobs: SupportsIndex | None, callback: Any | None) -> Model:
    """
    The model with further links, non-links and nodes, as `dlfrm update` makes it.
    """
