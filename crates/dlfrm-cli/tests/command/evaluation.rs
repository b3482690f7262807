//! `evaluate`, `demo` and `generate` as a user runs them.

use std::fmt::Write;

use dlfrm::baseline::HEURISTICS;
use dlfrm::random::run_seed;
use dlfrm::score::{auc, average_precision};
use dlfrm::split::{Protocol, Split};
use dlfrm_io::{ReadOptions, parse_network};
use serde_json::Value;

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

fn friends() -> Folder {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder
}

fn evaluate(folder: &Folder, more: &[&str]) -> String {
    let args = ["evaluate", "friends.tsv", "--undirected", "--test-fraction", "0.4", "--quiet"];
    folder.stdout(&[&args, &SHORT[..], more].concat())
}

/// The same without what the clock says.
fn without_times(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !name.starts_with("seconds"));
            fields.values_mut().for_each(|field| *field = without_times(field.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_times(item.take())),
        _ => {}
    }
    value
}

#[test]
fn one_table_of_models_and_baselines() {
    let table = evaluate(&friends(), &["--runs", "2"]);
    assert!(table.starts_with("friends: 10 nodes, 17 undirected links\n"), "{table}");
    let names: Vec<&str> = table.lines().skip(4).map(|line| line.split(' ').next().unwrap()).collect();
    let baselines = ["cn", "jaccard", "aa", "ra", "pa", "katz", "lp", "lrw", "ppr", "spd"];
    assert_eq!(names, [&["default", "linear"], &baselines[..]].concat());
    let paper = evaluate(&friends(), &["--runs", "1", "--split", "paper-pairs", "--model", "cn"]);
    assert!(paper.contains("compare with the paper only"), "{paper}");
}

#[test]
fn json_keeps_its_names() {
    let folder = friends();
    let printed =
        json(&evaluate(&folder, &["--runs", "2", "--model", "diag-dlfrm-h,cn,cn", "--seed", "7", "--json"]));
    assert_eq!(
        (
            &printed["network"],
            &printed["split"],
            &printed["runs"],
            &printed["test_fraction"],
            &printed["seed"]
        ),
        (&"friends".into(), &"pairs".into(), &2.into(), &0.4.into(), &7.into())
    );
    let models = printed["models"].as_array().unwrap();
    assert_eq!(models.len(), 2, "a name that is given twice counts once");
    let fields = ["model", "auc_mean", "auc_sd", "ap_mean", "seconds_mean", "k_mean", "settings"];
    for model in models {
        assert!(fields.iter().all(|field| model.get(field).is_some()), "{model}");
    }
    assert!(models[0]["k_mean"].is_f64() && models[0]["auc_sd"].is_f64());
    assert_eq!(models[0]["settings"]["model"], "diag-dlfrm-h");
    assert!(models[1]["k_mean"].is_null() && models[1]["settings"].is_null());
    assert!(printed.get("relations").is_none());
    let single = json(&evaluate(&folder, &["--runs", "1", "--model", "pa", "--json"]));
    assert!(single["models"][0]["auc_sd"].is_null());
}

#[test]
fn baselines_have_the_figures_of_the_library() {
    let options = ReadOptions { directed: Some(false), ..ReadOptions::default() };
    let dataset = parse_network(FRIENDS.as_bytes(), "friends.tsv", &options).unwrap();
    let printed = json(&evaluate(&friends(), &["--runs", "3", "--model", "baselines", "--json"]));
    for (model, baseline) in printed["models"].as_array().unwrap().iter().zip(HEURISTICS) {
        let (mut area, mut precision) = (0.0, 0.0);
        for run in 0..3 {
            let network = &dataset.relations[0].network;
            let split = Split::new(network, Protocol::Pairs, 0.4, run_seed(1, run)).unwrap();
            let scores = baseline.score(&split.train, &split.test_pairs());
            area += auc(&scores, &split.test_labels()).unwrap() / 3.0;
            precision += average_precision(&scores, &split.test_labels()).unwrap() / 3.0;
        }
        assert_eq!(model["model"], baseline.name);
        for (field, expected) in [("auc_mean", area), ("ap_mean", precision)] {
            assert!((model[field].as_f64().unwrap() - expected).abs() < 1e-12, "{model} {expected}");
        }
    }
}

#[test]
fn relations_are_told_one_by_one() {
    let folder = Folder::new();
    let mut text = String::from("lone\t0\t0\n");
    for (relation, step) in [("likes", 1), ("knows", 2)] {
        for i in 0..12 {
            writeln!(text, "{relation}\t{i}\t{}", (i + step) % 12).unwrap();
        }
    }
    folder.write("r.tsv", text);
    let args =
        ["evaluate", "r.tsv", "--columns", "relation,source,target", "--model", "cn,pa", "--runs", "3"];
    let printed = folder.json(&[&args[..], &["--json"]].concat());
    let each = printed["relations"]["each"].as_array().unwrap();
    let names: Vec<_> = each.iter().map(|relation| relation["relation"].as_str().unwrap()).collect();
    assert_eq!(names, ["lone", "likes", "knows"]);
    assert_eq!((&each[0]["runs_with_test_link"], &each[1]["runs_with_test_link"]), (&0.into(), &3.into()));
    assert!(each[0]["auc_mean"]["cn"].is_null() && each[1]["auc_mean"]["cn"].is_f64());
    assert_eq!(printed["relations"]["mean"]["cn"], printed["models"][0]["auc_mean"]);
    assert!(printed["relations"]["pooled"]["pa"].is_f64());
    let output = folder.dlfrm(&args).output().unwrap();
    let (text, warnings) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(text.contains("AUC by relation") && text.contains("pooled"), "{text}");
    assert!(warnings.contains("relation 'lone' (0 links) has no test link in 3 runs"), "{warnings}");
}

#[test]
fn threads_change_nothing() {
    let folder = friends();
    let run = |threads| {
        let printed = evaluate(&folder, &["--runs", "2", "--model", "all", "--json", "--threads", threads]);
        without_times(json(&printed))
    };
    assert_eq!(run("1"), run("2"));
    let demo = |threads| {
        let args = ["demo", "--quiet", "--json", "--threads", threads];
        without_times(folder.json(&[&args[..], &SHORT].concat()))
    };
    assert_eq!(demo("1"), demo("2"));
}

#[test]
fn the_demonstration_has_its_sections() {
    let folder = Folder::new();
    let text = folder.stdout(&[&["demo", "--quiet", "--seed", "3"], &SHORT[..]].concat());
    for part in [
        "77 characters",
        "K is ",
        "Who has which feature",
        "missing links",
        "90 % interval",
        "Does it predict",
        "aa ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let printed = folder.json(&[&["demo", "--quiet", "--json"], &SHORT[..]].concat());
    assert_eq!(printed["missing_links"].as_array().unwrap().len(), 10);
    assert_eq!(printed["held_out"]["models"].as_array().unwrap().len(), 3);
    assert!(printed["k_low"].as_f64() <= printed["k_high"].as_f64());
    assert!(folder.names().is_empty());
}

#[test]
fn a_generated_network_can_be_evaluated() {
    let folder = Folder::new();
    let args = ["generate", "-o", "links.tsv", "--nodes", "40", "--truth", "truth.json", "--quiet"];
    assert_eq!(folder.stdout(&args), "");
    assert_eq!(folder.names(), ["links.tsv", "truth.json"]);
    let truth = json(&std::fs::read_to_string(folder.path("truth.json")).unwrap());
    let features = truth["features"].as_array().unwrap().len();
    assert_eq!((features, &truth["nodes"]), (truth["weights"].as_array().unwrap().len(), &40.into()));
    let links = std::fs::read_to_string(folder.path("links.tsv")).unwrap();
    assert_eq!(links, folder.stdout(&["generate", "--nodes", "40"]), "standard output has the same");
    let args =
        ["evaluate", "links.tsv", "--undirected", "--nodes", "40", "--model", "cn,diag-dlfrm-l", "--json"];
    let printed = folder.json(&[&args[..], &SHORT].concat());
    assert!(printed["models"][1]["auc_mean"].as_f64().unwrap() > 0.5, "{printed}");
}

#[test]
fn links_are_held_out_with_sampled_non_links() {
    let folder = Folder::new();
    let args = ["generate", "--nodes", "60", "--seed", "3", "-o", "made.tsv", "-q"];
    folder.stdout(&args);
    let args = ["made.tsv", "--nodes", "60", "-q"];
    let evaluate_split = |split: &str| {
        let more = ["--split", split, "--negatives", "2", "--model", "dlfrm-l,cn", "--runs", "2", "--json"];
        folder.json(&[&["evaluate"], &args[..], &SHORT[..], &more[..]].concat())
    };
    let printed = evaluate_split("links");
    assert_eq!((&printed["split"], &printed["test_fraction"]), (&"links".into(), &0.1.into()));
    assert!(printed["models"][0]["auc_mean"].as_f64().unwrap() > 0.5);
    let table =
        folder.stdout(&[&["evaluate"], &args[..], &["--split", "paper-links", "--model", "cn"]].concat());
    assert!(table.contains("10 % of the links held out"), "{table}");
    // A fit to a sample reports how many pairs it has seen.
    let fit = [&["fit"], &args[..], &SHORT[..], &["--negatives", "2", "-o", "m", "--json"]].concat();
    let fitted = folder.json(&fit);
    let (links, pairs) = (&fitted["relations"][0]["links"], &fitted["relations"][0]["observed_pairs"]);
    assert_eq!(pairs.as_u64().unwrap(), 3 * links.as_u64().unwrap(), "{fitted}");
    // Too few for one non-link are one, and the model file can be read.
    folder.stdout(&[&["fit"], &args[..], &SHORT[..], &["--negatives", "1e-9", "-o", "m"]].concat());
    assert_eq!(folder.stdout(&["predict", "m", "--top", "3"]).lines().count(), 4);
}

#[test]
fn mistakes_get_one_line() {
    let folder = friends();
    let refused = |args: &[&str]| refused(&folder, args);
    let known = "default, dlfrm-l, dlfrm-h, sto-dlfrm-l, sto-dlfrm-h, diag-dlfrm-l, diag-dlfrm-h, linear, cn, jaccard, aa, ra, pa, katz, \
                 lp, lrw, ppr, spd, \
                 lfrm, irm, mmsb, models, baselines, all";
    let evaluate = |more: &[&str]| refused(&[&["evaluate", "friends.tsv", "--undirected"], more].concat());
    assert_eq!(evaluate(&["--model", "cn,lfm"]), format!("unknown model 'lfm'; known are {known}"));
    assert!(evaluate(&["--runs", "0"]).contains("expected a whole number from 1 to 10000"));
    let printed = evaluate(&["--test-fraction", "1"]);
    assert_eq!(printed, "test-fraction must be between 0 and 1, both excluded, is 1");
    let printed = evaluate(&["--test-fraction", "0.01", "--model", "cn"]);
    assert!(printed.starts_with("friends.tsv: the split of run 1 has no"), "{printed}");
    assert!(evaluate(&["--split", "link"]).contains("known are pairs, paper-pairs, links, paper-links"));
    assert_eq!(
        evaluate(&["--split", "links", "--negatives", "-1"]),
        "friends.tsv: negatives must be above 0 and finite, is -1"
    );
    assert_eq!(refused(&["demo", "--nu", "-1"]), "nu must be a positive number, is -1");
    assert_eq!(refused(&["generate", "--nodes", "1"]), "nodes must be from 2 to 1000000, is 1");
    assert!(refused(&["generate", "-o", "no/such/folder.tsv"]).contains("no/such/folder.tsv"));
    assert_eq!(folder.names(), ["friends.tsv"]);
}
