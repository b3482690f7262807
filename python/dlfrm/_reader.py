"""Relations of a network, gathered from graphs, matrices, arrays and tables."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._labels import Labels, check_label, column_array, columns_of, is_missing, ordered
from ._strings import Strings, in_order

_Relation = tuple[str | None, Any, Any, Any]
_NAMES = {"source": ("source", "from", "src", "i", "u"), "target": ("target", "to", "dst", "j", "v")}


class Reader:
    """Gathers the relations of a network."""

    def __init__(
        self,
        directed: bool | None,
        bipartite: bool | None,
        nodes: int | Sequence[Hashable] | None,
        names: tuple[str | None, str | None, str | None, str | None],
        self_links: str,
    ):
        if isinstance(nodes, bool) or (isinstance(nodes, int) and nodes < 0):
            raise ValueError(f"nodes must be a number from 0 or a list of labels, is {nodes!r}")
        self.bipartite = bipartite
        self.asked, self.names, self.self_links = directed, names, self_links
        self.declared: list[Hashable] = []
        self.fixed = nodes is not None
        if isinstance(nodes, int):
            self.declared = list(range(nodes))
        elif nodes is not None:
            self.declared = [check_label(node, "nodes") for node in nodes]
        self.found: list[bool] = []
        self.relations: list[_Relation] = []
        self.texts: list[tuple[int, list[str]]] = []
        self.attributes: dict[Hashable, dict[str, Any]] = {}

    def add(self, data: Any, relation: str | None) -> None:
        """Adds one relation, or several if a table has a column of relations."""
        if hasattr(data, "is_directed") and hasattr(data, "edges") and hasattr(data, "adj"):
            self._networkx(data, relation)
        elif hasattr(data, "get_edgelist") and hasattr(data, "vs"):
            self._igraph(data, relation)
        elif hasattr(data, "tocoo"):
            self._sparse(data, relation)
        elif isinstance(data, np.ndarray):
            self._array(data, relation)
        elif hasattr(data, "columns") or hasattr(data, "column_names"):
            self._table(data, relation)
        elif hasattr(data, "__arrow_c_stream__"):
            import pyarrow

            self._table(pyarrow.table(data), relation)
        elif hasattr(data, "__next__"):
            raise TypeError(f"network: a generator is read once and has no length: {data!r}; use list(...)")
        elif isinstance(data, (list, tuple, set, frozenset)):
            self._pairs(list(data), relation)
        else:
            raise TypeError(f"network: {type(data).__name__} is none of the kinds that can be read: {data!r}")

    def _declare(self, nodes: list[Hashable]) -> None:
        if not self.fixed:
            self.declared.extend(check_label(node, "network") for node in nodes)

    def _networkx(self, graph: Any, relation: str | None) -> None:
        self.found.append(bool(graph.is_directed()))
        self._declare(list(graph.nodes))
        self.attributes.update({node: dict(values) for node, values in graph.nodes(data=True) if values})
        edges = [(a, b) for a, b in graph.edges()]
        self._objects([a for a, _ in edges], [b for _, b in edges], None, relation, mixed=True)

    def _igraph(self, graph: Any, relation: str | None) -> None:
        self.found.append(bool(graph.is_directed()))
        names = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(graph.vcount()))
        self._declare(list(names))
        others = [key for key in graph.vs.attributes() if key != "name"]
        for node, vertex in zip(names, graph.vs, strict=True):
            if others:
                self.attributes.setdefault(node, {}).update({key: vertex[key] for key in others})
        edges = graph.get_edgelist()
        self._objects([names[a] for a, _ in edges], [names[b] for _, b in edges], None, relation)

    def _sparse(self, matrix: Any, relation: str | None) -> None:
        rows, columns = matrix.shape
        if rows != columns:
            raise ValueError(f"network: an adjacency matrix must be square, has shape {matrix.shape}")
        entries = matrix.tocoo()
        values = np.asarray(entries.data)
        _check_weights(values)
        keep = values != 0
        source, target = (np.asarray(ends)[keep].astype(np.int64) for ends in (entries.row, entries.col))
        self._matrix(rows, source, target, None, relation)

    def _array(self, array: NDArray[Any], relation: str | None) -> None:
        if array.ndim == 2 and array.shape[0] == array.shape[1] and array.shape != (2, 2):
            mask = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
            values = np.ma.getdata(array) if mask is not None else array
            seen = values if mask is None else np.where(mask, 0, values)
            _check_weights(seen)
            source, target = np.nonzero(seen)
            hidden = None
            if mask is not None:
                i, j = np.nonzero(mask)
                hidden = (i[i != j], j[i != j])
            self._matrix(len(array), source.astype(np.int64), target.astype(np.int64), hidden, relation)
            return
        if array.ndim != 2 or array.shape[1] not in (2, 3):
            raise ValueError(f"network: an array must be square or have shape (m, 2), has shape {array.shape}")
        if array.shape == (2, 2):
            raise ValueError("network: an array of shape (2, 2) may be a matrix or two links; pass a list of pairs")
        labels = _labels(array[:, 2].tolist()) if array.shape[1] == 3 else None
        ends = columns_of([array[:, 0], array[:, 1]])
        self._columns(ends[0], ends[1], labels, relation)

    def _matrix(self, count: int, source: Any, target: Any, hidden: Any, relation: str | None) -> None:
        if not self.fixed:
            self.declared.extend(range(len(self.declared), count))
        keys, back = source * count + target, target * count + source
        self.found.append(not np.array_equal(np.sort(keys), np.sort(back)))
        labels = None
        if hidden is not None and len(hidden[0]):
            labels = np.concatenate([np.ones(len(source), np.int8), np.full(len(hidden[0]), -1, np.int8)])
            source = np.concatenate([source, hidden[0].astype(np.int64)])
            target = np.concatenate([target, hidden[1].astype(np.int64)])
        self._ends(source, target, labels, relation)

    def _table(self, table: Any, relation: str | None) -> None:
        columns = [str(name) for name in getattr(table, "column_names", None) or list(table.columns)]
        source, target, relations, label = self.names

        def find(asked: str | None, known: tuple[str, ...], argument: str) -> str | None:
            if asked is not None and asked not in columns:
                raise KeyError(f"{argument}: {asked!r} is not one of the columns {columns}")
            return asked or next((name for name in columns if name.lower() in known), None)

        first = find(source, _NAMES["source"], "source")
        second = find(target, _NAMES["target"], "target")
        if first is None or second is None:
            if len(columns) < 2:
                raise ValueError(f"network: a table needs two columns, has {columns}")
            first, second = columns[0], columns[1]
        group = find(relations, ("relation",), "relation")
        marks = find(label, ("label",), "label")
        left, right = columns_of([table[first], table[second]])
        labels = None if marks is None else _labels(column_array(table[marks]).tolist())
        if group is None or relation is not None:
            self._columns(left, right, labels, relation)
            return
        kinds = column_array(table[group])
        for kind in ordered(check_label(value, "relation") for value in kinds.tolist()):
            here = kinds == kind
            self._columns(left[here], right[here], None if labels is None else labels[here], str(kind))

    def _pairs(self, pairs: list[Any], relation: str | None) -> None:
        if not pairs and not self.declared:
            raise ValueError("network: it has no nodes")
        for row, pair in enumerate(pairs):
            if isinstance(pair, (str, bytes)) or not hasattr(pair, "__len__") or len(pair) not in (2, 3):
                raise ValueError(f"network[{row}] must be a pair of nodes, is {pair!r}")
        labelled = [len(pair) == 3 for pair in pairs]
        labels = _labels([pair[2] for pair in pairs]) if pairs and all(labelled) else None
        if any(labelled) and labels is None:
            raise ValueError("network: some pairs have a label and some have none")
        self._objects([pair[0] for pair in pairs], [pair[1] for pair in pairs], labels, relation)

    def _columns(
        self, source: NDArray[Any] | Strings, target: NDArray[Any] | Strings, labels: Any, relation: str | None
    ) -> None:
        if isinstance(source, Strings) and isinstance(target, Strings):
            first, second, names = in_order(source, target)
            self.texts.append((len(self.relations), names))
            self._ends(first, second, labels, relation, names)
            return
        assert isinstance(source, np.ndarray) and isinstance(target, np.ndarray)
        if source.dtype.kind in "iu" and target.dtype.kind in "iu":
            if source.dtype == np.uint64 or target.dtype == np.uint64:
                largest = max(int(source.max(initial=0)), int(target.max(initial=0)))
                if largest >= 2**63:
                    raise ValueError(f"network: node {largest} is larger than 2**63 - 1")
            self._ends(source.astype(np.int64, copy=False), target.astype(np.int64, copy=False), labels, relation)
            return
        floats = [ends for ends in (source, target) if ends.dtype.kind == "f" and len(ends)]
        if any(np.isnan(ends).any() for ends in floats):
            raise ValueError("network: a node is missing (nan)")
        if floats:
            raise TypeError(f"network: nodes must be integers or strings, not float ({floats[0][0].item()!r})")
        self._objects(source.tolist(), target.tolist(), labels, relation)

    def _objects(
        self, source: list[Any], target: list[Any], labels: Any, relation: str | None, mixed: bool = False
    ) -> None:
        kinds = set(map(type, source)) | set(map(type, target))
        if not kinds <= {int, str}:
            source = [check_label(value, "network") for value in source]
            target = [check_label(value, "network") for value in target]
            kinds = set(map(type, source)) | set(map(type, target))
        if not mixed and {int, str} <= kinds:
            both = {type(value): value for value in reversed(source + target)}
            raise TypeError(f"network: nodes have mixed types: {both[int]!r} and {both[str]!r}")
        if kinds <= {int}:
            try:
                ends = [np.array(values, dtype=np.int64) for values in (source, target)]
            except OverflowError:
                raise ValueError(f"network: a node is larger than 2**63 - 1: {max(source + target)}") from None
            self._ends(ends[0], ends[1], labels, relation)
            return
        self._ends(source, target, labels, relation)

    def _ends(
        self, source: Any, target: Any, labels: Any, relation: str | None, names: list[str] | None = None
    ) -> None:
        if isinstance(source, np.ndarray):
            same = source == target
            first = source[same][0].item() if same.any() else None
            first = first if names is None or first is None else names[first]
        else:
            same = np.fromiter(map(operator.eq, source, target), dtype=bool, count=len(source))
            first = source[int(np.argmax(same))] if same.any() else None
        if same.any():
            if self.self_links == "raise":
                raise ValueError(
                    f"network: {int(same.sum())} self links, the first of node {first!r}; self_links='drop' sets them aside"
                )
            keep = ~same
            if isinstance(source, np.ndarray):
                source, target = source[keep], target[keep]
            else:
                source = [value for value, kept in zip(source, keep, strict=True) if kept]
                target = [value for value, kept in zip(target, keep, strict=True) if kept]
            labels = None if labels is None else labels[keep]
        self.relations.append((relation, source, target, labels))

    def build(self, name: str, hidden: bool | None) -> tuple[_dlfrm.Network, Labels]:
        """The network, and the labels of its nodes."""
        directed = any(self.found) if self.found else True
        directed = directed if self.asked is None else self.asked
        declared = all(type(node) is int for node in self.declared)
        texts = dict(self.texts)
        if not texts and declared and all(isinstance(source, np.ndarray) for _, source, _, _ in self.relations):
            known = np.array(self.declared, dtype=np.int64) if self.declared else None
            if self.fixed and known is not None:
                for _, source, target, _ in self.relations:
                    for ends in (source, target):
                        strange = ~np.isin(ends, known)
                        if strange.any():
                            raise KeyError(f"nodes: {ends[strange][0].item()!r} has links and is not one of them")
            inner = _dlfrm.Network.from_integers(name, directed, self.bipartite, self.relations, known, hidden)
            return inner, Labels(np.array([int(value) for value in inner.names], dtype=np.int64))
        if len(self.relations) == 1 and texts and not self.declared and not self.fixed:
            return self._texts(name, directed, hidden, texts[0])
        everything: dict[Hashable, None] = dict.fromkeys(self.declared)
        if not self.fixed:
            # Source and target in turn: nodes are numbered in the order in which a file would name them.
            for place, (_, source, target, _) in enumerate(self.relations):
                if place in texts:
                    everything.update(dict.fromkeys(texts[place]))
                    continue
                ends = zip(_plain(source), _plain(target), strict=True)
                everything.update(dict.fromkeys(itertools.chain.from_iterable(ends)))
        labels = ordered(everything)
        names: dict[str, Hashable] = {}
        for node in labels:
            if names.setdefault(str(node), node) is not node and names[str(node)] != node:
                raise ValueError(f"network: the nodes {names[str(node)]!r} and {node!r} have the same name")
        if len(names) < len(labels):
            twice = next(node for node in labels if names[str(node)] is not node)
            raise ValueError(f"network: two nodes have the name {str(twice)!r}")
        index = {node: number for number, node in enumerate(labels)}

        def numbers(values: Any, place: int) -> NDArray[np.int64]:
            try:
                if place in texts:
                    coded: NDArray[np.int64] = np.array([index[name] for name in texts[place]], dtype=np.int64)[values]
                    return coded
                return np.fromiter(map(index.__getitem__, _plain(values)), dtype=np.int64, count=len(values))
            except KeyError as error:
                raise KeyError(f"nodes: {error.args[0]!r} has links and is not one of them") from None

        relations = [
            (key, numbers(one, place), numbers(other, place), marks)
            for place, (key, one, other, marks) in enumerate(self.relations)
        ]
        inner = _dlfrm.Network.from_numbers(name, list(names), directed, self.bipartite, relations, hidden)
        return inner, Labels(labels)

    def _texts(
        self, name: str, directed: bool, hidden: bool | None, names: list[str]
    ) -> tuple[_dlfrm.Network, Labels]:
        """The network of one relation between nodes with these names, and their labels."""
        key, source, target, marks = self.relations[0]
        labels = [str(label) for label in ordered(names)]
        if labels != names:
            index = {label: number for number, label in enumerate(labels)}
            places = np.array([index[text] for text in names], dtype=np.int64)
            source, target = places[source], places[target]
        relations = [(key, source, target, marks)]
        inner = _dlfrm.Network.from_numbers(name, labels, directed, self.bipartite, relations, hidden)
        return inner, Labels(labels)


def _plain(values: Any) -> list[Any]:
    """Values without numpy's wrapping."""
    return values.tolist() if isinstance(values, np.ndarray) else values  # type: ignore[no-any-return]


def _check_weights(values: NDArray[Any]) -> None:
    if values.dtype.kind not in "biuf":
        raise TypeError(f"network: an adjacency matrix must have numbers, has dtype {values.dtype}")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        bad = values[~np.isfinite(values)].ravel()[0].item()
        raise ValueError(f"network: the adjacency matrix has the value {bad!r}; mask pairs that are unobserved")
    if values.dtype.kind != "b" and (values < 0).any():
        raise ValueError(f"network: the adjacency matrix has the negative value {values.min().item()!r}")


def _labels(values: list[Any]) -> NDArray[np.int8]:
    """Labels of pairs: 1 or True a link, 0, -1 or False a non-link, a missing value unobserved."""
    marks = np.empty(len(values), dtype=np.int8)
    for row, value in enumerate(values):
        if is_missing(value) or value == "?":
            marks[row] = -1
        elif value in (1, "1"):
            marks[row] = 1
        elif value in (0, -1, "0", "-1"):
            marks[row] = 0
        else:
            raise ValueError(f"label of row {row} must be 1, 0 or missing, is {value!r}")
    return marks
