"""Columns of strings as numbers of their different values, by the library that has them: no Python object per cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# From so many rows on the strings of a numpy array or a list are numbered by Arrow, if it is installed.
MANY = 100_000


@dataclass(frozen=True)
class Strings:
    """A column of strings: the number of each one's value, and the values."""

    codes: NDArray[np.int64]
    values: list[str]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> Strings:
        return Strings(self.codes[rows], self.values)

    def tolist(self) -> list[str]:
        """The strings themselves."""
        return list(map(self.values.__getitem__, self.codes.tolist()))


def strings(columns: Sequence[Any]) -> list[Strings] | None:
    """Columns of strings or categories of pandas, polars, Arrow or numpy, with common values; None if one has anything else, or
    Arrow is not installed."""
    try:
        import pyarrow
    except ImportError:
        return None
    found = [_arrow(column) for column in columns]
    if any(column is None for column in found):
        return None
    if len({column.type for column in found}) > 1:
        found = [column.cast(pyarrow.large_string()) for column in found]
    chunks = [chunk for column in found for chunk in (column.chunks if hasattr(column, "chunks") else [column])]
    encoded = pyarrow.chunked_array(chunks, type=found[0].type).dictionary_encode().combine_chunks()
    if isinstance(encoded, pyarrow.ChunkedArray):
        encoded = encoded.chunk(0)
    codes = encoded.indices.to_numpy().astype(np.int64)
    values = encoded.dictionary.to_pylist()
    ends = np.cumsum([len(column) for column in found])
    return [Strings(part, values) for part in np.split(codes, ends[:-1])]


def _arrow(column: Any) -> Any:
    """A column of strings without missing ones as Arrow has it, without a copy where possible; None if it is none."""
    import pyarrow
    from pyarrow import types

    kind = type(column).__module__.split(".")[0]
    if kind == "polars":
        if str(column.dtype).split("(")[0] not in ("String", "Categorical", "Enum"):
            return None
        column = column.to_arrow()
    elif kind in ("pandas", "numpy"):
        if getattr(column.dtype, "kind", "O") not in "OUT" or (kind == "numpy" and len(column) < MANY):
            return None
        try:
            column = pyarrow.array(column, from_pandas=True)
        except (TypeError, ValueError, NotImplementedError):
            # Errors of Arrow are among these: mixed types, say.
            return None
    elif kind != "pyarrow":
        return None
    if column.null_count:
        return None
    if types.is_string(column.type) or types.is_large_string(column.type):
        return column
    values = column.type.value_type if types.is_dictionary(column.type) else column.type
    if types.is_string(values) or types.is_large_string(values) or types.is_string_view(values):
        return column.cast(pyarrow.large_string())
    return None


def in_order(source: Strings, target: Strings) -> tuple[NDArray[np.int64], NDArray[np.int64], list[str]]:
    """Both ends as numbers of their common values, in the order in which the rows name them: source, then target."""
    ends = np.empty(2 * len(source), dtype=np.int64)
    ends[0::2], ends[1::2] = source.codes, target.codes
    values = source.values
    # Written from the last to the first: the first place of each value is what stays.
    first = np.full(len(values), len(ends), dtype=np.int64)
    first[ends[::-1]] = np.arange(len(ends) - 1, -1, -1)
    order = np.argsort(first, kind="stable")[: int((first < len(ends)).sum())]
    rank = np.zeros(len(values), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[source.codes], rank[target.codes], [values[number] for number in order.tolist()]
