"""Networks from whatever people have: graphs, matrices, arrays, tables, files."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._labels import Labels
from ._reader import Roles, Rows, build, read
from ._words import DataWarning, ReadReport, WarningText, count, warn


class Network:
    """Nodes and the links between them, with what is known of the other pairs.

    Estimators and functions take networks in many forms and call this class themselves. Call it to choose
    options, or to convert once and use the result several times. ``report`` says what was read, as one line; what
    in it was assumed is a :class:`DataWarning`, too.

    Parameters
    ----------
    data
        A networkx or igraph graph; a scipy.sparse or square numpy adjacency matrix; a list of pairs or a numpy array
        of shape (m, 2); a pandas, polars or Arrow table with the columns source and target (and perhaps relation,
        label and weight), or with two columns; a path; or a dict of these, one per relation.
    directed
        Whether a link has a direction. Graphs know it; a symmetric matrix is undirected, and one that is not has to
        be declared; all else is directed by default, as for the command.
    bipartite
        Whether sources and targets are two kinds of nodes (people and boards), so that only pairs of both kinds
        count and links have no direction. By default the attribute ``bipartite`` of a networkx graph's nodes, or
        ``type`` of igraph's, decides.
    nodes
        Nodes that are there with or without links: labels in order, or a number n for 0 to n - 1.
    source, target
        The names of columns of a table or of a file with a header.
    relation, label, weight
        The names of columns of a table, or of attributes of a graph's edges (``relation="key"`` for the keys of a
        multigraph). A label is 1 for a link, 0 for a non-link, missing if the pair is unobserved; ``label`` may also
        be a list of labels. Weights are checked and ignored.
    unlisted
        What pairs that are not listed are: ``"non-links"`` or ``"unobserved"``. By default they are
        unobserved if non-links are listed.
    self_links
        ``"drop"`` ignores links of a node with itself and counts them, ``"raise"`` refuses them.
    columns
        What the values of a row of a list, an array or a file are, such as ``"source,target,weight"``.
    delimiter, header, format
        How a file is read, as for the command; ``format="adjacency"`` reads lists of neighbours.

    Examples
    --------
    >>> import dlfrm
    >>> network = dlfrm.Network([("Ada", "Bob"), ("Bob", "Cleo"), ("Bob", "Ada")], directed=False)
    >>> print(network.report)
    list: first link Ada - Bob; 3 nodes, 2 links (1 repeated), undirected
    """

    _inner: _dlfrm.Network
    labels: Labels
    report: ReadReport

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
        label: Any = None,
        weight: str | None = None,
        unlisted: str | None = None,
        self_links: str = "drop",
        columns: str | Sequence[str] | None = None,
        delimiter: str | None = None,
        header: bool | None = None,
        format: str | None = None,
        name: str = "network",
    ):
        if self_links not in ("raise", "drop"):
            raise ValueError(f"self_links must be 'raise' or 'drop', is {self_links!r}")
        if unlisted not in (None, "non-links", "unobserved"):
            raise ValueError(f"unlisted must be 'non-links' or 'unobserved', is {unlisted!r}")
        if directed and bipartite:
            raise ValueError("bipartite: links between two kinds of nodes have no direction, but directed is True")
        roles = Roles(source, target, relation, label, weight, columns, directed)
        self.kind = _kind(data)
        self.attributes: dict[Hashable, dict[str, Any]] = {}
        self.warnings: list[str] = []
        hidden = None if unlisted is None else unlisted == "unobserved"
        of_files = {"delimiter": delimiter, "header": header, "format": format}
        if isinstance(data, (Network, _dlfrm.Network)):
            of_all = {"directed": directed, "bipartite": bipartite, "nodes": nodes, "unlisted": unlisted}
            _refuse({**of_all, **of_files}, "a Network has its options already")
            roles.refuse("source target relation label weight columns", "a Network", "has its options already")
        if isinstance(data, Network):
            self.__dict__.update(data.__dict__)
            return
        if isinstance(data, _dlfrm.Network):
            self._inner, self.labels = data, Labels.of_names(data.names)
            self.report = self._report(data.name)
            return
        if isinstance(data, (str, os.PathLike)):
            roles.refuse("label" if not isinstance(label, (str, type(None))) else "", "a file", "has no list of labels beside it")
            titles = {role: getattr(roles, role) for role in ("source", "target", "relation", "label", "weight")}
            chosen = [f"{role}={title}" for role, title in titles.items() if title is not None]
            if chosen and columns is not None:
                raise TypeError(f"columns: they are named by {', '.join(chosen)} already")
            if not isinstance(nodes, (int, type(None))):
                raise TypeError(f"nodes: a file takes a number of nodes, not {nodes!r}")
            order = columns if columns is None or isinstance(columns, str) else ",".join(columns)
            order = ",".join(chosen) or order
            inner = _dlfrm.Network.read(data, order, directed, bipartite, delimiter, nodes, hidden, header, format)
            self._inner, self.labels = inner, Labels.of_names(inner.names)
            found = json.loads(inner.report)
            found["weights_named"] = weight is not None or "weight" in (order or "")
            named: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
            self.report = self._report(os.path.basename(data), **named)
        else:
            _refuse(of_files, "it says how a file is read")
            self._gather(data, roles, bipartite, nodes, name, hidden)
        if self_links == "raise" and self.report.self_loops:
            raise ValueError(f"network: {count(self.report.self_loops, 'self-loop')}; self_links='drop' ignores them")
        self.warnings = [WarningText(**one) for one in json.loads(self._inner.warnings)]
        self.warnings += [str(self.report)] if self.report.doubtful else []
        warn(self.warnings, DataWarning)

    def _gather(
        self, data: Any, roles: Roles, bipartite: bool | None, nodes: Any, name: str, hidden: bool | None
    ) -> None:
        if isinstance(data, Mapping):
            if not data:
                raise ValueError("network: the dict of relations is empty")
            roles.refuse("relation", "a dict", "has the names of relations as its keys")
            if not isinstance(roles.label, (str, type(None))):
                roles.refuse("label", "a dict", "has several lists of pairs")
            parts: list[tuple[str | None, Rows]] = [(str(key), read(part, roles)) for key, part in data.items()]
        else:
            parts = [(None, read(data, roles))]
        found = {rows.directed for _, rows in parts if rows.directed is not None}
        if roles.directed is None and len(found) > 1:
            raise ValueError("directed: some of the relations have a direction, others have none")
        if bipartite is None and not roles.directed:
            bipartite = all(rows.bipartite for _, rows in parts) or None
        directed = (True in found or not found) if roles.directed is None else roles.directed
        made = build(parts, nodes, name, directed and not bipartite, bipartite, hidden)
        self._inner, self.labels = made.inner, made.labels
        if len(self._inner) == 0:
            raise ValueError("network: it has no nodes")
        rows = parts[0][1]
        weights = [each.weights for _, each in parts if each.weights is not None]
        for _, each in parts:
            self.attributes.update(each.attributes)
        self.report = self._report(
            type(data).__name__,
            form=rows.form,
            repeated=made.repeated,
            self_loops=made.self_loops,
            weights=(min(low for low, _ in weights), max(high for _, high in weights)) if weights else None,
            weights_named=roles.weight is not None or "weight" in (roles.columns or ""),
            ignored=rows.ignored,
            first_link=made.first_link,
            directed_by_default=roles.directed is None and not found and not bipartite,
            looks=self._inner.looks if roles.directed is None and not found else None,
        )

    def _report(self, source: str, form: str = "", **found: Any) -> ReadReport:
        counts = np.array([self._inner.counts(number) for number in range(len(self._inner.relations))]).sum(axis=0)
        links, non_links, unobserved = (int(number) for number in counts)
        others_unobserved, relations = self._inner.unlisted_unobserved(0), len(self._inner.relations)
        kind = (self.directed, self.bipartite, relations, non_links, unobserved, others_unobserved)
        return ReadReport(source, form, len(self), links, *kind, **found)

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
        report = self.report
        relations = f", {report.relations} relations" if self.relations else ""
        kind = "bipartite" if self.bipartite else "directed" if self.directed else "undirected"
        return f"Network({report.nodes} nodes, {report.links} links{relations}, {kind})"


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
