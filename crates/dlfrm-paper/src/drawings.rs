//! The charts of a study: which values stand in which chart.

use dlfrm::network::Protocol;

use crate::chart::{LineChart, Point, RowChart, RowSeries, Series};
use crate::paper::{Mark, MarkAxis, PaperRow};
use crate::results::{Line, Reproduction, Spread};
use crate::study::Kind;
use crate::text;

/// The charts of a study, each with the name of its file.
pub(crate) fn drawings(of: &Reproduction) -> Vec<(String, String)> {
    let whole = |chart: RowChart| vec![(format!("{}.svg", of.name), chart.svg())];
    match of.study.kind {
        Kind::Table => whole(table(of)),
        Kind::Dimension => whole(bars(of, "K", Line::k)),
        Kind::Time => whole(bars(of, "seconds", |line| Some(line.seconds()))),
        Kind::BurnIn | Kind::Imbalance => {
            let one = |split: Protocol| (format!("{}-{split}.svg", of.name), lines(of, split).svg());
            of.splits().into_iter().map(one).collect()
        }
    }
}

/// The AUC of every method, with the paper's.
fn table(of: &Reproduction) -> RowChart {
    let paper = paper(of, |row| Some((row.auc?, row.auc_sd)));
    RowChart {
        title: of.study.title(),
        across: "AUC".to_owned(),
        rows: of.methods().into_iter().map(str::to_owned).collect(),
        series: paper.into_iter().chain(each_split(of, |line| Some(line.auc()))).collect(),
        bars: false,
        marks: vec![],
    }
}

/// One figure of every model.
fn bars(of: &Reproduction, across: &str, figure: impl Fn(&Line) -> Option<Spread>) -> RowChart {
    let paper = if of.study.kind == Kind::Time { paper(of, PaperRow::seconds) } else { None };
    RowChart {
        title: of.study.title(),
        across: across.to_owned(),
        rows: of.methods().into_iter().map(str::to_owned).collect(),
        series: paper.into_iter().chain(each_split(of, figure)).collect(),
        bars: true,
        marks: of.paper.marks.clone(),
    }
}

/// The paper's figures of the methods, if it has any.
fn paper(of: &Reproduction, figure: impl Fn(&PaperRow) -> Option<Spread>) -> Option<RowSeries> {
    let value = |name: &&str| of.paper_row(name).and_then(&figure);
    let values: Vec<Option<Spread>> = of.methods().iter().map(value).collect();
    values.iter().any(Option::is_some).then(|| RowSeries { name: "paper".to_owned(), values })
}

fn each_split(of: &Reproduction, figure: impl Fn(&Line) -> Option<Spread>) -> Vec<RowSeries> {
    let series = |split: Protocol| {
        let value = |name: &&str| of.line(name, split, None).and_then(&figure);
        RowSeries { name: text::title(split), values: of.methods().iter().map(value).collect() }
    };
    of.splits().into_iter().map(series).collect()
}

/// AUC against what is varied, on one split; on the paper's split with the AUC of the first model in the paper's table.
fn lines(of: &Reproduction, split: Protocol) -> LineChart {
    let series = of.methods().into_iter().map(|name| {
        let lines =
            of.values().into_iter().filter_map(|value| Some((value, of.line(name, split, Some(value))?)));
        let point = |(value, line): (u32, &Line)| Point {
            x: f64::from(value),
            y: line.auc_mean,
            deviation: line.auc_sd,
        };
        Series { name: name.to_owned(), points: lines.map(point).collect() }
    });
    let first = of.methods().first().and_then(|name| of.paper_row(name)).filter(|_| split.ordered());
    let level = first.and_then(|row| {
        Some(Mark {
            axis: MarkAxis::Y,
            at: row.auc?,
            label: format!("paper: {}, {:.4}", row.title, row.auc?),
        })
    });
    LineChart {
        title: format!("{} ({})", of.study.title(), text::title(split)),
        across: of.study.kind.varied().unwrap_or_default().to_owned(),
        up: "AUC".to_owned(),
        logarithmic: of.study.kind == Kind::BurnIn,
        series: series.collect(),
        marks: of.paper.marks.iter().cloned().chain(level).collect(),
    }
}
