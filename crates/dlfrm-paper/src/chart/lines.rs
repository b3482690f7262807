//! A chart of lines: what was measured against what was varied.

use super::{Anchor, Drawing, Scale, WIDTH, colour, extent, short};
use crate::paper::{Mark, MarkAxis};

const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 20.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 360.0;

/// Lines in one frame.
#[derive(Debug)]
pub(crate) struct LineChart {
    pub(crate) title: String,
    pub(crate) across: String,
    pub(crate) up: String,
    /// Whether what is varied stands on a logarithmic scale.
    pub(crate) logarithmic: bool,
    pub(crate) series: Vec<Series>,
    /// Numbers of the paper, as dashed lines.
    pub(crate) marks: Vec<Mark>,
}

/// One line.
#[derive(Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
}

/// A measured value with its deviation over runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) deviation: Option<f64>,
}

impl LineChart {
    /// The drawing.
    pub(crate) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let marks = |axis| self.marks.iter().filter(move |mark| mark.axis == axis);
        let values = points().map(|point| point.x).chain(marks(MarkAxis::X).map(|mark| mark.at));
        let (low, high) = if self.logarithmic {
            let (low, high) = extent(values.map(f64::ln));
            (low.exp(), high.exp())
        } else {
            extent(values)
        };
        let across = Scale::new((low, high), (LEFT, RIGHT), self.logarithmic);
        let ends = points().flat_map(|point| {
            let spread = point.deviation.unwrap_or(0.0);
            [point.y - spread, point.y + spread]
        });
        let up = extent(ends.chain(marks(MarkAxis::Y).map(|mark| mark.at)));
        let up = Scale::new(up, (BOTTOM, TOP), false);
        let mut drawing = Drawing::default();
        self.frame(&mut drawing, across, up);
        self.draw_marks(&mut drawing, across, up);
        for (number, series) in self.series.iter().enumerate() {
            let positions: Vec<(f64, f64)> =
                series.points.iter().map(|point| (across.at(point.x), up.at(point.y))).collect();
            drawing.curve(&positions, number);
            for (&(x, y), point) in positions.iter().zip(&series.points) {
                drawing.dot((x, y), number);
                if let Some(spread) = point.deviation {
                    let ends = (up.at(point.y - spread), up.at(point.y + spread));
                    drawing.line((x, ends.0), (x, ends.1), &format!("stroke-{}", colour(number)));
                }
            }
        }
        let legend = BOTTOM + 66.0;
        let rows = drawing.legend(legend, self.series.iter().map(|series| series.name.as_str()));
        drawing.finish(&self.title, legend + rows)
    }

    fn frame(&self, drawing: &mut Drawing, across: Scale, up: Scale) {
        for value in up.ticks(8) {
            let y = up.at(value);
            drawing.line((LEFT, y), (RIGHT, y), "grid");
            drawing.text((LEFT - 8.0, y + 4.0), Anchor::End, "", &short(value));
        }
        for value in across.ticks(8) {
            let x = across.at(value);
            drawing.line((x, BOTTOM), (x, BOTTOM + 4.0), "axis");
            drawing.text((x, BOTTOM + 18.0), Anchor::Middle, "", &short(value));
        }
        drawing.line((LEFT, BOTTOM), (RIGHT, BOTTOM), "axis");
        drawing.text((0.5 * (LEFT + RIGHT), BOTTOM + 38.0), Anchor::Middle, "label", &self.across);
        drawing.text((LEFT - 8.0, TOP - 8.0), Anchor::End, "label", &self.up);
    }

    /// The labels stand one below the other, so that near lines do not write over each other.
    fn draw_marks(&self, drawing: &mut Drawing, across: Scale, up: Scale) {
        for (number, mark) in self.marks.iter().enumerate() {
            match mark.axis {
                MarkAxis::X => {
                    let x = across.at(mark.at);
                    drawing.line((x, TOP), (x, BOTTOM), "mark");
                    drawing.text(
                        (x - 6.0, BOTTOM - 10.0 - 16.0 * number as f64),
                        Anchor::End,
                        "label",
                        &mark.label,
                    );
                }
                MarkAxis::Y => {
                    let y = up.at(mark.at);
                    drawing.line((LEFT, y), (RIGHT, y), "mark");
                    drawing.text((LEFT + 6.0, y - 6.0), Anchor::Start, "label", &mark.label);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::well_formed;
    use super::*;

    fn chart(points: Vec<Point>, logarithmic: bool) -> String {
        let mark = |axis, at| Mark { axis, at, label: "a < b".to_owned() };
        LineChart {
            title: "one & other".to_owned(),
            across: "burn-in".to_owned(),
            up: "AUC".to_owned(),
            logarithmic,
            series: vec![Series { name: "dlfrm-l".to_owned(), points }],
            marks: vec![mark(MarkAxis::X, 150.0), mark(MarkAxis::Y, 0.98)],
        }
        .svg()
    }

    #[test]
    fn any_points_make_a_complete_chart() {
        let point = |x, y, deviation| Point { x, y, deviation };
        let cases = [
            vec![],
            vec![point(1.0, 0.5, None)],
            vec![point(1.0, 0.5, Some(0.0)), point(200.0, 0.9, Some(0.1)), point(300.0, 0.9, None)],
        ];
        for points in cases {
            let count = points.len();
            for logarithmic in [false, true] {
                let svg = chart(points.clone(), logarithmic);
                well_formed(&svg);
                // One for each point, and one in the legend.
                assert_eq!(svg.matches("<circle").count(), count + 1);
                assert!(
                    svg.contains("a &lt; b") && svg.contains("one &amp; other") && !svg.contains("&amp;amp;")
                );
                assert!(svg.contains("prefers-color-scheme: dark"));
            }
        }
    }
}
