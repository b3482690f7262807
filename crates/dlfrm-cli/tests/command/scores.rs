//! The scores of `evaluate`: their names, their intervals, and where they are left out.

use serde_json::Value;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

fn evaluate(more: &[&str]) -> String {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let args = ["evaluate", "friends.tsv", "--undirected", "--test-fraction", "0.4", "--quiet"];
    folder.stdout(&[&args, &SHORT[..], more].concat())
}

fn models(more: &[&str]) -> Vec<Value> {
    let printed: Value = serde_json::from_str(&evaluate(&[more, &["--json"]].concat())).unwrap();
    printed["models"].as_array().unwrap().clone()
}

#[test]
fn json_has_every_usual_score() {
    let models = models(&["--model", "dlfrm-l,cn", "--runs", "2", "--scores", "hits@3"]);
    let ranking =
        ["auc", "ap", "hits_at_10", "hits_at_50", "hits_at_100", "precision_at_10", "precision_at_100"];
    for name in ranking.into_iter().chain(["mrr", "hits_at_3"]) {
        for model in &models {
            assert!(model[format!("{name}_mean")].is_f64() && model[format!("{name}_sd")].is_f64(), "{name}");
        }
    }
    for name in ["log_loss", "brier", "calibration_error"] {
        assert!(models[0][format!("{name}_mean")].is_f64(), "{name}");
        assert!(models[1][format!("{name}_mean")].is_null(), "{name} of a baseline");
    }
    assert!(models[0]["auc_low"].is_null(), "several runs have a deviation");
    let bins = models[0]["calibration_curve"].as_array().unwrap();
    // 45 pairs, 40 % of them in each of two runs.
    assert_eq!(bins.iter().map(|bin| bin["pairs"].as_u64().unwrap()).sum::<u64>(), 36);
    assert!(models[1]["calibration_curve"].is_null());
}

#[test]
fn one_run_has_an_interval() {
    let run = |threads| models(&["--model", "cn", "--runs", "1", "--threads", threads]).remove(0);
    let model = run("1");
    for name in ["auc", "ap"] {
        let [low, mean, high] =
            ["low", "mean", "high"].map(|which| model[format!("{name}_{which}")].as_f64().unwrap());
        assert!(low < mean && mean < high, "{name}: {low} {mean} {high}");
    }
    let again = run("2");
    assert_eq!((&model["auc_low"], &model["ap_high"]), (&again["auc_low"], &again["ap_high"]));
    let table = evaluate(&["--model", "cn", "--runs", "1"]);
    assert!(table.contains("95 %") && table.contains(" to "), "{table}");
}

#[test]
fn the_table_has_what_is_asked_for() {
    let table =
        evaluate(&["--model", "dlfrm-l,cn", "--runs", "2", "--scores", "mrr,hits@20,log-loss,precision@5"]);
    let header: Vec<&str> = table.lines().nth(3).unwrap().split_whitespace().collect();
    assert_eq!(header, ["model", "MRR", "hits@20", "log-loss", "precision@5", "K", "seconds"]);
    let usual = evaluate(&["--model", "cn", "--runs", "2"]);
    let header: Vec<&str> = usual.lines().nth(3).unwrap().split_whitespace().collect();
    assert_eq!(header, ["model", "AUC", "sd", "AP", "K", "seconds"], "no baseline has probabilities");
}

#[test]
fn unknown_scores_are_told() {
    let folder = Folder::new();
    for bad in ["auk", "hits@0", "hits@x"] {
        let printed = refused(&folder, &["evaluate", "friends.tsv", "--scores", bad]);
        let expected = format!("unknown score '{bad}'; known are auc, ap, hits@K");
        assert!(printed.contains(&expected), "{printed}");
    }
}

/// A table without a score would say nothing.
#[test]
fn scores_that_do_not_exist_are_told() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let args = |model: &'static str, scores: &'static str, split: &'static str| {
        let args = ["evaluate", "friends.tsv", "--undirected", "--test-fraction", "0.3", "--runs", "1"];
        [&args[..], &["--split", split, "--scores", scores, "--model", model]].concat()
    };
    let why =
        "where links are held out: the share of links is another one among test pairs than in the network";
    assert_eq!(
        refused(&folder, &[&args("linear,ra", "log-loss,ece", "links")[..], &["-q"]].concat()),
        format!("--scores: there is no log-loss, ece {why}")
    );
    let printed = folder.warnings(&args("ra", "auc,log-loss", "links"));
    assert!(printed.contains(&format!("there is no log-loss {why}\n")), "{printed}");
    let ranks = "of baselines: they rank pairs and give no probabilities";
    assert_eq!(
        refused(&folder, &args("ra,pa", "brier", "pairs")),
        format!("--scores: there is no brier {ranks}")
    );
    assert!(folder.warnings(&args("ra", "auc,ece", "pairs")).contains(&format!("there is no ece {ranks}\n")));
    assert!(!folder.warnings(&args("linear,ra", "ece", "pairs")).contains("there is no"));
}
