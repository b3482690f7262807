//! A reproduction as tables, as a page of Markdown and as charts.

use std::fmt::Write;
use std::path::Path;

use dlfrm::model::Settings;
use dlfrm::split::Protocol;
use dlfrm_io::model_file::write_file;
use dlfrm_io::pieces::create_folder;
use dlfrm_io::{Provenance, Versioned};
use serde_json::Value;

use crate::chart::{LineChart, Point, RowChart, RowSeries, Series};
use crate::error::Result;
use crate::paper::{Mark, MarkAxis, PaperRow};
use crate::results::{Line, Reproduction, Spread};
use crate::study::Kind;
use crate::table::Table;

impl Reproduction {
    /// The tables of the study.
    pub fn tables(&self) -> Vec<Table> {
        match self.study.kind {
            Kind::Table => vec![methods(self)],
            Kind::BurnIn | Kind::Imbalance => {
                let each = self.splits().into_iter().map(|split| varied(self, split));
                each.chain([levels(self)]).collect()
            }
            Kind::Dimension => vec![variants(self, "K", Line::k)],
            Kind::Time => vec![variants(self, "Seconds", |line| Some(line.seconds()))],
        }
    }

    /// Writes the tables as Markdown, the same as JSON, and the charts into a folder; returns the names of the files.
    pub fn write(&self, folder: &Path) -> Result<Vec<String>> {
        create_folder(folder)?;
        let drawings = drawings(self);
        let names: Vec<String> = drawings.iter().map(|(name, _)| name.clone()).collect();
        let json =
            serde_json::to_string_pretty(&Versioned::new(self)).expect("a reproduction is JSON") + "\n";
        let page = markdown(self, &names);
        let texts = [(format!("{}.md", self.name), page), (format!("{}.json", self.name), json)];
        let mut files = vec![];
        for (name, text) in texts.into_iter().chain(drawings) {
            write_file(&folder.join(&name), text.as_bytes())?;
            files.push(name);
        }
        Ok(files)
    }
}

/// AUCs that are no further apart count as one level.
const LEVEL: f64 = 0.005;

/// A split with its purpose.
pub(crate) fn title(split: Protocol) -> String {
    let kind = if split.ordered() { "ours" } else { "leak-free" };
    format!("{kind}, {split}")
}

/// One line per method, and one for each that only the paper has.
fn methods(of: &Reproduction) -> Table {
    let papers = of.splits()[0];
    let timed = of.paper.rows.iter().any(|row| row.seconds().is_some());
    let header = ["model", "paper"].map(str::to_owned).into_iter().chain(of.splits().into_iter().map(title));
    let header = header.chain(["K", "seconds"].map(str::to_owned));
    let header = header.chain(timed.then(|| "paper's seconds".to_owned()));
    let mut table = Table::new("AUC (deviation over runs)", header);
    let ours = of.methods();
    let others = of.paper.rows.iter().filter(|row| !ours.contains(&row.name.as_str()));
    let named = ours.iter().map(|&name| (name, name));
    for (name, shown) in named.chain(others.map(|row| (row.name.as_str(), row.title.as_str()))) {
        let row = of.paper_row(name);
        let line = of.line(name, papers, None);
        let mut cells = vec![shown.to_owned()];
        cells.push(spread(row.and_then(|row| row.auc.map(|auc| (auc, row.auc_sd))), 4));
        cells.extend(of.splits().iter().map(|&split| auc(of, of.line(name, split, None))));
        cells.push(spread(line.and_then(Line::k).map(|(mean, _)| (mean, None)), 1));
        cells.push(spread(line.map(|line| (line.seconds_mean, None)), 2));
        cells.extend(timed.then(|| spread(row.and_then(PaperRow::seconds), 1)));
        table.row(cells);
    }
    table
}

/// One line per value of what is varied.
fn varied(of: &Reproduction, split: Protocol) -> Table {
    let varied = of.study.kind.varied().expect("something is varied");
    let heading = format!("AUC (deviation over runs), {}", title(split));
    let mut table = Table::new(heading, [varied].into_iter().chain(of.methods()));
    for value in of.values() {
        let cell = |name| auc(of, of.line(name, split, Some(value)));
        table.row([value.to_string()].into_iter().chain(of.methods().into_iter().map(cell)));
    }
    table
}

/// The values around the best one whose AUC is nearly the same.
fn levels(of: &Reproduction) -> Table {
    let heading = format!("Where the AUC is within {LEVEL} of the best");
    let mut table = Table::new(heading, ["model", "split", "best AUC", "at", "from", "to"]);
    for split in of.splits() {
        for name in of.methods() {
            let points: Vec<(u32, f64)> = of
                .values()
                .into_iter()
                .filter_map(|value| of.line(name, split, Some(value)).map(|line| (value, line.auc_mean)))
                .collect();
            if let Some(level) = Level::of(&points) {
                let Level { best, at, from, to } = level;
                let cells = [name.to_owned(), split.to_string(), format!("{best:.4}")];
                table.row(cells.into_iter().chain([at, from, to].map(|value| value.to_string())));
            }
        }
    }
    table
}

/// Around which value a curve is level.
#[derive(Debug, PartialEq)]
struct Level {
    best: f64,
    at: u32,
    from: u32,
    to: u32,
}

impl Level {
    fn of(points: &[(u32, f64)]) -> Option<Self> {
        let (position, &(at, best)) = points.iter().enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
        let near = |point: &&(u32, f64)| best - point.1 <= LEVEL;
        let to = points[position..].iter().take_while(near).last()?.0;
        let from = points[..=position].iter().rev().take_while(near).last()?.0;
        Some(Self { best, at, from, to })
    }
}

/// One line per model, with one figure on each split.
fn variants(of: &Reproduction, what: &str, figure: impl Fn(&Line) -> Option<Spread>) -> Table {
    let time = of.study.kind == Kind::Time;
    let header = ["model"].into_iter().chain(time.then_some("paper")).map(str::to_owned);
    let heading = format!("{what} (deviation over runs)");
    let mut table = Table::new(heading, header.chain(of.splits().into_iter().map(title)));
    for name in of.methods() {
        let paper = || spread(of.paper_row(name).and_then(PaperRow::seconds), 1);
        let ours = |split| spread(of.line(name, split, None).and_then(&figure), if time { 2 } else { 1 });
        let cells = [name.to_owned()].into_iter().chain(time.then(paper));
        table.row(cells.chain(of.splits().into_iter().map(ours)));
    }
    table
}

/// The AUC of a line, with the number of runs if other methods have more.
fn auc(of: &Reproduction, line: Option<&Line>) -> String {
    let figure = spread(line.map(Line::auc), 4);
    match line.map(|line| line.runs).filter(|&runs| runs < of.runs()) {
        None => figure,
        Some(1) => format!("{figure}, 1 run"),
        Some(runs) => format!("{figure}, {runs} runs"),
    }
}

/// A figure with its deviation; a dash for none.
fn spread(figure: Option<Spread>, digits: usize) -> String {
    match figure {
        None => "-".to_owned(),
        Some((mean, None)) => format!("{mean:.digits$}"),
        Some((mean, Some(sd))) => format!("{mean:.digits$} ({sd:.digits$})"),
    }
}

/// The whole page; `drawings` are the names of files beside it.
pub(crate) fn markdown(of: &Reproduction, drawings: &[String]) -> String {
    let mut page = format!("# {}\n\n", of.study.title());
    let mut paragraph = |text: String| page += &(text + "\n\n");
    if of.quick {
        paragraph("**A quick run**: so few and so short chains that the figures say little.".to_owned());
    }
    paragraph(format!("Beside the paper: {}. {}.", of.paper_source, of.paper.source));
    if of.paper.plot_only {
        paragraph("The paper has a plot only; its figures here are those of its text and tables.".to_owned());
    }
    for table in of.tables() {
        paragraph(format!("{}:\n\n{}", table.heading, table.markdown().trim_end()));
    }
    for file in drawings {
        paragraph(format!("![{}]({file})", of.study.title()));
    }
    paragraph(about_splits(of));
    let marks = of.paper.marks.iter().map(|mark| format!("- {} (dashed in the plot)\n", mark.label));
    let words = of.paper.words.iter().map(|words| format!("- \"{words}\"\n"));
    let said: String = words.chain(marks).collect();
    paragraph(format!("## What the paper says\n\n{}", said.trim_end()));
    paragraph(format!("## How this was made\n\n{}", origin(of).trim_end()));
    page.trim_end().to_owned() + "\n"
}

fn about_splits(of: &Reproduction) -> String {
    let leaks = if of.network.directed {
        "on a directed network it is the same split as `pairs`"
    } else {
        "it leaves the reverse of most test links in training, so compare it with the paper only"
    };
    let papers = of.splits()[0];
    format!(
        "\"Ours\" is the paper's split (`{papers}`) and the paper's model, features and an intercept; {leaks}. On the \
         leak-free splits models have the program's defaults. K and seconds of a table of methods are \
         those of `{papers}`; seconds are wall-clock time of all chains and of predicting."
    )
}

fn origin(of: &Reproduction) -> String {
    let network = &of.network;
    let kind = if network.directed { "directed" } else { "undirected" };
    let other = if network.as_in_the_paper { "" } else { "; **not the network of the paper**" };
    let several =
        if network.relations > 1 { format!(", {} relations", network.relations) } else { String::new() };
    let mut text = format!(
        "- Network: {} (CRC-32 {}), {} nodes, {} {kind} links{several}{other}\n- Seed: {}\n",
        network.file, network.crc32, network.nodes, network.links, of.seed
    );
    for program in &of.made_by {
        let _ = writeln!(text, "- By {}", Provenance::sentence(program));
    }
    let fewer = of.lines.iter().any(|line| line.runs < of.runs());
    let others = if fewer { ", fewer where the figure says so" } else { "" };
    let _ = writeln!(text, "- Runs: {}{others}", of.runs());
    text + &settings_in_words(of)
}

/// The settings of all models: first those that are the same everywhere, then those that differ. What is varied is left out.
fn settings_in_words(of: &Reproduction) -> String {
    let varied = match of.study.kind {
        Kind::BurnIn => "burn-in",
        Kind::Imbalance => "c-pos",
        Kind::Table | Kind::Dimension | Kind::Time => "",
    };
    let mut each: Vec<(String, Vec<String>)> = vec![];
    for line in &of.lines {
        let chosen = if line.choices.is_empty() {
            ""
        } else {
            ", weights of covariates and features learned in each run"
        };
        let title = format!("`{}`, {}{chosen}", line.method, line.split);
        if let Some(settings) =
            line.settings.as_ref().filter(|_| each.iter().all(|(known, _)| *known != title))
        {
            each.push((title, words(settings, varied)));
        }
    }
    let Some((_, first)) = each.first() else { return String::new() };
    let everywhere = |word: &String| each.iter().all(|(_, words)| words.contains(word));
    let same: Vec<&str> = first.iter().filter(|word| everywhere(word)).map(String::as_str).collect();
    let mut text = format!("- Settings of all models: {}\n", same.join(", "));
    for (title, words) in &each {
        let own: Vec<&str> = words.iter().filter(|word| !everywhere(word)).map(String::as_str).collect();
        if !own.is_empty() {
            let _ = writeln!(text, "- {title}: {}", own.join(", "));
        }
    }
    text
}

/// Each setting with its value, named as the flags are.
fn words(settings: &Settings, varied: &str) -> Vec<String> {
    let Ok(Value::Object(fields)) = serde_json::to_value(settings) else {
        unreachable!("settings are an object of JSON")
    };
    let word = |(name, value): (&String, &Value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{name} {value}")
    };
    // The seed of a run follows from that of the study, and the model stands before its settings.
    let known = fields.iter().filter(|(name, _)| !["model", "seed", varied].contains(&name.as_str()));
    known.map(word).collect()
}

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
        RowSeries { name: title(split), values: of.methods().iter().map(value).collect() }
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
        title: format!("{} ({})", of.study.title(), title(split)),
        across: of.study.kind.varied().unwrap_or_default().to_owned(),
        up: "AUC".to_owned(),
        logarithmic: of.study.kind == Kind::BurnIn,
        series: series.collect(),
        marks: of.paper.marks.iter().cloned().chain(level).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_around_the_best() {
        let points = [(1, 0.90), (5, 0.951), (10, 0.955), (15, 0.953), (20, 0.90), (25, 0.954)];
        assert_eq!(Level::of(&points), Some(Level { best: 0.955, at: 10, from: 5, to: 15 }));
        assert_eq!(Level::of(&[]), None);
    }

    #[test]
    fn figures_with_and_without_deviation() {
        let figures =
            [None, Some((0.98123, None)), Some((0.5, Some(0.00126)))].map(|figure| spread(figure, 4));
        assert_eq!(figures, ["-", "0.9812", "0.5000 (0.0013)"]);
    }
}
