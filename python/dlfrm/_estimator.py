"""The estimator: a Bayesian model of links with an unknown number of latent features."""

from __future__ import annotations

import inspect
import json
import os
import warnings
from collections.abc import Hashable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from . import _dlfrm, _settings
from ._labels import Labels, pairs_array
from ._network import Network, relation_number
from ._progress import Callback, Watcher
from ._results import Explanation, Feature, FeatureCount
from ._side_info import Attributes, PairCovariates, side_info
from ._tables import KINDS, Link, Links


class NotFittedError(ValueError, AttributeError):
    """The estimator has to be fitted first."""


class InterruptedFitWarning(UserWarning):
    """A fit was ended early and has fewer draws than its settings say."""


class DLFRM:
    """Bayesian link prediction that finds by itself how many latent features a network has.

    Every node has some of an unbounded number of binary features, and the weights between the features of two
    nodes decide how probable a link between them is. ``fit`` draws from the posterior.

    All settings have the names and the meaning of the command's flags. A setting that is None has the default
    of the model and of the size of the network.

    Parameters
    ----------
    model
        The model: diag-dlfrm-l, diag-dlfrm-h, dlfrm-l, dlfrm-h, sto-dlfrm-l or sto-dlfrm-h.
    chains
        Chains, run in parallel (one after the other in large networks).
    burn_in
        Sweeps of a chain before its first draw.
    draws
        Draws kept of each chain.
    covariates
        Covariates of a pair, computed from the links around it.
    c_pos
        Weight of a link in the loss (c+).
    c_neg
        Weight of a non-link in the loss (c-).
    margin
        Margin of the hinge loss.
    nu
        Inverse standard deviation of a weight; its first value if it is learned.
    alpha
        Mass of the Indian buffet process; its first value if it is learned.
    learn_alpha
        Learn alpha, under a Gamma(1, 1) prior.
    learn_nu
        Learn nu, under a Gamma prior on nu^2.
    intercept
        Add a common intercept to every logit.
    intercept_sd
        Standard deviation of the intercept's prior.
    coefficient_sd
        Standard deviation of the prior of a covariate's coefficient.
    node_effects
        Give each entity an effect on its links, as a source and as a target.
    max_new
        Most features that an entity may get in one step; 0 leaves features out.
    batch
        Stochastic models: share of the pairs in a Langevin step.
    inner_steps
        Stochastic models: Langevin steps per sweep.
    schedule
        Stochastic models: rule for step sizes.
    step
        Stochastic models: size of the first steps (a).
    step_delay
        Stochastic models: how late polynomial steps begin to shrink (b).
    step_decay
        Stochastic models: how fast polynomial steps shrink (gamma).
    start
        How a chain starts.
    thin
        Sweeps from one kept draw to the next.
    random_state
        Random seed: an integer or a generator of numpy. None is the command's default, 1.
    n_jobs
        Number of threads; results are the same for any number. None and -1 are one per core.
    verbose
        Whether notices and a progress bar (if tqdm is installed) are shown.
    asymmetric
        Treat an undirected link as two directed ones with a full weight matrix, as the paper does.
    share_features
        Whether all relations have the same features. None lets a development set decide.
    negatives
        Learn from all links and this many non-links per link, drawn at random.
    memory
        Refuse a fit that would take more bytes of memory than this.

    Attributes
    ----------
    nodes_
        The labels of the nodes.
    features_
        The features that draws agree on, the largest first; with several relations a dict.
    n_features_
        The posterior of the number of features; with several relations a dict.
    weights_
        The weights between these features; with several relations a dict.
    coefficients_
        The coefficients of covariates, as (mean, low, high); with several relations a dict.
    diagnostics_
        Figures of the fit: R-hat, effective sample sizes, seconds, a verdict; with several relations a dict.
    settings_
        The settings of the fit.
    interrupted_
        Whether the fit was ended early.
    notices_
        What a user should know of the fit.

    Examples
    --------
    >>> import dlfrm
    >>> network = dlfrm.datasets.les_miserables()
    >>> model = dlfrm.DLFRM(chains=2, burn_in=20, draws=20).fit(network)
    >>> links = model.top_links(3)
    >>> [link.source in model.nodes_ for link in links]
    [True, True, True]
    >>> bool(0 < model.predict_proba([("Valjean", "Javert")])[0, 1] < 1)
    True
    """

    classes_ = np.array([0, 1])
    notices_: list[str]

    def __init__(
        self,
        model: str = "diag-dlfrm-l",
        *,
        chains: int | None = None,
        burn_in: int | None = None,
        draws: int | None = None,
        covariates: str | None = None,
        c_pos: float | None = None,
        c_neg: float | None = None,
        margin: float | None = None,
        nu: float | None = None,
        alpha: float | None = None,
        learn_alpha: bool | None = None,
        learn_nu: bool | None = None,
        intercept: bool | None = None,
        intercept_sd: float | None = None,
        coefficient_sd: float | None = None,
        node_effects: bool | None = None,
        max_new: int | None = None,
        batch: float | None = None,
        inner_steps: int | None = None,
        schedule: str | None = None,
        step: float | None = None,
        step_delay: float | None = None,
        step_decay: float | None = None,
        start: str | None = None,
        thin: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        asymmetric: bool = False,
        share_features: bool | None = None,
        negatives: float | None = None,
        memory: float | None = None,
    ):
        self.model = model
        self.chains = chains
        self.burn_in = burn_in
        self.draws = draws
        self.covariates = covariates
        self.c_pos = c_pos
        self.c_neg = c_neg
        self.margin = margin
        self.nu = nu
        self.alpha = alpha
        self.learn_alpha = learn_alpha
        self.learn_nu = learn_nu
        self.intercept = intercept
        self.intercept_sd = intercept_sd
        self.coefficient_sd = coefficient_sd
        self.node_effects = node_effects
        self.max_new = max_new
        self.batch = batch
        self.inner_steps = inner_steps
        self.schedule = schedule
        self.step = step
        self.step_delay = step_delay
        self.step_decay = step_decay
        self.start = start
        self.thin = thin
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.asymmetric = asymmetric
        self.share_features = share_features
        self.negatives = negatives
        self.memory = memory

    # Parameters, as scikit-learn has them.

    @classmethod
    def _parameters(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._parameters()}

    def set_params(self, **params: Any) -> Self:
        """Sets parameters by name."""
        known = self._parameters()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"there is no parameter {name!r}; known are {', '.join(known)}")
            setattr(self, name, value)
        return self

    def _settings(self) -> list[tuple[str, str]]:
        values = {name: getattr(self, name) for name in _settings.KINDS if name != "seed"}
        return _settings.texts({**values, "seed": _settings.seed_of(self.random_state)})

    # Fitting.

    def fit(
        self,
        network: Any,
        y: None = None,
        *,
        node_attributes: Attributes = None,
        pair_covariates: PairCovariates = None,
        callback: Callback | None = None,
        **options: Any,
    ) -> Self:
        """Fits the model to a network.

        Ctrl-C ends the fit: it keeps the draws made so far and warns, or raises if there is none.

        Parameters
        ----------
        network
            Whatever :class:`dlfrm.Network` takes.
        y
            Ignored; there for scikit-learn.
        node_attributes
            What is known of nodes: a frame indexed by node (or with the node in its first column), a dict
            of dicts by node, names of attributes of the graph's nodes, or paths of files.
        pair_covariates
            What is known of pairs: a frame with source, target and further columns, or the path of a file.
        callback
            Called with a :class:`Progress` after every sweep. It ends the fit by returning True or by
            raising StopIteration.
        options
            Options of :class:`dlfrm.Network`: directed, nodes, relation and others.
        """
        if not isinstance(self.model, str):
            raise TypeError(f"model must be a name, is {self.model!r}")
        settings = self._settings()
        data = Network(network, **options)
        known = side_info(data, node_attributes, pair_covariates)
        watcher = Watcher(self.verbose, callback)
        notices = data.notices + (known.notices if known is not None else [])
        for text in notices if self.verbose else []:
            watcher._print(text)
        silent = not self.verbose and callback is None
        try:
            fitted = _dlfrm.fit(
                data._inner,
                self.model,
                settings,
                known,
                bool(self.asymmetric),
                self.share_features,
                self.negatives,
                self.memory,
                self.n_jobs,
                None if silent else watcher,
            )
        finally:
            watcher.close()
        self._take(fitted, data.labels, data.kind)
        self.notices_ = notices + watcher.notices
        if self.interrupted_:
            draws = len(fitted.draws(0))
            warnings.warn(f"the fit was ended early and has {draws} draws", InterruptedFitWarning, stacklevel=2)
        return self

    def _take(self, fitted: _dlfrm.Model, labels: Labels, kind: str) -> None:
        self._fitted, self._labels, self._kind = fitted, labels, kind
        self._cache: dict[str, Any] = {}
        self.interrupted_ = fitted.interrupted
        self.notices_ = []

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        return Tags("classifier", TargetTags(required=False), classifier_tags=ClassifierTags(multi_class=False))

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
            return Feature(one["feature"], members, one["own_weight"], one["stability"], interactions)

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
            for name in ("k_distribution", "coefficients", "attributes", "relation"):
                one.pop(name)
            one["convergence"] = {value.pop("quantity"): value for value in map(dict, one["convergence"])}
            return one

        return self._each("diagnostics", diagnostics)

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

        return auc(labels, self.link_probability(pairs, relation=relation))

    def top_links(
        self, n: int = 10, node: Hashable | None = None, *, relation: str | None = None, output: str = "auto"
    ) -> Any:
        """The most probable pairs that are no links of the network, with 90 % intervals.

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
        links = Links([Link(label[i], label[j], mean, low, high, names[r]) for r, i, j, mean, low, high in found])
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

    # Files and copies.

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file, which the command reads too."""
        self._model().save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a model from a file of ``save`` or of the command ``dlfrm fit``.

        Nodes whose names are all whole numbers are integers again; other labels are strings.
        """
        return cls._from(_dlfrm.Model.load(path))

    @classmethod
    def _from(cls, fitted: _dlfrm.Model) -> Self:
        settings = {name.replace("-", "_"): value for name, value in json.loads(fitted.settings).items()}
        # What a fit has by default stays open: a value for covariates or costs would ask for another model.
        chosen = {name: settings[name] for name in ("model", "chains", "burn_in", "draws", "thin")}
        estimator = cls(**chosen, random_state=settings["seed"])
        estimator._take(fitted, _labels_of(fitted), "list")
        return estimator

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if "_fitted" in state:
            state["_fitted"] = state["_fitted"].to_bytes()
            state["_cache"] = {}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "_fitted" in state:
            state = {**state, "_fitted": _dlfrm.Model.from_bytes(state["_fitted"])}
        self.__dict__.update(state)

    def __copy__(self) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

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
        from ._arviz import to_arviz

        return to_arviz(self, relation, pairs)

    def report(
        self, path: str | os.PathLike[str], pairs: Any = None, labels: Any = None, *, top: int = 200, seed: int = 1
    ) -> None:
        """Writes the report, one HTML page; held-out pairs with their labels add honest curves."""
        test = None
        if pairs is not None:
            from .metrics import _labels

            test = (self._pairs(pairs), _labels(labels))
        self._model().report(path, top, seed, test)

    def __repr__(self) -> str:
        changed = []
        for name, parameter in inspect.signature(type(self).__init__).parameters.items():
            if name != "self" and getattr(self, name) is not parameter.default:
                value = getattr(self, name)
                if value != parameter.default:
                    changed.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(changed)})"

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
        return f"<p><code>{text}</code></p><table><tr>{head}</tr>{''.join(rows)}</table>"


def _labels_of(fitted: _dlfrm.Model) -> Labels:
    from ._labels import from_names

    labels = from_names(fitted.names)
    if labels and isinstance(labels[0], int):
        array = np.array(labels, dtype=np.int64)
        if (np.diff(array) > 0).all():
            return Labels(array)
    return Labels(labels)
