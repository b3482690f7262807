//! What a node and the head of a link look like.

use std::f64::consts::TAU;

use super::{Node, put};

/// A circle, with a slice for each group; `colours` are those of all groups.
pub(super) fn circle(node: &Node, colours: &[usize], body: &mut String) {
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
pub(super) fn arrow(from: &Node, to: &Node) -> String {
    let way = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
    let length = way[0].hypot(way[1]).max(1e-9);
    let [x, y] = way.map(|part| part / length);
    let tip = [to.at[0] - x * (to.radius + 1.0), to.at[1] - y * (to.radius + 1.0)];
    let base = [tip[0] - 7.0 * x, tip[1] - 7.0 * y];
    let [[a, b], [c, d]] = [-3.0, 3.0].map(|side| [base[0] - side * y, base[1] + side * x]);
    format!("M{:.1} {:.1}L{a:.1} {b:.1}L{c:.1} {d:.1}Z", tip[0], tip[1])
}
