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
class Explanation:
    """What the parts of the model add to the logit of a pair."""

    source: Hashable
    target: Hashable
    probability: float
    low: float
    high: float
    logit: float
    intercept: float
    source_effect: float
    target_effect: float
    covariates: dict[str, float]
    features: float
    feature_pairs: list[tuple[int, int, float]]
    """Features of the source and of the target that draws agree on, with what their weight adds."""

    @classmethod
    def of(cls, source: Hashable, target: Hashable, found: dict[str, Any]) -> Explanation:
        """From the values of the extension module."""
        found["covariates"] = dict(found["covariates"])
        found["feature_pairs"] = [(one["source"], one["target"], one["weight"]) for one in found["feature_pairs"]]
        return cls(source, target, **found)

    def __str__(self) -> str:
        lines = [
            f"{self.source} - {self.target}: probability {self.probability:.3f}, from {self.low:.3f} to {self.high:.3f}",
            f"  {'intercept':32} {self.intercept:+.2f}",
            f"  {'effect of ' + str(self.source):32} {self.source_effect:+.2f}",
            f"  {'effect of ' + str(self.target):32} {self.target_effect:+.2f}",
        ]
        lines += [f"  {name:32} {value:+.2f}" for name, value in self.covariates.items() if abs(value) >= 0.005]
        lines.append(f"  {'features':32} {self.features:+.2f}")
        lines += [f"    feature {k} with feature {l}: {weight:+.2f}" for k, l, weight in self.feature_pairs]
        lines.append(f"  {'sum (logit)':32} {self.logit:+.2f}")
        return "\n".join(lines)
