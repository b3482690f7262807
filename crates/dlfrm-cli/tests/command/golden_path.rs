//! From a file of links to predictions, as a user goes.

use crate::shared::{FRIENDS, Folder, SHORT, json};
use serde_json::Value;

#[test]
fn fit_then_info_features_and_predictions() {
    let folder = Folder::new();
    let summary = folder.fit_friends(&[]);
    assert!(summary.starts_with("dlfrm-l on friends: 10 nodes, undirected\n"), "{summary}");
    assert!(summary.ends_with("saved to friends.dlfrm\n"), "{summary}");
    assert_eq!(folder.names(), ["friends.dlfrm", "friends.tsv"]);

    let info = folder.stdout(&["info", "friends.dlfrm"]);
    assert!(info.contains("burn-in 5") && info.contains("posterior of K"), "{info}");
    let info = folder.json(&["info", "friends.dlfrm", "--json"]);
    assert_eq!((&info["network"], &info["settings"]["model"]), (&"friends".into(), &"dlfrm-l".into()));
    assert_eq!((&info["nodes"], &info["relations"][0]["links"]), (&10.into(), &17.into()));
    let distribution = info["relations"][0]["k_distribution"].as_array().unwrap();
    let total: f64 = distribution.iter().map(|entry| entry["probability"].as_f64().unwrap()).sum();
    assert!((total - 1.0).abs() < 1e-9);

    folder.write("pairs.csv", "source,target\nAda,Bob\nBob,Ada\nAda,Jo\n");
    let text = folder.stdout(&["predict", "friends.dlfrm", "--pairs", "pairs.csv"]);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["source", "target", "probability", "low", "high", "score", "known_link"]);
    assert_eq!((lines[1][0], lines[1][1], lines[3][1]), ("Ada", "Bob", "Jo"));
    assert_eq!(lines[1][2..], lines[2][2..], "an undirected pair has one probability");
    for line in &lines[1..] {
        let [mean, low, high] = [2, 3, 4].map(|column| line[column].parse::<f64>().unwrap());
        assert!(0.0 <= low && low <= high && high <= 1.0 && (0.0..=1.0).contains(&mean), "{line:?}");
    }
    let pairs = folder.json(&["predict", "friends.dlfrm", "--pairs", "pairs.csv", "--json"]);
    assert_eq!((pairs.as_array().unwrap().len(), &pairs[2]["target"]), (3, &"Jo".into()));
}

/// Covariates are there by default and come back from the file: the same fit predicts the same after it was saved.
#[test]
fn covariates_and_effects() {
    let folder = Folder::new();
    let coefficients = |folder: &Folder| {
        let info = folder.json(&["info", "friends.dlfrm", "--json"]);
        info["relations"][0]["coefficients"].as_array().unwrap().len()
    };
    folder.fit_friends(&[]);
    assert!(coefficients(&folder) > 10);
    assert!(folder.stdout(&["info", "friends.dlfrm"]).contains("log Adamic/Adar"));
    let with = folder.stdout(&["predict", "friends.dlfrm", "--top", "5"]);
    folder.fit_friends(&["--no-node-effects"]);
    let effects = folder.stdout(&["predict", "friends.dlfrm", "--top", "5"]);
    for more in [&["--covariates", "none"][..], &["--asymmetric"]] {
        folder.fit_friends(more);
        assert_eq!(coefficients(&folder), 0, "{more:?}");
    }
    let without = folder.stdout(&["predict", "friends.dlfrm", "--top", "5"]);
    assert!(with != effects && effects != without && with != without);
}

#[test]
fn the_most_probable_missing_links() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let all = folder.json(&["predict", "friends.dlfrm", "--top", "1000", "--json"]);
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 45 - 17, "every pair without a link, once");
    assert!(all.windows(2).all(|two| two[0]["score"].as_f64() >= two[1]["score"].as_f64()));
    for line in all {
        let (source, target) = (line["source"].as_str().unwrap(), line["target"].as_str().unwrap());
        assert!(!FRIENDS.contains(&format!("{source}\t{target}\n")), "{source} {target} is a link");
    }
    let of_ada = folder.stdout(&["predict", "friends.dlfrm", "--top", "3", "--node", "Ada"]);
    assert_eq!(of_ada.lines().count(), 4);
    assert!(of_ada.lines().skip(1).all(|line| line.contains("Ada\t")), "{of_ada}");
}

/// Nodes that are linked to all others and not to each other are no group.
#[test]
fn features_whose_members_avoid_each_other_are_no_groups() {
    let folder = Folder::new();
    let pairs = (0..24).flat_map(|i| (i + 1..24).map(move |j| (i, j)));
    let links = pairs.filter(|&(i, j)| j >= 9 && (i * 7 + j * 3) % 5 != 0);
    folder.write("links.tsv", links.map(|(i, j)| format!("v{i}\tv{j}\n")).collect::<Vec<_>>().concat());
    let fit = ["fit", "links.tsv", "--undirected", "--model", "diag-dlfrm-l", "-o", "m"];
    let length = ["--chains", "2", "--burn-in", "60", "--draws", "20", "--covariates", "none"];
    folder.stdout(&[&fit[..], &length[..]].concat());
    let text = folder.stdout(&["features", "m"]);
    let features = folder.json(&["features", "m", "--json"]);
    let features = features[0]["features"].as_array().unwrap();
    let said = ", no group: its members avoid each other\n";
    let negative = |feature: &&Value| feature["own_weight"].as_f64().unwrap() < 0.0;
    let common = |feature: &&Value| 10 * feature["size"].as_u64().unwrap() >= 9 * 24;
    let avoidances = features.iter().filter(|feature| negative(feature) && !common(feature)).count();
    assert_eq!((text.matches(said).count(), avoidances > 0), (avoidances, true), "{text}");
    assert_eq!(features.iter().filter(|feature| feature["role"] == "avoidance").count(), avoidances);
    let first = &features[0];
    assert_eq!((first["size"].as_u64(), negative(&first)), (Some(9), true), "{text}");
    let explained = folder.stdout(&["explain", "m", "v0", "v2"]);
    assert!(
        explained.contains("(feature 1, whose 9 members avoid each other): lowers the odds"),
        "{explained}"
    );
    folder.stdout(&["report", "m", "-o", "page.html"]);
    let page = std::fs::read_to_string(folder.path("page.html")).unwrap();
    assert_eq!(page.matches("\"avoidance\":true").count(), avoidances);
}

/// Results come with the verdict of `fit` and `info` if chains do not agree on predictions.
#[test]
fn chains_that_disagree_are_said_beside_predictions() {
    let folder = Folder::new();
    let mut seen = [false; 2];
    folder.write("friends.tsv", FRIENDS);
    let longer = ["--chains", "2", "--burn-in", "50", "--draws", "100"];
    for more in [&longer[..], &[&SHORT[..], &["--seed", "2", "--covariates", "none"]].concat()] {
        let fit = ["fit", "friends.tsv", "--undirected", "--model", "diag-dlfrm-l", "-o", "friends.dlfrm"];
        folder.stdout(&[&fit[..], more].concat());
        let info = folder.json(&["info", "friends.dlfrm", "--json"]);
        let relation = &info["relations"][0];
        let disagrees = relation["agreement"]["r_hat"].as_f64().is_some_and(|r_hat| r_hat > 1.05);
        // The line about probabilities, with a command if there is one that would help.
        let line = relation["verdict"].as_str().unwrap().lines().find(|line| line.contains("R-hat")).unwrap();
        let line = line.trim_end_matches('.');
        let more = &relation["agreement"]["remedy"]["more"];
        let command = match (&more["draws"], &more["chains"]) {
            (Value::Number(draws), _) => format!(": dlfrm resume MODEL --draws +{draws}"),
            (_, Value::Number(chains)) => format!(": the same dlfrm fit with --chains {chains}"),
            _ => String::new(),
        };
        let said = format!("friends.dlfrm: {line}{command}.");
        let shown = folder.stdout(&["info", "friends.dlfrm"]);
        assert!(shown.contains(&format!("\n{line}{command}.\n")), "{shown}");
        folder.write("pairs.tsv", "Ada\tBob\n");
        folder.write("new.tsv", "Ivy\tAda\nIvy\tBob\n");
        for args in [
            &["predict", "friends.dlfrm", "--top", "2"][..],
            &["predict", "friends.dlfrm", "--top", "2", "--node", "Ada"],
            &["predict", "friends.dlfrm", "--pairs", "pairs.tsv"],
            &["predict", "friends.dlfrm", "--new", "new.tsv"],
            &["explain", "friends.dlfrm", "Ada", "Bob"],
            &["features", "friends.dlfrm", "--json"],
            &["export", "friends.dlfrm", "-o", "-"],
        ] {
            let printed = folder.warnings(args);
            let lines: Vec<&str> = printed.lines().filter(|line| line.contains("R-hat")).collect();
            assert_eq!(lines, if disagrees { vec![&*said] } else { vec![] }, "{args:?}: {printed}");
            assert_eq!(folder.warnings(&[args, &["--quiet"]].concat()), "", "{args:?}");
        }
        seen[usize::from(disagrees)] = true;
    }
    assert_eq!(seen, [true, true]);
}

/// What the file lists is known, whether it is a link or not.
#[test]
fn listed_non_links_are_not_missing_links() {
    let folder = Folder::new();
    folder.write("some.csv", "source,target,label\na,b,1\nb,c,1\nc,d,0\nd,a,0\nd,e,1\ne,a,0\n");
    let args = [&["fit", "some.csv", "-o", "m", "--undirected"], &SHORT[..]].concat();
    assert!(folder.dlfrm(&args).output().unwrap().status.success());
    let pairs = |more: &[&str]| {
        let printed = folder.stdout(&[&["predict", "m", "--top", "100"], more].concat());
        let pair = |line: &str| line.split('\t').take(2).collect::<Vec<_>>().join(" ");
        let mut pairs: Vec<String> = printed.lines().skip(1).map(pair).collect();
        pairs.sort();
        pairs
    };
    assert_eq!(pairs(&[]), ["a c", "b d", "b e", "c e"]);
    assert_eq!(pairs(&["--node", "c"]), ["a c", "c e"]);
}

#[test]
fn relations_are_fitted_one_by_one() {
    let folder = Folder::new();
    folder.write("kin.csv", "likes,a,b\nlikes,b,c\nlikes,a,d\nknows,c,d\nknows,d,a\nhates,a,a\n");
    let columns = ["--columns", "relation,source,target", "--json"];
    let fitted = folder.dlfrm(&[&["fit", "kin.csv"], &SHORT[..], &columns].concat()).output().unwrap();
    let summary = json(&String::from_utf8(fitted.stdout).unwrap());
    assert_eq!(summary["relations"].as_array().unwrap().len(), 2);
    let warnings = String::from_utf8(fitted.stderr).unwrap();
    assert!(warnings.contains("relation 'hates': none of the 12 observed pairs is a link"), "{warnings}");
    assert_eq!(folder.names(), ["kin.csv", "kin.dlfrm"], "the model is named after the network");
    let top = folder.stdout(&["predict", "kin.dlfrm", "--top", "100"]);
    assert!(top.starts_with("source\ttarget\tprobability\tlow\thigh\tscore\trelation\n"));
    assert_eq!(top.lines().count(), 1 + 2 * 12 - 5);
    let knows = folder.stdout(&["predict", "kin.dlfrm", "--top", "100", "--relation", "knows"]);
    assert_eq!(knows.lines().count(), 1 + 12 - 2);
    assert!(folder.stdout(&["features", "kin.dlfrm"]).contains("relation 'likes': "));
    assert!(folder.stdout(&["info", "kin.dlfrm"]).contains("relation 'knows', posterior of K"));
}

#[test]
fn every_model_and_the_paper_s_ordered_pairs() {
    let folder = Folder::new();
    for model in ["dlfrm-l", "dlfrm-h", "diag-dlfrm-l", "diag-dlfrm-h"] {
        folder.fit_friends(&["--model", model, "--asymmetric", "--intercept", "--learn-alpha"]);
        let info = folder.json(&["info", "friends.dlfrm", "--json"]);
        assert_eq!(
            (&info["settings"]["model"], &info["relations"][0]["symmetric_weights"]),
            (&model.into(), &false.into())
        );
        let top = folder.stdout(&["predict", "friends.dlfrm", "--top", "100"]);
        assert_eq!(top.lines().count(), 1 + 45 - 17, "an undirected pair is printed once");
    }
}

#[test]
fn predictions_do_not_depend_on_threads() {
    let folder = Folder::new();
    let predictions = ["1", "3"].map(|threads| {
        folder.fit_friends(&["--seed", "7", "--threads", threads]);
        folder.stdout(&["--threads", threads, "predict", "friends.dlfrm", "--top", "50", "--json"])
    });
    assert_eq!(predictions[0], predictions[1]);
    folder.fit_friends(&["--seed", "8"]);
    assert_ne!(predictions[0], folder.stdout(&["predict", "friends.dlfrm", "--top", "50", "--json"]));
}

#[test]
fn standard_input_and_quiet() {
    let folder = Folder::new();
    let args = [&["fit", "-", "-o", "m"], &SHORT[..]].concat();
    let output = folder.dlfrm(&args).write_stdin("Ada Bob\nBob Cleo\nBob Bob\n").output().unwrap();
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && warnings.contains("1 self-loop ignored"), "{warnings}");
    let quiet = folder.dlfrm(&args).arg("-q").write_stdin("Ada Bob\nBob Cleo\nBob Bob\n").output().unwrap();
    assert!(quiet.status.success() && quiet.stderr.is_empty());
}

/// Whatever is printed as JSON has the version of its fields, in an object or in each object of a list.
#[test]
fn json_has_a_version() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let short = |args: &[&'static str]| [args, &["--undirected", "-q", "--json"], &SHORT[..]].concat();
    let calls = [
        short(&["fit", "friends.tsv", "-o", "again.dlfrm"]),
        short(&["evaluate", "friends.tsv", "--runs", "1", "--model", "ra"]),
        short(&["tune", "friends.tsv", "--budget", "1"]),
        vec!["info", "friends.dlfrm", "--json"],
        vec!["features", "friends.dlfrm", "--json"],
        vec!["predict", "friends.dlfrm", "--top", "2", "--json"],
        vec!["explain", "friends.dlfrm", "Ada", "Eve", "--json"],
        vec!["settings", "--json"],
        vec!["demo", "-q", "--json"],
    ];
    folder.stdout(&["generate", "-o", "drawn.tsv", "--nodes", "20", "--truth", "truth.json"]);
    assert_eq!(json(&std::fs::read_to_string(folder.path("truth.json")).unwrap())["schema"], 1);
    for call in calls {
        let printed = folder.json(&call);
        let objects: Vec<&Value> =
            printed.as_array().map_or_else(|| vec![&printed], |list| list.iter().collect());
        assert!(
            !objects.is_empty() && objects.iter().all(|object| object["schema"] == 1),
            "{call:?}: {printed}"
        );
    }
}

/// How covariates and features were combined, and which non-links were learned from, is in what `info` shows; an evaluation
/// reports the covariates that the default fit has.
#[test]
fn what_a_fit_consists_of_is_shown() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let info = folder.json(&["info", "friends.dlfrm", "--json"]);
    let relation = &info["relations"][0];
    assert_eq!(
        (&info["settings"]["covariates"], &relation["non_link_share"]),
        (&"topology".into(), &1.0.into())
    );
    let share = |name: &str| relation["combination"][name].as_f64().unwrap();
    assert!((share("covariates") + share("features") - 1.0).abs() < 1e-9);
    let line =
        format!("\nshares: covariates {:.2}, features {:.2}\n", share("covariates"), share("features"));
    let shown = folder.stdout(&["info", "friends.dlfrm"]);
    assert!(shown.contains(&line) && !shown.contains("a sample of the non-links"), "{shown}");
    let evaluate = ["evaluate", "friends.tsv", "--undirected", "-q", "--runs", "1", "--json", "--model"];
    let evaluated = folder.json(&[&evaluate[..], &["default,ra"], &SHORT].concat());
    assert_eq!(evaluated["models"][0]["settings"], info["settings"], "the settings of the same fit");
    folder.fit_friends(&["--negatives", "1", "--covariates", "none"]);
    let relation = &folder.json(&["info", "friends.dlfrm", "--json"])["relations"][0];
    assert!(relation["combination"].is_null());
    let share = relation["non_link_share"].as_f64().unwrap();
    assert!((share - 17.0 / 28.0).abs() < 1e-12, "{share}");
    let shown = folder.stdout(&["info", "friends.dlfrm"]);
    let line = "\nlearned from all links and a sample of the non-links: 60.714 % of them\n";
    assert!(shown.contains(line) && !shown.contains("weight of covariates"), "{shown}");
}
