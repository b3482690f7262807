"""Reference values for the test `agrees_with_networkx` of crates/dlfrm/src/baseline/heuristics/tests.rs, from networkx:

    python scripts/reference_heuristics.py
"""

import networkx as nx
import numpy as np

n = 30
arcs = {(i, (7 * i + 3) % n) for i in range(n)} | {(i, (i * i + 1) % n) for i in range(n)}
D = nx.DiGraph()
D.add_nodes_from(range(n))
D.add_edges_from((i, j) for i, j in arcs if i != j)
G = D.to_undirected()
every = [(i, j) for i in range(n) for j in range(n) if i != j]
for pairs in [(3, 17), (5, 26), (28, 2), (17, 7)], every:
    rows = [[len(list(nx.common_neighbors(G, i, j))) for i, j in pairs]]
    for f in (nx.jaccard_coefficient, nx.adamic_adar_index, nx.resource_allocation_index,
              nx.preferential_attachment):
        rows.append([s for *_, s in f(G, pairs)])
    rows.append([D.out_degree(i) * D.in_degree(j) for i, j in pairs])
    for H in G, D:
        A = nx.to_numpy_array(H, nodelist=range(n))
        K = np.linalg.inv(np.eye(n) - 0.05 * A) - np.eye(n)
        rows.append([K[p] for p in pairs])
    print(rows if pairs is not every else [np.dot([(31 * i + j) % 97 for i, j in every], r) for r in rows])
