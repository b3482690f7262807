//! A picture of a small network with its groups, as SVG that follows the light or dark of the screen.

use std::f64::consts::TAU;
use std::fmt::Write;

use super::Export;
use crate::drawing::{COLOURS, MOST_LINKS, MOST_NODES, group_colours, places};
use crate::report::{escaped, palette};
use crate::visible;

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

/// A circle, with a slice for each group; `colours` are those of all groups.
fn circle(node: &Node, colours: &[usize], body: &mut String) {
    let Node { at: [x, y], radius, groups, .. } = node;
    match groups[..] {
        [] => put(
            body,
            format_args!("<circle class=\"none\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", radius - 0.5),
        ),
        [only] => {
            let colour = colours[only];
            put(
                body,
                format_args!("<circle class=\"f{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"),
            );
        }
        _ => {
            let corner = |part: usize| {
                // The first slice begins at the top.
                let angle = TAU * (part as f64 / groups.len() as f64 - 0.25);
                (x + radius * angle.cos(), y + radius * angle.sin())
            };
            for (part, &group) in groups.iter().enumerate() {
                let ((a, b), (c, d)) = (corner(part), corner(part + 1));
                let colour = colours[group];
                put(
                    body,
                    format_args!(
                        "<path class=\"f{colour}\" d=\"M{x:.1} {y:.1}L{a:.1} {b:.1}A{radius:.1} {radius:.1} 0 0 1 {c:.1} {d:.1}Z\"/>"
                    ),
                );
            }
        }
    }
    put(body, format_args!("<circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", radius + 0.5));
}

/// The head of an arrow at the border of the circle that it points to.
fn arrow(from: &Node, to: &Node) -> String {
    let way = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
    let length = way[0].hypot(way[1]).max(1e-9);
    let [x, y] = way.map(|part| part / length);
    let tip = [to.at[0] - x * (to.radius + 1.0), to.at[1] - y * (to.radius + 1.0)];
    let base = [tip[0] - 7.0 * x, tip[1] - 7.0 * y];
    let [[a, b], [c, d]] = [-3.0, 3.0].map(|side| [base[0] - side * y, base[1] + side * x]);
    format!("M{:.1} {:.1}L{a:.1} {b:.1}L{c:.1} {d:.1}Z", tip[0], tip[1])
}

/// Rounds of moving boxes apart, at most.
const ROUNDS: usize = 2_000;

/// A box around a place.
#[derive(Debug, Clone, Copy)]
struct Around {
    /// Half of its width.
    side: f64,
    above: f64,
    below: f64,
}

impl Around {
    fn area(&self) -> f64 {
        2.0 * self.side * (self.above + self.below)
    }
}

/// Moves places until no two boxes cover each other; each pair is moved along the axis where less is to be moved.
/// Every move adds to the area, so it ends: those that are left after the last round are few and small.
fn apart(at: &mut [[f64; 2]], boxes: &[Around]) {
    for _ in 0..ROUNDS {
        let mut moved = false;
        for i in 0..at.len() {
            for j in 0..i {
                let Some(by) = overlap(at, boxes, i, j) else { continue };
                moved = true;
                // Those that stand at one place go apart by their numbers.
                for axis in 0..2 {
                    at[i][axis] += 0.5 * by[axis];
                    at[j][axis] -= 0.5 * by[axis];
                }
            }
        }
        if !moved {
            return;
        }
    }
}

/// How `i` has to move away from `j`, if their boxes cover each other.
fn overlap(at: &[[f64; 2]], boxes: &[Around], i: usize, j: usize) -> Option<[f64; 2]> {
    // A hair more than needed, so that rounding does not bring the pair back.
    const MORE: f64 = 0.01;
    let (one, other) = (boxes[i], boxes[j]);
    let across = at[i][0] - at[j][0];
    let beside = one.side + other.side - across.abs();
    // From the box above to the one below.
    let below = at[i][1] >= at[j][1];
    let (upper, lower) = if below { (other.below, one.above) } else { (one.below, other.above) };
    let over = upper + lower - (at[i][1] - at[j][1]).abs();
    if beside <= 0.0 || over <= 0.0 {
        return None;
    }
    Some(if beside < over {
        [if across >= 0.0 { beside + MORE } else { -beside - MORE }, 0.0]
    } else {
        [0.0, if below { over + MORE } else { -over - MORE }]
    })
}

/// Longer names are cut: they would be wider than the picture.
const LONGEST: usize = 40;

/// A name as it is shown.
fn shown(name: &str) -> String {
    let name = visible(name);
    if name.chars().count() <= LONGEST {
        return name.into_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// The width of a text, in units of the size of its letters. Rather too wide than too narrow: fonts differ.
fn width(text: &str) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | '\'' | '!' | '|' => 0.31,
        'f' | 'r' | 't' | ' ' | '-' | '(' | ')' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
        'A'..='Z' => 0.72,
        '\0'..='\u{2e7f}' => 0.6,
        _ => 1.05,
    };
    text.chars().map(of).sum()
}

/// As many names as fit into a line, and how many more there are.
fn list(names: &[String], most: f64) -> String {
    for count in (1..=names.len()).rev() {
        let named = names[..count].join(", ");
        let text = match names.len() - count {
            0 => named,
            more => format!("{named} and {more} more"),
        };
        if count == 1 || width(&text) <= most {
            return text;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_moved_apart() {
        let boxes: Vec<Around> = (0..60)
            .map(|k| Around { side: 10.0 + f64::from(k % 7) * 5.0, above: 6.0, below: 18.0 })
            .collect();
        // All in one heap.
        let mut at: Vec<[f64; 2]> = (0..60).map(|k| [f64::from(k * 7 % 11), f64::from(k * 5 % 13)]).collect();
        apart(&mut at, &boxes);
        for i in 0..60 {
            for j in 0..i {
                assert_eq!(overlap(&at, &boxes, i, j), None, "{i} {j}");
            }
        }
        let area: f64 = boxes.iter().map(Around::area).sum();
        let size = |axis: usize| {
            let all = at.iter().map(|at| at[axis]);
            all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min)
        };
        assert!(size(0) * size(1) < 4.0 * area, "{} {} {area}", size(0), size(1));
    }

    #[test]
    fn names_are_listed_whole() {
        let names = ["Gavroche", "Bahorel", "MlleGillenormand"].map(str::to_owned);
        assert_eq!(list(&names, 100.0), "Gavroche, Bahorel, MlleGillenormand");
        assert_eq!(list(&names, width("Gavroche, Bahorel and 1 more")), "Gavroche, Bahorel and 1 more");
        assert_eq!(list(&names, 1.0), "Gavroche and 2 more");
        assert_eq!(shown(&"x".repeat(41)), format!("{}…", "x".repeat(39)));
        assert_eq!(shown("a\u{202e}b"), "a\\u202eb");
        assert!(width("雪雪") > 2.0 && width("ill") < width("mmm"));
    }
}
