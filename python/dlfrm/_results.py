"""What a fitted model says, as plain values."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any


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
