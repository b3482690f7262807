"""Splits of a network into training and test pairs, the same as the command's, seed by seed.

>>> import dlfrm
>>> split = dlfrm.splits.split(dlfrm.datasets.les_miserables(), seed=7)[0]
>>> len(split.test_pairs) == len(split.test_labels)
True
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._labels import Labels
from ._network import Network


class Training:
    """The pairs that a method may learn from. Pairs that it does not have are unknown, not non-links."""

    def __init__(self, inner: _dlfrm.TrainingPairs, labels: Labels, relation: str | None, seed: int):
        self._inner, self._labels = inner, labels
        self.relation, self.seed = relation, seed

    @property
    def nodes(self) -> list[Hashable]:
        """The labels of the nodes in the order of their numbers."""
        return list(self._labels.list)

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return self._inner.nodes

    @property
    def directed(self) -> bool:
        """Whether (i, j) and (j, i) are different pairs."""
        return not self._inner.symmetric

    @property
    def links(self) -> NDArray[np.int64]:
        """The training links as numbers of nodes, of shape (m, 2)."""
        return self._inner.links()

    def labelled(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """All training pairs as numbers of nodes, and whether they are links."""
        return self._inner.labelled()

    def adjacency(self) -> Any:
        """The training links as a scipy.sparse matrix; symmetric if links have no direction."""
        from scipy import sparse

        source, target = self.links.T
        if not self.directed:
            source, target = np.concatenate([source, target]), np.concatenate([target, source])
        shape = (self.n_nodes, self.n_nodes)
        return sparse.csr_array((np.ones(len(source)), (source, target)), shape=shape)

    def to_networkx(self) -> Any:
        """The training links as a networkx graph of the nodes' numbers."""
        import networkx

        graph = networkx.DiGraph() if self.directed else networkx.Graph()
        graph.add_nodes_from(range(self.n_nodes))
        graph.add_edges_from(self.links.tolist())
        return graph

    def __repr__(self) -> str:
        return f"Training({self.n_nodes} nodes, {len(self._inner)} pairs, {len(self.links)} links)"


@dataclass(frozen=True)
class Split:
    """One relation of one split."""

    train: Training
    test_numbers: NDArray[np.int64]
    """The test pairs as numbers of nodes, of shape (m, 2)."""
    test_labels: NDArray[np.bool_]
    """Whether they are links."""
    network: Network | None
    """The network to fit to: the test pairs are unobserved in it. None where an undirected pair stands for two."""

    @property
    def test_pairs(self) -> list[tuple[Hashable, Hashable]]:
        """The test pairs as labels."""
        label = self.train._labels.list
        return [(label[i], label[j]) for i, j in self.test_numbers.tolist()]


def arguments(
    protocol: str, test_fraction: float | None, folds: int | None, negatives: float | None, test_negatives: str | None
) -> tuple[str, float | None, int | None, float | None, str | None]:
    """How to split, checked as far as types go."""
    if not isinstance(protocol, str):
        raise TypeError(f"split must be one of {', '.join(_dlfrm.protocols())}, is {protocol!r}")
    if folds is not None and (isinstance(folds, bool) or not isinstance(folds, int) or folds < 0):
        raise ValueError(f"folds must be at least 2, is {folds!r}")
    return protocol, test_fraction, folds, negatives, test_negatives


def split(
    network: Any,
    *,
    protocol: str = "pairs",
    runs: int = 1,
    seed: int = 1,
    test_fraction: float | None = None,
    folds: int | None = None,
    negatives: float | None = None,
    test_negatives: str | None = None,
    relation: str | None = None,
    **options: Any,
) -> list[Split]:
    """The splits of some runs of an evaluation with this seed, or all folds.

    Parameters
    ----------
    network
        Whatever :class:`dlfrm.Network` takes.
    protocol
        What is held out: pairs, links, connected, paper-pairs or paper-links.
    runs
        How many splits; as many as folds, if there are folds.
    seed
        Random seed.
    test_fraction
        The share that is held out.
    folds
        Hold out everything once, in so many parts.
    negatives, test_negatives
        Non-links per link in training, and which non-links are tested, where the protocol samples them.
    relation
        Which of several relations.
    """
    from ._network import relation_number

    data = Network(network, **options)
    how = arguments(protocol, test_fraction, folds, negatives, test_negatives)
    which = relation_number(data._inner.relations, relation)
    result = []
    for parts, rest in _dlfrm.split(data._inner, how, runs, seed):
        pairs, test, labels = parts[which]
        training = Training(pairs, data.labels, data._inner.relations[which], seed)
        left = None if rest is None else Network._of(rest, data.labels, data.kind)
        result.append(Split(training, test, labels, left))
    return result
