"""What is known of nodes and pairs beside the links, from tables, dicts and files."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._labels import column_names, column_of, is_missing
from ._network import Network
from ._words import DataWarning, ReadReport, WarningText, warn

Attributes = Any
PairCovariates = Any


def side_info(
    network: Network, attributes: Attributes, pairs: PairCovariates
) -> tuple[_dlfrm.SideInfo | None, ReadReport, list[str]]:
    """What is known beside the links, if anything is; what was read of the network and of attributes; and warnings."""
    if attributes is None and pairs is None:
        return None, network.report, []
    files: list[Any] = []
    fields: list[tuple[str, Any]] = []
    report = network.report
    if attributes is not None:
        files, rows = _attributes(network, attributes)
        if not files:
            fields, without, strange = _fields(network, rows)
            report = replace(report, nodes_without_attributes=without, attributes_without_node=strange)
    pair_file = pairs if isinstance(pairs, (str, os.PathLike)) else None
    table = None if pairs is None or pair_file is not None else _pairs(network, pairs)
    known = _dlfrm.SideInfo(network._inner, files, fields, pair_file, table)
    said = [WarningText(**one) for one in json.loads(known.warnings)]
    warnings: list[str] = [*said, *([] if report == network.report else [str(report)])]
    # How columns were understood is kept, and nothing to be warned of.
    warn([text for text in warnings if not isinstance(text, WarningText) or text.code != "columns"], DataWarning)
    return known, report, warnings


def _attributes(network: Network, given: Any) -> tuple[list[Any], Mapping[Hashable, Mapping[str, Any]]]:
    """Files of attributes, or the attributes of each node."""
    names = [given] if isinstance(given, (str, os.PathLike)) else given
    if isinstance(names, (list, tuple)) and names and all(isinstance(name, (str, os.PathLike)) for name in names):
        known = {str(name) for values in network.attributes.values() for name in values}
        unknown = [name for name in names if str(name) not in known]
        if not unknown:
            return [], {node: {name: own.get(name) for name in names} for node, own in network.attributes.items()}
        if names is not given or all(os.path.exists(name) for name in unknown):
            return list(names), {}
        raise KeyError(f"node_attributes: {unknown[0]!r} is neither an attribute ({sorted(known)}) nor a file")
    if isinstance(given, Mapping):
        rows = {node: values if isinstance(values, Mapping) else {"value": values} for node, values in given.items()}
        return [], rows
    columns = column_names(given)
    if columns is not None:
        return [], _table(network, given, columns)
    raise TypeError(f"node_attributes must be a table, a dict, names or paths, is {given!r}")


def _table(network: Network, table: Any, columns: list[str]) -> dict[Hashable, dict[str, Any]]:
    """The rows of a table, by its index or else by its first column."""
    values = {name: column_of(table, name).tolist() for name in columns}
    nodes = getattr(table, "index", None)
    if nodes is None or not hasattr(nodes, "tolist"):
        nodes = values.pop(columns[0])
    else:
        nodes, plain = nodes.tolist(), type(nodes).__name__ == "RangeIndex" and nodes.name is None
        known = network.labels.index
        if plain and columns and any(node in known for node in values[columns[0]] if not is_missing(node)):
            if any(node in known for node in nodes):
                raise ValueError(
                    f"node_attributes: both the row numbers and the column {columns[0]!r} may name nodes: "
                    f"table.set_index({columns[0]!r}) or table.rename_axis('node') decides"
                )
            nodes = values.pop(columns[0])
    if len(set(nodes)) < len(nodes):
        twice = next(node for row, node in enumerate(nodes) if node in nodes[:row])
        raise ValueError(f"node_attributes: node {twice!r} stands twice")
    return {node: {name: column[row] for name, column in values.items()} for row, node in enumerate(nodes)}


def _fields(
    network: Network, rows: Mapping[Hashable, Mapping[str, Any]]
) -> tuple[list[tuple[str, Any]], int, int]:
    """A field per attribute (numbers, one word, which is a category, or several), how many nodes are in no row, and how many rows
    are of no node."""
    names = list(dict.fromkeys(str(name) for values in rows.values() for name in values))
    if not names:
        raise ValueError("node_attributes: there is no attribute")
    known = network.labels.index
    columns: dict[str, list[Any]] = {name: [None] * len(network) for name in names}
    for node, values in rows.items():
        for name, value in values.items() if node in known else ():
            columns[str(name)][known[node]] = value.item() if isinstance(value, np.generic) else value
    found = sum(node in known for node in rows)
    if not found:
        first = next(iter(rows))
        raise KeyError(f"node_attributes: none of its nodes is in the network, the first is {first!r}")
    return [(name, _field(name, columns[name])) for name in names], len(network) - found, len(rows) - found


def _numbers(name: str, column: list[Any]) -> NDArray[np.float64] | None:
    """A column of numbers, NaN where they are missing; None if there is anything else."""
    known = [value for value in column if isinstance(value, (list, tuple, set)) or not is_missing(value)]
    if not known or not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in known):
        return None
    array = np.array([float("nan") if is_missing(value) else float(value) for value in column])
    if np.isinf(array).any():
        raise ValueError(f"{name!r} has the value {array[np.isinf(array)][0]!r}")
    return array


def _field(name: str, column: list[Any]) -> Any:
    numbers = _numbers(name, column)
    if numbers is not None:
        return numbers
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


def _pairs(network: Network, table: Any) -> tuple[NDArray[np.int64], list[tuple[str, Any]]]:
    columns = column_names(table)
    if columns is None:
        raise TypeError(f"pair_covariates must be a table or a path, is {table!r}")
    ends = ["source", "target"] if {"source", "target"} <= set(columns) else columns[:2]
    others = [name for name in columns if name not in ends]
    if len(ends) < 2 or not others:
        raise ValueError(f"pair_covariates: source, target and a covariate are needed, the columns are {columns}")
    numbers = [network.labels.numbers(column_of(table, name), "pair_covariates") for name in ends]
    pairs = np.ascontiguousarray(np.stack(numbers, axis=1))
    keys = pairs if network.directed else np.sort(pairs, axis=1)
    unique, counts = np.unique(keys, axis=0, return_counts=True)
    if (counts > 1).any():
        i, j = unique[counts > 1][0].tolist()
        raise ValueError(f"pair_covariates: the pair {network.labels[i]!r}, {network.labels[j]!r} stands twice")
    return pairs, [(name, _column(name, column_of(table, name).tolist())) for name in others]


def _column(name: str, values: list[Any]) -> Any:
    numbers = _numbers(name, values)
    if numbers is not None:
        return numbers
    names: dict[str, int] = {}
    chosen = [None if is_missing(value) else names.setdefault(str(value), len(names)) for value in values]
    return list(names), chosen
