//! A model that was fitted before, evaluated on pairs that it has not seen; one of another network, printed and refused.

use std::fmt::Write;

use dlfrm::score::auc;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

const HIDDEN: [(&str, u8); 4] = [("Ada\tBob", 1), ("Finn\tGus", 1), ("Ada\tHal", 0), ("Bob\tJo", 0)];

/// The friends with four pairs unobserved and in a test file, and a model of what is left.
fn fitted() -> Folder {
    let folder = Folder::new();
    folder.write("train.tsv", train());
    let rows = HIDDEN.map(|(pair, label)| format!("{pair}\t{label}")).join("\n");
    folder.write("test.tsv", format!("source\ttarget\tlabel\n{rows}"));
    fit(&folder, "train.tsv", "m.dlfrm", &["--undirected"]);
    folder
}

fn train() -> String {
    let mut text = "source\ttarget\tlabel\n".to_owned();
    let hidden = |pair: &str| HIDDEN.iter().any(|(hidden, _)| *hidden == pair);
    for pair in FRIENDS.lines().skip(2) {
        writeln!(text, "{pair}\t{}", if hidden(pair) { "?" } else { "1" }).unwrap();
    }
    for (pair, _) in HIDDEN.iter().filter(|(_, label)| *label == 0) {
        writeln!(text, "{pair}\t?").unwrap();
    }
    text
}

fn fit(folder: &Folder, network: &str, model: &str, more: &[&str]) {
    folder.stdout(&[&["fit", network, "-q", "-o", model], &SHORT[..], more].concat());
}

#[test]
fn a_model_is_judged_by_what_it_predicts() {
    let folder = fitted();
    let evaluate =
        ["evaluate", "train.tsv", "--undirected", "--fitted", "m.dlfrm", "--test", "test.tsv", "-q"];
    let printed = folder.json(&[&evaluate[..], &["--json"]].concat());
    let models = printed["models"].as_array().unwrap();
    assert_eq!((models.len(), &models[0]["model"]), (1, &"fitted".into()));
    folder.write("pairs.tsv", HIDDEN.map(|(pair, _)| pair).join("\n"));
    let predicted = folder.json(&["predict", "m.dlfrm", "--pairs", "pairs.tsv", "--json"]);
    let scores: Vec<f64> =
        predicted.as_array().unwrap().iter().map(|line| line["probability"].as_f64().unwrap()).collect();
    let area = auc(&scores, &HIDDEN.map(|(_, label)| label == 1)).unwrap();
    assert_eq!(models[0]["auc_mean"].as_f64().unwrap(), area);
    assert!(models[0]["log_loss_mean"].is_f64() && models[0]["k_mean"].is_f64());
    // Beside others, on the same pairs.
    let printed = folder.json(&[&evaluate[..], &["--json", "--model", "cn"]].concat());
    let names: Vec<&str> =
        printed["models"].as_array().unwrap().iter().map(|m| m["model"].as_str().unwrap()).collect();
    assert_eq!(names, ["fitted", "cn"]);
}

#[test]
fn a_model_of_another_network_is_refused() {
    let folder = fitted();
    let printed = |network: &str, more: &[&str]| {
        let args = ["evaluate", network, "--fitted", "m.dlfrm", "--test", "test.tsv", "-q"];
        refused(&folder, &[&args[..], more].concat())
    };
    let undirected = ["--undirected"];
    folder.write("more.tsv", train() + "Bob\tDan\t1\n");
    folder.write("fewer.tsv", train().replace("Cleo\tDan\t1\n", ""));
    folder.write("other.tsv", train().replace("Cleo", "Zoe"));
    folder.write("larger.tsv", train() + "Jo\tZoe\t1\n");
    folder.write("unknown.tsv", train() + "Ada\tJo\t?\n");
    let links = "links, or pairs that were learned from, differ";
    let nodes = "nodes, or their order, differ (--nodes names them)";
    let direction = "links have a direction in one of them only";
    for (network, more, difference) in [
        ("train.tsv", &[][..], direction),
        ("more.tsv", &undirected, links),
        ("fewer.tsv", &undirected, links),
        ("other.tsv", &undirected, nodes),
        ("larger.tsv", &undirected, nodes),
        ("unknown.tsv", &undirected, links),
    ] {
        let said = format!("m.dlfrm was not fitted to {network}: {difference}");
        assert_eq!(printed(network, more), said);
    }
    folder.write("kin.tsv", format!("relation\t{}", train().trim_end().replace('\n', "\nlikes\t")));
    folder.write("test.tsv", "relation\tsource\ttarget\tlabel\nlikes\tAda\tBob\t1\nlikes\tAda\tHal\t0\n");
    assert_eq!(printed("kin.tsv", &undirected), "m.dlfrm was not fitted to kin.tsv: relations differ");
}

#[test]
fn test_pairs_that_were_learned_from_are_refused() {
    let folder = fitted();
    folder.write("links.tsv", FRIENDS);
    fit(&folder, "links.tsv", "all.dlfrm", &["--undirected"]);
    folder.write("new.tsv", "source\ttarget\tlabel\nAda\tEve\t1\nAda\tHal\t0\n");
    let printed =
        |more: &[&str]| refused(&folder, &[&["evaluate", "links.tsv", "--undirected", "-q"], more].concat());
    assert_eq!(
        printed(&["--fitted", "all.dlfrm", "--test", "new.tsv"]),
        "new.tsv: the pair 'Ada', 'Eve' is one that all.dlfrm learned from, as every pair that links.tsv does not list: \
         list the test pairs there as unobserved (label ?) and fit again"
    );
    // As a link it stands in the network.
    assert!(
        printed(&["--fitted", "all.dlfrm", "--test", "test.tsv"])
            .starts_with("test.tsv, line 2: the pair 'Ada', 'Bob'")
    );
    assert!(printed(&["--fitted", "all.dlfrm"]).contains("--test"));
    assert_eq!(
        printed(&["--fitted", "links.tsv", "--test", "new.tsv"]),
        "links.tsv is not a model file of dlfrm"
    );
}
