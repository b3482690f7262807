//! A corpus of small rings: figures, pieces that are kept, networks that fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use dlfrm::evaluate::{EvaluationObserver, Method, Outcome};
use dlfrm::fit::{Event, Observer};
use dlfrm::model::Overrides;
use dlfrm::split::Protocol;
use tempfile::TempDir;

use super::results::{DomainFigures, NetworkFigures};
use super::*;
use crate::chart::tests::well_formed;
use crate::{Error, ReproductionObserver, Result};

/// Counts what is evaluated and keeps the warnings; ends the work after so many pieces.
struct Watch {
    evaluated: AtomicUsize,
    warnings: Mutex<Vec<String>>,
    most: usize,
}

impl Watch {
    fn new() -> Self {
        Self { evaluated: AtomicUsize::new(0), warnings: Mutex::new(vec![]), most: usize::MAX }
    }

    fn evaluated(&self) -> usize {
        self.evaluated.load(Ordering::Relaxed)
    }

    fn noticed(&self, text: &str) -> bool {
        self.warnings.lock().unwrap().iter().any(|warning| warning.contains(text))
    }
}

impl Observer for Watch {
    fn event(&self, event: &Event<'_>) {
        if let Event::Warning(warning) = event {
            self.note(&warning.to_string());
        }
    }
}

impl EvaluationObserver for Watch {
    fn end(&self, _: &dyn Method, _: usize, _: &Outcome) {
        self.evaluated.fetch_add(1, Ordering::Relaxed);
    }
}

impl ReproductionObserver for Watch {
    fn stop(&self) -> bool {
        self.evaluated() >= self.most
    }

    fn note(&self, text: &str) {
        self.warnings.lock().unwrap().push(text.to_owned());
    }
}

/// Three networks in which every node is linked to the next ones; the last is dense.
fn corpus(folder: &Path) {
    let mut index = "file\tdomain\tnodes\tlinks\tname\n".to_owned();
    for (name, domain, nodes, reach) in
        [("ring", "Social", 40, 3), ("belt", "Roads", 30, 4), ("dense", "Social", 16, 5)]
    {
        let mut links = String::new();
        for i in 0..nodes {
            for step in 1..=reach {
                writeln!(links, "{i}\t{}", (i + step) % nodes).unwrap();
            }
        }
        fs::write(folder.join(format!("{name}.tsv")), links).unwrap();
        writeln!(index, "{name}.tsv\t{domain}\t{nodes}\t{}\tThe {name}", nodes * reach).unwrap();
    }
    fs::write(folder.join("index.tsv"), index).unwrap();
}

fn request(folder: &TempDir) -> CorpusRequest {
    let settings = Overrides { seed: Some(31), ..Overrides::default() };
    let output = folder.path().join("out");
    CorpusRequest { output, settings, ..CorpusRequest::new(folder.path(), &["ra", "pa", "cn"]) }
}

fn run(request: &CorpusRequest, watch: &Watch) -> Result<CorpusResults> {
    request.plan(watch)?.run(watch)
}

/// What does not depend on the clock.
fn figures(results: &CorpusResults) -> BTreeMap<String, Vec<(f64, Option<f64>, f64)>> {
    let of = |network: &NetworkFigures| {
        network.methods.iter().map(|method| (method.auc_mean, method.ap_mean, method.wins)).collect()
    };
    results.networks.iter().map(|network| (network.file.clone(), of(network))).collect()
}

#[test]
fn means_and_wins() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let results = run(&request(&folder), &Watch::new()).unwrap();
    assert_eq!((results.networks.len(), results.failed.len(), results.all.networks), (3, 0, 3));
    let domains: Vec<(&str, usize)> =
        results.domains.iter().map(|domain| (domain.domain.as_str(), domain.networks)).collect();
    assert_eq!(domains, [("Roads", 1), ("Social", 2)]);
    let [ring, belt, dense] = &results.networks[..] else { panic!("three networks") };
    for (number, method) in results.all.methods.iter().enumerate() {
        let sum =
            ring.methods[number].auc_mean + belt.methods[number].auc_mean + dense.methods[number].auc_mean;
        assert!((method.auc_mean - sum / 3.0).abs() < 1e-12);
        assert!(method.log_loss_mean.is_none() && method.ap_mean.is_some());
    }
    let wins = |domain: &DomainFigures| domain.methods.iter().map(|method| method.wins).sum::<f64>();
    assert!((wins(&results.all) - 3.0).abs() < 1e-12 && (wins(&results.domains[1]) - 2.0).abs() < 1e-12);
    // In a ring neighbours say everything and degrees next to nothing.
    assert!(results.all.methods[0].auc_mean > results.all.methods[1].auc_mean + 0.2);
    // 120 pairs, 80 links: 40 non-links, of which 16 are tested and 24 are left for 64 links.
    assert_eq!((ring.non_links_per_link, dense.non_links_per_link), (Some(636.0 / 96.0), Some(24.0 / 64.0)));
    assert!(results.notes()[0].starts_with("3 of 3 networks have fewer than 10 non-links"));
}

#[test]
fn finished_pieces_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let request = request(&folder);
    let first = Watch::new();
    let results = run(&request, &first).unwrap();
    assert_eq!(first.evaluated(), 9);
    assert!(first.noticed("[network 3 of 3] The dense (Social, 16 nodes, 80 links)"));
    assert!(first.noticed("all non-links are taken: 24 are trained on, 0.4 per link in place of 10"));
    let again = Watch::new();
    assert_eq!(figures(&run(&request, &again).unwrap()), figures(&results));
    assert!(again.evaluated() == 0 && again.noticed("9 of 9 pieces are there already"));
    fs::remove_file(folder.path().join("out/pieces/belt-links-pa-run-1.json")).unwrap();
    let one = Watch::new();
    assert_eq!(figures(&run(&request, &one).unwrap()), figures(&results));
    assert_eq!(one.evaluated(), 1);
    // Another method, more runs and fewer networks use what is there.
    let more = Watch::new();
    let methods = vec!["pa".to_owned(), "aa".to_owned()];
    let filter = CorpusFilter { max_nodes: Some(30), ..CorpusFilter::default() };
    let wider = CorpusRequest { methods, runs: 2, filter, ..request.clone() };
    assert_eq!(run(&wider, &more).unwrap().networks.len(), 2);
    assert_eq!(more.evaluated(), 2 * 4 - 2);
    // Other settings are refused before anything is computed.
    let other = CorpusRequest { test_fraction: 0.3, ..request.clone() };
    let message = run(&other, &Watch::new()).unwrap_err().to_string();
    assert!(message.contains("test-fraction is 0.2 there and 0.3 here"), "{message}");
    fs::write(folder.path().join("ring.tsv"), "0\t1\n1\t2\n").unwrap();
    assert!(run(&request, &Watch::new()).unwrap_err().to_string().contains("network-crc32"));
}

#[test]
fn interrupted_work_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let request = request(&folder);
    let ended = run(&request, &Watch { most: 4, ..Watch::new() });
    assert!(matches!(ended, Err(Error::Interrupted { finished: 4, pieces: 9 })));
    let rest = Watch::new();
    run(&request, &rest).unwrap();
    assert_eq!(rest.evaluated(), 5);
}

#[test]
fn networks_that_fail_do_not_end_the_others() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let index = fs::read_to_string(folder.path().join("index.tsv")).unwrap();
    let more =
        "none.tsv\tRoads\t5\t3\tNo file\nbad.tsv\tRoads\t3\t3\tBad ids\nfull.tsv\tSocial\t3\t3\tAll links\n";
    fs::write(folder.path().join("index.tsv"), index + more).unwrap();
    fs::write(folder.path().join("bad.tsv"), "0\t1\n1\t7\n").unwrap();
    fs::write(folder.path().join("full.tsv"), "0\t1\n1\t2\n0\t2\n").unwrap();
    let watch = Watch::new();
    let results = run(&request(&folder), &watch).unwrap();
    assert_eq!((results.networks.len(), watch.evaluated()), (3, 9));
    let failed: Vec<&str> = results.failed.iter().map(|failure| failure.file.as_str()).collect();
    assert_eq!(failed, ["none.tsv", "bad.tsv", "full.tsv"]);
    let errors: Vec<&str> = results.failed.iter().map(|failure| failure.error.as_str()).collect();
    assert!(errors[0].ends_with("none.tsv: there is no such file"), "{errors:?}");
    assert!(errors[1].contains("bad.tsv, line 2") && errors[2].contains("all 3 observed pairs are links"));
    assert!(watch.noticed("none.tsv: there is no such file") && watch.noticed("failed: "));
    assert!(results.notes().iter().any(|note| note.starts_with("full.tsv is left out: ")));
    // Nothing is left if all fail.
    let filter = CorpusFilter { max_nodes: Some(5), ..CorpusFilter::default() };
    let message = run(&CorpusRequest { filter, ..request(&folder) }, &watch).unwrap_err().to_string();
    assert!(
        message.contains("none of the 3 networks could be evaluated, the first one because:"),
        "{message}"
    );
}

#[test]
fn pages_and_charts_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    let request = CorpusRequest { split: Protocol::Pairs, ..request(&folder) };
    let results = run(&request, &Watch::new()).unwrap();
    assert!(results.negatives.is_none() && results.notes().is_empty());
    let files = results.write(&request.output).unwrap();
    assert_eq!(files, ["corpus.md", "corpus.json", "corpus.svg"]);
    let read = |name: &str| fs::read_to_string(request.output.join(name)).unwrap();
    let (page, svg) = (read("corpus.md"), read("corpus.svg"));
    well_formed(&svg);
    assert!(["Roads (1)", "Social (2)", "all (3)", "ra"].iter().all(|word| svg.contains(word)), "{svg}");
    for word in
        ["| Social | 2 | cn |", "| all | 3 | ra |", "Split pairs, 20 % held out, 1 run, seed 31", "The belt"]
    {
        assert!(page.contains(word), "{word}: {page}");
    }
    let json: serde_json::Value = serde_json::from_str(&read("corpus.json")).unwrap();
    assert_eq!((&json["split"], &json["all"]["networks"]), (&"pairs".into(), &3.into()));
    assert_eq!(json["domains"][1]["methods"][2]["method"], "cn");
}

#[test]
fn mistakes_are_found_before_anything_is_read() {
    let request = CorpusRequest::new("no/such/folder", &["lfm"]);
    let refused = |request: &CorpusRequest| run(request, &Watch::new()).unwrap_err().to_string();
    assert!(refused(&request).starts_with("unknown model 'lfm'"));
    let request = CorpusRequest::new("no/such/folder", &["ra"]);
    assert_eq!(refused(&CorpusRequest { runs: 0, ..request.clone() }), "runs must be at least 1, is 0");
    assert!(refused(&CorpusRequest { test_fraction: 1.0, ..request.clone() }).starts_with("test-fraction"));
    assert_eq!(
        refused(&request),
        "no/such/folder/index.tsv: there is no such file; it lists the networks of its folder, in the columns file, domain, \
         nodes, links and name"
    );
}
