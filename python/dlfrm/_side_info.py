"""What is known of nodes and pairs beside the links, from frames, dicts and files."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._labels import column_array, is_missing
from ._network import Network
from ._warnings import DataWarning, warn

Attributes = Any
PairCovariates = Any


def side_info(network: Network, attributes: Attributes, pairs: PairCovariates) -> _dlfrm.SideInfo | None:
    """What is known beside the links; None if nothing is."""
    if attributes is None and pairs is None:
        return None
    files: list[Any] = []
    fields: list[tuple[str, Any]] = []
    if attributes is not None:
        files, fields = _attributes(network, attributes)
    pair_file = pairs if isinstance(pairs, (str, os.PathLike)) else None
    table = None if pairs is None or pair_file is not None else _pairs(network, pairs)
    known = _dlfrm.SideInfo(network._inner, files, fields, pair_file, table)
    warn(known.warnings, DataWarning)
    return known


def _attributes(network: Network, given: Any) -> tuple[list[Any], list[tuple[str, Any]]]:
    if isinstance(given, (str, os.PathLike)) and str(given) not in _graph_attributes(network):
        return [given], []
    names = [given] if isinstance(given, str) else given
    if isinstance(names, (list, tuple)) and names and all(isinstance(name, (str, os.PathLike)) for name in names):
        known = _graph_attributes(network)
        unknown = [name for name in names if str(name) not in known]
        if not unknown:
            values = {node: {name: own.get(name) for name in names} for node, own in network.attributes.items()}
            return [], _fields(network, values)
        if all(os.path.exists(name) for name in unknown):
            return list(names), []
        raise KeyError(f"node_attributes: {unknown[0]!r} is neither an attribute ({sorted(known)}) nor a file")
    if isinstance(given, Mapping):
        rows = {node: values if isinstance(values, Mapping) else {"value": values} for node, values in given.items()}
        return [], _fields(network, rows)
    if hasattr(given, "columns") or hasattr(given, "column_names"):
        return [], _fields(network, _frame(network, given))
    raise TypeError(f"node_attributes must be a frame, a dict, names or paths, is {given!r}")


def _graph_attributes(network: Network) -> set[str]:
    return {str(name) for values in network.attributes.values() for name in values}


def _frame(network: Network, frame: Any) -> dict[Hashable, dict[str, Any]]:
    columns = [str(name) for name in getattr(frame, "column_names", None) or list(frame.columns)]
    values = {name: column_array(frame[name]).tolist() for name in columns}
    index = getattr(frame, "index", None)
    by_index = index is not None and all(node in network.labels.index for node in list(index)[:1])
    nodes = list(index) if by_index and index is not None else values.pop(columns[0])
    return {node: {name: column[row] for name, column in values.items()} for row, node in enumerate(nodes)}


def _fields(network: Network, rows: Mapping[Hashable, Mapping[str, Any]]) -> list[tuple[str, Any]]:
    """A field per attribute: numbers, one word (a category) or several."""
    names = list(dict.fromkeys(str(name) for values in rows.values() for name in values))
    count = len(network)
    columns: dict[str, list[Any]] = {name: [None] * count for name in names}
    for node, values in rows.items():
        number = network.labels.number(node, "node_attributes")
        for name, value in values.items():
            columns[str(name)][number] = value.item() if isinstance(value, np.generic) else value
    if not names:
        raise ValueError("node_attributes: there is no attribute")
    return [(name, _field(name, columns[name])) for name in names]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _field(name: str, column: list[Any]) -> Any:
    known = [value for value in column if isinstance(value, (list, tuple, set)) or not is_missing(value)]
    if known and all(_is_number(value) for value in known):
        array = np.array([float("nan") if is_missing(value) else float(value) for value in column])
        if np.isinf(array).any():
            raise ValueError(f"node_attributes: {name!r} has the value {array[np.isinf(array)][0]!r}")
        return array
    words: dict[str, int] = {}
    lists: list[list[tuple[int, float]]] = []
    for value in column:
        several = value if isinstance(value, (list, tuple, set)) else [value]
        counts: dict[int, float] = {}
        for word in several:
            if not is_missing(word):
                number = words.setdefault(str(word), len(words))
                counts[number] = counts.get(number, 0.0) + 1.0
        lists.append(sorted(counts.items()))
    return list(words), lists


def _pairs(network: Network, frame: Any) -> tuple[NDArray[np.int64], list[tuple[str, Any]]]:
    if not (hasattr(frame, "columns") or hasattr(frame, "column_names")):
        raise TypeError(f"pair_covariates must be a frame or a path, is {frame!r}")
    columns = [str(name) for name in getattr(frame, "column_names", None) or list(frame.columns)]
    ends = ["source", "target"] if {"source", "target"} <= set(columns) else columns[:2]
    others = [name for name in columns if name not in ends]
    if len(ends) < 2 or not others:
        raise ValueError(f"pair_covariates: source, target and a covariate are needed, the columns are {columns}")
    numbers = [network.labels.numbers(column_array(frame[name]), "pair_covariates") for name in ends]
    pairs = np.ascontiguousarray(np.stack(numbers, axis=1))
    keys = pairs if network.directed else np.sort(pairs, axis=1)
    unique, counts = np.unique(keys, axis=0, return_counts=True)
    if (counts > 1).any():
        i, j = unique[counts > 1][0].tolist()
        raise ValueError(f"pair_covariates: the pair {network.labels[i]!r}, {network.labels[j]!r} stands twice")
    return pairs, [(name, _column(column_array(frame[name]).tolist())) for name in others]


def _column(values: list[Any]) -> Any:
    known = [value for value in values if not is_missing(value)]
    if known and all(_is_number(value) for value in known):
        return np.array([float("nan") if is_missing(value) else float(value) for value in values])
    names: dict[str, int] = {}
    chosen = [None if is_missing(value) else names.setdefault(str(value), len(names)) for value in values]
    return list(names), chosen
