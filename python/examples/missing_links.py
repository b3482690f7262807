"""Missing links of a network, and how well they are predicted: a typed example."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import dlfrm


def common_degree(train: dlfrm.splits.Training, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """A method of your own: the sum of the degrees of both ends."""
    degree = np.bincount(train.links.ravel(), minlength=train.n_nodes)
    scores: NDArray[np.float64] = degree[pairs].sum(axis=1).astype(np.float64)
    return scores


def main() -> None:
    """Fits, prints missing links and compares with a method of your own."""
    network = dlfrm.datasets.les_miserables()
    model = dlfrm.DLFRM(chains=2, burn_in=30, draws=20).fit(network)
    links: dlfrm.Links = model.top_links(5)
    for link in links:
        print(f"{link.source} - {link.target}: {link.probability:.2f}")
    probabilities: NDArray[np.float64] = model.predict_proba([("Valjean", "Napoleon")])
    print(f"no link {probabilities[0, 0]:.3f}, link {probabilities[0, 1]:.3f}")
    found: dlfrm.Evaluation = dlfrm.evaluate(network, {"degrees": common_degree, "cn": "cn"}, runs=2)
    print(found)


if __name__ == "__main__":
    main()
