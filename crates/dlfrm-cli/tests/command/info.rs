//! What a fit consists of, as `info` and `evaluate` show it.

use crate::shared::{Folder, SHORT, json};

/// How covariates and features were combined, and which non-links were learned from, is in what `info` shows; an evaluation
/// reports the covariates that the default fit has.
#[test]
fn what_a_fit_consists_of_is_shown() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let info = json(&folder.stdout(&["info", "friends.dlfrm", "--json"]));
    let relation = &info["relations"][0];
    assert_eq!(
        (&info["settings"]["covariates"], &relation["non_link_share"]),
        (&"topology".into(), &1.0.into())
    );
    let weight = |name: &str| relation["combination"][name].as_f64().unwrap();
    let line = format!(
        "\nweight of covariates {:.3}, of features {:.3}; {:+.3} is added to every logit\n",
        weight("covariates"),
        weight("features"),
        weight("intercept")
    );
    let shown = folder.stdout(&["info", "friends.dlfrm"]);
    assert!(shown.contains(&line) && !shown.contains("a sample of the non-links"), "{shown}");
    let evaluate = ["evaluate", "friends.tsv", "--undirected", "-q", "--runs", "1", "--json", "--model"];
    let evaluated = json(&folder.stdout(&[&evaluate[..], &["diag-dlfrm-l,ra"], &SHORT].concat()));
    assert_eq!(evaluated["models"][0]["settings"], info["settings"], "the settings of the same fit");
    folder.fit_friends(&["--negatives", "1", "--covariates", "none"]);
    let relation = &json(&folder.stdout(&["info", "friends.dlfrm", "--json"]))["relations"][0];
    assert!(relation["combination"].is_null());
    let share = relation["non_link_share"].as_f64().unwrap();
    assert!((share - 17.0 / 28.0).abs() < 1e-12, "{share}");
    let shown = folder.stdout(&["info", "friends.dlfrm"]);
    let line = "\nlearned from all links and a sample of the non-links: 60.714 % of them\n";
    assert!(shown.contains(line) && !shown.contains("weight of covariates"), "{shown}");
}
