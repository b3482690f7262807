"""Tables of links in the kind that the caller has."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple, overload

KINDS = ("auto", "list", "pandas", "polars", "pyarrow")


class Link(NamedTuple):
    """A pair without a link in the network, with its probability and its 90 % interval."""

    source: Hashable
    target: Hashable
    probability: float
    low: float
    high: float
    relation: str | None = None


class Links(Sequence[Link]):
    """Links, the most probable first; prints as a table."""

    def __init__(self, links: Sequence[Link]):
        self._links = list(links)
        named = any(link.relation is not None for link in self._links)
        self.columns = list(Link._fields) if named else list(Link._fields[:-1])

    @overload
    def __getitem__(self, index: int) -> Link: ...
    @overload
    def __getitem__(self, index: slice) -> Links: ...
    def __getitem__(self, index: int | slice) -> Link | Links:
        return Links(self._links[index]) if isinstance(index, slice) else self._links[index]

    def __len__(self) -> int:
        return len(self._links)

    def __iter__(self) -> Iterator[Link]:
        return iter(self._links)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Links) and self._links == other._links

    def _rows(self) -> list[list[str]]:
        def text(value: Any) -> str:
            return f"{value:.4f}" if isinstance(value, float) else str(value)

        return [[text(getattr(link, name)) for name in self.columns] for link in self._links]

    def __repr__(self) -> str:
        rows = [self.columns, *self._rows()]
        widths = [max(len(row[column]) for row in rows) for column in range(len(self.columns))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{name}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self._rows())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns by name."""
        return {name: [getattr(link, name) for link in self._links] for name in self.columns}

    def convert(self, kind: str) -> Any:
        """The same as a table of another library: pandas, polars or pyarrow."""
        if kind == "pandas":
            import pandas

            return pandas.DataFrame(self.to_dict())
        if kind == "polars":
            import polars

            return polars.DataFrame(self.to_dict())
        if kind == "pyarrow":
            import pyarrow

            return pyarrow.table(self.to_dict())
        return self
