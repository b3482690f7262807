"""Evaluation of our models, baselines and other people's models on the same held-out pairs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._estimator import DLFRM
from ._network import Network
from ._progress import Callback, Watcher
from ._results import aligned
from ._side_info import Attributes, PairCovariates, side_info
from .splits import Training, arguments

FitPredict = Callable[[Training, NDArray[np.int64]], Any]


@dataclass(frozen=True)
class Evaluation:
    """How methods did."""

    figures: dict[str, dict[str, Any]]
    """By method: means and deviations over runs, seconds, and the number of features of models."""
    runs: list[dict[str, Any]]
    """One entry per method and run: its scores by name."""
    measures: list[str]
    relations: dict[str, Any] | None
    warnings: list[str]
    interrupted: bool

    def mean(self, method: str, measure: str = "auc") -> float:
        """The mean of a measure over the runs; NaN if it is undefined."""
        if method not in self.figures:
            raise KeyError(f"method: {method!r} is not one of {list(self.figures)}")
        if measure not in self.measures:
            raise KeyError(f"measure: {measure!r} is not one of {self.measures}")
        values = [run[measure] for run in self.runs if run["method"] == method]
        return float("nan") if None in values else float(np.mean(values))

    def to_pandas(self) -> Any:
        """One row per method and run."""
        import pandas

        return pandas.DataFrame(self.runs)

    def __repr__(self) -> str:
        shown = self.measures[:4]
        rows = [["method", *shown, "seconds"]]
        for name, figures in self.figures.items():
            cells = [f"{self.mean(name, measure):.4f}" for measure in shown]
            rows.append([name, *cells, f"{figures['seconds_mean']:.2f}"])
        return aligned(rows)


def _callable(function: FitPredict, data: Network) -> Callable[..., NDArray[np.float64]]:
    def call(pairs: _dlfrm.TrainingPairs, relation: int, seed: int, asked: NDArray[np.int64]) -> NDArray[np.float64]:
        training = Training(pairs, data.labels, data._inner.relations[relation], seed)
        scores = np.asarray(function(training, asked), dtype=np.float64)
        if scores.ndim != 1:
            raise ValueError(f"a method must return a score per pair, returned an array of shape {scores.shape}")
        return np.ascontiguousarray(scores)

    return call


def _method(name: str, given: Any, data: Network) -> Any:
    if isinstance(given, str):
        return given, []
    if isinstance(given, DLFRM):
        return given.model or "default", [pair for pair in given._settings() if pair[0] != "seed"]
    if callable(given):
        return _callable(given, data), bool(getattr(given, "probabilities", False))
    raise TypeError(f"methods[{name!r}] must be a name, a DLFRM or a function, is {given!r}")


def evaluate(
    network: Any,
    methods: Mapping[str, Any] | Sequence[str] = ("default", "baselines"),
    *,
    split: str = "pairs",
    runs: int = 5,
    seed: int = 1,
    test_fraction: float | None = None,
    folds: int | None = None,
    negatives: float | None = None,
    test_negatives: str | None = None,
    scores: Sequence[str] | None = None,
    node_attributes: Attributes = None,
    pair_covariates: PairCovariates = None,
    share_features: bool | None = None,
    n_jobs: int | None = None,
    verbose: bool | int = False,
    callback: Callback | None = None,
    **options: Any,
) -> Evaluation:
    """Evaluates methods on held-out pairs, as ``dlfrm evaluate`` does, seed by seed.

    Parameters
    ----------
    network
        Whatever :class:`dlfrm.Network` takes.
    methods
        Names of methods or groups (models, baselines, all), or a dict of names and methods. A method is a
        name, a :class:`DLFRM`, or a function ``fit_predict(train, pairs)``: it gets a
        :class:`dlfrm.splits.Training` and an array of pairs of nodes' numbers and returns a score for each.
        A function whose attribute ``probabilities`` is True returns probabilities.
    split, runs, seed, test_fraction, folds, negatives, test_negatives
        What is held out, as for :func:`dlfrm.splits.split`.
    scores
        What is measured: auc, ap, hits@K, precision@K, mrr, log-loss, brier, ece.

    Examples
    --------
    >>> import dlfrm
    >>> def degrees(train, pairs):
    ...     degree = np.bincount(train.links.ravel(), minlength=train.n_nodes)
    ...     return degree[pairs].sum(axis=1)
    >>> network = dlfrm.datasets.les_miserables()
    >>> found = dlfrm.evaluate(network, {"degrees": degrees, "cn": "cn"}, runs=2, scores=["auc"])
    >>> found.mean("cn") > found.mean("degrees")
    True
    """
    data = Network(network, **options)
    if isinstance(methods, str):
        methods = [methods]
    if not isinstance(methods, Mapping):
        methods = {name: name for name in _dlfrm.methods([str(name) for name in methods])}
    if not methods:
        raise ValueError("methods: there is none")
    chosen = [(str(name), _method(str(name), given, data)) for name, given in methods.items()]
    how = arguments(split, test_fraction, folds, negatives, test_negatives)
    known, _, _ = side_info(data, node_attributes, pair_covariates)
    watcher = Watcher(verbose, callback)
    report_to = watcher if verbose or callback is not None else None
    wanted = None if scores is None else list(scores)
    try:
        text = _dlfrm.evaluate(
            data._inner, known, chosen, how, runs, seed, wanted, share_features, n_jobs, report_to
        )
    finally:
        watcher.close()
    found = json.loads(text)
    report, measures = found["report"], found["measures"]
    names = ("method", "run", *measures, "seconds")
    each = [dict(zip(names, (one["method"], one["run"], *one["values"], one["seconds"]), strict=True)) for one in found["runs"]]
    figures, warnings = {one["model"]: one for one in report["models"]}, report.get("warnings", [])
    return Evaluation(figures, each, measures, report.get("relations"), warnings, report.get("interrupted", False))


@dataclass(frozen=True)
class Search:
    """What a search for settings found."""

    best_params: dict[str, Any]
    """Parameters for :class:`DLFRM`."""
    best_score: float
    """AUC on the development set."""
    trials: list[dict[str, Any]]
    development_links: int
    complete: bool
    """Whether the search ended because nothing was better, and not by the clock."""
    interrupted: bool


_TUNED = ("model", "c_pos", "c_neg", "nu", "alpha", "covariates", "node_effects")


def tune(
    network: Any,
    estimator: DLFRM | None = None,
    *,
    budget: float = 300.0,
    node_attributes: Attributes = None,
    pair_covariates: PairCovariates = None,
    callback: Callback | None = None,
    **options: Any,
) -> Search:
    """Searches settings on a development set, for at most ``budget`` seconds, as ``dlfrm tune`` does.

    The search begins with the parameters of the estimator.
    """
    base = DLFRM() if estimator is None else estimator
    if not isinstance(base, DLFRM):
        raise TypeError(f"estimator must be a DLFRM, is {base!r}")
    data = Network(network, **options)
    known, _, _ = side_info(data, node_attributes, pair_covariates)
    watcher = Watcher(base.verbose, callback)
    report_to = watcher if base.verbose or callback is not None else None
    try:
        text = _dlfrm.tune(data._inner, base.model, base._settings(), known, float(budget), base.n_jobs, report_to)
    finally:
        watcher.close()
    found = json.loads(text)
    for trial in found["trials"] + [found["best"]]:
        trial["settings"] = {name.replace("-", "_"): value for name, value in trial["settings"].items()}
    best = found["best"]
    rest = (found[name] for name in ("trials", "development_links", "complete", "interrupted"))
    return Search({name: best["settings"][name] for name in _TUNED}, best["auc"], *rest)


__all__ = ["Evaluation", "Search", "evaluate", "tune"]
