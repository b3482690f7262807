"""What the tests share: a small network, one quick fit, and the command."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

import dlfrm

COMMAND = os.environ.get("DLFRM_COMMAND")
needs_command = pytest.mark.skipif(COMMAND is None, reason="DLFRM_COMMAND does not name the command")


def run(*arguments: object) -> str:
    words = [str(COMMAND), *(str(argument) for argument in arguments)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def write_links(file: Path, links: Iterable[tuple[object, object]]) -> Path:
    file.write_text("".join(f"{a}\t{b}\n" for a, b in links))
    return file


QUICK = {"chains": 2, "burn_in": 10, "draws": 12, "random_state": 3}


@pytest.fixture(scope="session")
def misery() -> dlfrm.Network:
    return dlfrm.datasets.les_miserables()


@pytest.fixture(scope="session")
def fitted(misery: dlfrm.Network) -> dlfrm.DLFRM:
    return dlfrm.DLFRM(**QUICK).fit(misery)
