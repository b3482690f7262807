//! `fit --hold-out`: pairs that are left out of a fit, and how well it predicts them, in every place that shows it.

use std::collections::BTreeSet;
use std::fs;

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

fn held_out(folder: &Folder, model: &str) -> serde_json::Value {
    folder.json(&["info", model, "--json"])["relations"][0]["held_out"].clone()
}

#[test]
fn scores_are_in_the_model_and_shown() {
    let folder = Folder::new();
    let fitted = json(&folder.fit_friends(&["--hold-out", "0.2", "--json"]));
    let scores = &fitted["relations"][0]["held_out"];
    assert_eq!((&scores["pairs"], &fitted["relations"][0]["observed_pairs"]), (&9.into(), &36.into()));
    assert_eq!(*scores, held_out(&folder, "friends.dlfrm"));
    let figure = |name: &str| format!("{:.4}", scores[name].as_f64().unwrap());
    let line = format!(
        "\nOn 9 held-out pairs, {} of them links: AUC {}, average precision {}, log loss {}\n",
        scores["links"],
        figure("auc"),
        figure("ap"),
        figure("log_loss")
    );
    assert!(folder.stdout(&["info", "friends.dlfrm"]).contains(&line), "{line}");
    assert!(folder.fit_friends(&["--hold-out", "0.2"]).contains(&line), "{line}");
    // One pair is no pairs.
    let one = folder.fit_friends(&["--hold-out", "0.03", "--seed", "2"]);
    assert!(one.contains("\nOn 1 held-out pair, 1 of them a link: average precision 1.0000, "), "{one}");
    folder.fit_friends(&["--hold-out", "0.2"]);
    // The page draws its curves on them.
    folder.stdout(&["report", "friends.dlfrm", "-o", "page.html"]);
    let page = fs::read_to_string(folder.path("page.html")).unwrap();
    assert!(page.contains("\"held_out\":true,\"pairs\":9,"), "performance");
    // The test pairs of the first run of an evaluation with the same seed, and its figures on the fitted model.
    fs::create_dir(folder.path("splits")).unwrap();
    let evaluate = ["evaluate", "friends.tsv", "--undirected", "--test-fraction", "0.2", "--runs", "1"];
    folder.stdout(&[&evaluate[..], &["--model", "cn", "--write-splits", "splits"]].concat());
    let test = fs::read_to_string(folder.path("splits/run-1-test.tsv")).unwrap();
    let links = test.lines().skip(1).filter(|line| line.ends_with("\t1")).count();
    assert_eq!((test.lines().count() - 1, scores["links"].as_u64().unwrap() as usize), (9, links));
}

/// Links that were held out are links of the network; the other pairs of a list of links may be missing ones.
#[test]
fn held_out_links_are_links_and_other_pairs_may_be_missing_ones() {
    let folder = Folder::new();
    folder.fit_friends(&["--hold-out", "0.4"]);
    let learned = folder.json(&["info", "friends.dlfrm", "--json"])["relations"][0]["links"].as_u64();
    assert!(learned.unwrap() < 17, "some links are held out");
    let links: BTreeSet<Vec<String>> = FRIENDS.lines().skip(2).map(ends).collect();
    assert_eq!(links.len(), 17);
    let missing = folder.stdout(&["predict", "friends.dlfrm", "--top", "100"]);
    let missing: BTreeSet<_> = missing.lines().skip(1).map(ends).collect();
    assert_eq!((missing.len(), missing.intersection(&links).count()), (45 - 17, 0));
    let of_ada = folder.stdout(&["predict", "friends.dlfrm", "--top", "100", "--node", "Ada"]);
    let all_of_ada = missing.iter().filter(|pair| pair.contains(&"Ada".to_owned())).count();
    assert_eq!(of_ada.lines().count() - 1, all_of_ada);
    folder.stdout(&["export", "friends.dlfrm", "--format", "csv", "-o", "tables", "--top", "100"]);
    let table = |name: &str| -> BTreeSet<Vec<String>> {
        let text = fs::read_to_string(folder.path(&format!("tables/{name}.csv"))).unwrap();
        text.lines().skip(1).map(|line| ends(&line.replace(',', "\t"))).collect()
    };
    assert_eq!((table("links"), table("predicted")), (links, missing));
    folder.stdout(&["export", "friends.dlfrm", "-o", "friends.graphml", "--top", "0"]);
    let graph = fs::read_to_string(folder.path("friends.graphml")).unwrap();
    assert_eq!(graph.matches("<edge ").count(), 17);
    folder.stdout(&["report", "friends.dlfrm", "-o", "page.html"]);
    let page = fs::read_to_string(folder.path("page.html")).unwrap();
    assert_eq!(page.matches("\"by_features\":").count(), 45 - 17, "predicted links");
    // What the file lists as no link is none, held out or not.
    let no_links = ["Ada\tJo", "Bob\tIda", "Cleo\tGus", "Dan\tHal", "Eve\tIda", "Finn\tJo"];
    let links = FRIENDS.lines().skip(2).map(|line| format!("{line}\t1\n"));
    let labelled: String = links.chain(no_links.map(|line| format!("{line}\t0\n"))).collect();
    folder.write("labelled.tsv", labelled);
    let fit = ["fit", "labelled.tsv", "--undirected", "--columns", "source,target,label", "-q", "-o", "m"];
    for (unlisted, share) in [("non-links", "0.6"), ("unobserved", "0.3")] {
        folder.stdout(&[&fit[..], &["--unlisted", unlisted, "--hold-out", share], &SHORT].concat());
        let missing = folder.stdout(&["predict", "m", "--top", "100"]);
        assert_eq!(missing.lines().count() - 1, 45 - 17 - no_links.len(), "{unlisted}");
    }
}

/// Pairs that are given later are not held out any more, and this is said.
#[test]
fn an_update_says_what_it_takes() {
    let folder = Folder::new();
    folder.fit_friends(&["--hold-out", "0.4"]);
    let before = held_out(&folder, "friends.dlfrm");
    let update = |from: &str, to: &str| folder.warnings(&["update", from, "friends.tsv", "-o", to]);
    let (pairs, links) = (before["pairs"].as_u64().unwrap(), before["links"].as_u64().unwrap());
    let printed = update("friends.dlfrm", "n");
    let left = pairs - links;
    let said = format!(
        "new: 0 nodes, {links} links, 0 listed non-links\nof pairs that were held out, {links} are learned from now, and {left} are \
         left\n"
    );
    assert!(printed.contains(&said), "{printed}");
    assert_eq!(held_out(&folder, "n")["pairs"], left);
}

/// The two names that a line begins with, in the order of the alphabet.
fn ends(line: &str) -> Vec<String> {
    let mut ends: Vec<String> = line.split('\t').take(2).map(str::to_owned).collect();
    ends.sort_unstable();
    ends
}

#[test]
fn a_fit_that_goes_on_keeps_them() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let fit = |more: &[&str]| {
        let args =
            ["fit", "friends.tsv", "--undirected", "-o", "friends.dlfrm", "--chains", "2", "--burn-in", "5"];
        folder.stdout(&[&args[..], more].concat())
    };
    fit(&["--hold-out", "0.2", "--draws", "9"]);
    let whole = held_out(&folder, "friends.dlfrm");
    fit(&["--hold-out", "0.2", "--draws", "6"]);
    assert_ne!(held_out(&folder, "friends.dlfrm"), whole);
    folder.stdout(&["resume", "friends.dlfrm", "--draws", "+3"]);
    assert_eq!(held_out(&folder, "friends.dlfrm"), whole);
    // Also from a checkpoint, which has the pairs.
    fit(&["--hold-out", "0.2", "--draws", "1000000", "--time", "3s"]);
    assert_eq!(held_out(&folder, "friends.dlfrm")["pairs"], 9);
    folder.stdout(&["resume", "friends.dlfrm", "--time", "3s"]);
    assert_eq!(held_out(&folder, "friends.dlfrm")["pairs"], 9);
}

#[test]
fn shares_that_are_none_are_refused() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    for share in ["0", "1", "-0.1", "2", "nan"] {
        let message = refused(&folder, &["fit", "friends.tsv", "--hold-out", share]);
        let shown = if share == "nan" { "NaN" } else { share };
        assert_eq!(message, format!("hold-out must be between 0 and 1, both excluded, is {shown}"));
    }
    folder.stdout(&[&["fit", "friends.tsv", "--undirected", "-o", "none"], &SHORT[..]].concat());
    assert!(held_out(&folder, "none").is_null());
}

#[test]
fn several_relations_have_a_table() {
    let folder = Folder::new();
    let both =
        FRIENDS.lines().skip(2).flat_map(|line| ["near", "far"].map(|name| format!("{name}\t{line}\n")));
    folder.write("two.tsv", both.collect::<String>());
    let fit = ["fit", "two.tsv", "--undirected", "--columns", "relation,source,target", "--hold-out", "0.2"];
    let printed = folder.stdout(&[&fit[..], &["-o", "two"], &SHORT].concat());
    assert!(printed.contains("relation  held-out pairs  links     AUC"), "{printed}");
    assert_eq!(
        printed.lines().filter(|line| line.starts_with("near") && line.contains(" 9 ")).count(),
        1,
        "{printed}"
    );
}
