"""Small networks that come with the package, and networks with a known truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._network import Network


def les_miserables() -> Network:
    """The co-appearances of the 77 characters of Les Misérables: 254 undirected links (Knuth 1993).

    >>> les_miserables()
    Network(77 nodes, 254 links, undirected)
    """
    return Network(_dlfrm.Network.les_miserables())


@dataclass(frozen=True)
class Generated:
    """A network drawn from the model, with what it was drawn with."""

    network: Network
    features: list[list[int]]
    """The members of each feature."""
    weights: NDArray[np.float64]
    """The weights between features."""


@dataclass(frozen=True)
class Planted:
    """A network with planted groups."""

    network: Network
    groups: list[list[int]]
    """The members of each group."""


def generate(
    nodes: int = 100,
    *,
    directed: bool = False,
    rows: int | None = None,
    diagonal: bool = False,
    alpha: float = 2.0,
    nu: float = 0.4,
    intercept: float = -3.0,
    seed: int = 1,
) -> Generated:
    """Draws features, weights and links from the model, as ``dlfrm generate`` does.

    With ``rows`` the network has two modes: the first so many nodes are rows, the others columns.

    >>> len(generate(30, seed=3).network)
    30
    """
    made, features, weights = _dlfrm.generate(nodes, directed, rows, diagonal, alpha, nu, intercept, seed)
    return Generated(Network(made), features, np.array(weights).reshape(len(features), len(features)))


def plant(
    nodes: int = 200,
    *,
    mean_degree: float = 10.0,
    max_degree: int | None = None,
    degree_exponent: float = 2.0,
    group_size: tuple[int, int] | None = None,
    size_exponent: float = 1.0,
    mixing: float = 0.2,
    overlapping: int = 0,
    memberships: int = 2,
    seed: int = 1,
) -> Planted:
    """Plants groups that may overlap (Lancichinetti and Fortunato 2009), as ``dlfrm generate --planted`` does.

    >>> len(plant(seed=3).network)
    200
    """
    made, groups = _dlfrm.plant(
        nodes, mean_degree, max_degree, degree_exponent, group_size, size_exponent, mixing, overlapping, memberships,
        seed,
    )
    return Planted(Network(made), groups)
