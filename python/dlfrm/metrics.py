"""Scores of predictions: labels first, then scores, as scikit-learn has them.

>>> auc([1, 0, 1, 0], [0.9, 0.3, 0.4, 0.6])
0.75
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm

__all__ = [
    "auc", "average_precision", "brier", "calibration_curve", "expected_calibration_error", "hits_at",
    "log_loss", "mean_reciprocal_rank", "onmi", "precision_at", "precision_recall_curve", "roc_curve",
    "score",
]


def _labels(labels: Any) -> NDArray[np.bool_]:
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"labels must have one dimension, has shape {array.shape}")
    if array.dtype.kind == "b":
        return np.ascontiguousarray(array)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"labels must be 0 or 1, have dtype {array.dtype}")
    bad = array[~((array == 0) | (array == 1))]
    if len(bad):
        raise ValueError(f"labels must be 0 or 1, one is {bad[0].item()!r}")
    return np.ascontiguousarray(array == 1)


def _scores(scores: Any) -> NDArray[np.float64]:
    array = np.asarray(scores)
    if array.ndim != 1:
        raise ValueError(f"scores must have one dimension, has shape {array.shape}")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"scores must be numbers, have dtype {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.float64)


def score(name: str, labels: Any, scores: Any, pairs: Any = None, *, directed: bool = False) -> float:
    """A measure by the command's name: auc, ap, hits@K, precision@K, mrr, log-loss, brier or ece.

    NaN if the labels leave it undefined. ``mrr`` needs the pairs, as an array of numbers of nodes.
    """
    ends = None if pairs is None else np.ascontiguousarray(pairs, dtype=np.int64)
    value = _dlfrm.measure(name, _labels(labels), _scores(scores), ends, not directed)
    return float("nan") if value is None else value


def auc(labels: Any, scores: Any) -> float:
    """The area under the ROC curve."""
    return score("auc", labels, scores)


def average_precision(labels: Any, scores: Any) -> float:
    """Average precision."""
    return score("ap", labels, scores)


def hits_at(k: int, labels: Any, scores: Any) -> float:
    """The share of links with fewer than k non-links above them."""
    return score(f"hits@{k}", labels, scores)


def precision_at(k: int, labels: Any, scores: Any) -> float:
    """The share of links among the k best pairs."""
    return score(f"precision@{k}", labels, scores)


def mean_reciprocal_rank(labels: Any, scores: Any, pairs: Any, *, directed: bool = False) -> float:
    """The mean reciprocal rank of the links among the pairs of their ends."""
    return score("mrr", labels, scores, pairs, directed=directed)


def log_loss(labels: Any, probabilities: Any) -> float:
    """The mean logarithmic loss."""
    return score("log-loss", labels, probabilities)


def brier(labels: Any, probabilities: Any) -> float:
    """The Brier score."""
    return score("brier", labels, probabilities)


def expected_calibration_error(labels: Any, probabilities: Any) -> float:
    """The expected calibration error over ten bins of equal width."""
    return score("ece", labels, probabilities)


def roc_curve(labels: Any, scores: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """False and true positive rates from the largest score down."""
    points = np.array(_dlfrm.curve("roc", _labels(labels), _scores(scores))).reshape(-1, 2)
    return points[:, 0], points[:, 1]


def precision_recall_curve(labels: Any, scores: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Precision and recall from the largest score down."""
    points = np.array(_dlfrm.curve("precision-recall", _labels(labels), _scores(scores))).reshape(-1, 2)
    return points[:, 1], points[:, 0]


def calibration_curve(
    labels: Any, probabilities: Any, bins: int = 10
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """The share of links, the mean probability and the number of pairs of each bin that is not empty."""
    found = _dlfrm.calibration(_labels(labels), _scores(probabilities), bins)
    counts, means, rates = (np.array([one[place] for one in found]) for place in range(3))
    return rates, means, counts.astype(np.int64)


def onmi(found: Sequence[Sequence[Hashable]], truth: Sequence[Sequence[Hashable]], nodes: Sequence[Hashable]) -> float:
    """The overlapping normalised mutual information of two lists of groups of nodes, from 0 to 1."""
    index = {node: number for number, node in enumerate(nodes)}

    def numbers(groups: Sequence[Sequence[Hashable]], where: str) -> list[list[int]]:
        for group in groups:
            for node in group:
                if node not in index:
                    raise KeyError(f"{where}: node {node!r} is not one of the {len(index)} nodes")
        return [[index[node] for node in group] for group in groups]

    return _dlfrm.onmi(numbers(found, "found"), numbers(truth, "truth"), len(index))
