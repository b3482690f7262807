//! What is said beside results: what the user did not ask for, or may not expect.

use crate::shared::{FRIENDS, Folder, SHORT, refused};

#[test]
fn settings_without_effect_are_said() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = ["fit", "friends.tsv", "--undirected", "--margin", "2", "--step", "0.1"];
    let printed = folder.warnings(&[&fit[..], &SHORT].concat());
    for setting in ["margin", "step"] {
        assert!(printed.contains(&format!("--{setting} has no effect with dlfrm-l")), "{printed}");
    }
    let evaluate = ["evaluate", "friends.tsv", "--undirected", "--runs", "1", "--margin", "2", "--model"];
    let printed = folder.warnings(&[&evaluate[..], &["dlfrm-l,ra"], &SHORT].concat());
    assert!(printed.contains("--margin has no effect with dlfrm-l"), "{printed}");
    let printed = folder.warnings(&[&evaluate[..], &["dlfrm-l,dlfrm-h"], &SHORT].concat());
    assert!(!printed.contains("no effect"), "{printed}");
    assert_eq!(
        refused(&folder, &["evaluate", "friends.tsv", "--undirected", "--negatives", "3"]),
        "negatives must be left out unless the split is links or paper-links, is 3"
    );
}

/// Files that no method looks at.
#[test]
fn side_info_without_effect_is_said() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder.write("age.csv", "name,age\nAda,3\nBob,4\nCleo,5\n");
    folder.write("km.csv", "source,target,km\nAda,Bob,3\nBob,Cleo,4\nAda,Eve,9\n");
    let idle = |model: &str| -> Vec<String> {
        let evaluate =
            ["evaluate", "friends.tsv", "--undirected", "--runs", "1", "--seed", "3", "--model", model];
        let files = ["--node-attributes", "age.csv", "--pair-covariates", "km.csv"];
        let printed = folder.warnings(&[&evaluate[..], &files].concat());
        printed.lines().filter(|line| line.contains("no effect")).map(str::to_owned).collect()
    };
    let both = |names| {
        ["--node-attributes", "--pair-covariates"].map(|flag| format!("{flag} has no effect with {names}"))
    };
    assert_eq!(idle("ra,cn"), both("ra, cn"));
    assert_eq!(idle("irm,mmsb"), both("irm, mmsb"));
    assert!(idle("linear,ra").is_empty());
}

/// The paper's model is another one than that of other fits.
#[test]
fn asymmetric_pairs_are_those_of_the_paper_s_model() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = |more: &[&str]| {
        folder.warnings(&[&["fit", "friends.tsv", "--asymmetric", "-o", "m"], more, &SHORT[..]].concat())
    };
    let printed = fit(&["--undirected", "--model", "diag-dlfrm-l"]);
    let said = "asymmetric is given, so the model is that of the paper, without covariates and effects of nodes, with other \
                defaults: c-pos 3, c-neg 0.";
    assert!(printed.contains(said), "{printed}");
    assert!(printed.contains("dlfrm-l has a full weight matrix (--model dlfrm-l)\n"), "{printed}");
    let printed = fit(&["--undirected", "--node-effects"]);
    assert!(printed.contains("without covariates, but with effects of nodes,"), "{printed}");
    let printed = fit(&["--directed"]);
    assert!(printed.contains("--asymmetric has no effect: links have a direction\n"), "{printed}");
    assert!(!fit(&["--undirected", "--model", "dlfrm-h"]).contains("full weight matrix"));
    // A program has the facts.
    let fit = ["fit", "friends.tsv", "--asymmetric", "--undirected", "-q", "--json", "-o", "m"];
    let warnings = folder.json(&[&fit[..], &SHORT].concat())["warnings"].clone();
    let model = warnings.as_array().unwrap().iter().find(|one| one["code"] == "paper-model").unwrap();
    assert_eq!(
        (&model["node_effects"], &model["other_defaults"][0]["setting"]),
        (&false.into(), &"c-pos".into())
    );
    assert!(model["text"].as_str().unwrap().starts_with("asymmetric is given"), "{model}");
}

/// A setting that changes the whole model says so, with what else is different.
#[test]
fn one_joint_posterior_is_said() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = |more: &[&str]| {
        folder.warnings(&[&["fit", "friends.tsv", "--undirected", "-o", "m"], &SHORT[..], more].concat())
    };
    let joint = "so covariates and features have one joint posterior, with other defaults";
    let printed = fit(&["--c-pos", "1"]);
    assert!(printed.contains(&format!("c-pos is given, {joint}: c-neg 0.15, ")), "{printed}");
    let info = folder.json(&["info", "m", "--json"]);
    assert_eq!((&info["settings"]["c-neg"], &info["settings"]["start"]), (&0.15.into(), &"annealed".into()));
    for usual in [&[][..], &["--covariates", "none", "--c-pos", "1"], &["--alpha", "2"]] {
        assert!(!fit(usual).contains("joint posterior"), "{usual:?}");
    }
    // Models may have other defaults each; the warning is the same, once.
    for (models, defaults) in [("diag-dlfrm-l", ": c-neg 0.15, "), ("diag-dlfrm-l,dlfrm-h,ra", "\n")] {
        let args =
            ["evaluate", "friends.tsv", "--undirected", "--runs", "1", "--model", models, "--c-pos", "1"];
        let printed = folder.warnings(&[&args[..], &SHORT].concat());
        assert!(printed.contains(&format!("c-pos is given, {joint}{defaults}")), "{printed}");
        assert_eq!(printed.matches("joint posterior").count(), 1, "{printed}");
    }
}

/// Files that were written are named, and one of a kind is said as one.
#[test]
fn what_is_written_is_named() {
    let folder = Folder::new();
    let generate = ["generate", "-o", "links.tsv", "--truth", "truth.json", "--nodes", "20"];
    let printed = folder.warnings(&generate);
    assert!(printed.ends_with("\nsaved to links.tsv, truth.json\n"), "{printed}");
    assert!(!folder.warnings(&["generate", "--nodes", "20"]).contains("saved"));
    folder.write("friends.tsv", FRIENDS);
    let evaluate = ["evaluate", "friends.tsv", "--undirected", "--model", "ra", "--write-splits"];
    let printed = folder.warnings(&[&evaluate[..], &["one", "--runs", "1"]].concat());
    assert!(
        printed.contains("splits are saved to one: nodes.txt, run-1-train.tsv, run-1-test.tsv\n"),
        "{printed}"
    );
    let printed = folder.warnings(&[&evaluate[..], &["two", "--runs", "2"]].concat());
    let said = "splits are saved to two: nodes.txt, run-R-train.tsv and run-R-test.tsv for R from 1 to 2\n";
    assert!(printed.contains(said), "{printed}");
}

/// Langevin steps that are too large leave the weights as they are, and this is said.
#[test]
fn steps_that_diverge() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let args = ["fit", "friends.tsv", "--model", "sto-dlfrm-l", "--step", "1000"];
    let said = folder.warnings(&[&args[..], &SHORT[..]].concat());
    for chain in ["chain 1: ", "chain 2: "] {
        let lines: Vec<&str> = said.lines().filter(|line| line.starts_with(chain)).collect();
        assert_eq!(lines.len(), 1, "trials say nothing: {said}");
        assert!(lines[0].ends_with("diverged and were left out: the step is too large (--step)"), "{said}");
    }
}

/// The model decides what pairs are that an added file does not list, and which nodes have links.
#[test]
fn added_pairs_are_not_a_network() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("more.csv", "source,target,label\nZoe,Ada,1\nZoe,Bob,0\nYan,Hal,0\nYan,Zoe,1\n");
    for args in [
        &["predict", "friends.dlfrm", "--new", "more.csv"][..],
        &["update", "friends.dlfrm", "more.csv", "-o", "more.dlfrm"],
    ] {
        let printed = folder.warnings(args);
        let said =
            "more.csv: 2 listed non-links; pairs that are not listed are non-links, too, as in the model\n";
        assert!(printed.contains(said), "{printed}");
        assert!(!printed.contains("no link") && !printed.contains("unobserved"), "{printed}");
    }
    folder.write("labelled.csv", "source,target,label\na,b,1\nb,c,0\nc,d,1\na,c,0\nb,d,1\na,d,0\n");
    folder.stdout(&[&["fit", "labelled.csv", "--undirected", "-q", "-o", "m"], &SHORT[..]].concat());
    folder.write("more.csv", "source,target,label\ne,a,1\ne,b,0\n");
    let printed = folder.warnings(&["predict", "m", "--new", "more.csv"]);
    let said = "more.csv: 1 listed non-link; pairs that are not listed are unobserved, as in the model\n";
    assert!(printed.contains(said), "{printed}");
}

#[test]
fn an_update_with_nothing_new_keeps_the_draws() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("known.tsv", "Ada\tBob\nBob\tAda\n");
    let update = ["update", "friends.dlfrm", "known.tsv", "-o", "same.dlfrm"];
    let printed = folder.warnings(&update);
    let said = "nothing is new: the model is that of friends.dlfrm, with its draws\n";
    assert!(printed.ends_with(said), "{printed}");
    let bytes = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert!(bytes("same.dlfrm") == bytes("friends.dlfrm"));
    assert!(folder.stdout(&update).ends_with("\nsaved to same.dlfrm\n"));
    folder.write("new.tsv", "Ada\tZoe\n");
    let printed = folder.warnings(&["update", "friends.dlfrm", "new.tsv", "-o", "new.dlfrm"]);
    assert!(printed.contains("new: 1 node, 1 link, 0 listed non-links\n"), "{printed}");
    assert!(!printed.contains("held out"), "{printed}");
}

#[test]
fn relations_to_choose_from() {
    let folder = Folder::new();
    folder
        .write("two.csv", "relation,source,target\nlikes,a,b\nknows,b,c\nlikes,c,a\nknows,a,d\nlikes,d,b\n");
    folder.stdout(&[&["fit", "two.csv", "-q", "-o", "two.dlfrm"], &SHORT[..]].concat());
    assert_eq!(
        refused(&folder, &["export", "two.dlfrm", "-o", "two.graphml"]),
        "two.dlfrm: the model has 2 relations (likes, knows): choose one with --relation"
    );
}
