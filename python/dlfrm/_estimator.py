"""The estimator: a Bayesian model of links with an unknown number of latent features."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Hashable
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, Self

import numpy as np

from . import _dlfrm, _settings, metrics
from ._fitted import Fitted
from ._labels import Labels
from ._network import Network
from ._progress import Callback, Watcher
from ._side_info import Attributes, PairCovariates, side_info
from ._words import InterruptedFitWarning, ReadReport, warn


@dataclass(repr=False, eq=False)
class DLFRM(Fitted):
    """Bayesian link prediction that finds by itself how many latent features a network has.

    Every node has some of an unbounded number of binary features, and the weights between the features of two
    nodes decide how probable a link between them is. ``fit`` draws from the posterior.

    All settings have the names and the meaning of the command's flags. A setting that is None has the default
    of the model and of the size of the network.

    Parameters
    ----------
    model
        The model: dlfrm-l, dlfrm-h, sto-dlfrm-l, sto-dlfrm-h, diag-dlfrm-l or diag-dlfrm-h. None: dlfrm-l up to
        50,000 pairs, diag-dlfrm-l beyond.
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
        Mass of the Indian buffet process; its first value if it is learned and chains do not start with groups.
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
        Give each node an effect on its links, as a source and as a target.
    max_new
        Most features that a node may get in one step; 0 leaves features out.
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
        Whether warnings of the fit and a progress bar (if tqdm is installed) are shown.
    asymmetric
        Treat an undirected link as two directed ones, as the paper does, with a full weight matrix unless the
        model has diagonal weights. The model is then that of the paper, without covariates and effects of
        nodes, with other defaults.
    share_features
        Whether all relations have the same features. None lets a development set decide.
    negatives
        Learn from all links and this many non-links per link, drawn at random.
    hold_out
        Hold out this share of the pairs, say 0.1, and score the model on them: ``held_out_`` has the scores.
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
    held_out_
        How well it predicts pairs that were held out of the fit (``hold_out``): their number, AUC, average precision
        and log loss; None if there are none; with several relations a dict.
    settings_
        The settings of the fit.
    interrupted_
        Whether the fit was ended early.
    network_
        What was read of the network; ``str`` of it is one line.
    warnings_
        What a user should know of the data and of the fit; those of the fit have a ``code`` and ``data``, too.

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

    model: str | None = None
    _: KW_ONLY
    chains: int | None = None
    burn_in: int | None = None
    draws: int | None = None
    covariates: str | None = None
    c_pos: float | None = None
    c_neg: float | None = None
    margin: float | None = None
    nu: float | None = None
    alpha: float | None = None
    learn_alpha: bool | None = None
    learn_nu: bool | None = None
    intercept: bool | None = None
    intercept_sd: float | None = None
    coefficient_sd: float | None = None
    node_effects: bool | None = None
    max_new: int | None = None
    batch: float | None = None
    inner_steps: int | None = None
    schedule: str | None = None
    step: float | None = None
    step_delay: float | None = None
    step_decay: float | None = None
    start: str | None = None
    thin: int | None = None
    random_state: Any = None
    n_jobs: int | None = None
    verbose: bool | int = False
    asymmetric: bool = False
    share_features: bool | None = None
    negatives: float | None = None
    hold_out: float | None = None
    memory: float | None = None

    # Parameters, as scikit-learn has them.

    @classmethod
    def _parameters(cls) -> list[str]:
        return [parameter.name for parameter in fields(cls)]

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
        y: Any = None,
        *,
        node_attributes: Attributes = None,
        pair_covariates: PairCovariates = None,
        until: float | None = None,
        time: float | None = None,
        callback: Callback | None = None,
        **options: Any,
    ) -> Self:
        """Fits the model to a network.

        Ctrl-C ends the fit: it keeps the draws made so far and warns, or raises if there is none. ``resume``
        goes on with it.

        Parameters
        ----------
        network
            Whatever :class:`dlfrm.Network` takes.
        y
            Labels of the pairs, if the network is a list, an array or a table of pairs: 1 for a link, 0 for a non-link.
            Pairs that are not listed are then unobserved unless ``unlisted`` says otherwise.
        node_attributes
            What is known of nodes: a frame indexed by node (or with the node in its first column), a dict
            of dicts by node, names of attributes of the graph's nodes, or paths of files.
        pair_covariates
            What is known of pairs: a frame with source, target and further columns, or the path of a file.
        until
            Go on with more draws until link probabilities have at most this R-hat, say 1.05. It ends after 600
            seconds if ``time`` is None.
        time
            End after so many seconds, with the draws kept until then and a warning.
        callback
            Called with a :class:`Progress` after every sweep. It ends the fit by returning True or by
            raising StopIteration.
        options
            Options of :class:`dlfrm.Network`: directed, nodes, relation and others.
        """
        if not isinstance(self.model, (str, type(None))):
            raise TypeError(f"model must be a name, is {self.model!r}")
        settings = self._settings()
        if y is not None:
            if options.get("label") is not None:
                raise TypeError("y: label says already which pairs are links")
            options["label"] = metrics._labels(y)
        data = Network(network, **options)
        known, report, warnings = side_info(data, node_attributes, pair_covariates)
        warnings = data.warnings + warnings

        def run(watch: Watcher) -> _dlfrm.Model:
            return _dlfrm.fit(
                data._inner, self.model, settings, known, bool(self.asymmetric), self.share_features, self.negatives,
                self.hold_out, self.memory, until, time, self.n_jobs, watch,
            )

        return self._run(run, callback, warnings, lambda _: data.labels, data.kind, report)

    def resume(
        self,
        draws: int | None = None,
        *,
        until: float | None = None,
        time: float | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Goes on with a fit: the chains go on from where they are, as with the command ``dlfrm resume``.

        A fit that was ended early ends as if it had not been. The result is, bit for bit, that of a fit that
        asked for all draws at once.

        Parameters
        ----------
        draws
            Keep so many draws more of each chain.
        until, time, callback
            As for ``fit``.

        Examples
        --------
        >>> import dlfrm
        >>> model = dlfrm.DLFRM(chains=2, burn_in=10, draws=5).fit(dlfrm.datasets.les_miserables())
        >>> model.resume(draws=5).settings_["draws"]
        10
        """
        if draws is not None and (
            isinstance(draws, bool) or not isinstance(draws, (int, np.integer)) or not 0 < draws < 2**63
        ):
            raise ValueError(f"draws must be a number from 1, is {draws!r}")
        model = self._model()

        def run(watch: Watcher) -> _dlfrm.Model:
            return _dlfrm.resume(model, int(draws or 0), until, time, self.memory, self.n_jobs, watch)

        return self._run(run, callback, [], lambda _: self._labels, self._kind, self.network_)

    def update(
        self,
        more: Any,
        *,
        until: float | None = None,
        time: float | None = None,
        callback: Callback | None = None,
        **options: Any,
    ) -> Self:
        """Adds links, non-links and nodes: the chains go on from where they are, as with ``dlfrm update``.

        Parameters
        ----------
        more
            New links, and non-links if they have labels: whatever :class:`dlfrm.Network` takes. Nodes that the
            model does not have are new. A pair that is given again with another label is what it is given as last.
        until, time, callback
            As for ``fit``.
        options
            Options of :class:`dlfrm.Network`.

        Examples
        --------
        >>> import dlfrm
        >>> model = dlfrm.DLFRM(chains=2, burn_in=10, draws=5).fit(dlfrm.datasets.les_miserables())
        >>> len(model.update([("Cosette", "Fantine"), ("Cosette", "Azelma")], directed=False).nodes_)
        78
        """
        model = self._model()
        if self.interrupted_:
            raise ValueError("the fit was ended early: resume it before it is updated")
        data, labels = self._added(more, options)

        def run(watch: Watcher) -> _dlfrm.Model:
            return _dlfrm.update(model, data._inner, until, time, self.memory, self.n_jobs, watch)

        return self._run(run, callback, data.warnings, labels, self._kind, self.network_)

    def with_new_nodes(self, links: Any, **options: Any) -> Self:
        """A copy that also predicts links of nodes that were not there at the fit, as ``dlfrm predict --new`` does.

        The features of the new nodes are drawn given their links; nothing else of the model changes. The copy
        predicts and explains, and cannot go on: ``update`` takes new nodes into the model itself.

        Parameters
        ----------
        links
            Links of the new nodes to nodes of the model or to each other, and non-links if they have labels:
            whatever :class:`dlfrm.Network` takes.
        options
            Options of :class:`dlfrm.Network`.

        Examples
        --------
        >>> import dlfrm
        >>> model = dlfrm.DLFRM(chains=2, burn_in=10, draws=5).fit(dlfrm.datasets.les_miserables())
        >>> wider = model.with_new_nodes([("Inspector", "Javert"), ("Inspector", "Valjean")])
        >>> len(wider.top_links(5, node="Inspector"))
        5
        """
        model = self._model()
        data, labels = self._added(links, options)
        fitted = model.with_new_nodes(data._inner)
        other = self.__copy__()
        other._take(fitted, labels(fitted), self._kind, self.network_)
        other.warnings_ = data.warnings
        return other

    def _added(self, more: Any, options: dict[str, Any]) -> tuple[Network, Callable[[_dlfrm.Model], Labels]]:
        """Pairs to be added to the network, and what gives the labels of a model that has them."""
        if not isinstance(more, Network):
            # What the model's network is decides.
            options = {"directed": self._model().directed, **options, "bipartite": False}
        data = Network(more, **options)
        named = {**_by_name(data, self._labels, more), **self._label_of()}
        return data, lambda fitted: Labels([named[name] for name in fitted.names])

    def _run(
        self,
        run: Callable[[Watcher], _dlfrm.Model],
        callback: Callback | None,
        warnings: list[str],
        labels: Callable[[_dlfrm.Model], Labels],
        kind: str,
        report: ReadReport,
    ) -> Self:
        """Runs a fit and takes what it finds."""
        if self.verbose:
            print(report, file=sys.stderr)
        watcher = Watcher(self.verbose, callback)
        try:
            fitted = run(watcher)
        finally:
            watcher.close()
        self._take(fitted, labels(fitted), kind, report)
        self.warnings_ = warnings + watcher.warnings
        if self.interrupted_:
            draws = len(fitted.draws(0))
            text = f"the fit was ended early and has {draws} draws; resume goes on with it"
            warn([text], InterruptedFitWarning)
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        return Tags("classifier", TargetTags(required=False), classifier_tags=ClassifierTags(multi_class=False))

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
        estimator._take(fitted, Labels.of_names(fitted.names), "list", ReadReport(fitted.name, "", 0, 0, fitted.directed))
        return estimator

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if "_fitted" in state:
            state["_fitted"] = state["_fitted"].to_bytes()
            state["_cache"] = {}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "_fitted" in state:
            state = {**state, "_fitted": _dlfrm.Model.from_bytes(*state["_fitted"])}
        self.__dict__.update(state)

    def __copy__(self) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __repr__(self) -> str:
        values = [(parameter.name, getattr(self, parameter.name), parameter.default) for parameter in fields(self)]
        changed = [f"{name}={value!r}" for name, value, default in values if value is not default and value != default]
        return f"{type(self).__name__}({', '.join(changed)})"


def _by_name(network: Network, known: Labels, more: Any) -> dict[str, Hashable]:
    """The labels of a network by their names, of the type that the known ones have."""
    labels, names = network.labels.list, network._inner.names
    if isinstance(more, (str, os.PathLike)) and not isinstance(known[0], int):
        # The names of a file are whole numbers by accident.
        labels = list(names)
    kinds = {type(label): label for label in (*reversed(labels), known[0])}
    if int in kinds and str in kinds:
        raise TypeError(f"more: nodes have mixed types: {known[0]!r} and {kinds[str if type(known[0]) is int else int]!r}")
    return dict(zip(names, labels, strict=True))
