//! A chart of rows: one for each method, with a dot or a bar for each series.

use super::{Anchor, Drawing, Scale, WIDTH, colour, extent, short};
use crate::paper::Mark;
use crate::results::Spread;

const LEFT: f64 = 190.0;
const RIGHT: f64 = WIDTH - 30.0;
const TOP: f64 = 48.0;
const BAR: f64 = 12.0;
/// Beyond such a ratio small bars could not be seen on an even scale.
const WIDE: f64 = 50.0;

/// Rows in one frame.
#[derive(Debug)]
pub(crate) struct RowChart {
    pub(crate) title: String,
    /// What the values are.
    pub(crate) across: String,
    pub(crate) rows: Vec<String>,
    pub(crate) series: Vec<RowSeries>,
    /// Bars begin at 0 (or where a logarithmic scale begins), dots stand anywhere.
    pub(crate) bars: bool,
    /// Numbers of the paper, as dashed lines.
    pub(crate) marks: Vec<Mark>,
}

/// One value per row, in their order, where there is one.
#[derive(Debug)]
pub(crate) struct RowSeries {
    pub(crate) name: String,
    pub(crate) values: Vec<Option<Spread>>,
}

impl RowChart {
    /// The drawing.
    pub(crate) fn svg(&self) -> String {
        let height = if self.bars { BAR * self.series.len() as f64 + 12.0 } else { 24.0 };
        let bottom = TOP + height * self.rows.len() as f64;
        let scale = self.scale();
        let mut drawing = Drawing::default();
        for value in scale.ticks(6) {
            let x = scale.at(value);
            drawing.line((x, TOP), (x, bottom), "grid");
            drawing.text((x, bottom + 18.0), Anchor::Middle, "", &short(value));
        }
        drawing.line((LEFT, bottom), (RIGHT, bottom), "axis");
        drawing.text((0.5 * (LEFT + RIGHT), bottom + 38.0), Anchor::Middle, "label", &self.across);
        for (number, mark) in self.marks.iter().enumerate() {
            let x = scale.at(mark.at);
            drawing.line((x, TOP), (x, bottom), "mark");
            let y = bottom - 6.0 - 16.0 * number as f64;
            drawing.text((x - 6.0, y), Anchor::End, "label", &mark.label);
        }
        for (row, name) in self.rows.iter().enumerate() {
            let middle = TOP + height * (row as f64 + 0.5);
            drawing.text((LEFT - 10.0, middle + 4.0), Anchor::End, "label", name);
            for (number, series) in self.series.iter().enumerate() {
                let Some((mean, spread)) = series.values[row] else { continue };
                let y = if self.bars {
                    let y = middle + BAR * (number as f64 - 0.5 * (self.series.len() as f64 - 1.0));
                    drawing.bar(
                        (scale.start(), y - 0.45 * BAR),
                        (scale.at(mean) - scale.start(), 0.9 * BAR),
                        number,
                    );
                    y
                } else {
                    drawing.dot((scale.at(mean), middle), number);
                    middle
                };
                if let Some(spread) = spread {
                    // On a bar of its own colour it would not be seen.
                    let class =
                        if self.bars { "whisker".to_owned() } else { format!("stroke-{}", colour(number)) };
                    drawing.line((scale.at(mean - spread), y), (scale.at(mean + spread), y), &class);
                }
            }
        }
        let legend = bottom + 66.0;
        let rows = drawing.legend(legend, self.series.iter().map(|series| series.name.as_str()));
        drawing.finish(&self.title, legend + rows)
    }

    fn scale(&self) -> Scale {
        let figures = || self.series.iter().flat_map(|series| &series.values).flatten();
        let means = || figures().map(|(mean, _)| *mean).chain(self.marks.iter().map(|mark| mark.at));
        let (least, most) = means().fold((f64::INFINITY, 0.0), |(low, high), v| (v.min(low), v.max(high)));
        if self.bars && least > 0.0 && most > WIDE * least {
            return Scale::new((least / 2.0, most * 1.5), (LEFT, RIGHT), true);
        }
        let ends =
            figures().flat_map(|(mean, spread)| [mean - spread.unwrap_or(0.0), mean + spread.unwrap_or(0.0)]);
        let (low, high) = extent(ends.chain(self.marks.iter().map(|mark| mark.at)));
        Scale::new((if self.bars { 0.0 } else { low }, high), (LEFT, RIGHT), false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::well_formed;
    use super::*;

    fn chart(values: [Vec<Option<Spread>>; 2], bars: bool) -> String {
        let [one, other] = values;
        let series = |name: &str, values| RowSeries { name: name.to_owned(), values };
        RowChart {
            title: "time".to_owned(),
            across: "seconds".to_owned(),
            rows: vec!["dlfrm-l".to_owned(), "diag <l>".to_owned()],
            series: vec![series("ours", one), series("paper", other)],
            bars,
            marks: vec![],
        }
        .svg()
    }

    #[test]
    fn any_values_make_a_complete_chart() {
        let small = [vec![Some((2.0, Some(3.0))), None], vec![None, Some((4.0, None))]];
        let wide = [vec![Some((0.02, Some(0.1))), None], vec![Some((60_000.0, None)), Some((300.0, None))]];
        let none = [vec![None, None], vec![None, None]];
        for (values, count) in [(small, 2), (wide, 3), (none, 0)] {
            for bars in [true, false] {
                let svg = chart(values.clone(), bars);
                well_formed(&svg);
                let drawn =
                    if bars { svg.matches(" rx=").count() } else { svg.matches("<circle").count() - 2 };
                assert_eq!(drawn, count, "{svg}");
                assert!(svg.contains("diag &lt;l&gt;"));
            }
        }
    }
}
