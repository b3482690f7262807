"""What the Python package adds to the library, in seconds and in memory. Names of parts choose some of them."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
import polars
import pyarrow

import dlfrm

EDGES, NODES = 2_000_000, 200_000


def seconds(work: Callable[[], object], times: int = 3, clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of some times."""
    found = []
    for _ in range(times):
        began = clock()
        work()
        found.append(clock() - began)
    return min(found)


def peak() -> float:
    """The most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def edges() -> None:
    """Arrays and frames of 2 million edges."""
    random = np.random.default_rng(1)
    source = random.integers(0, NODES, EDGES)
    target = (source + random.integers(1, NODES, EDGES)) % NODES
    names = pyarrow.array([f"node {number}" for number in range(NODES)])
    texts = {"source": names.take(pyarrow.array(source)), "target": names.take(pyarrow.array(target))}
    numbers = pandas.DataFrame({"source": source, "target": target})
    table = pyarrow.table(texts)
    given = {
        "array of integers": np.stack([source, target], axis=1),
        "pandas, integers": numbers,
        "polars, integers": polars.from_pandas(numbers),
        "Arrow, strings": table,
        "polars, strings": polars.from_arrow(table),
        "pandas, strings": table.to_pandas(),
    }
    for name, data in given.items():
        before = peak()
        # Of the processor: other programs do not matter.
        took = seconds(lambda: dlfrm.Network(data, directed=True), clock=time.process_time)  # noqa: B023
        print(f"{name:20} {took:6.2f} s, {peak() - before:5.0f} MB more at the peak")


def overhead() -> None:
    """A fit and predictions, beside the command."""
    command, data = os.environ["DLFRM_COMMAND"], Path(os.environ["DLFRM_DATA"])
    file = data / "nips234.tsv.gz"
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.dlfrm"

        def by_command() -> None:
            words = [command, "fit", str(file), "--undirected", "--nodes", "234", "-q", "-o", str(model)]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

        def by_python() -> None:
            fitted = dlfrm.DLFRM().fit(file, directed=False, nodes=234)
            fitted.save(model)
            # The command prints it.
            assert fitted.diagnostics_["verdict"]

        def of_children() -> float:
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            return used.ru_utime + used.ru_stime

        ratios = []
        for _ in range(3):
            # Of the processor: other programs matter less.
            one, other = seconds(by_command, 1, of_children), seconds(by_python, 1, time.process_time)
            ratios.append(other / one)
            print(f"fit of nips234: command {one:.2f} s, Python {other:.2f} s, ratio {other / one:.3f}")
        print(f"fit of nips234: median ratio {statistics.median(ratios):.3f}")
        fitted = dlfrm.DLFRM.load(model)
        random = np.random.default_rng(1)
        first = random.integers(0, 234, 1_000_000)
        pairs = np.stack([first, (first + random.integers(1, 234, 1_000_000)) % 234], axis=1)
        words = ["cargo", "bench", "--quiet", "-p", "dlfrm-bench", "--bench", "predict", "--", str(model)]
        ratios = []
        for _ in range(3):
            rust = float(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)
            ours = seconds(lambda: fitted.predict_proba(pairs), 1)
            ratios.append(ours / rust)
            print(f"a million pairs: Rust {rust:.2f} s, Python {ours:.2f} s, ratio {ours / rust:.3f}")
        print(f"a million pairs: median ratio {statistics.median(ratios):.3f}")


PARTS = {"edges": edges, "overhead": overhead}

if __name__ == "__main__":
    for part in sys.argv[1:] or list(PARTS):
        PARTS[part]()
