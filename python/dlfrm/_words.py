"""Warnings, and the sentences of this package: facts come here as values and leave as text."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


class DataWarning(UserWarning):
    """Something in a file or a network may be meant in another way than it was read."""


class InterruptedFitWarning(UserWarning):
    """A fit was ended early and has fewer draws than its settings say."""


class WarningText(str):
    """A warning of the library: its text, with its ``code`` and its ``data``."""

    code: str
    data: dict[str, Any]

    def __new__(cls, text: str, data: dict[str, Any]) -> WarningText:
        """From the text and from the data with the code."""
        made = super().__new__(cls, text)
        made.code, made.data = data["code"], {name: value for name, value in data.items() if name != "code"}
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return WarningText, (str(self), {"code": self.code, **self.data})


def warn(texts: Iterable[str], category: type[Warning]) -> None:
    """Warns of each text at the first line outside this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    for text in texts:
        warnings.warn(text, category, stacklevel=level)


def count(number: int, one: str, many: str | None = None) -> str:
    """A number of things: 1 link, 2 links."""
    return f"{number} {one if number == 1 else many or one + 's'}"


@dataclass(frozen=True)
class ReadReport:
    """What was read of a network. ``str`` of it is one line that says so."""

    source: str
    """The kind of the data, or the name of the file."""
    form: str
    """How it was understood: its columns, say."""
    nodes: int
    links: int
    directed: bool
    bipartite: bool = False
    relations: int = 1
    non_links: int = 0
    """Pairs that are listed as non-links."""
    unobserved: int = 0
    """Pairs that are listed as unobserved."""
    others_unobserved: bool = False
    """Whether pairs that are not listed are unobserved, and not non-links."""
    repeated: int = 0
    """Rows that say again what an earlier one says."""
    self_loops: int = 0
    """Links of a node with itself, which are ignored."""
    weights: tuple[float, float] | None = None
    """The least and the largest weight, if they differ from 1; weights are ignored: what has one is a link."""
    weights_named: bool = False
    """Whether the caller said where the weights are."""
    ignored: tuple[str, ...] = ()
    """Columns that are not used."""
    first_link: tuple[str, str] | None = None
    directed_by_default: bool = False
    """Whether neither the caller nor the data says that links have a direction."""
    looks: str | None = None
    """What it looks like and nobody asked for: bipartite, as no source is a target, or undirected, as links are listed in
    both directions."""
    zeros: int = 0
    """Entries of a file of a matrix that are 0, and no links."""
    predicted: int = 0
    """Edges of a file of a graph that a program predicted, and no links."""
    nodes_without_attributes: int = 0
    """Nodes of which node_attributes say nothing."""
    attributes_without_node: int = 0
    """Rows of node_attributes that are of no node of the network; they are ignored."""

    @property
    def doubtful(self) -> bool:
        """Whether something was taken for granted or left out that the caller can decide."""
        weights = self.weights is not None and not self.weights_named
        attributes = self.nodes_without_attributes + self.attributes_without_node > 0
        return weights or attributes or self.directed_by_default or self.looks is not None

    def __str__(self) -> str:
        arrow = "->" if self.directed else "-"
        first = "" if self.first_link is None else f"first link {self.first_link[0]} {arrow} {self.first_link[1]}"
        how = ", ".join(part for part in (self.form, first) if part)
        asides = [f"{self.repeated} repeated"] if self.repeated else []
        if self.self_loops:
            asides.append(f"{count(self.self_loops, 'self-loop')} ignored")
        asides += [f"{number} {what} ignored" for number, what in ((self.zeros, "zeros"), (self.predicted, "predicted")) if number]
        if self.weights is not None:
            asides.append(f"weights {self.weights[0]:g} to {self.weights[1]:g} ignored")
        counts = [count(self.nodes, "node"), count(self.links, "link") + (f" ({', '.join(asides)})" if asides else "")]
        if self.relations > 1:
            counts.append(f"{self.relations} relations")
        if self.non_links:
            counts.append(count(self.non_links, "non-link"))
        if self.unobserved:
            counts.append(f"{count(self.unobserved, 'pair')} unobserved")
        if self.others_unobserved:
            counts.append("all other pairs unobserved")
        kind = "bipartite" if self.bipartite else "directed" if self.directed else "undirected"
        if self.directed_by_default:
            kind += " by default (directed=False if links have no direction)"
        counts.append(kind)
        parts = [how, ", ".join(counts)] if how else [", ".join(counts)]
        if self.looks == "bipartite":
            parts.append("no source is a target: bipartite=True if they are two kinds of nodes")
        if self.looks == "undirected" and self.directed_by_default:
            parts.append("links are listed in both directions")
        if self.ignored:
            parts.append(f"{count(len(self.ignored), 'column')} ignored: {', '.join(self.ignored)}")
        if self.nodes_without_attributes:
            parts.append(f"{self.nodes_without_attributes} of {count(self.nodes, 'node')} without attributes")
        if self.attributes_without_node:
            parts.append(f"attributes of {self.attributes_without_node} that are not in the network ignored")
        return f"{self.source}: {'; '.join(parts)}"
