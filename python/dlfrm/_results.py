"""What a fitted model says, as plain values: features, explanations, links."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload


@dataclass(frozen=True)
class Feature:
    """A feature that draws agree on."""

    number: int
    """1 for the largest."""
    members: dict[Hashable, float | None]
    """The nodes that have it, the surest first, with their certainties."""
    own_weight: float
    """What two of its members gain in their logit."""
    stability: float | None
    """How much of it the draws contain, 1 at most."""
    interactions: dict[int, float]
    """Its weights to other features, the strongest first; none in a diagonal model."""
    role: str
    """``group``; ``common`` if nine in ten nodes or more have it; ``avoidance`` if its members avoid each other."""

    @property
    def size(self) -> int:
        """How many nodes have it."""
        return len(self.members)

    def __repr__(self) -> str:
        shown = ", ".join(str(node) for node in list(self.members)[:5])
        more = f", and {self.size - 5} more" if self.size > 5 else ""
        return f"Feature({self.number}: size {self.size}, own weight {self.own_weight:+.2f}, {shown}{more})"


@dataclass(frozen=True)
class FeatureCount:
    """The posterior of the number of features."""

    mean: float
    low: float
    high: float
    distribution: dict[int, float]

    def __float__(self) -> float:
        return self.mean


@dataclass(frozen=True)
class Part:
    """What one kind of evidence adds to the log-odds of a pair, beside an average pair, with its 90 % interval."""

    kind: str
    log_odds: float
    low: float
    high: float
    probability_without: float
    """The probability if the pair were an average one in this."""
    sentence: str


@dataclass(frozen=True)
class Explanation:
    """Why a link is probable or not. `str` of it has the sentences of `dlfrm explain`."""

    source: Hashable
    target: Hashable
    known_link: bool
    probability: float
    low: float
    high: float
    base_rate: float
    average: float
    """The probability of a pair that is an average one in all parts."""
    by_covariates: float
    """What covariates and the effects of the two nodes add to the log-odds, beside an average pair."""
    by_features: float
    """What features add."""
    parts: list[Part]
    """What the sum is made of, the strongest first."""
    common_neighbours: list[Hashable]
    shared_features: list[int]
    """The numbers of the features that both nodes have."""
    text: str

    @classmethod
    def of(
        cls, source: Hashable, target: Hashable, found: dict[str, Any], label: dict[str, Hashable]
    ) -> Explanation:
        """From the values of the extension module and the label of each name."""
        kept = {name: found[name] for name in cls.__dataclass_fields__ if name in found}
        kept |= {
            "source": source,
            "target": target,
            "parts": [Part(**part) for part in found["parts"]],
            "common_neighbours": [label[name] for name in found["common_neighbours"]],
            "shared_features": [shared["feature"] for shared in found["shared_features"]],
        }
        return cls(**kept)

    def __str__(self) -> str:
        return self.text


KINDS = ("auto", "list", "pandas", "polars", "pyarrow")


class Link(NamedTuple):
    """A pair without a link in the network, with its probability, its 90 % interval and its score."""

    source: Hashable
    target: Hashable
    probability: float
    low: float
    high: float
    score: float
    relation: str | None = None


class Links(Sequence[Link]):
    """Links, those with the highest scores first; prints as a table."""

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
        return aligned([self.columns, *self._rows()])

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


def aligned(rows: list[list[str]]) -> str:
    """Rows of cells as a table of text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
