"""Reference values for crates/dlfrm/src/baseline/heuristics/tests.rs, from networkx, written to crates/dlfrm/src/baseline/reference:

    DLFRM_DATA=folder python scripts/reference_baselines.py

For each network 1,000 pairs, three in four of them with a common neighbour, are scored. networkx has no Katz score of pairs: it
is the sum over lengths of (0.02 A)^length, A being networkx's adjacency matrix, of all lengths or, where that matrix is too
large, of lengths up to 3. Sums of positive terms keep their relative accuracy, which an inverse would not.
"""

import gzip
import os

import networkx as nx
import numpy as np

BETA = 0.02
FOLDER = os.path.join(os.path.dirname(__file__), "../crates/dlfrm/src/baseline/reference")


def numbers():
    x = 1
    while True:
        x = (x * 1103515245 + 12345) % 2**31
        yield x // 256


def pairs(graph, links, n, draw):
    """Two nodes at random, or the ends of a step and the next, whatever the directions."""
    found = []
    while len(found) < 1000:
        if len(found) % 4 == 0:
            i, j = next(draw) % n, next(draw) % n
        else:
            i, u = links[next(draw) % len(links)]
            neighbours = sorted(graph[u])
            j = neighbours[next(draw) % len(neighbours)]
        if i != j:
            found.append((i, j))
    return found


def katz(graph, n, asked):
    if n > 1000:
        step = BETA * nx.to_scipy_sparse_array(graph, nodelist=range(n), dtype=float, format="csr")
        power = step[[i for i, _ in asked]]
        total = power
        for _ in range(2):
            power = power @ step
            total = total + power
        return [total[row, j] for row, (_, j) in enumerate(asked)]
    step = BETA * nx.to_numpy_array(graph, nodelist=range(n))
    power = step
    total = step.copy()
    while (power > 1e-17 * total).any():
        power = power @ step
        total += power
    return [total[pair] for pair in asked]


for file, n, directed in [("nips234", 234, False), ("webkb", 877, True), ("astroph", 17903, False)]:
    with gzip.open(os.path.join(os.environ["DLFRM_DATA"], file + ".tsv.gz"), "rt") as text:
        links = [tuple(map(int, line.split("\t"))) for line in text]
    if not directed:
        links = [(min(link), max(link)) for link in links]
    links = sorted({(i, j) for i, j in links if i != j})
    graph = nx.Graph(links)
    graph.add_nodes_from(range(n))
    arcs = nx.DiGraph(links)
    arcs.add_nodes_from(range(n))
    asked = pairs(graph, links, n, numbers())
    scores = [[len(list(nx.common_neighbors(graph, i, j))) for i, j in asked]]
    for measure in (nx.jaccard_coefficient, nx.adamic_adar_index, nx.resource_allocation_index):
        scores.append([score for *_, score in measure(graph, asked)])
    if directed:
        scores.append([arcs.out_degree(i) * arcs.in_degree(j) for i, j in asked])
    else:
        scores.append([score for *_, score in nx.preferential_attachment(graph, asked)])
    scores.append(katz(arcs if directed else graph, n, asked))
    with open(os.path.join(FOLDER, file + ".tsv"), "w") as out:
        out.write(f"# scripts/reference_baselines.py, networkx {nx.__version__}\n")
        out.write("source\ttarget\tcn\tjaccard\taa\tra\tpa\tkatz\n")
        for (i, j), row in zip(asked, zip(*scores)):
            out.write("\t".join([str(i), str(j), *(f"{score:.13g}" for score in row)]) + "\n")
