//! Charts as SVG: what lines and rows have in common. Colours are those of the report, for light and dark screens.
//!
//! Written by hand: of the plotting crates, those with a release within a year (kuva, ggplot-rs, charts-rs) take 56 to 77
//! seconds of processor time to compile, charming draws SVG by a JavaScript engine, and plotters (3 seconds, last release
//! 2024) and poloto (2023) have no colours that follow the screen or no bars with deviations.

mod lines;
mod rows;

use std::fmt::Write;

use dlfrm_io::report::{escaped, palette};

pub(crate) use lines::{LineChart, Point, Series};
pub(crate) use rows::{RowChart, RowSeries};

const WIDTH: f64 = 720.0;
/// How many colours the palette has.
const COLOURS: usize = 10;

const STYLE: &str = "text { font: 12px var(--sans); fill: var(--muted); } .title { font-size: 15px; fill: var(--text); } \
     .label { fill: var(--text); } .page { fill: var(--surface); } .grid { stroke: var(--grid); } .axis { stroke: var(--line); } \
     .mark { stroke: var(--text); stroke-dasharray: 5 4; opacity: .7; } .curve { fill: none; stroke-width: 2; } \
     .whisker { stroke: var(--text); }";

/// A chart that is being drawn.
#[derive(Debug, Default)]
struct Drawing {
    body: String,
}

/// Which part of a text is at its position.
#[derive(Debug, Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        );
    }

    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        );
    }

    fn dot(&mut self, (x, y): (f64, f64), number: usize) {
        let class = colour(number);
        let _ = writeln!(self.body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" class=\"fill-{class}\"/>");
    }

    fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), number: usize) {
        let (class, width) = (colour(number), width.max(1.0));
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\" class=\"fill-{class}\"/>"
        );
    }

    fn curve(&mut self, points: &[(f64, f64)], number: usize) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (points, class) = (points.join(" "), colour(number));
        let _ = writeln!(self.body, "<polyline points=\"{points}\" class=\"curve stroke-{class}\"/>");
    }

    /// The names of the series, below everything else; returns their height.
    fn legend<'a>(&mut self, top: f64, names: impl IntoIterator<Item = &'a str>) -> f64 {
        const COLUMNS: usize = 4;
        let mut rows = 0;
        for (number, name) in names.into_iter().enumerate() {
            let x = 24.0 + (number % COLUMNS) as f64 * (WIDTH - 24.0) / COLUMNS as f64;
            let y = top + 20.0 * (number / COLUMNS) as f64;
            self.dot((x, y - 4.0), number);
            self.text((x + 10.0, y), Anchor::Start, "label", name);
            rows = number / COLUMNS + 1;
        }
        20.0 * rows as f64
    }

    /// The document.
    fn finish(self, title: &str, height: f64) -> String {
        let mut colours = String::new();
        for k in 0..COLOURS {
            let _ = writeln!(
                colours,
                ".fill-c{k} {{ fill: var(--c{k}); }} .stroke-c{k} {{ stroke: var(--c{k}); }}"
            );
        }
        let mut heading = Self::default();
        heading.text((24.0, 26.0), Anchor::Start, "title", title);
        let title = escaped(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             role=\"img\" aria-label=\"{title}\">\n<style>\n{}\n{STYLE}\n{colours}</style>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" class=\"page\"/>\n{}{}</svg>\n",
            palette(),
            heading.body,
            self.body
        )
    }
}

fn colour(number: usize) -> String {
    format!("c{}", number % COLOURS)
}

/// The smallest and the largest of some values with a little air; never equal.
fn extent(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .into_iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (0.0, 1.0);
    }
    let air = if high > low { 0.05 * (high - low) } else { (0.05 * high.abs()).max(0.01) };
    (low - air, high + air)
}

/// A scale, even or logarithmic.
#[derive(Debug, Clone, Copy)]
struct Scale {
    domain: (f64, f64),
    range: (f64, f64),
    logarithmic: bool,
}

impl Scale {
    /// A logarithmic scale needs a domain above 0.
    fn new(domain: (f64, f64), range: (f64, f64), logarithmic: bool) -> Self {
        debug_assert!(domain.0 < domain.1 && (!logarithmic || domain.0 > 0.0), "{domain:?}");
        Self { domain, range, logarithmic }
    }

    /// The position of a value; what is outside stands at the end.
    fn at(&self, value: f64) -> f64 {
        let size = |value: f64| if self.logarithmic { value.ln() } else { value };
        let (low, high) = (size(self.domain.0), size(self.domain.1));
        let part = (size(value.clamp(self.domain.0, self.domain.1)) - low) / (high - low);
        self.range.0 + part * (self.range.1 - self.range.0)
    }

    /// Where the scale begins.
    fn start(&self) -> f64 {
        self.range.0
    }

    /// Round values, about so many.
    fn ticks(&self, count: usize) -> Vec<f64> {
        let (low, high) = self.domain;
        let inside = |value: &f64| (low..=high).contains(value);
        if self.logarithmic {
            let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
            let wide = (high / low).log10() > 3.0;
            let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
            let all = decades.flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
            return all.filter(inside).collect();
        }
        let rough = (high - low) / count.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|step| *step >= 0.999 * rough);
        let step = step.unwrap_or(10.0 * power);
        let steps = (low / step).ceil() as i64..=(high / step).floor() as i64;
        steps.map(|number| number as f64 * step).collect()
    }
}

/// A value beside an axis, without digits that say nothing.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every tag is closed in its order, every number is finite, and no name breaks out.
    pub(crate) fn well_formed(svg: &str) {
        let mut open = vec![];
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("a tag ends");
            let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "{svg}");
            } else if !tag.ends_with('/') {
                open.push(name);
            }
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn extents_are_never_empty() {
        assert_eq!(extent([]), (0.0, 1.0));
        for values in [[0.5, 0.5], [0.0, 0.0], [1.0, 2.0]] {
            let (low, high) = extent(values);
            assert!(low < values[0] && high > values[1]);
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |domain, logarithmic| -> Vec<String> {
            Scale::new(domain, (0.0, 100.0), logarithmic).ticks(5).into_iter().map(short).collect()
        };
        assert_eq!(ticks((0.93, 0.991), false), ["0.94", "0.96", "0.98"]);
        assert_eq!(ticks((0.0, 15.5), false), ["0", "5", "10", "15"]);
        assert_eq!(ticks((0.9, 220.0), true), ["1", "2", "5", "10", "20", "50", "100", "200"]);
        assert_eq!(ticks((30.0, 99_000.0), true), ["100", "1000", "10000"]);
    }

    #[test]
    fn positions() {
        let scale = Scale::new((1.0, 100.0), (0.0, 10.0), true);
        assert!((scale.at(10.0) - 5.0).abs() < 1e-12);
        assert_eq!((scale.at(0.0), scale.at(1000.0)), (0.0, 10.0));
        assert_eq!(Scale::new((0.0, 2.0), (10.0, 0.0), false).at(0.5), 7.5);
    }
}
