"""Scores of simple methods that every model should beat.

>>> import dlfrm
>>> links = [("a", "b"), ("b", "c"), ("c", "d")]
>>> dlfrm.baselines.score("cn", links, [("a", "c"), ("a", "d")], directed=False).tolist()
[1.0, 0.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm, _settings
from ._labels import pairs_array
from ._network import Network, relation_number

NAMES: list[str] = _dlfrm.methods(["baselines"]) + ["irm", "mmsb"]
"""Common neighbours, Jaccard, Adamic-Adar, resource allocation, preferential attachment, Katz, and block models."""


def score(
    name: str, network: Any, pairs: Any, *, relation: str | None = None, seed: int = 1, **options: Any
) -> NDArray[np.float64]:
    """A score for each pair, learned from the network; larger is likelier.

    ``name`` is one of ``NAMES``, or a model's. ``irm`` and ``mmsb`` give probabilities, the others ranks.
    """
    data = Network(network, **options)
    which = relation_number(data._inner.relations, relation)
    numbers = pairs_array(pairs, data.labels)
    settings = _settings.texts({"seed": seed})
    return _dlfrm.score_pairs(name, data._inner, which, numbers, settings, seed)
