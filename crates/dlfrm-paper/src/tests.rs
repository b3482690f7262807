//! Every study with synthetic findings: its page and its charts are complete, and the paper's figures stand in them.

use dlfrm::model::{Model, Settings};
use dlfrm::split::Protocol;

use crate::chart::tests::well_formed;
use crate::page::{drawings, markdown};
use crate::paper::Paper;
use crate::results::Finding;
use crate::results::{Line, NetworkFacts, Reproduction};
use crate::study::{Kind, Study};
use dlfrm_io::Provenance;

fn line(name: &str, split: Protocol, value: Option<u32>, number: usize) -> Line {
    let model = name.parse::<Model>().ok();
    let findings = [0.0, 0.01].map(|more| Finding {
        auc: 0.9 + more - 0.003 * number as f64,
        average_precision: Some(0.5),
        log_loss: None,
        non_links_per_link: None,
        features: model.map(|_| 10.0 + number as f64),
        seconds: 1.0 + number as f64,
        choices: vec![],
    });
    Line::new(name.to_owned(), split, value, model.map(Settings::for_model), &findings)
}

fn lines(study: &Study) -> Vec<Line> {
    let benchmark = study.benchmark;
    if study.kind == Kind::Table {
        let groups = benchmark.groups.iter().filter(|group| !group.attributes);
        let each = groups.flat_map(|group| group.names.concat().into_iter().map(|name| (group.split, name)));
        return each.enumerate().map(|(number, (split, name))| line(name, split, None, number)).collect();
    }
    let values: Vec<Option<u32>> = match study.values(false) {
        [] => vec![None],
        values => values.iter().copied().map(Some).collect(),
    };
    let mut all = vec![];
    for split in benchmark.both_splits() {
        for name in benchmark.variants {
            all.extend(
                values.iter().map(|&value| line(name, split, value, all.len() % 7)).collect::<Vec<_>>(),
            );
        }
    }
    all
}

fn synthetic(study: Study, paper: &Paper) -> Reproduction {
    let known = study.benchmark.dataset();
    let paper_table = paper.study(study.benchmark.name);
    let lines = lines(&study).into_iter().map(|line| {
        let row = paper_table.row(&line.method);
        line.beside(row)
    });
    Reproduction {
        name: study.name(),
        study,
        network: NetworkFacts {
            name: known.name.to_owned(),
            file: known.file,
            crc32: "00000000".to_owned(),
            nodes: known.nodes,
            links: known.lines,
            relations: 1,
            directed: known.directed,
            as_in_the_paper: true,
        },
        seed: 7,
        quick: false,
        made_by: vec![Provenance::this()],
        paper_source: paper.source.clone(),
        paper: paper.study(&study.name()).clone(),
        lines: lines.collect(),
        paper_table: paper_table.clone(),
    }
}

#[test]
fn pages_are_complete() {
    let paper = Paper::read();
    for study in Study::all() {
        let of = synthetic(study, &paper);
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
        assert!(!of.tables().is_empty());
    }
}

#[test]
fn charts_are_complete() {
    let paper = Paper::read();
    for study in Study::all() {
        let of = synthetic(study, &paper);
        let drawn = drawings(&of);
        let several = matches!(study.kind, Kind::BurnIn | Kind::Imbalance);
        assert_eq!(drawn.len(), if several { 2 } else { 1 });
        for (name, svg) in &drawn {
            well_formed(svg);
            assert!(name.starts_with(&study.name()), "{name}");
            assert!(of.methods().iter().all(|method| svg.contains(method)), "{name}");
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
