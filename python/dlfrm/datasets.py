"""Small networks that come with the package."""

from __future__ import annotations

from . import _dlfrm
from ._network import Network


def les_miserables() -> Network:
    """The co-appearances of the 77 characters of Les Misérables: 254 undirected links (Knuth 1993).

    >>> les_miserables()
    Network(77 nodes, 254 links, undirected)
    """
    return Network(_dlfrm.Network.les_miserables())
