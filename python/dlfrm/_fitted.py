"""What a fitted model knows: features, figures, predictions, explanations, and their forms for other libraries."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm
from ._labels import Labels, pairs_array
from ._network import relation_number
from ._results import KINDS, Explanation, Feature, FeatureCount, Link, Links
from ._words import ReadReport


class NotFittedError(ValueError, AttributeError):
    """The estimator has to be fitted first."""


class Fitted:
    """An estimator that may be fitted."""

    classes_ = np.array([0, 1])
    network_: ReadReport
    warnings_: list[str]
    interrupted_: bool
    _fitted: _dlfrm.Model
    _labels: Labels
    _kind: str
    _cache: dict[str, Any]

    def _take(self, fitted: _dlfrm.Model, labels: Labels, kind: str, report: ReadReport) -> None:
        self._fitted, self._labels, self._kind = fitted, labels, kind
        self._cache = {}
        links = sum(len(fitted.links(number)) for number in range(len(fitted.relations)))
        self.network_ = replace(report, nodes=len(labels), links=links, relations=len(fitted.relations))
        self.interrupted_ = fitted.interrupted
        self.warnings_ = []

    def __sklearn_is_fitted__(self) -> bool:
        return "_fitted" in self.__dict__

    def _model(self) -> _dlfrm.Model:
        if "_fitted" not in self.__dict__:
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit or load first")
        return self._fitted

    def _relation(self, relation: str | None) -> int:
        return relation_number(self._model().relations, relation)

    def _each(self, key: str, compute: Any) -> Any:
        """A value per relation, computed once; by name if there are several."""
        model = self._model()
        if key not in self._cache:
            values = [compute(number) for number in range(len(model.relations))]
            named = model.relations[0] is not None
            self._cache[key] = dict(zip(model.relations, values, strict=True)) if named else values[0]
        return self._cache[key]

    # What the fit found.

    @property
    def nodes_(self) -> list[Hashable]:
        """The labels of the nodes."""
        self._model()
        return list(self._labels.list)

    @property
    def relations_(self) -> list[str]:
        """The names of the relations; empty if there is one without a name."""
        return [name for name in self._model().relations if name is not None]

    @property
    def settings_(self) -> dict[str, Any]:
        """The settings of the fit."""
        return {name.replace("-", "_"): value for name, value in json.loads(self._model().settings).items()}

    def _features_of(self, number: int) -> list[Feature]:
        label = self._label_of()

        def feature(one: dict[str, Any]) -> Feature:
            members = {label[member["name"]]: member["certainty"] for member in one["members"]}
            interactions = {other["feature"]: other["weight"] for other in one["interactions"]}
            return Feature(one["feature"], members, one["own_weight"], one["stability"], interactions, one["role"])

        return [feature(one) for one in json.loads(self._model().features(number))]

    @property
    def features_(self) -> Any:
        """The features that draws agree on, the largest first."""
        return self._each("features", self._features_of)

    @property
    def weights_(self) -> Any:
        """The weights between the features that draws agree on."""

        def weights(number: int) -> NDArray[np.float64]:
            features = self._features_of(number)
            matrix = np.zeros((len(features), len(features)))
            for feature in features:
                matrix[feature.number - 1, feature.number - 1] = feature.own_weight
                for other, weight in feature.interactions.items():
                    matrix[feature.number - 1, other - 1] = weight
            return matrix

        return self._each("weights", weights)

    def _figures_of(self, number: int) -> dict[str, Any]:
        key = f"figures {number}"
        if key not in self._cache:
            self._cache[key] = json.loads(self._model().figures(number))
        return dict(self._cache[key])

    @property
    def n_features_(self) -> Any:
        """The posterior of the number of features."""

        def count(number: int) -> FeatureCount:
            one = self._figures_of(number)
            return FeatureCount(one["k_mean"], one["k_low"], one["k_high"], dict(one["k_distribution"]))

        return self._each("n_features", count)

    @property
    def coefficients_(self) -> Any:
        """The coefficients of covariates and attributes: mean and 90 % interval."""

        def coefficients(number: int) -> dict[str, tuple[float, float, float]]:
            one = self._figures_of(number)
            both = one["coefficients"] + one["attributes"]
            return {value["covariate"]: (value["mean"], value["low"], value["high"]) for value in both}

        return self._each("coefficients", coefficients)

    @property
    def diagnostics_(self) -> Any:
        """Figures of the fit: R-hat, effective sample sizes, seconds and a verdict."""

        def diagnostics(number: int) -> dict[str, Any]:
            one = self._figures_of(number)
            for name in ("k_distribution", "coefficients", "attributes", "relation", "held_out"):
                one.pop(name)
            one["convergence"] = {value.pop("quantity"): value for value in map(dict, one["convergence"])}
            return one

        return self._each("diagnostics", diagnostics)

    @property
    def held_out_(self) -> Any:
        """How well the model predicts pairs that were held out of the fit; None if none were."""
        return self._each("held_out", lambda number: self._figures_of(number)["held_out"])

    # Predictions.

    def _pairs(self, pairs: Any) -> NDArray[np.int64]:
        self._model()
        return pairs_array(pairs, self._labels)

    def link_probability(self, pairs: Any, *, relation: str | None = None) -> NDArray[np.float64]:
        """The posterior mean of the probability of a link for each pair."""
        return self._model().predict_mean(self._pairs(pairs), self._relation(relation))

    def predict_proba(self, pairs: Any, *, relation: str | None = None) -> NDArray[np.float64]:
        """The probabilities of no link and of a link for each pair, as an array of shape (m, 2).

        ``pairs`` is a list of pairs, an array of shape (m, 2) or a frame with the columns source and target.
        """
        probability = self.link_probability(pairs, relation=relation)
        both = np.empty((len(probability), 2))
        np.subtract(1.0, probability, out=both[:, 0])
        both[:, 1] = probability
        return both

    def decision_function(self, pairs: Any, *, relation: str | None = None) -> NDArray[np.float64]:
        """The score of each pair: log-odds of a link that rank pairs better than the mean probability."""
        return self._model().score(self._pairs(pairs), self._relation(relation))

    def predict(self, pairs: Any, *, relation: str | None = None) -> NDArray[np.int64]:
        """1 for each pair whose link is more probable than not, else 0."""
        return (self.link_probability(pairs, relation=relation) > 0.5).astype(np.int64)

    def interval(self, pairs: Any, level: float = 0.9, *, relation: str | None = None) -> NDArray[np.float64]:
        """The equal-tailed posterior interval of each pair's probability, as an array of shape (m, 2)."""
        if not isinstance(level, (int, float)) or not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1, is {level!r}")
        numbers, which = self._pairs(pairs), self._relation(relation)
        if level == 0.9:
            _, low, high = self._model().predict(numbers, which)
            return np.stack([low, high], axis=1)
        tails = [(1 - level) / 2, (1 + level) / 2]
        # In parts: the probabilities of all draws at once might not fit into the memory.
        parts = np.array_split(numbers, max(1, len(numbers) // 10_000))
        found = [np.quantile(self._model().predict_draws(part, which), tails, axis=1).T for part in parts]
        return np.concatenate(found)

    def score(self, pairs: Any, labels: Any, *, relation: str | None = None) -> float:
        """The area under the ROC curve of some pairs with known labels."""
        from .metrics import auc

        return auc(labels, self.decision_function(pairs, relation=relation))

    def top_links(
        self, n: int = 10, node: Hashable | None = None, *, relation: str | None = None, output: str = "auto"
    ) -> Any:
        """The most probable pairs that are no links of the network, those with the highest scores first.

        Returns a frame of the library that the network came from (pandas, polars or pyarrow), else
        :class:`Links`; ``output`` names another kind.
        """
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
            raise ValueError(f"n must be a number from 0, is {n!r}")
        if output not in KINDS:
            raise ValueError(f"output must be one of {', '.join(KINDS)}, is {output!r}")
        model = self._model()
        number = None if node is None else self._labels.number(node, "node")
        which = None if relation is None else self._relation(relation)
        label, names = self._labels.list, model.relations
        found = model.top(int(n), number, which)
        links = Links([Link(label[i], label[j], p, low, high, score, names[r]) for r, i, j, p, low, high, score in found])
        return links.convert(self._kind if output == "auto" else output)

    def _label_of(self) -> dict[str, Hashable]:
        """The label of each name."""
        return dict(zip(self._model().names, self._labels.list, strict=True))

    def explain(self, a: Hashable, b: Hashable, *, relation: str | None = None) -> Explanation:
        """Why the link (a, b) is probable or not: what groups of covariates and features add to its log-odds."""
        model = self._model()
        pair = np.array([[self._labels.number(a, "a"), self._labels.number(b, "b")]], dtype=np.int64)
        found = json.loads(model.explain(pair, self._relation(relation)))
        return Explanation.of(a, b, found, self._label_of())

    # For other libraries and for people.

    def to_networkx(self, relation: str | None = None) -> Any:
        """The network as a networkx graph; nodes have their features and certainties in the attribute ``features``."""
        import networkx

        number, label = self._relation(relation), self._labels.list
        graph = networkx.DiGraph() if self._model().directed else networkx.Graph()
        graph.add_nodes_from((node, {"features": {}}) for node in label)
        graph.add_edges_from((label[i], label[j]) for i, j in self._model().links(number).tolist())
        for feature in self._features_of(number):
            for node, certainty in feature.members.items():
                graph.nodes[node]["features"][feature.number] = certainty
        return graph

    def to_arviz(self, relation: str | None = None, pairs: Sequence[Any] | None = None) -> Any:
        """Chains and draws for ArviZ: quantities without labels per sweep, and probabilities of probe pairs."""
        return _to_arviz(self, relation, pairs)

    def report(
        self, path: str | os.PathLike[str], pairs: Any = None, labels: Any = None, *, top: int = 200, seed: int = 1
    ) -> None:
        """Writes the report, one HTML page; held-out pairs with their labels add honest curves."""
        test = None
        if pairs is not None:
            from .metrics import _labels

            test = (self._pairs(pairs), _labels(labels))
        self._model().report(path, top, seed, test)

    def _repr_html_(self) -> str:
        from html import escape

        text = escape(repr(self))
        if "_fitted" not in self.__dict__:
            return f"<p><code>{text}</code>, not fitted</p>"
        rows = []
        for number, name in enumerate(self._model().relations):
            one = self._figures_of(number)
            figures = (name or self._model().name, len(self._labels), one["links"], one["draws"])
            count = f"{one['k_mean']:.1f} ({one['k_low']:.0f} to {one['k_high']:.0f})"
            cells = [str(value) for value in figures] + [count, one["verdict"]]
            rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
        head = "".join(f"<th>{name}</th>" for name in ("network", "nodes", "links", "draws", "features", "verdict"))
        network = escape(str(self.network_))
        return f"<p><code>{text}</code></p><p>{network}</p><table><tr>{head}</tr>{''.join(rows)}</table>"


# How many pairs have their probabilities in what ArviZ gets, half of them links.
PROBES = 100


def _to_arviz(model: Fitted, relation: str | None, pairs: Sequence[Any] | None) -> Any:
    """An InferenceData of ArviZ 0.x or a DataTree of later ones.

    The group ``posterior`` has a draw per sweep after burn-in, so that R-hat and ESS are those of
    ``diagnostics_``. ``sample_stats`` has the log joint density, ``predictions`` the probabilities of probe
    pairs in the kept draws.
    """
    import arviz

    fitted, number = model._model(), model._relation(relation)
    burn_in = model.settings_["burn_in"]
    traces = [trace for trace in fitted.traces(number) if len(trace["K"]) > burn_in]
    if not traces:
        raise ValueError("there is no sweep after burn-in")
    shortest = min(len(trace["K"]) for trace in traces)

    def stacked(name: str) -> Any:
        return np.stack([trace[name][burn_in:shortest] for trace in traces])

    names = ("K", "alpha", "nu", "intercept")
    posterior = {name: stacked(name) for name in names}
    groups: dict[str, Any] = {"posterior": posterior, "sample_stats": {"lp": stacked("log_joint")}}
    numbers = model._pairs(pairs) if pairs is not None else _probes(model, number)
    chains = fitted.draws(number)[:, 0]
    values = fitted.predict_draws(numbers, number)
    per_chain = [values[:, chains == chain].T for chain in np.unique(chains)]
    kept = min(len(part) for part in per_chain)
    groups["predictions"] = {"probability": np.stack([part[:kept] for part in per_chain])}
    label = model._labels.list
    coords = {"pair": [f"{label[i]} - {label[j]}" for i, j in numbers.tolist()]}
    dims = {"probability": ["pair"]}
    if int(arviz.__version__.split(".")[0]) >= 1:
        return arviz.from_dict(groups, coords=coords, dims=dims)
    return arviz.from_dict(
        posterior=groups["posterior"],
        sample_stats=groups["sample_stats"],
        predictions=groups["predictions"],
        coords=coords,
        pred_dims=dims,
    )


def _probes(model: Fitted, relation: int) -> Any:
    """Links and random pairs, the same for the same network."""
    links = model._model().links(relation)
    chosen = links[:: max(1, len(links) // (PROBES // 2))][: PROBES // 2]
    numbers = np.random.default_rng(1)
    ends = numbers.integers(len(model._labels), size=(PROBES // 2, 2))
    both = np.concatenate([chosen, ends[ends[:, 0] != ends[:, 1]]])
    return np.unique(both if model._model().directed else np.sort(both, axis=1), axis=0)
