"""Long work: signals, callbacks, progress, threads and forks."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import QUICK

import dlfrm

INTERRUPTED = """
import os, signal, threading, time, warnings
import dlfrm

network = dlfrm.datasets.les_miserables()
model = dlfrm.DLFRM({model}, covariates="none", chains=2, burn_in={burn_in}, draws=1_000_000)
pressed = []

def press():
    time.sleep(1.5)
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=press).start()
try:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(network)
    print("kept", model.interrupted_, caught[0].category.__name__, len(model.top_links(3)))
except KeyboardInterrupt:
    print("nothing")
print(time.monotonic() - pressed[0] < 1.0 or time.monotonic() - pressed[0])
"""


@pytest.mark.parametrize(
    ("burn_in", "expected"), [(5, "kept True InterruptedFitWarning 3"), (1_000_000, "nothing")]
)
def test_an_interrupt_ends_a_fit_within_a_second(burn_in, expected):
    code = textwrap.dedent(INTERRUPTED).format(model="'diag-dlfrm-l'", burn_in=burn_in)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [expected, "True"], done.stdout + done.stderr


def test_a_callback_sees_every_sweep_and_may_end_the_fit(misery):
    seen: list[dlfrm.Progress] = []
    model = dlfrm.DLFRM(**QUICK, thin=1, covariates="none").fit(misery, callback=seen.append)
    of_fit = [progress for progress in seen if not progress.purpose]
    assert len(of_fit) == 2 * 22 and {progress.chain for progress in of_fit} == {0, 1}
    assert not model.interrupted_
    endless = dlfrm.DLFRM(chains=1, burn_in=2, draws=1_000_000, covariates="none")
    with pytest.warns(dlfrm.InterruptedFitWarning):
        endless.fit(misery, callback=lambda progress: progress.sweep > 20)
    assert 0 < endless.diagnostics_["draws"] < 1_000_000 and endless.interrupted_

    def broken(progress):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        endless.fit(misery, callback=broken)

    def at_once(progress):
        raise StopIteration

    with pytest.raises(ValueError, match="ended before its first draw"):
        dlfrm.DLFRM(chains=1, burn_in=1_000_000, covariates="none").fit(misery, callback=at_once)
    with pytest.raises(TypeError, match="callback must be callable, is 3"):
        endless.fit(misery, callback=3)


def test_other_threads_run_during_a_fit(misery):
    stamps: list[float] = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            stamps.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        dlfrm.DLFRM(chains=2, burn_in=200, draws=100, covariates="none").fit(misery)
    finally:
        done.set()
        thread.join()
    assert max(b - a for a, b in zip(stamps, stamps[1:], strict=False)) < 0.5


def test_progress_is_shown_on_request(misery, capsys):
    dlfrm.DLFRM(**QUICK, verbose=True).fit(misery)
    assert "sweep" in capsys.readouterr().err
    dlfrm.DLFRM(**QUICK).fit(misery)
    assert capsys.readouterr() == ("", "")


def _probability(_: int) -> float:
    model = dlfrm.DLFRM(**QUICK).fit(dlfrm.datasets.les_miserables())
    return float(model.link_probability([("Valjean", "Javert")])[0])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_has_threads_of_its_own(fitted):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.map_async(_probability, [0]).get(timeout=60)
    assert found == [fitted.link_probability([("Valjean", "Javert")])[0]]


def test_memory_is_bounded_when_a_fit_is_repeated():
    links = [(a, b) for a in range(12) for b in range(a) if (a * b) % 3 == 0]

    def repeat(times: int) -> int:
        for _ in range(times):
            model = dlfrm.DLFRM(chains=1, burn_in=1, draws=2, covariates="none", n_jobs=1).fit(links)
            model.predict_proba(links)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = repeat(200)
    assert repeat(800) - before < 20_000


def test_signals_in_other_threads_are_no_concern(misery):
    found = []
    thread = threading.Thread(target=lambda: found.append(dlfrm.DLFRM(**QUICK).fit(misery)))
    thread.start()
    thread.join()
    assert found[0].diagnostics_["draws"] == 24
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
