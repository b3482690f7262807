"""Networks from whatever people have: graphs, matrices, arrays, frames, files."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._labels import Labels, from_names
from ._reader import Reader
from ._warnings import DataWarning, warn


class Network:
    """Nodes and the links between them, with what is known of the other pairs.

    Estimators and functions take networks in many forms and call this class themselves. Call it to choose
    options, or to convert once and use the result several times.

    Parameters
    ----------
    data
        A networkx or igraph graph; a scipy.sparse or square numpy adjacency matrix; a numpy array of shape
        (m, 2) or a list of pairs; a pandas, polars or Arrow table with the columns source and target (and
        perhaps relation and label); a path; or a dict of these, one per relation.
    directed
        Whether a link has a direction. Graphs know it; a symmetric matrix is undirected; all else is
        directed by default, as for the command.
    bipartite
        Whether sources and targets are two kinds of nodes (people and boards), so that only pairs of both kinds
        count and links have no direction. By default it is found: no source is a target, and it is no accident.
    nodes
        Nodes that are there with or without links: labels in order, or a number n for 0 to n - 1.
    source, target, relation, label
        The names of columns of a table.
    unlisted
        What pairs that are not listed are: ``"non-links"`` or ``"unobserved"``. By default they are
        unobserved if non-links are listed.
    self_links
        ``"raise"`` refuses links of a node with itself, ``"drop"`` sets them aside.
    columns, delimiter, header
        How a file is read, as for the command.

    Examples
    --------
    >>> import dlfrm
    >>> dlfrm.Network([("Ada", "Bob"), ("Bob", "Cleo")], directed=False)
    Network(3 nodes, 2 links, undirected)
    """

    _inner: _dlfrm.Network
    labels: Labels

    def __init__(
        self,
        data: Any,
        *,
        directed: bool | None = None,
        bipartite: bool | None = None,
        nodes: int | Sequence[Hashable] | None = None,
        source: str | None = None,
        target: str | None = None,
        relation: str | None = None,
        label: str | None = None,
        unlisted: str | None = None,
        self_links: str = "raise",
        columns: str | None = None,
        delimiter: str | None = None,
        header: bool | None = None,
        name: str = "network",
    ):
        if self_links not in ("raise", "drop"):
            raise ValueError(f"self_links must be 'raise' or 'drop', is {self_links!r}")
        if unlisted not in (None, "non-links", "unobserved"):
            raise ValueError(f"unlisted must be 'non-links' or 'unobserved', is {unlisted!r}")
        if directed and bipartite:
            raise ValueError("bipartite: links between two kinds of nodes have no direction, but directed is True")
        if directed:
            bipartite = False
        self.kind = _kind(data)
        self.attributes: dict[Hashable, dict[str, Any]] = {}
        hidden = None if unlisted is None else unlisted == "unobserved"
        of_tables = {"source": source, "target": target, "relation": relation, "label": label}
        of_files = {"columns": columns, "delimiter": delimiter, "header": header}
        if isinstance(data, Network):
            of_all = {"directed": directed, "bipartite": bipartite, "nodes": nodes, "unlisted": unlisted}
            _refuse({**of_all, **of_tables, **of_files}, "a Network has its options already")
            self._inner, self.labels, self.kind = data._inner, data.labels, data.kind
            self.attributes = data.attributes
            return
        if isinstance(data, _dlfrm.Network):
            self._set(data)
            return
        if isinstance(data, (str, os.PathLike)):
            _refuse(of_tables, "a file has columns='source,target,...'")
            count = nodes if isinstance(nodes, int) else None
            if nodes is not None and count is None:
                raise TypeError(f"nodes: a file takes a number of nodes, not {nodes!r}")
            self._set(
                _dlfrm.Network.read(data, columns, directed, bipartite, delimiter, count, None, hidden, header)
            )
            warn(self.warnings, DataWarning)
            return
        _refuse(of_files, "it says how a file is read")
        reader = Reader(directed, bipartite, nodes, (source, target, relation, label), self_links)
        if isinstance(data, Mapping):
            if not data:
                raise ValueError("network: the dict of relations is empty")
            for key, part in data.items():
                reader.add(part, str(key))
        else:
            reader.add(data, None)
        self.attributes = reader.attributes
        self._inner, self.labels = reader.build(name, hidden)
        if len(self._inner) == 0:
            raise ValueError("network: it has no nodes")
        warn(self.warnings, DataWarning)

    def _set(self, inner: _dlfrm.Network) -> None:
        self._inner = inner
        labels = from_names(inner.names)
        integers = bool(labels) and isinstance(labels[0], int) and max(labels) < 2**63  # type: ignore[type-var,operator]
        in_order = integers and all(a < b for a, b in zip(labels, labels[1:], strict=False))  # type: ignore[operator]
        self.labels = Labels(np.array(labels, dtype=np.int64) if in_order else labels)

    @classmethod
    def _of(cls, inner: _dlfrm.Network, labels: Labels, kind: str) -> Network:
        network = cls(inner)
        network.labels, network.kind = labels, kind
        return network

    @property
    def nodes(self) -> list[Hashable]:
        """The labels of the nodes in order."""
        return list(self.labels.list)

    @property
    def directed(self) -> bool:
        """Whether a link has a direction."""
        return self._inner.directed

    @property
    def bipartite(self) -> bool:
        """Whether only pairs of a row and a column count."""
        return self._inner.bipartite

    @property
    def modes(self) -> tuple[list[Hashable], list[Hashable]] | None:
        """The rows and the columns of a bipartite network, in order."""
        modes, label = self._inner.modes(), self.labels.list
        if modes is None:
            return None
        rows, columns = modes
        return [label[i] for i in rows], [label[j] for j in columns]

    @property
    def relations(self) -> list[str]:
        """The names of the relations; empty if there is one without a name."""
        return [name for name in self._inner.relations if name is not None]

    @property
    def warnings(self) -> list[str]:
        """What a user may not expect of the file."""
        return self._inner.warnings

    def __len__(self) -> int:
        return len(self._inner)

    def links(self, relation: str | None = None) -> list[tuple[Hashable, Hashable]]:
        """The links of a relation as pairs of labels."""
        label = self.labels.list
        return [(label[i], label[j]) for i, j in self.link_numbers(relation).tolist()]

    def link_numbers(self, relation: str | None = None) -> NDArray[np.int64]:
        """The links of a relation as an array of shape (m, 2) of the nodes' numbers."""
        return self._inner.links(relation_number(self._inner.relations, relation))

    def to_networkx(self, relation: str | None = None) -> Any:
        """The links of a relation as a networkx graph."""
        import networkx

        graph = networkx.DiGraph() if self.directed else networkx.Graph()
        graph.add_nodes_from(self.labels.list)
        graph.add_edges_from(self.links(relation))
        return graph

    def __repr__(self) -> str:
        counts = [len(self._inner.links(number)) for number in range(len(self._inner.relations))]
        relations = f", {len(counts)} relations" if self.relations else ""
        kind = "bipartite" if self.bipartite else "directed" if self.directed else "undirected"
        return f"Network({len(self)} nodes, {sum(counts)} links{relations}, {kind})"


def relation_number(relations: Sequence[str | None], relation: str | None) -> int:
    """The number of a relation, or a ``KeyError`` that names it."""
    if relation is None:
        if len(relations) > 1:
            raise ValueError(f"relation: name one of {[name for name in relations]}")
        return 0
    if relation not in relations:
        raise KeyError(f"relation: {relation!r} is not one of {[name for name in relations]}")
    return list(relations).index(relation)


def _refuse(options: dict[str, Any], why: str) -> None:
    """Refuses options that would have no effect."""
    for name, value in options.items():
        if value is not None:
            raise TypeError(f"{name}: {why}")


def _kind(data: Any) -> str:
    """The library that the data comes from."""
    if isinstance(data, Mapping) and data:
        return _kind(next(iter(data.values())))
    module = type(data).__module__.split(".")[0]
    return module if module in ("pandas", "polars", "pyarrow", "networkx", "igraph") else "list"
