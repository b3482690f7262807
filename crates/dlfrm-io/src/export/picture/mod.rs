//! A picture of a small network with its groups, as SVG that follows the light or dark of the screen.

mod boxes;
mod shapes;
mod words;

use std::fmt::Write;

use boxes::{Around, apart};
use shapes::{arrow, circle};
use words::{list, shown, width};

use super::Export;
use crate::group_colours::{COLOURS, group_colours};
use crate::places::places;
use crate::report::{MOST_LINKS, MOST_NODES, escaped, palette};

/// The size of letters.
const LETTERS: f64 = 12.0;
/// The width that pages show without making it smaller.
const LEAST_WIDTH: f64 = 860.0;
/// The share of the picture that nodes and their names take.
const FILLED: f64 = 0.24;
const MARGIN: f64 = 16.0;
/// Groups that the legend names.
const NAMED_GROUPS: usize = 20;
const LINE: f64 = 20.0;

const STYLE: &str = "text { font: 12px var(--sans); fill: var(--text); } .name { text-anchor: middle; paint-order: stroke; \
     stroke: var(--surface); stroke-width: 3px; stroke-linejoin: round; } .note { fill: var(--muted); } .page { fill: var(--surface); } \
     .links { fill: none; stroke: var(--muted); opacity: .4; } .within { fill: none; opacity: .55; stroke-width: 1.3; } \
     .predicted { fill: none; stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 5 4; } .arrow { fill: var(--muted); } \
     .none { fill: var(--shade); stroke: var(--muted); } .ring { fill: none; stroke: var(--surface); }";

/// Why a network has no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "a picture shows at most {MOST_NODES} nodes and {MOST_LINKS} links, the network has {nodes} and {links}: \
         export it for Gephi (--format gexf)"
)]
pub struct TooLarge {
    /// Its nodes.
    pub nodes: usize,
    /// Its links.
    pub links: usize,
}

/// A node of the picture.
struct Node {
    at: [f64; 2],
    radius: f64,
    name: String,
    /// Its groups, by their place in the list.
    groups: Vec<usize>,
}

/// The network with a circle for each node, in the colours of its groups.
pub fn picture(export: &Export<'_>) -> Result<String, TooLarge> {
    let (known, predicted): (Vec<_>, Vec<_>) = export.links.iter().partition(|link| !link.predicted);
    let pairs: Vec<(u32, u32)> = known.iter().map(|link| (link.source, link.target)).collect();
    let missing: Vec<(u32, u32)> = predicted.iter().map(|link| (link.source, link.target)).collect();
    let n = export.model.nodes.len();
    if n > MOST_NODES || pairs.len() > MOST_LINKS {
        return Err(TooLarge { nodes: n, links: pairs.len() });
    }
    let members = export.members();
    let colours = group_colours(&members, &pairs, n);
    let nodes = nodes(export, &members, &pairs);
    let network = Network { nodes, colours, directed: export.model.directed };
    Ok(network.draw(export, &members, &pairs, &missing))
}

fn nodes(export: &Export<'_>, members: &[Vec<u32>], links: &[(u32, u32)]) -> Vec<Node> {
    let names = export.model.nodes.names();
    let mut degrees = vec![0_usize; names.len()];
    for &(i, j) in links {
        degrees[i as usize] += 1;
        degrees[j as usize] += 1;
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
    for (group, members) in members.iter().enumerate() {
        for &member in members {
            groups[member as usize].push(group);
        }
    }
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    order.sort_by_key(|&id| (groups[id as usize].first().copied().unwrap_or(usize::MAX), id));
    let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
    let radii: Vec<f64> = degrees.iter().map(|&degree| 4.0 + 1.3 * (degree as f64).sqrt()).collect();
    let boxes: Vec<Around> = names
        .iter()
        .zip(&radii)
        .map(|(name, radius)| Around {
            side: radius.max(0.5 * LETTERS * width(name)) + 4.0,
            above: radius + 3.0,
            below: radius + 1.25 * LETTERS + 2.0,
        })
        .collect();
    let area = boxes.iter().map(Around::area).sum::<f64>() / FILLED;
    let across = (area * 1.4).sqrt().max(LEAST_WIDTH) - 2.0 * MARGIN;
    // Names at the sides stand over the edge.
    let widest = boxes.iter().map(|around| around.side).fold(0.0, f64::max);
    let size = [across - 2.0 * widest, across / 1.4];
    let mut at = places(names.len(), links, &order);
    even(&mut at);
    for place in &mut at {
        *place = [place[0] * size[0], place[1] * size[1]];
    }
    apart(&mut at, &boxes);
    // The first box begins at the margin.
    let least = |axis: usize, of: fn(&Around) -> f64| {
        at.iter().zip(&boxes).map(|(at, around)| at[axis] - of(around)).fold(f64::INFINITY, f64::min)
    };
    let (left, top) = (least(0, |around| around.side), least(1, |around| around.above));
    let places = at.into_iter().map(|at| [at[0] - left + MARGIN, at[1] - top + MARGIN]);
    let both = names.into_iter().zip(radii).zip(groups).zip(places);
    both.map(|(((name, radius), groups), at)| Node { at, radius, name, groups }).collect()
}

/// Halfway to equal distances along each axis: a dense middle gets room, and those far out come nearer.
fn even(at: &mut [[f64; 2]]) {
    let last = (at.len().max(2) - 1) as f64;
    for axis in 0..2 {
        let mut order: Vec<usize> = (0..at.len()).collect();
        order.sort_by(|&i, &j| at[i][axis].total_cmp(&at[j][axis]));
        for (rank, id) in order.into_iter().enumerate() {
            at[id][axis] = 0.5 * (at[id][axis] + rank as f64 / last);
        }
    }
}

struct Network {
    nodes: Vec<Node>,
    /// The colour of each group.
    colours: Vec<usize>,
    directed: bool,
}

impl Network {
    fn draw(
        &self,
        export: &Export<'_>,
        members: &[Vec<u32>],
        links: &[(u32, u32)],
        missing: &[(u32, u32)],
    ) -> String {
        let right = |one: &Node| one.at[0] + one.radius.max(0.5 * LETTERS * width(&one.name)) + MARGIN;
        let bottom = |one: &Node| one.at[1] + one.radius + 1.25 * LETTERS + MARGIN;
        let across = self.nodes.iter().map(right).fold(LEAST_WIDTH, f64::max);
        let network = self.nodes.iter().map(bottom).fold(0.0, f64::max);
        let mut body = String::new();
        self.links(links, members, &mut body);
        let lines: String = missing.iter().map(|&pair| self.line(pair)).collect();
        put(&mut body, format_args!("<path class=\"predicted\" d=\"{lines}\"/>"));
        for node in &self.nodes {
            circle(node, &self.colours, &mut body);
        }
        for Node { at: [x, y], radius, name, .. } in &self.nodes {
            let (y, name) = (y + radius + LETTERS, escaped(name));
            put(&mut body, format_args!("<text class=\"name\" x=\"{x:.1}\" y=\"{y:.1}\">{name}</text>"));
        }
        let height = self.legend(export, missing.len(), (network, across), &mut body);
        let mut colours = String::new();
        for k in 0..COLOURS {
            put(
                &mut colours,
                format_args!(".f{k} {{ fill: var(--c{k}); }} .s{k} {{ stroke: var(--c{k}); }}"),
            );
        }
        let title = escaped(&format!(
            "{}: {} nodes, {} links, {} groups",
            shown(&export.model.name),
            self.nodes.len(),
            links.len(),
            members.len()
        ));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {across:.0} \
             {height:.0}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<style>\n{}\n{STYLE}\n{colours}</style>\n\
             <rect width=\"100%\" height=\"100%\" rx=\"6\" class=\"page\"/>\n{body}</svg>\n",
            palette()
        )
    }

    /// Links between members of a group have its colour, that of the smallest if there are several.
    fn links(&self, links: &[(u32, u32)], members: &[Vec<u32>], body: &mut String) {
        let mut paths = vec![String::new(); COLOURS + 1];
        let mut arrows = String::new();
        for &(i, j) in links {
            let [one, other] = [i, j].map(|id| &self.nodes[id as usize]);
            let common = one.groups.iter().filter(|group| other.groups.contains(group));
            let smallest = common.min_by_key(|&&group| members[group].len());
            paths[smallest.map_or(COLOURS, |&group| self.colours[group])] += &self.line((i, j));
            if self.directed {
                arrows += &arrow(one, other);
            }
        }
        put(body, format_args!("<path class=\"links\" d=\"{}\"/>", paths[COLOURS]));
        for (colour, path) in paths[..COLOURS].iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            put(body, format_args!("<path class=\"within s{colour}\" d=\"{path}\"/>"));
        }
        if self.directed {
            put(body, format_args!("<path class=\"arrow\" d=\"{arrows}\"/>"));
        }
    }

    fn line(&self, (i, j): (u32, u32)) -> String {
        let [[a, b], [c, d]] = [i, j].map(|id| self.nodes[id as usize].at);
        format!("M{a:.1} {b:.1}L{c:.1} {d:.1}")
    }

    /// What the colours are, below the network; returns where it ends.
    fn legend(
        &self,
        export: &Export<'_>,
        missing: usize,
        (top, across): (f64, f64),
        body: &mut String,
    ) -> f64 {
        let column = 0.5 * (across - 2.0 * MARGIN);
        let named = export.features.len().min(NAMED_GROUPS);
        let rows = named.div_ceil(2);
        for (k, feature) in export.features.iter().take(named).enumerate() {
            let x = MARGIN + (k / rows) as f64 * column;
            let y = top + LINE * (1 + k % rows) as f64;
            let names: Vec<String> = feature.members.iter().map(|member| shown(member.name)).collect();
            let begin = format!("group {}: ", feature.number);
            let room = (column - 30.0) / LETTERS - width(&begin);
            let (text, colour) = (escaped(&format!("{begin}{}", list(&names, room))), self.colours[k]);
            put(
                body,
                format_args!(
                    "<circle class=\"f{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"6\"/>",
                    x + 6.0,
                    y - 4.0
                ),
            );
            put(body, format_args!("<text x=\"{:.1}\" y=\"{y:.1}\">{text}</text>", x + 18.0));
        }
        let mut notes = vec!["A circle in several colours is in several groups".to_owned()];
        if export.features.len() > named {
            notes.push(format!("{} more groups are not named here", export.features.len() - named));
        }
        if missing > 0 {
            notes.push(format!("dashed: the {missing} most probable missing links"));
        }
        let y = top + LINE * (rows + 1) as f64 + 4.0;
        put(
            body,
            format_args!("<text class=\"note\" x=\"{MARGIN}\" y=\"{y:.1}\">{}.</text>", notes.join("; ")),
        );
        y + MARGIN
    }
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.write_fmt(line).expect("a string takes everything");
    text.push('\n');
}
