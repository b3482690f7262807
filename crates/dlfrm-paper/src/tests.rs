//! Every study with made-up findings: its page and its drawings are whole, and the paper's figures stand in them.

use dlfrm::model::{Model, Settings};
use dlfrm::network::Protocol;

use super::chart::tests::well_formed;
use super::{
    Finding, Kind, Line, Maker, NetworkFacts, Paper, Reproduction, Study, drawings, markdown, tables,
};

fn line(name: &str, split: Protocol, value: Option<u32>, number: usize) -> Line {
    let model = name.parse::<Model>().ok();
    let findings = [0.0, 0.01].map(|more| Finding {
        auc: 0.9 + more - 0.003 * number as f64,
        average_precision: Some(0.5),
        features: model.map(|_| 10.0 + number as f64),
        seconds: 1.0 + number as f64,
        choices: vec![],
    });
    Line::new(name.to_owned(), split, value, model.map(Settings::for_model), &findings)
}

fn lines(study: &Study) -> Vec<Line> {
    let subject = study.subject;
    if study.kind == Kind::Table {
        let parts = subject.parts.iter().filter(|part| !part.attributes);
        let each = parts.flat_map(|part| part.names.concat().into_iter().map(|name| (part.split, name)));
        return each.enumerate().map(|(number, (split, name))| line(name, split, None, number)).collect();
    }
    let values: Vec<Option<u32>> = match study.values(false) {
        [] => vec![None],
        values => values.iter().copied().map(Some).collect(),
    };
    let mut all = vec![];
    for split in subject.both_splits() {
        for name in subject.variants {
            all.extend(
                values.iter().map(|&value| line(name, split, value, all.len() % 7)).collect::<Vec<_>>(),
            );
        }
    }
    all
}

fn made_up(study: Study, paper: &Paper) -> Reproduction<'_> {
    let known = study.subject.dataset();
    let paper_table = paper.study(study.subject.name);
    let lines = lines(&study).into_iter().map(|line| {
        let row = paper_table.row(&line.contender);
        line.beside(row)
    });
    Reproduction {
        name: study.name(),
        study,
        network: NetworkFacts {
            name: known.name.to_owned(),
            file: known.file,
            crc32: "00000000".to_owned(),
            entities: known.entities,
            links: known.lines,
            relations: 1,
            directed: known.directed,
            as_in_the_paper: true,
        },
        seed: 7,
        quick: false,
        made_by: vec![Maker::this()],
        paper_source: &paper.source,
        paper: paper.study(&study.name()),
        paper_table,
        lines: lines.collect(),
    }
}

#[test]
fn pages_are_whole() {
    let paper = Paper::read();
    for study in Study::all() {
        let of = made_up(study, &paper);
        let page = markdown(&of, &["a.svg".to_owned()]);
        let name = study.name();
        assert!(
            page.starts_with("# ") && page.contains("](a.svg)") && page.contains("- Seed: 7\n"),
            "{name}"
        );
        assert!(!page.contains("NaN") && !page.contains("\n\n\n"), "{name}: {page}");
        assert!(of.paper.words.iter().all(|words| page.contains(words.as_str())), "{name}");
        assert_eq!(page.contains("a plot only"), of.paper.plot_only, "{name}");
        for row in &of.paper.rows {
            let auc = row.auc.map(|auc| format!("{auc:.4}"));
            let seconds = row.seconds().map(|(seconds, _)| format!("{seconds:.1}"));
            assert!(auc.into_iter().chain(seconds).all(|figure| page.contains(&figure)), "{name}: {row:?}");
        }
        // Every row of a table has as many cells as its header.
        for table in page.split("\n\n").filter(|block| block.starts_with("| ")) {
            let cells: Vec<usize> = table.lines().map(|line| line.matches(" | ").count()).collect();
            assert!(cells.len() > 2 && cells.iter().all(|count| *count == cells[0]), "{name}: {table}");
        }
        assert!(!tables(&of).is_empty());
    }
}

#[test]
fn drawings_are_whole() {
    let paper = Paper::read();
    for study in Study::all() {
        let of = made_up(study, &paper);
        let drawn = drawings(&of);
        let several = matches!(study.kind, Kind::BurnIn | Kind::Imbalance);
        assert_eq!(drawn.len(), if several { 2 } else { 1 });
        for (name, svg) in &drawn {
            well_formed(svg);
            assert!(name.starts_with(&study.name()), "{name}");
            assert!(of.contenders().iter().all(|contender| svg.contains(contender)), "{name}");
            let marks = of.paper.marks.iter().all(|mark| svg.contains(&mark.label));
            assert!(marks && svg.matches("class=\"mark\"").count() >= of.paper.marks.len(), "{name}");
        }
    }
}

#[test]
fn figures_are_means_over_the_runs() {
    let split = Protocol::Pairs;
    let line = line("dlfrm-l", split, None, 0);
    assert!((line.auc_mean - 0.905).abs() < 1e-12 && line.runs == 2);
    assert!((line.auc_sd.unwrap() - 0.01 / 2.0_f64.sqrt()).abs() < 1e-12);
    assert_eq!((line.k_mean, line.k_sd, line.paper_auc), (Some(10.0), Some(0.0), None));
    let paper = Paper::read();
    let beside = line.beside(paper.study("nips").row("dlfrm-l"));
    assert_eq!((beside.paper_auc, beside.paper_seconds), (Some(0.9812), None));
}
