"""Small networks and one quick fit that the tests share."""

from __future__ import annotations

import pytest

import dlfrm

QUICK = {"chains": 2, "burn_in": 10, "draws": 12, "random_state": 3}


@pytest.fixture(scope="session")
def misery() -> dlfrm.Network:
    return dlfrm.datasets.les_miserables()


@pytest.fixture(scope="session")
def fitted(misery: dlfrm.Network) -> dlfrm.DLFRM:
    return dlfrm.DLFRM(**QUICK).fit(misery)


@pytest.fixture(scope="session")
def edges(misery: dlfrm.Network) -> list[tuple[str, str]]:
    return misery.links()
