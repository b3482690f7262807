"""Labels of nodes and their numbers: integers in the order of size, others in the order in which they appear."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]

def is_whole_number(name: str) -> bool:
    """Whether a name is a whole number written in the usual way, as the command reads it."""
    return name.isascii() and name.isdigit() and (name == "0" or name[0] != "0") and len(name) <= 19


def is_missing(value: object) -> bool:
    """Whether a value stands for a missing one."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return False


def check_label(value: Any, where: str) -> Hashable:
    """A label that can stand for a node; whatever numpy wraps is unwrapped."""
    if isinstance(value, np.generic):
        value = value.item()
    if is_missing(value):
        raise ValueError(f"{where}: a node is missing ({value!r})")
    if isinstance(value, float):
        raise TypeError(f"{where}: nodes must be integers or strings, not float ({value!r})")
    try:
        hash(value)
    except TypeError:
        raise TypeError(f"{where}: a node must be hashable, is {value!r}") from None
    return value  # type: ignore[no-any-return]


def ordered(labels: Iterable[Hashable]) -> list[Hashable]:
    """Labels in the order of their numbers, as the command numbers them."""
    known = list(dict.fromkeys(labels))
    if known and all(type(label) is int for label in known):
        return sorted(known)  # type: ignore[type-var]
    if known and all(isinstance(label, str) and is_whole_number(label) for label in known):
        return sorted(known, key=lambda label: int(str(label)))
    return known


def _check_floats(where: str, *columns: NDArray[Any]) -> None:
    """Refuses floats: a column of integers of which one is missing has them, too."""
    floats = [column.ravel() for column in columns if column.dtype.kind == "f"]
    for column in [column[np.isnan(column)] for column in floats] + floats:
        if len(column):
            check_label(column[0], where)


def sorted_integers(arrays: Sequence[Ids]) -> Ids:
    """The different integers of some arrays in the order of size."""
    values: Ids = np.concatenate(arrays)
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low < 4 * len(values) + 2**20:
        seen = np.zeros(high - low + 1, dtype=bool)
        seen[values - low] = True
        return np.flatnonzero(seen) + low if len(values) else values
    values.sort()
    different: Ids = values[np.append(True, values[1:] != values[:-1])]
    return different


class Labels:
    """The labels of the nodes, by their numbers, and the numbers by label."""

    def __init__(self, labels: Sequence[Hashable] | Ids):
        if not isinstance(labels, np.ndarray) and labels and all(type(label) is int for label in labels):
            if max(labels) < 2**63 and all(a < b for a, b in itertools.pairwise(labels)):  # type: ignore[type-var,operator]
                labels = np.array(labels, dtype=np.int64)
        # Integers in order are looked up without a dict.
        self._array = labels if isinstance(labels, np.ndarray) else None
        self._list: list[Hashable] | None = None if self._array is not None else list(labels)
        self._index: dict[Hashable, int] | None = None

    @classmethod
    def of_names(cls, names: Sequence[str]) -> Labels:
        """The labels of a file's names: integers if all of them are, else the names themselves."""
        whole = bool(names) and all(is_whole_number(name) for name in names)
        return cls([int(name) for name in names] if whole else names)

    def __len__(self) -> int:
        return len(self._array) if self._array is not None else len(self.list)

    def __getitem__(self, number: int) -> Hashable:
        return self.list[number]

    @property
    def list(self) -> list[Hashable]:
        """The labels in the order of their numbers."""
        if self._list is None:
            assert self._array is not None
            self._list = list(self._array.tolist())
        return self._list

    @property
    def index(self) -> dict[Hashable, int]:
        """The number of each label."""
        if self._index is None:
            self._index = {label: number for number, label in enumerate(self.list)}
        return self._index

    def number(self, label: Any, where: str) -> int:
        """The number of one label, or a ``KeyError`` that names it."""
        label = check_label(label, where)
        known = self.index.get(label)
        if known is None:
            raise KeyError(f"{where}: node {label!r} is not one of the {len(self)} nodes")
        return known

    def numbers(self, values: NDArray[Any], where: str) -> Ids:
        """The numbers of many labels."""
        if values.dtype.kind in "iu" and self._array is not None and len(self):
            values = values.astype(np.int64, copy=False)
            found: Ids
            if self._array[-1] - self._array[0] == len(self) - 1:
                found = np.clip(values, self._array[0], self._array[-1]) - self._array[0]
            else:
                found = np.minimum(np.searchsorted(self._array, values), len(self) - 1)
            bad = self._array[found] != values
            if bad.any():
                self.number(values[bad][0], where)
            return found
        _check_floats(where, values)
        flat = values.ravel().tolist()
        try:
            found = np.fromiter(map(self.index.__getitem__, flat), np.int64, len(flat))
        except (KeyError, TypeError):
            found = np.array([self.number(value, where) for value in flat], dtype=np.int64)
        return found.reshape(values.shape)


def pairs_array(pairs: Any, labels: Labels, where: str = "pairs") -> Ids:
    """Pairs of labels, in any of the usual forms, as an array of numbers of shape (m, 2)."""
    names = column_names(pairs)
    if names is not None:
        chosen = ["source", "target"] if {"source", "target"} <= set(names) else names[:2]
        if len(chosen) < 2:
            raise ValueError(f"{where}: a frame of pairs needs two columns, has {names}")
        columns = [labels.numbers(column_of(pairs, name), where) for name in chosen]
        return np.ascontiguousarray(np.stack(columns, axis=1))
    if hasattr(pairs, "__next__"):
        raise TypeError(f"{where} must be a sequence of pairs, not a generator: {pairs!r}; use list(...)")
    if isinstance(pairs, (str, bytes)) or not hasattr(pairs, "__len__"):
        raise TypeError(f"{where} must be a sequence of pairs, is {pairs!r}")
    if isinstance(pairs, np.ndarray):
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ValueError(f"{where} must have shape (m, 2), is {pairs.shape}")
        return np.ascontiguousarray(labels.numbers(pairs, where))
    rows = []
    for row, pair in enumerate(pairs):
        if isinstance(pair, (str, bytes)) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise ValueError(f"{where}[{row}] must be a pair of nodes, is {pair!r}")
        rows.append((labels.number(pair[0], f"{where}[{row}]"), labels.number(pair[1], f"{where}[{row}]")))
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


# Columns of tables, whatever library they are of.


def column_names(table: Any) -> list[str] | None:
    """The names of the columns of a table; None if it is none."""
    # The columns of an Arrow table are not their names.
    names = getattr(table, "column_names", None)
    names = getattr(table, "columns", None) if names is None else names
    return None if names is None else [str(name) for name in names]


def column_of(table: Any, name: str) -> NDArray[Any]:
    """The column of this name as an array, without a copy where the table allows it."""
    # The names of pandas may be something else than text.
    names = list(getattr(table, "columns", [])) if not hasattr(table, "column_names") else [name]
    return array_of(table[next(known for known in names if str(known) == name)])


def array_of(column: Any) -> NDArray[Any]:
    """A column, a list or anything of the kind as an array; lists keep their objects."""
    if isinstance(column, list):
        if column and set(map(type, column)) == {int} and -(2**63) <= min(column) <= max(column) < 2**63:
            return np.array(column, dtype=np.int64)
        return np.fromiter(column, dtype=object, count=len(column))
    if hasattr(column, "to_numpy"):
        try:
            return np.asarray(column.to_numpy())
        except (TypeError, ValueError):
            return np.asarray(column.to_numpy(zero_copy_only=False))
    return np.asarray(column)


def ends_of(source: NDArray[Any], target: NDArray[Any], mixed: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both ends of some pairs, checked: arrays of int64 or of objects that can stand for nodes."""
    if source.dtype.kind in "iu" and target.dtype.kind in "iu":
        for ends in (source, target):
            if ends.dtype == np.uint64 and int(ends.max(initial=0)) >= 2**63:
                raise ValueError(f"network: node {ends.max()} is larger than 2**63 - 1")
        return source.astype(np.int64, copy=False), target.astype(np.int64, copy=False)
    _check_floats("network", source, target)
    both = source.tolist() + target.tolist()
    kinds = set(map(type, both))
    if not kinds <= {int, str}:
        both = [check_label(value, "network") for value in both]
        kinds = set(map(type, both))
    if not mixed and {int, str} <= kinds:
        known = {type(value): value for value in reversed(both)}
        raise TypeError(f"network: nodes have mixed types: {known[int]!r} and {known[str]!r}")
    if kinds == {int} and max(both) >= 2**63:
        raise ValueError(f"network: a node is larger than 2**63 - 1: {max(both)}")
    array = array_of(both)
    return array[: len(source)], array[len(source) :]
