"""Chains and draws as ArviZ has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._fitted import Fitted

PROBES = 100


def to_arviz(model: Fitted, relation: str | None, pairs: Sequence[Any] | None) -> Any:
    """An InferenceData of ArviZ 0.x or a DataTree of later ones.

    The group ``posterior`` has a draw per sweep after burn-in, so that R-hat and ESS are those of
    ``diagnostics_``. ``sample_stats`` has the log joint density, ``predictions`` the probabilities of probe
    pairs in the kept draws.
    """
    import arviz

    fitted, number = model._model(), model._relation(relation)
    burn_in = model.settings_["burn_in"]
    traces = [trace for trace in fitted.traces(number) if len(trace["K"]) > burn_in]
    if not traces:
        raise ValueError("there is no sweep after burn-in")
    shortest = min(len(trace["K"]) for trace in traces)

    def stacked(name: str) -> Any:
        return np.stack([trace[name][burn_in:shortest] for trace in traces])

    names = ("K", "alpha", "nu", "intercept")
    posterior = {name: stacked(name) for name in names}
    groups: dict[str, Any] = {"posterior": posterior, "sample_stats": {"lp": stacked("log_joint")}}
    numbers = model._pairs(pairs) if pairs is not None else _probes(model, number)
    chains = fitted.draws(number)[:, 0]
    values = fitted.predict_draws(numbers, number)
    per_chain = [values[:, chains == chain].T for chain in np.unique(chains)]
    kept = min(len(part) for part in per_chain)
    groups["predictions"] = {"probability": np.stack([part[:kept] for part in per_chain])}
    label = model._labels.list
    coords = {"pair": [f"{label[i]} - {label[j]}" for i, j in numbers.tolist()]}
    dims = {"probability": ["pair"]}
    if int(arviz.__version__.split(".")[0]) >= 1:
        return arviz.from_dict(groups, coords=coords, dims=dims)
    return arviz.from_dict(
        posterior=groups["posterior"],
        sample_stats=groups["sample_stats"],
        predictions=groups["predictions"],
        coords=coords,
        pred_dims=dims,
    )


def _probes(model: Fitted, relation: int) -> Any:
    """Links and random pairs, the same for the same network."""
    links = model._model().links(relation)
    chosen = links[:: max(1, len(links) // (PROBES // 2))][: PROBES // 2]
    numbers = np.random.default_rng(1)
    ends = numbers.integers(len(model._labels), size=(PROBES // 2, 2))
    both = np.concatenate([chosen, ends[ends[:, 0] != ends[:, 1]]])
    return np.unique(both if model._model().directed else np.sort(both, axis=1), axis=0)
