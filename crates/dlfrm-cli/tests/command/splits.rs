//! Splits of `evaluate`: folds, kinds of non-links, splits written and read back, and mistakes in them.

use std::fmt::Write;

use serde_json::Value;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

fn friends() -> Folder {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    folder.json(&[&["evaluate"], args, &SHORT[..], &["--quiet", "--json"]].concat())
}

/// The figures of the models without what the clock says.
fn figures(printed: &Value) -> Vec<Value> {
    let mut models = printed["models"].as_array().unwrap().clone();
    for model in &mut models {
        model.as_object_mut().unwrap().retain(|name, _| name != "seconds_mean" && name != "settings");
    }
    models
}

#[test]
fn folds_are_runs() {
    let folder = friends();
    let printed = json(&folder, &["friends.tsv", "--undirected", "--folds", "3", "--model", "cn"]);
    assert_eq!(
        (&printed["runs"], &printed["folds"], &printed["split"]),
        (&3.into(), &3.into(), &"pairs".into())
    );
    assert!(printed["models"][0]["auc_sd"].is_f64());
    let args = ["evaluate", "friends.tsv", "--undirected", "--folds", "3", "--model", "cn", "--quiet"];
    assert!(folder.stdout(&args).contains("split pairs, all held out in 3 folds, seed 1"));
}

#[test]
fn what_is_written_is_read_back_to_the_same_figures() {
    let folder = Folder::new();
    let links = (0..50).flat_map(|i| [(i, (i + 1) % 50), (i, (i + 2) % 50), (i, (7 * i + 3) % 50)]);
    let links: Vec<String> = links.filter(|(i, j)| i != j).map(|(i, j)| format!("{i}\t{j}")).collect();
    folder.write("made.tsv", links.join("\n"));
    for (split, negatives, more) in [
        ("pairs", &[][..], &[][..]),
        ("connected", &[], &[]),
        ("links", &["--negatives", "2"], &["--sampled-non-links"]),
    ] {
        let args = ["made.tsv", "--undirected", "--nodes", "50", "--runs", "1"];
        let models = ["--model", "diag-dlfrm-l,cn,katz", "--split", split, "--write-splits", split];
        let written = json(&folder, &[&args[..], &models, negatives].concat());
        let [train, test, nodes] =
            ["run-1-train.tsv", "run-1-test.tsv", "nodes.txt"].map(|name| format!("{split}/{name}"));
        let args = [train.as_str(), "--undirected", "--nodes", &nodes, "--test", &test];
        let read = json(&folder, &[&args[..], &["--model", "diag-dlfrm-l,cn,katz"], more].concat());
        assert_eq!(read["split"], "files");
        assert_eq!(figures(&written), figures(&read), "{split}");
    }
}

/// Validation pairs are what is chosen by: three of them, one of which is a link, can have few values of AUC.
#[test]
fn validation_pairs_are_chosen_by() {
    let folder = Folder::new();
    let links = (0..50).flat_map(|i| [(i, (i + 1) % 50), (i, (i + 2) % 50), (i, (7 * i + 3) % 50)]);
    let links: Vec<String> =
        links.filter(|(i, j)| i != j && *i > 0).map(|(i, j)| format!("{i}\t{j}")).collect();
    folder.write("train.tsv", links.join("\n"));
    folder.write("test.tsv", "source\ttarget\tlabel\n0\t1\t1\n0\t9\t0\n");
    folder.write("validation.tsv", "source\ttarget\tlabel\n0\t2\t1\n0\t10\t0\n0\t20\t0\n");
    let args =
        ["train.tsv", "--undirected", "--nodes", "50", "--test", "test.tsv", "--model", "diag-dlfrm-l"];
    let auc = |more: &[&str]| {
        let printed = json(&folder, &[&args[..], more].concat());
        printed["models"][0]["choices"][0][0]["development_auc"].as_f64().expect("something was chosen")
    };
    let of_validation = auc(&["--validation", "validation.tsv"]);
    assert!([0.0, 0.25, 0.5, 0.75, 1.0].contains(&of_validation), "{of_validation}");
    assert!(![0.0, 0.25, 0.5, 0.75, 1.0].contains(&auc(&[])));
}

#[test]
fn relations_and_strange_names_are_read_back() {
    let folder = Folder::new();
    let mut text = String::from("relation\tsource\ttarget\nlone\t\"#0\"\t\"a \"\"1\"\"\"\n");
    for (relation, step) in [("likes", 1), ("\"#knows\"", 2)] {
        let name = |i: usize| if i == 1 { "\"a \"\"1\"\"\"".to_owned() } else { format!("\"#{i}\"") };
        for i in 0..12 {
            writeln!(text, "{relation}\t{}\t{}", name(i), name((i + step) % 12)).unwrap();
        }
    }
    folder.write("r.tsv", text);
    let args = ["r.tsv", "--columns", "relation,source,target", "--runs", "3", "--model", "cn,pa"];
    let written = json(&folder, &[&args[..], &["--write-splits", "s"]].concat());
    let mut means = 0.0;
    for run in 1..=3 {
        let [train, test] = ["train", "test"].map(|part| format!("s/run-{run}-{part}.tsv"));
        let read = json(&folder, &[&train, "--nodes", "s/nodes.txt", "--test", &test, "--model", "cn"]);
        means += read["models"][0]["auc_mean"].as_f64().unwrap() / 3.0;
    }
    assert!((written["models"][0]["auc_mean"].as_f64().unwrap() - means).abs() < 1e-12);
}

#[test]
fn negatives_of_every_kind() {
    let folder = Folder::new();
    folder.stdout(&["generate", "--nodes", "60", "--seed", "3", "-o", "made.tsv", "-q"]);
    let area = |kind: &str| {
        let args = ["made.tsv", "--undirected", "--nodes", "60", "--split", "links", "--negatives", "2"];
        let printed = json(&folder, &[&args[..], &["--model", "pa", "--test-negatives", kind]].concat());
        assert_eq!(printed["test_negatives"], kind);
        printed["models"][0]["auc_mean"].as_f64().unwrap()
    };
    assert!(area("degree") < area("uniform") - 0.05, "degrees predict less");
    assert!(area("hard").is_finite());
}

#[test]
fn mistakes_in_splits_get_one_line() {
    let folder = friends();
    for (file, rows) in [
        ("test", "Ada\tEve\t1\nAda\tHal\t0\nBob\tAda\t0\n"),
        ("labels", "Ada\tEve\t1\nAda\tHal\t3\n"),
        ("names", "Ada\tEve\t1\nAda\tZoe\t0\n"),
        ("links", "Ada\tEve\t1\n"),
        ("none", "Ada\tEve\t-1\n"),
        ("good", "Ada\tEve\t1\nAda\tHal\t-1\n"),
        ("near", "Hal\tBob\t1\n"),
        ("twice", "Hal\tBob\t1\nHal\tAda\t0\n"),
    ] {
        folder.write(&format!("{file}.tsv"), format!("source\ttarget\tlabel\n{rows}"));
    }
    let printed = |more: &[&str]| {
        refused(
            &folder,
            &[&["evaluate", "friends.tsv", "--undirected", "--model", "cn", "-q"], more].concat(),
        )
    };
    let overlap = "test.tsv, line 4: the pair 'Ada', 'Bob' is a link of the network that is learned from";
    assert_eq!(printed(&["--test", "test.tsv"]), overlap);
    let label =
        "labels.tsv, line 3, column 3: a label must be 1 or 0 (or -1), yes or no, or true or false, is '3'";
    assert_eq!(printed(&["--test", "labels.tsv"]), label);
    assert_eq!(
        printed(&["--test", "names.tsv"]),
        "names.tsv, line 3, column 2: 'Zoe' is not one of the 10 nodes"
    );
    assert!(printed(&["--test", "links.tsv"]).starts_with("links.tsv: all 1 test pairs are links"));
    assert!(printed(&["--test", "none.tsv"]).starts_with("none.tsv: none of the 1 test pairs is a link"));
    assert!(printed(&["--test", "nowhere.tsv"]).starts_with("nowhere.tsv: there is no such file"));
    let both = printed(&["--test", "good.tsv", "--validation", "twice.tsv"]);
    assert_eq!(both, "twice.tsv, line 3: the pair 'Ada', 'Hal' is in good.tsv, line 3");
    let links = printed(&["--test", "good.tsv", "--validation", "near.tsv"]);
    assert_eq!(links, "near.tsv: all 1 validation pairs are links, so they say nothing");
    assert!(printed(&["--test", "good.tsv", "--sampled-non-links"]).contains("lists no non-links"));
    assert!(printed(&["--validation", "good.tsv"]).contains("--test"));
    assert!(printed(&["--test", "good.tsv", "--folds", "3"]).contains("cannot be used with"));
    assert!(printed(&["--folds", "3", "--runs", "2"]).contains("cannot be used with"));
    assert_eq!(printed(&["--folds", "1"]), "folds must be at least 2, is 1");
    assert!(printed(&["--folds", "3", "--split", "connected"]).contains("connected has no folds"));
    let hard = printed(&["--test-negatives", "hard", "--split", "pairs"]);
    assert_eq!(hard, "test-negatives must be uniform unless the split is links or paper-links, is hard");
    assert!(printed(&["--test-negatives", "soft"]).contains("known are uniform, degree, hard"));
    assert_eq!(printed(&["--write-splits", "friends.tsv"]), "friends.tsv is a file, a folder is needed");
    assert!(printed(&["--test-fraction", "0.01", "--write-splits", "s"]).contains("among its 0 test pairs"));
}

#[test]
fn block_models_and_the_plain_likelihood() {
    let folder = friends();
    let args = ["friends.tsv", "--undirected", "--test-fraction", "0.4", "--runs", "2"];
    let printed = json(&folder, &[&args[..], &["--model", "lfrm,irm,mmsb", "--c-pos", "7"]].concat());
    let models = printed["models"].as_array().unwrap();
    let names: Vec<&str> = models.iter().map(|model| model["model"].as_str().unwrap()).collect();
    assert_eq!(names, ["lfrm", "irm", "mmsb"]);
    let settings = &models[0]["settings"];
    assert_eq!((&settings["c-pos"], &settings["c-neg"]), (&1.0.into(), &1.0.into()), "whatever others have");
    assert_eq!(settings["covariates"], "none");
    for model in models {
        assert!(model["log_loss_mean"].is_f64() && model["auc_mean"].is_f64(), "{model}");
    }
}

/// Friends have fewer than ten non-links per link: all are taken, and that is said.
#[test]
fn dense_networks_give_all_non_links() {
    let folder = friends();
    let args = ["evaluate", "friends.tsv", "--undirected", "--split", "links", "--test-fraction", "0.2"];
    let more = ["--model", "ra", "--runs", "2", "--write-splits", "out", "--json"];
    let output = folder.dlfrm(&[&args[..], &more].concat()).output().unwrap();
    let warnings = String::from_utf8(output.stderr).unwrap();
    let warning = "all non-links are taken: 25 are trained on, 1.8 per link in place of 10, and 3 are tested beside 3 links";
    assert!(output.status.success() && warnings.matches(warning).count() == 1, "{warnings}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&printed["warnings"][0]["code"], &printed["warnings"][0]["text"]),
        (&"few-non-links".into(), &warning.into())
    );
    // Nothing that is tested is trained on.
    let read = |part: &str| std::fs::read_to_string(folder.path(&format!("out/run-1-{part}.tsv"))).unwrap();
    let (train, test) = (read("train"), read("test"));
    let pairs = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.map(|row| row.rsplit_once('\t').unwrap().0.to_owned()).collect()
    };
    assert_eq!((pairs(&train).len(), pairs(&test).len()), (14, 6), "{train}");
    assert!(pairs(&test).iter().all(|pair| !pairs(&train).contains(pair)));
    assert!(
        train.starts_with("# every pair that is neither here nor in the test file is a non-link"),
        "{train}"
    );
    let quiet = folder.stdout(&[&args[..], &["--model", "ra", "--negatives", "1", "--json"]].concat());
    assert!(serde_json::from_str::<Value>(&quiet).unwrap()["warnings"].is_null());
}
