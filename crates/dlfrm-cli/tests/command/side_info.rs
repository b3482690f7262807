//! What is known beside the links: read, fitted with, printed, and asked for again when pairs are predicted.

use crate::shared::{FRIENDS, Folder, SHORT, refused};

/// Ten people: two who are not in the file, one without an age.
const PEOPLE: &str = "name,age,city,likes:words\nAda,31,Rome,tea cake\nBob,,Rome,tea\nCleo,28,Oslo,cake\n";

fn with_files() -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    folder.write("km.csv", "source,target,km\nAda,Bob,3\nBob,Cleo,5\nCleo,Ada,1.5\n");
    folder
}

#[test]
fn attributes_and_covariates_come_back_from_the_file() {
    let folder = with_files();
    let files = ["--node-attributes", "people.csv", "--pair-covariates", "km.csv"];
    folder.fit_friends(&[]);
    let without = folder.stdout(&["predict", "friends.dlfrm", "--top", "5"]);
    folder.fit_friends(&files);
    let with = folder.stdout(&["predict", "friends.dlfrm", "--top", "5"]);
    assert_ne!(with, without);
    let info = folder.json(&["info", "friends.dlfrm", "--json"]);
    let named = |list: &str| -> Vec<String> {
        let list = info["relations"][0][list].as_array().unwrap();
        list.iter().map(|one| one["covariate"].as_str().unwrap().to_owned()).collect()
    };
    let attributes = ["age", "city Rome", "city Oslo", "likes tea", "likes cake"];
    assert_eq!(named("attributes"), attributes.map(|name| format!("either end: {name}")));
    for name in ["km", "km is not known", "distance of age", "likeness of city", "likeness of likes"] {
        assert!(named("coefficients").iter().any(|known| known == name), "{name}");
    }
    let printed = folder.stdout(&["info", "friends.dlfrm"]);
    assert!(printed.contains("what attributes add to the logit, the strongest 5 of 5:"), "{printed}");
    // Without the links' covariates, too.
    folder.fit_friends(&[&files[..], &["--covariates", "none", "--node-effects"]].concat());
    assert_ne!(folder.stdout(&["predict", "friends.dlfrm", "--top", "5"]), with);
}

#[test]
fn what_is_missing_is_told() {
    let folder = with_files();
    folder.write("links", FRIENDS);
    let evaluate = ["evaluate", "links", "--undirected", "--model", "diag-dlfrm-l", "--runs", "1"];
    let files = ["--node-attributes", "people.csv", "--pair-covariates", "km.csv"];
    let output = folder.dlfrm(&[&evaluate[..], &SHORT, &files].concat()).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("people.csv: 7 of 10 nodes are not there"), "{printed}");
    assert!(printed.contains("people.csv: 1 value of 'age' is missing"), "{printed}");
}

#[test]
fn mistakes_have_file_line_and_column() {
    let folder = with_files();
    folder.write("links", FRIENDS);
    let printed = |flag: &str, text: &str| {
        folder.write("wrong.csv", text);
        refused(&folder, &["fit", "links", "--undirected", "-q", flag, "wrong.csv"])
    };
    let attributes = |text: &str| printed("--node-attributes", text);
    assert_eq!(
        attributes("name,age\nNobody,2\n"),
        "wrong.csv, line 2, column 1: 'Nobody' is not one of the 10 nodes"
    );
    assert_eq!(
        attributes("name,age\nAda,1\nBob,1\n"),
        "wrong.csv, line 1, column 2: 'age' cannot be used: all values are the same (1)"
    );
    assert!(attributes("name,age\nAda,\nBob,\n").ends_with("'age' cannot be used: no value is known"));
    assert!(
        attributes("name,age\nAda,1e999\nBob,1\n").contains("line 2, column 2: a value of 'age' must be a")
    );
    let covariates = |text: &str| printed("--pair-covariates", text);
    assert!(
        covariates("source,target,km\nAda,Bob,1\nBob,Ada,2\n")
            .contains("line 3, column 3: the pair Bob, Ada is in line 2 already, with '1' and not '2'")
    );
    assert_eq!(
        refused(&folder, &["fit", "links", "-q", "--node-attributes", "absent.csv"]),
        "absent.csv: there is no such file"
    );
}

/// A covariate that every pair had when the model was fitted, and a pair has not when it is predicted.
#[test]
fn a_pair_without_its_covariate() {
    let folder = Folder::new();
    folder.write("links", "source,target,label\na,b,1\nb,c,0\na,c,1\nc,d,0\n");
    folder.write("km.csv", "source,target,km\na,b,1\nb,c,4\na,c,2\nc,d,9\n");
    folder.write("pairs", "a b\nb d\n");
    let fit = ["fit", "links", "--undirected", "--unlisted", "unobserved", "-q", "-o", "m.dlfrm"];
    let more = ["--burn-in", "2", "--draws", "2", "--pair-covariates", "km.csv"];
    folder.stdout(&[&fit[..], &more].concat());
    let printed = refused(&folder, &["predict", "m.dlfrm", "--pairs", "pairs"]);
    assert!(
        printed.starts_with(
            "pairs: pair 2, b and d, has no value of the covariate 'km', which every pair of the fit had"
        ),
        "{printed}"
    );
    folder.write("pairs", "a b\nd c\n");
    assert_eq!(folder.stdout(&["predict", "m.dlfrm", "--pairs", "pairs"]).lines().count(), 3);
}
