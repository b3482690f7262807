"""Bayesian link prediction that finds by itself how many latent features a network has.

>>> import dlfrm
>>> network = dlfrm.datasets.les_miserables()
>>> model = dlfrm.DLFRM(chains=2, burn_in=20, draws=20).fit(network)
>>> table = model.top_links(5)
>>> len(table)
5
"""

from . import baselines, datasets, metrics, plots, splits
from ._dlfrm import __version__
from ._estimator import DLFRM
from ._evaluate import Evaluation, Search, evaluate, tune
from ._fitted import NotFittedError
from ._network import Network
from ._progress import Progress
from ._results import Explanation, Feature, FeatureCount, Link, Links
from ._words import DataWarning, InterruptedFitWarning, ReadReport
from .datasets import Generated, Planted, generate, plant

__all__ = [
    "DLFRM", "DataWarning", "Evaluation", "Explanation", "Feature", "FeatureCount", "Generated",
    "InterruptedFitWarning", "Link", "Links", "Network", "NotFittedError", "Planted", "Progress",
    "ReadReport", "Search", "__version__", "baselines", "datasets", "evaluate", "generate", "metrics",
    "plant", "plots", "splits", "tune",
]
