"""How long networks of 2 million edges take to be taken over from arrays and tables, in seconds and in memory."""

from __future__ import annotations

import resource
import time

import numpy as np
import pandas
import polars
import pyarrow

import dlfrm

EDGES, NODES = 2_000_000, 200_000


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
        times, before = [], peak()
        for _ in range(3):
            # Of the processor: other programs do not matter.
            began = time.process_time()
            dlfrm.Network(data, directed=True)
            times.append(time.process_time() - began)
        print(f"{name:20} {min(times):6.2f} s, {peak() - before:5.0f} MB more at the peak")


if __name__ == "__main__":
    edges()
