//! `report` as a user runs it: one page, complete, that no name can break. What it looks like is asked in a browser
//! (`scripts/browser-test`).

use std::fs;

use serde_json::Value;

use crate::shared::{FRIENDS, Folder, SHORT, refused};

/// The page, which must hold together, and the data in it.
fn report(folder: &Folder, args: &[&str]) -> (String, Value) {
    let printed = folder.stdout(&[&["report"], args, &["-o", "page.html"]].concat());
    assert_eq!(printed, "saved to page.html\n");
    let page = fs::read_to_string(folder.path("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert_eq!(page.matches("</script>").count(), 2, "the data and the script, and no name of a node");
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let data = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    (page, data)
}

fn length(value: &Value) -> usize {
    value.as_array().unwrap().len()
}

#[test]
fn the_embedded_network() {
    let folder = Folder::new();
    folder.write("les.tsv", include_bytes!("../../../dlfrm-io/src/embedded/les-miserables.tsv"));
    let fit = ["fit", "les.tsv", "--undirected", "--no-header", "--model", "diag-dlfrm-l"];
    folder.stdout(&[&fit[..], &SHORT[..]].concat());
    let (_, data) = report(&folder, &["les.dlfrm", "--top", "50"]);
    assert_eq!(
        (&data["network"], &data["nodes"], &data["directed"]),
        (&"les".into(), &77.into(), &false.into())
    );
    let relation = &data["relations"][0];
    assert_eq!((&relation["links"], length(&relation["predicted"])), (&254.into(), 50));
    let chains = relation["traces"]["chains"].as_array().unwrap();
    assert_eq!((chains.len(), length(&chains[0]["k"]), length(&chains[1]["log_joint"])), (2, 15, 15));
    let performance = &relation["performance"];
    assert_eq!((&performance["held_out"], &performance["pairs"]), (&false.into(), &(77 * 76 / 2).into()));
    assert_eq!((&performance["links"], &performance["non_link_weight"]), (&254.into(), &1.into()));
    assert!(performance["auc"].as_f64().unwrap() > 0.8, "{performance}");
    assert_eq!((length(&performance["traces"]), length(&performance["traces"][0]["auc"])), (2, 5));
    // An undirected link is two cells of the matrix.
    let cells = relation["adjacency"]["cells"].as_array().unwrap();
    let links: u64 = cells.iter().skip(1).step_by(2).map(|count| count.as_u64().unwrap()).sum();
    assert_eq!((&relation["adjacency"]["side"], links), (&77.into(), 2 * 254));
    let drawing = &relation["drawing"];
    assert_eq!((length(&drawing["nodes"]), length(&drawing["links"])), (77, 254));
    let features = length(&relation["features"]["list"]);
    assert_eq!(length(&relation["features"]["weights"]), features, "diagonal weights");
}

/// The same as `predict` prints, and the features that explain a link add up to what they add.
#[test]
fn links_are_those_of_predict() {
    let folder = Folder::new();
    folder.fit_friends(&["--start", "prior", "--alpha", "3"]);
    let (_, data) = report(&folder, &["friends.dlfrm"]);
    let predicted = data["relations"][0]["predicted"].as_array().unwrap();
    let printed: Value =
        serde_json::from_str(&folder.stdout(&["predict", "friends.dlfrm", "--top", "200", "--json"]))
            .unwrap();
    assert_eq!(predicted.len(), length(&printed));
    for (one, other) in predicted.iter().zip(printed.as_array().unwrap()) {
        assert_eq!((&one["source"], &one["target"]), (&other["source"], &other["target"]));
        for number in ["probability", "low", "high"] {
            let (one, other) = (one[number].as_f64().unwrap(), other[number].as_f64().unwrap());
            assert!((one - other).abs() <= 1e-5 * other, "{one} {other}");
        }
        let named = one["explained"].as_array().unwrap();
        assert!(named.len() <= 3);
        let sizes: Vec<f64> = named.iter().map(|feature| feature[2].as_f64().unwrap().abs()).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{one}");
        if named.len() < 3 {
            let sum: f64 = named.iter().map(|feature| feature[2].as_f64().unwrap()).sum();
            assert!((sum - one["by_features"].as_f64().unwrap()).abs() < 1e-4, "{one}");
        }
    }
    assert!(predicted.iter().any(|link| length(&link["explained"]) > 0), "no link has a feature");
}

#[test]
fn held_out_pairs() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder
        .write("test.csv", "source,target,label\nAda,Eve,1\nDan,Bob,+1\nAda,Jo,0\nAda,Ida,-1\nBob,Cleo,1\n");
    let (_, data) = report(&folder, &["friends.dlfrm", "--test", "test.csv"]);
    let performance = &data["relations"][0]["performance"];
    assert_eq!((&performance["held_out"], &performance["pairs"]), (&true.into(), &5.into()));
    assert_eq!(
        (&performance["links"], &performance["learned"]),
        (&3.into(), &5.into()),
        "all but one were non-links"
    );
    let said = "test.csv: friends.dlfrm learned from 5 of 5 pairs, as links or as non-links: they are not held out, and the \
                curves do not show how well new links are predicted (to hold pairs out, list them with label ? in the \
                network of the fit)\n";
    let with_test = ["report", "friends.dlfrm", "--test", "test.csv", "-o", "page.html"];
    assert_eq!(folder.warnings(&with_test), said);
    // Pairs that the network does not know of are held out; one that is a link is not.
    let mut train: Vec<String> = FRIENDS.lines().skip(2).map(|line| format!("{line}\t1\n")).collect();
    train.extend(["Ada\tEve\t?\n", "Bob\tDan\t?\n", "Ada\tJo\t?\n", "Ida\tAda\t?\n"].map(str::to_owned));
    folder.write("train.tsv", train.concat());
    let fit =
        ["fit", "train.tsv", "--undirected", "--columns", "source,target,label", "-q", "-o", "train.dlfrm"];
    folder.stdout(&[&fit[..], &SHORT].concat());
    let (_, data) = report(&folder, &["train.dlfrm", "--test", "test.csv"]);
    assert_eq!(data["relations"][0]["performance"]["learned"], 1, "Bob and Cleo are a link");
    let with_test = ["report", "train.dlfrm", "--test", "test.csv", "-o", "page.html"];
    assert!(folder.warnings(&with_test).starts_with("test.csv: train.dlfrm learned from 1 of 5 pairs, "));
    assert!(length(&performance["roc"]) > 1 && performance["auc"].is_number());
    // Links alone leave the AUC undefined, and any ranking is perfect.
    folder.write("links.csv", "source,target,label\nAda,Eve,1\nDan,Bob,1\n");
    let alone = ["report", "friends.dlfrm", "--test", "links.csv", "-o", "page.html"];
    let said = "links.csv: of 2 pairs every one is a link, so there is no AUC and no average precision";
    assert!(folder.warnings(&alone).lines().any(|line| line == said));
    let (_, data) = report(&folder, &["friends.dlfrm", "--test", "links.csv"]);
    let performance = &data["relations"][0]["performance"];
    assert_eq!((&performance["auc"], length(&performance["roc"])), (&Value::Null, 0));
    assert_eq!(performance["average_precision"], Value::Null);
    assert_eq!(length(&performance["traces"]), 0);
}

#[test]
fn names_stay_names() {
    let folder = Folder::new();
    let names = [
        "</script><script>alert(1)</script>",
        "<!--",
        "a \"quoted\" & 'other' name",
        "Zoë 雪 🦊",
        "{{data}}",
    ];
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let line = |i: usize| format!("{},{}", quoted(names[i]), quoted(names[(i + 1) % 5]));
    folder.write("<b>&.csv", (0..5).map(line).collect::<Vec<_>>().join("\n"));
    folder.stdout(&[&["fit", "<b>&.csv", "-o", "m"], &SHORT[..]].concat());
    let (page, data) = report(&folder, &["m"]);
    assert!(page.contains("<title>&lt;b&gt;&amp;: report of dlfrm</title>"));
    assert_eq!((&data["network"], &data["directed"]), (&"<b>&".into(), &true.into()));
    let nodes = data["relations"][0]["drawing"]["nodes"].as_array().unwrap();
    let mut found: Vec<&str> = nodes.iter().map(|node| node["name"].as_str().unwrap()).collect();
    found.sort_unstable();
    let mut expected = names;
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn several_relations() {
    let folder = Folder::new();
    folder.write("kin.csv", "likes,a,b\nlikes,b,c\nlikes,a,d\nknows,c,d\nknows,d,a\n");
    folder.stdout(&[&["fit", "kin.csv", "--columns", "relation,source,target"], &SHORT[..]].concat());
    let (_, data) = report(&folder, &["kin.dlfrm"]);
    let links: Vec<_> =
        (0..2).map(|k| (&data["relations"][k]["relation"], &data["relations"][k]["links"])).collect();
    assert_eq!(links, [(&"likes".into(), &3.into()), (&"knows".into(), &2.into())]);
    let (_, data) = report(&folder, &["kin.dlfrm", "--relation", "knows", "--top", "0"]);
    assert_eq!((length(&data["relations"]), length(&data["relations"][0]["predicted"])), (1, 0));
    folder.write("test.csv", "relation,source,target,label\nknows,a,b,1\nlikes,a,c,0\nlikes,c,a,1\n");
    let (_, data) = report(&folder, &["kin.dlfrm", "--test", "test.csv"]);
    let counts: Vec<_> = (0..2).map(|k| &data["relations"][k]["performance"]["pairs"]).collect();
    assert_eq!(counts, [&Value::from(2), &Value::from(1)]);
    folder.write("test.csv", "source,target,label\na,b,1\n");
    let (_, data) = report(&folder, &["kin.dlfrm", "--test", "test.csv", "--relation", "likes"]);
    assert_eq!(data["relations"][0]["performance"]["pairs"], 1);
    let printed = refused(&folder, &["report", "kin.dlfrm", "--test", "test.csv"]);
    assert!(printed.starts_with("test.csv, line 1: no column is the relation"), "{printed}");
    folder.write("test.csv", "relation,source,target,label\nhates,a,b,1\n");
    let printed = refused(&folder, &["report", "kin.dlfrm", "--test", "test.csv"]);
    assert_eq!(printed, "test.csv, line 2, column 1: a relation must be one of the network's, is 'hates'");
}

/// A model file does not have which of the unlisted pairs are non-links: no curve is drawn.
#[test]
fn unobserved_pairs_are_no_non_links() {
    let folder = Folder::new();
    folder.write("some.csv", "source,target,label\na,b,1\nb,c,1\nc,d,0\na,d,0\nd,e,1\ne,a,0\n");
    folder.stdout(&[&["fit", "some.csv"], &SHORT[..]].concat());
    let (_, data) = report(&folder, &["some.dlfrm"]);
    assert!(data["relations"][0]["performance"].is_null());
    // A sample of the non-links says nothing against the others.
    folder.fit_friends(&["--negatives", "0.5"]);
    let (_, data) = report(&folder, &["friends.dlfrm"]);
    assert_eq!(data["relations"][0]["performance"]["pairs"], 45);
}

#[test]
fn the_same_page_on_any_number_of_threads() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let pages = ["1", "3"].map(|threads| report(&folder, &["friends.dlfrm", "--threads", threads]).0);
    assert!(pages[0] == pages[1]);
    // Named after the model where no name is given.
    assert_eq!(folder.stdout(&["report", "friends.dlfrm", "-q"]), "saved to friends.html\n");
    assert!(fs::read_to_string(folder.path("friends.html")).unwrap() == pages[0]);
}

#[test]
fn mistakes() {
    let folder = Folder::new();
    folder.fit_friends(&["-q"]);
    let printed = |args: &[&str]| refused(&folder, &[&["report"], args].concat());
    assert_eq!(printed(&["none.dlfrm"]), "none.dlfrm: there is no such file");
    assert_eq!(printed(&["friends.tsv"]), "friends.tsv is not a model file of dlfrm");
    assert_eq!(printed(&["friends.dlfrm", "-o", "."]), ". is a directory, a file is needed");
    assert_eq!(printed(&["friends.dlfrm", "--test", "none.tsv"]), "none.tsv: there is no such file");
    assert!(printed(&["friends.dlfrm", "--relation", "likes"]).contains("none is called 'likes'"));
    for (text, expected) in [
        (
            "source target label\nAda Cleo 2\n",
            "test, line 2, column 3: a label must be 1 or 0 (or -1), yes or no, or true or false, is '2'",
        ),
        ("source target label\nAda Zoe 1\n", "test, line 2, column 2: 'Zoe' is not one of the 10 nodes"),
        ("source target\nAda Bob\n", "test, line 1: no column is the label"),
        ("", "test is empty"),
    ] {
        folder.write("test", text);
        assert!(printed(&["friends.dlfrm", "--test", "test"]).starts_with(expected), "{expected}");
    }
}
