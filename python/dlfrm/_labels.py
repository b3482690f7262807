"""Labels of nodes and their numbers: integers in the order of size, others in the order in which they appear."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._strings import Strings, strings

Ids = NDArray[np.int64]


def canonical(name: str) -> bool:
    """Whether a name is a whole number written in the usual way, as the command reads it."""
    return name.isascii() and name.isdigit() and (name == "0" or name[0] != "0") and len(name) <= 19


def from_names(names: Sequence[str]) -> list[Hashable]:
    """The labels of a file's names: integers if all of them are, else the names themselves."""
    if names and all(canonical(name) for name in names):
        return [int(name) for name in names]
    return list(names)


def is_missing(value: object) -> bool:
    """Whether a value stands for a missing one."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return False


def check_label(value: Any, where: str) -> Hashable:
    """A label that can stand for a node; whatever numpy wraps is unwrapped."""
    if isinstance(value, np.generic):
        value = value.item()
    if is_missing(value) or type(value).__name__ in ("NAType", "NaTType"):
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
    if known and all(isinstance(label, str) and canonical(label) for label in known):
        return sorted(known, key=lambda label: int(str(label)))
    return known


class Labels:
    """The labels of the nodes, by their numbers, and the numbers by label."""

    def __init__(self, labels: Sequence[Hashable] | Ids):
        self._array = labels if isinstance(labels, np.ndarray) else None
        self._list: list[Hashable] | None = None if self._array is not None else list(labels)
        self._index: dict[Hashable, int] | None = None
        count = len(labels)
        # Labels that are their own numbers need no lookup.
        self._plain = self._array is not None and bool(
            count == 0 or (self._array[0] == 0 and self._array[-1] == count - 1)
        )

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

    def numbers(self, values: NDArray[Any] | Strings, where: str) -> Ids:
        """The numbers of many labels."""
        if isinstance(values, Strings):
            table = np.full(len(values.values), -1, dtype=np.int64)
            for code in np.flatnonzero(np.bincount(values.codes, minlength=len(table))).tolist():
                table[code] = self.number(values.values[code], where)
            return table[values.codes]
        if values.dtype.kind in "iu" and self._array is not None:
            values = values.astype(np.int64, copy=False)
            if self._plain:
                bad = (values < 0) | (values >= len(self))
                found = values
            else:
                found = np.searchsorted(self._array, values).astype(np.int64)
                found = np.minimum(found, len(self) - 1)
                bad = self._array[found] != values
            if bad.any():
                first = values[bad][0].item()
                raise KeyError(f"{where}: node {first!r} is not one of the {len(self)} nodes")
            return found
        flat = [self.number(value, where) for value in values.ravel().tolist()]
        return np.array(flat, dtype=np.int64).reshape(values.shape)


def pairs_array(pairs: Any, labels: Labels, where: str = "pairs") -> Ids:
    """Pairs of labels, in any of the usual forms, as an array of numbers of shape (m, 2)."""
    columns = two_columns(pairs, where)
    if columns is not None:
        return np.ascontiguousarray(np.stack([labels.numbers(column, where) for column in columns], axis=1))
    if hasattr(pairs, "__next__"):
        raise TypeError(f"{where} must be a sequence of pairs, not a generator: {pairs!r}; use list(...)")
    if isinstance(pairs, (str, bytes)) or not hasattr(pairs, "__len__"):
        raise TypeError(f"{where} must be a sequence of pairs, is {pairs!r}")
    if isinstance(pairs, np.ndarray):
        array = pairs
        if array.ndim != 2 or array.shape[1] != 2:
            raise ValueError(f"{where} must have shape (m, 2), is {array.shape}")
        if array.dtype.kind == "f":
            kind = "a missing value" if np.isnan(array).any() else "floats"
            raise (ValueError if np.isnan(array).any() else TypeError)(
                f"{where}: nodes must be integers or strings, the array has {kind} (dtype {array.dtype})"
            )
        return np.ascontiguousarray(labels.numbers(array, where))
    rows = []
    for row, pair in enumerate(pairs):
        if isinstance(pair, (str, bytes)) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise ValueError(f"{where}[{row}] must be a pair of nodes, is {pair!r}")
        rows.append((labels.number(pair[0], f"{where}[{row}]"), labels.number(pair[1], f"{where}[{row}]")))
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def two_columns(frame: Any, where: str) -> list[NDArray[Any] | Strings] | None:
    """The two columns of a frame of pairs: ``source`` and ``target``, or the first two. None if it is no frame."""
    # The columns of an Arrow table are not their names.
    names = getattr(frame, "column_names", None)
    names = getattr(frame, "columns", None) if names is None else names
    if names is None or isinstance(frame, np.ndarray):
        return None
    names = list(names)
    if "source" in names and "target" in names:
        chosen = ["source", "target"]
    elif len(names) >= 2:
        chosen = names[:2]
    else:
        raise ValueError(f"{where}: a frame of pairs needs two columns, has {names}")
    return columns_of([frame[name] for name in chosen])


def columns_of(columns: list[Any]) -> list[NDArray[Any] | Strings]:
    """Columns of a table: strings by number, anything else as arrays."""
    found = strings(columns)
    return [column_array(column) for column in columns] if found is None else [*found]


def column_array(column: Any) -> NDArray[Any]:
    """A column of a frame as an array, without a copy where the frame allows it."""
    if hasattr(column, "to_numpy"):
        try:
            return np.asarray(column.to_numpy())
        except (TypeError, ValueError):
            return np.asarray(column.to_numpy(zero_copy_only=False))
    return np.asarray(column)
