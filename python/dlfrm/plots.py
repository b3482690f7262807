"""Plots of a fitted model with matplotlib; every function returns axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import metrics
from ._estimator import DLFRM

__all__ = [
    "plot_adjacency", "plot_calibration", "plot_features", "plot_network", "plot_roc", "plot_trace",
    "plot_weights",
]


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots()[1]


def _by_feature(model: DLFRM, relation: str | None) -> tuple[list[Any], list[Any]]:
    """The features of a relation, and the nodes in the order of their first feature."""
    features = model._features_of(model._relation(relation))
    first: dict[Any, int] = {}
    for feature in features:
        for node in feature.members:
            first.setdefault(node, feature.number)
    last = len(features) + 1
    return features, sorted(range(len(model.nodes_)), key=lambda node: first.get(model._labels[node], last))


def plot_trace(model: DLFRM, quantity: str = "K", *, relation: str | None = None, ax: Any = None) -> Any:
    """A quantity of each chain over all sweeps: K, log_joint, alpha, nu or intercept."""
    ax = _axes(ax)
    traces = model._model().traces(model._relation(relation))
    if quantity not in traces[0]:
        raise ValueError(f"quantity must be one of {', '.join(traces[0])}, is {quantity!r}")
    for chain, trace in enumerate(traces):
        ax.plot(np.arange(1, len(trace[quantity]) + 1), trace[quantity], label=f"chain {chain + 1}", linewidth=0.8)
    ax.axvline(model.settings_["burn_in"], color="grey", linestyle=":")
    ax.set(xlabel="sweep", ylabel=quantity)
    ax.legend(frameon=False)
    return ax


def plot_features(model: DLFRM, *, relation: str | None = None, ax: Any = None) -> Any:
    """Which node has which feature, by certainty."""
    ax = _axes(ax)
    features, order = _by_feature(model, relation)
    place = {model._labels[node]: row for row, node in enumerate(order)}
    matrix = np.zeros((len(order), max(1, len(features))))
    for feature in features:
        for node, certainty in feature.members.items():
            matrix[place[node], feature.number - 1] = 1.0 if certainty is None else certainty
    ax.imshow(matrix, aspect="auto", cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    ax.set(xlabel="feature", ylabel="node", xticks=range(len(features)))
    ax.set_xticklabels([str(feature.number) for feature in features])
    if len(order) <= 60:
        ax.set_yticks(range(len(order)), [str(model._labels[node]) for node in order])
    return ax


def plot_weights(model: DLFRM, *, relation: str | None = None, ax: Any = None) -> Any:
    """The weights between the features that draws agree on."""
    ax = _axes(ax)
    weights = model.weights_ if relation is None else model.weights_[relation]
    most = max(1e-9, float(np.abs(weights).max(initial=0.0)))
    count = len(weights)
    image = ax.imshow(weights if count else np.zeros((1, 1)), cmap="RdBu_r", vmin=-most, vmax=most)
    ax.set_xticks(range(count), [str(k + 1) for k in range(count)])
    ax.set_yticks(range(count), [str(k + 1) for k in range(count)])
    ax.set(xlabel="feature", ylabel="feature")
    ax.figure.colorbar(image, ax=ax, label="weight")
    return ax


def plot_adjacency(model: DLFRM, *, relation: str | None = None, ax: Any = None, most: int = 2000) -> Any:
    """Predicted probabilities as shades and links as dots, with nodes in the order of their features."""
    ax = _axes(ax)
    _, order = _by_feature(model, relation)
    order = order[:most]
    number, count = model._relation(relation), len(order)
    numbers = np.array(order, dtype=np.int64)
    i, j = np.nonzero(~np.eye(count, dtype=bool))
    matrix = np.zeros((count, count))
    matrix[i, j] = model._model().predict_mean(np.stack([numbers[i], numbers[j]], axis=1), number)
    ax.imshow(matrix, cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
    place = np.full(len(model._labels), -1)
    place[numbers] = np.arange(count)
    links = place[model._model().links(number)]
    links = links[(links >= 0).all(axis=1)]
    if not model._model().directed:
        links = np.concatenate([links, links[:, ::-1]])
    ax.plot(links[:, 1], links[:, 0], ".", markersize=2, color="tab:orange")
    ax.set(xlabel="target", ylabel="source")
    return ax


def plot_network(model: DLFRM, *, relation: str | None = None, ax: Any = None, seed: int = 1) -> Any:
    """The network with nodes coloured by their first feature (needs networkx)."""
    import networkx

    ax = _axes(ax)
    graph = model.to_networkx(relation)
    colours = [min(values, default=0) for _, values in graph.nodes(data="features")]
    layout = networkx.spring_layout(graph, seed=seed)
    networkx.draw_networkx_edges(graph, layout, ax=ax, alpha=0.3)
    networkx.draw_networkx_nodes(graph, layout, ax=ax, node_color=colours, cmap="tab20", node_size=60)
    if len(graph) <= 100:
        networkx.draw_networkx_labels(graph, layout, ax=ax, font_size=6)
    ax.set_axis_off()
    return ax


def plot_roc(model: DLFRM, pairs: Any, labels: Any, *, relation: str | None = None, ax: Any = None) -> Any:
    """The ROC curve of some pairs with known labels."""
    ax = _axes(ax)
    probabilities = model.link_probability(pairs, relation=relation)
    false, true = metrics.roc_curve(labels, probabilities)
    ax.plot(false, true, label=f"AUC {metrics.auc(labels, probabilities):.3f}")
    ax.plot([0, 1], [0, 1], color="grey", linestyle=":")
    ax.set(xlabel="false positive rate", ylabel="true positive rate")
    ax.legend(frameon=False)
    return ax


def plot_calibration(
    model: DLFRM, pairs: Any, labels: Any, *, bins: int = 10, relation: str | None = None, ax: Any = None
) -> Any:
    """The share of links among pairs of about the same probability."""
    ax = _axes(ax)
    rates, means, _ = metrics.calibration_curve(labels, model.link_probability(pairs, relation=relation), bins)
    ax.plot(means, rates, "o-")
    ax.plot([0, 1], [0, 1], color="grey", linestyle=":")
    ax.set(xlabel="mean probability", ylabel="share of links")
    return ax
