"""Warnings, shown at the line that called this package."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable


class DataWarning(UserWarning):
    """Something in a file or a network may be meant in another way than it was read."""


class InterruptedFitWarning(UserWarning):
    """A fit was ended early and has fewer draws than its settings say."""


def warn(texts: Iterable[str], category: type[Warning]) -> None:
    """Warns of each text at the first line outside this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    for text in texts:
        warnings.warn(text, category, stacklevel=level)
