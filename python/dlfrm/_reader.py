"""Rows of a network (its pairs, and what is said of them) from graphs, matrices, arrays, tables and lists."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._labels import Ids, Labels, array_of, check_label, column_names, column_of, ends_of, is_missing, ordered
from ._labels import sorted_integers

@dataclass
class Rows:
    """What one piece of data says: pairs of labels, and what stands beside them."""

    source: NDArray[Any]
    target: NDArray[Any]
    labels: NDArray[np.int8] | None = None
    """1 for a link, 0 for a non-link, -1 for a pair that is unobserved."""
    relations: NDArray[Any] | None = None
    weights: tuple[float, float] | None = None
    nodes: Sequence[Hashable] = ()
    """Nodes that are there with or without links."""
    directed: bool | None = None
    bipartite: bool | None = None
    mixed: bool = False
    """Whether nodes may be both integers and strings."""
    attributes: dict[Hashable, dict[str, Any]] = field(default_factory=dict)
    form: str = ""
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True)
class Roles:
    """What the caller says of the parts of the data: the names of columns, or of attributes of edges."""

    source: str | None = None
    target: str | None = None
    relation: str | None = None
    label: Any = None
    """A name, or labels themselves."""
    weight: str | None = None
    columns: str | Sequence[str] | None = None
    directed: bool | None = None

    def refuse(self, names: str, kind: str, instead: str) -> None:
        """Refuses those that say nothing of this kind of data."""
        for name in names.split():
            if getattr(self, name) is not None:
                raise TypeError(f"{name}: {kind} {instead}")

    def given_labels(self, count: int) -> NDArray[np.int8] | None:
        """The labels that the caller gives beside the data."""
        if self.label is None or isinstance(self.label, str):
            return None
        given = pair_labels(array_of(self.label).tolist())
        if len(given) != count:
            raise ValueError(f"label: {len(given)} labels of {count} pairs")
        return given


def read(data: Any, roles: Roles) -> Rows:
    """The rows of one piece of data."""
    if hasattr(data, "__arrow_c_stream__") and column_names(data) is None:
        import pyarrow

        data = pyarrow.table(data)
    is_pairs = isinstance(data, (np.ndarray, list, tuple, set, frozenset)) or column_names(data) is not None
    if not is_pairs or (isinstance(data, np.ndarray) and _is_matrix(data, roles)):
        if roles.label is not None and not isinstance(roles.label, str):
            raise TypeError(f"labels of pairs go with a list, an array or a table of pairs, not with {type(data).__name__}")
    if hasattr(data, "is_directed") and hasattr(data, "edges") and hasattr(data, "adj"):
        return _networkx(data, roles)
    if hasattr(data, "get_edgelist") and hasattr(data, "vs"):
        return _igraph(data, roles)
    if hasattr(data, "tocoo"):
        return _sparse(data, roles)
    if isinstance(data, np.ndarray):
        return _dense(data, roles) if _is_matrix(data, roles) else _array(data, roles)
    if column_names(data) is not None:
        return _table(data, roles)
    if hasattr(data, "__next__"):
        raise TypeError(f"network: a generator is read once and has no length: {data!r}; use list(...)")
    if isinstance(data, (list, tuple, set, frozenset)):
        return _list(list(data), roles)
    raise TypeError(f"network: {type(data).__name__} is none of the kinds that can be read: {data!r}")


# Graphs.


def _networkx(graph: Any, roles: Roles) -> Rows:
    nodes = dict(graph.nodes(data=True))
    keys = graph.is_multigraph()

    def attribute(name: str) -> list[Any]:
        values = [value for *_, value in graph.edges(data=name)]
        if keys and name == "key" and all(value is None for value in values):
            return [key for *_, key in graph.edges(keys=True)]
        return values

    kinds = {values.get("bipartite") for values in nodes.values()}
    return _graph(
        [(a, b) for a, b in graph.edges()],
        list(nodes),
        attribute,
        roles,
        directed=bool(graph.is_directed()),
        bipartite=kinds == {0, 1} and not graph.is_directed(),
        attributes={node: dict(values) for node, values in nodes.items() if values},
    )


def _igraph(graph: Any, roles: Roles) -> Rows:
    keys = graph.vs.attributes()
    names = graph.vs["name"] if "name" in keys else list(range(graph.vcount()))
    values = {key: graph.vs[key] for key in keys if key != "name"}
    attributes = {node: {key: each[row] for key, each in values.items()} for row, node in enumerate(names) if values}
    return _graph(
        [(names[a], names[b]) for a, b in graph.get_edgelist()],
        list(names),
        lambda name: list(graph.es[name]) if name in graph.es.attributes() else [None] * graph.ecount(),
        roles,
        directed=bool(graph.is_directed()),
        bipartite="type" in keys and set(graph.vs["type"]) == {False, True} and not graph.is_directed(),
        attributes=attributes,
    )


def _graph(
    edges: list[tuple[Hashable, Hashable]],
    nodes: list[Hashable],
    attribute: Callable[[str], list[Any]],
    roles: Roles,
    **known: Any,
) -> Rows:
    """A graph with its edges, and what gives the values of an attribute of them."""
    roles.refuse("source target columns", "a graph", "knows the ends of its edges")
    if roles.directed and not known["directed"]:
        raise ValueError("directed: the graph is undirected; graph.to_directed() makes each edge two")

    def values(role: str) -> list[Any] | None:
        asked = getattr(roles, role)
        found = attribute(asked or role)
        if all(value is None for value in found):
            if asked is not None and edges:
                raise KeyError(f"{role}: {asked!r} is not an attribute of the graph's edges")
            return None
        return found

    relations, labels = (values(role) if getattr(roles, role) else None for role in ("relation", "label"))
    if relations is not None and any(value is None for value in relations):
        raise ValueError(f"relation: an edge has no attribute {roles.relation!r}")
    return Rows(
        array_of([a for a, _ in edges]),
        array_of([b for _, b in edges]),
        None if labels is None else pair_labels(labels),
        None if relations is None else array_of(relations),
        _weights([value for value in values("weight") or [] if value is not None]),
        [check_label(node, "network") for node in nodes],
        mixed=True,
        **known,
    )


# Matrices.


def _is_matrix(array: NDArray[Any], roles: Roles) -> bool:
    square = array.ndim == 2 and array.shape[0] == array.shape[1]
    return square and array.shape != (2, 2) and roles.columns is None


def _sparse(matrix: Any, roles: Roles) -> Rows:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"network: an adjacency matrix must be square, has shape {matrix.shape}")
    entries = matrix.tocoo()
    return _matrix(matrix.shape[0], entries.row, entries.col, np.asarray(entries.data), None, roles)


def _dense(array: NDArray[Any], roles: Roles) -> Rows:
    mask = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    values = np.ma.getdata(array)
    _check_numbers(values if mask is None else np.where(mask, 0, values), "the adjacency matrix has")
    source, target = np.nonzero(values if mask is None else np.where(mask, 0, values))
    hidden = None if mask is None else np.nonzero(mask & ~np.eye(len(array), dtype=bool))
    return _matrix(len(array), source, target, values[source, target], hidden, roles)


def _matrix(count: int, row: Any, column: Any, values: NDArray[Any], hidden: Any, roles: Roles) -> Rows:
    roles.refuse("source target relation label weight columns", "a matrix", "has links alone")
    _check_numbers(values, "the adjacency matrix has")
    keys = np.unique((np.asarray(row, dtype=np.int64) * count + column)[values != 0])
    back = keys % count * count + keys // count
    single = ~np.isin(back, keys)
    if roles.directed is None and single.any():
        row, column = divmod(int(keys[single][0]), count)
        raise ValueError(
            f"network: the matrix is not symmetric: {single.sum()} of {len(keys)} entries have none across the diagonal, "
            f"the first in row {row}, column {column}; directed=True if links have a direction, directed=False if either entry "
            "is a link"
        )
    if not roles.directed:
        keys = np.unique(np.minimum(keys, back))
    source, target = keys // count, keys % count
    labels = None
    if hidden is not None and len(hidden[0]):
        i, j = (np.asarray(ends, dtype=np.int64) for ends in hidden)
        if not roles.directed:
            i, j = np.minimum(i, j), np.maximum(i, j)
        unknown = np.unique(i * count + j)
        labels = np.repeat(np.array([1, -1], dtype=np.int8), [len(keys), len(unknown)])
        source, target = np.append(source, unknown // count), np.append(target, unknown % count)
    # A direction that was asked for is the caller's.
    directed = bool(roles.directed)
    weights = _weights(values[values != 0])
    return Rows(source, target, labels, None, weights, range(count), directed, form=f"{count} x {count} matrix")


# Tables, and arrays and lists of rows.


def _table(table: Any, roles: Roles) -> Rows:
    names = column_names(table)
    assert names is not None
    roles.refuse("columns", "a table", "has names of columns: source=, target=, relation=, label= and weight= choose them")
    chosen: dict[str, str] = {}
    for role in ("source", "target", "relation", "label", "weight"):
        asked = getattr(roles, role)
        asked = asked if isinstance(asked, str) else None
        if asked is not None and asked not in names:
            raise KeyError(f"{role}: {asked!r} is not one of the columns {names}")
        titled = [name for name in names if _dlfrm.Network.titled(name) == role]
        if asked is None and len(titled) > 1:
            raise ValueError(f"network: two columns are a {role}: {titled[0]!r} and {titled[1]!r}; {role}= names one")
        for found in [asked] if asked is not None else titled:
            chosen[role] = found
    if not {"source", "target"} <= set(chosen):
        ends = [name for name in names if name not in chosen.values()]
        if len(names) < 2:
            raise ValueError(f"network: a table needs two columns, has {names}")
        if len(ends) != 2 or "source" in chosen or "target" in chosen:
            raise ValueError(f"network: source= and target= have to name two of the columns {names}")
        chosen["source"], chosen["target"] = ends
    return _columns({role: column_of(table, name) for role, name in chosen.items()}, chosen, names, roles)


def _array(array: NDArray[Any], roles: Roles) -> Rows:
    if array.shape == (2, 2) and roles.columns is None:
        raise ValueError(
            "network: an array of shape (2, 2) may be a matrix or two links; columns='source,target' makes it links"
        )
    if array.ndim != 2 or (array.shape[1] not in (2, 3) and roles.columns is None):
        raise ValueError(f"network: an array must be square or have shape (m, 2), has shape {array.shape}")
    names = _declared(roles, array.shape[1], f"an array of shape {array.shape}")
    columns = {name: array[:, place] for place, name in enumerate(names) if name != "skip"}
    return _columns(columns, {}, names, roles)


def _list(rows: list[Any], roles: Roles) -> Rows:
    for number, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) < 2:
            raise ValueError(f"network[{number}] must be a pair of nodes, is {row!r}")
        if len(row) != len(rows[0]):
            raise ValueError(f"network[{number}] has {len(row)} values, the first row has {len(rows[0])}: {row!r}")
    width = len(rows[0]) if rows else 2
    names = _declared(roles, width, f"a list of rows such as {rows[0]!r}" if rows else "a list")
    columns = {name: array_of([row[place] for row in rows]) for place, name in enumerate(names) if name != "skip"}
    return _columns(columns, {}, names, roles)


def _declared(roles: Roles, width: int, what: str) -> list[str]:
    """What each value of a row is."""
    label = "label " if isinstance(roles.label, str) else ""
    roles.refuse(label + "source target relation weight", what, "has no names: columns='source,target,...' says what its values are")
    if roles.columns is None:
        if width > 2:
            raise ValueError(
                f"network: {what} has {width} values per row: columns='source,target,weight' or columns='source,target,label' "
                f"(1 a link, 0 a non-link) says what they are; the words are {', '.join(_dlfrm.Network.columns())}"
            )
        return ["source", "target"]
    names = roles.columns.split(",") if isinstance(roles.columns, str) else list(roles.columns)
    names = ["skip" if name.strip() == "_" else name.strip() for name in names]
    known = _dlfrm.Network.columns()
    for name in names:
        if name not in known:
            raise ValueError(f"columns: {name!r} is not one of {', '.join(known)}")
    twice = [name for name in known if name != "skip" and names.count(name) != 1 and (name in names or known.index(name) < 2)]
    if twice or len(names) != width:
        why = f"{twice[0]} stands {names.count(twice[0])} times" if twice else f"a row has {width} values"
        raise ValueError(f"columns: {why}, the columns are {','.join(names)}")
    return names


def _columns(columns: Mapping[str, Any], chosen: Mapping[str, str], names: list[str], roles: Roles) -> Rows:
    """Rows of columns by their role; `chosen` has their titles, if they have any."""
    source, target, labels = columns["source"], columns["target"], None
    if "label" in columns:
        labels = pair_labels(columns["label"].tolist())
    given = roles.given_labels(len(source))
    if given is not None and labels is not None:
        raise TypeError("labels of pairs are given both beside the data and in its column of labels")
    ignored = tuple(name for name in names if name not in chosen.values()) if chosen else ()
    form = "columns " + ", ".join(chosen.values() if chosen else names) if chosen or roles.columns is not None else ""
    return Rows(
        source,
        target,
        labels if given is None else given,
        columns["relation"] if "relation" in columns else None,
        _weights(columns["weight"].tolist()) if "weight" in columns else None,
        form=form,
        ignored=ignored,
    )


# Values.


def _check_numbers(values: NDArray[Any], what: str) -> None:
    if values.dtype.kind not in "biuf":
        raise TypeError(f"network: weights must be numbers, have dtype {values.dtype}")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        bad = values[~np.isfinite(values)].ravel()[0].item()
        raise ValueError(f"network: {what} the value {bad!r}; leave pairs that are unobserved out, or mask them")
    if values.dtype.kind != "b" and (values < 0).any():
        raise ValueError(f"network: {what} the negative value {values.min().item()!r}")


def _weights(values: Any) -> tuple[float, float] | None:
    """The least and the largest weight; None if all are 1."""
    for value in values if isinstance(values, list) else ():
        if isinstance(value, str) or is_missing(value):
            raise ValueError(f"network: a weight must be a number, is {value!r}")
    array = np.asarray(values)
    if not array.size:
        return None
    _check_numbers(array, "a weight has")
    least, largest = float(array.min()), float(array.max())
    return None if least == largest == 1 else (least, largest)


def pair_labels(values: list[Any]) -> NDArray[np.int8]:
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


# Networks.


@dataclass
class Gathered:
    """The network of some rows."""

    inner: _dlfrm.Network
    labels: Labels
    repeated: int
    self_loops: int
    first_link: tuple[str, str] | None


def build(
    parts: Sequence[tuple[str | None, Rows]],
    nodes: int | Sequence[Hashable] | None,
    name: str,
    directed: bool,
    bipartite: bool | None,
    unlisted: bool | None,
) -> Gathered:
    """The network of the rows of each relation; with `nodes` there are no others."""
    if isinstance(nodes, bool) or (isinstance(nodes, int) and nodes < 0):
        raise ValueError(f"nodes must be a number from 0 or a list of labels, is {nodes!r}")
    if nodes is None:
        known = [node for _, rows in parts for node in rows.nodes]
    else:
        known = list(range(nodes)) if isinstance(nodes, int) else [check_label(node, "nodes") for node in nodes]
    ends = [ends_of(rows.source, rows.target, rows.mixed) for _, rows in parts]
    labels = _all_labels([] if nodes is not None else ends, known)
    names = {str(node): node for node in labels.list}
    if len(names) < len(labels):
        twice = next(node for node in labels.list if names[str(node)] is not node)
        raise ValueError(f"network: the nodes {twice!r} and {names[str(twice)]!r} have the same name")
    relations: list[tuple[str | None, Ids, Ids, NDArray[np.int8] | None]] = []
    self_loops, first = 0, None
    for (relation, rows), both in zip(parts, ends, strict=True):
        source, target = (labels.numbers(each, "nodes") for each in both)
        kept = source != target
        self_loops += int((~kept).sum())
        groups = [(relation, kept)]
        if rows.relations is not None and relation is None:
            kinds = Labels(ordered(check_label(value, "relation") for value in rows.relations.tolist()))
            of = kinds.numbers(rows.relations, "relation")
            groups = [(str(kind), kept & (of == number)) for number, kind in enumerate(kinds.list)]
        for kind, here in groups:
            marks = None if rows.labels is None else rows.labels[here]
            relations.append((kind, source[here], target[here], marks))
            link = np.flatnonzero(here if rows.labels is None else here & (rows.labels == 1))[:1]
            if first is None and len(link):
                first = (str(labels[source[link[0]]]), str(labels[target[link[0]]]))
    inner = _dlfrm.Network.from_numbers(name, list(names), directed, bipartite, relations, unlisted)
    said = sum(sum(inner.counts(number)) for number in range(len(relations)))
    return Gathered(inner, labels, sum(len(source) for _, source, *_ in relations) - said, self_loops, first)


def _all_labels(ends: list[tuple[NDArray[Any], NDArray[Any]]], known: list[Hashable]) -> Labels:
    """The labels of known nodes and of the ends of pairs, numbered as the command does it."""
    if all(type(node) is int for node in known) and all(each.dtype == np.int64 for both in ends for each in both):
        return Labels(sorted_integers([np.array(known, dtype=np.int64), *(each for both in ends for each in both)]))
    everything = dict.fromkeys(known)
    for source, target in ends:
        # Source and target in turn: nodes are numbered in the order in which a file would name them.
        everything.update(dict.fromkeys(np.stack([source, target], axis=1).ravel().tolist()))
    return Labels(ordered(everything))
