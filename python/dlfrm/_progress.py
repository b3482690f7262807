"""Progress of long work: a bar of tqdm if it is installed, and the caller's own callback."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._words import WarningText


@dataclass(frozen=True)
class Progress:
    """One sweep of one chain."""

    chain: int
    sweep: int
    sweeps: int
    features: int
    log_joint: float
    seconds: float
    purpose: str
    """What the chain is run for: a trial on a development set, say; empty for the fit itself."""


Callback = Callable[[Progress], Any]


class Watcher:
    """Receives what the extension module reports."""

    def __init__(self, verbose: bool | int, callback: Callback | None):
        if callback is not None and not callable(callback):
            raise TypeError(f"callback must be callable, is {callback!r}")
        self.callback, self.verbose = callback, bool(verbose)
        self.warnings: list[str] = []
        self.purpose = ""
        self.bar: Any = None
        # Whether every sweep is reported, or only what is rare.
        self.sweeps = self.verbose or callback is not None

    def __call__(self, kind: str, text: str) -> None:
        says = json.loads(text)
        if kind == "warning":
            self.warnings.append(WarningText(says["text"], says["data"]))
            if self.verbose:
                self._print(says["text"])
        elif kind == "chains":
            self.close()
            self.purpose = says["purpose"]
            if self.verbose:
                self._open(says["sweeps"])
        elif kind == "sweep":
            if self.bar is not None:
                self.bar.update(1)
                self.bar.set_postfix(K=says["features"], refresh=False)
            # As in other libraries a callback ends the work by returning True or raising StopIteration.
            if self.callback is not None and self.callback(Progress(**says, purpose=self.purpose)) is True:
                raise StopIteration
        elif kind == "method" and self.verbose:
            self._print(f"{says['method']}, run {says['run'] + 1}")

    def _open(self, total: int) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self.bar = tqdm(total=total, unit="sweep", desc=self.purpose or "fit", leave=False)

    def _print(self, text: str) -> None:
        if self.bar is not None:
            self.bar.write(text, file=sys.stderr)
        else:
            print(text, file=sys.stderr)

    def close(self) -> None:
        """Removes the bar."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None
