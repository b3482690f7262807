"""Reference values for crates/dlfrm/src/baseline/data_tests.rs, from networkx:

    DLFRM_DATA=folder python scripts/reference_baselines.py

For each network 1,000 pairs, three in four of them with a common neighbour, are scored; printed is the sum of the scores,
each weighed by a number between 1 and 2 that no other pair has.
"""

import gzip
import os

import networkx as nx


def numbers():
    x = 1
    while True:
        x = (x * 1103515245 + 12345) % 2**31
        yield x // 256


def pairs(graph, links, n, draw):
    """Two entities at random, or the ends of a step and the next, whatever the directions."""
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
    weights = [1 + (p * 0.6180339887498949) % 1 for p in range(1000)]
    scores = [[len(list(nx.common_neighbors(graph, i, j))) for i, j in asked]]
    for measure in (nx.jaccard_coefficient, nx.adamic_adar_index, nx.resource_allocation_index):
        scores.append([score for *_, score in measure(graph, asked)])
    if directed:
        scores.append([arcs.out_degree(i) * arcs.in_degree(j) for i, j in asked])
    else:
        scores.append([score for *_, score in nx.preferential_attachment(graph, asked)])
    print(file, [sum(w * s for w, s in zip(weights, row)) for row in scores])
