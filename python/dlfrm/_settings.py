"""Settings of a fit: values of Python as the extension module takes them, checked by its table."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _dlfrm

KINDS = {name: kind for name, kind, _, _ in _dlfrm.settings()}
HELP = {name: text for name, _, text, _ in _dlfrm.settings()}
WORDS = {name: words for name, _, _, words in _dlfrm.settings()}


def text_of(name: str, value: Any) -> str:
    """The value of a setting as text, or a ``TypeError`` that names it."""
    kind = KINDS[name]
    argument = "random_state" if name == "seed" else name
    if kind == "switch":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{argument} must be True or False, is {value!r}")
        return "true" if value else "false"
    if kind == "word":
        if not isinstance(value, str):
            raise TypeError(f"{argument} must be one of {', '.join(WORDS[name])}, is {value!r}")
        return value
    if isinstance(value, (bool, str, np.bool_)):
        raise TypeError(f"{argument} must be a number, is {value!r}")
    try:
        return str(operator.index(value)) if kind == "count" else repr(float(value))
    except (TypeError, ValueError):
        whole = "a whole number" if kind == "count" else "a number"
        raise TypeError(f"{argument} must be {whole}, is {value!r}") from None


def seed_of(random_state: Any) -> int | None:
    """A seed from an integer or a generator of numpy; None for the default."""
    if random_state is None:
        return None
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return int(text_of("seed", random_state))


def texts(values: dict[str, Any]) -> list[tuple[str, str]]:
    """Those settings that are given, as text."""
    return [(name, text_of(name, value)) for name, value in values.items() if value is not None]
