//! A model that is there while another fit to the same file is not finished: it is used, and called the former one.

use crate::shared::{FRIENDS, Folder, SHORT};

/// A folder with the model `m` and the checkpoint of a later fit.
fn with_later_fit(network: &str) -> Folder {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder.write("others.tsv", "a\tb\nb\tc\nc\td\nd\te\ne\ta\n");
    folder.stdout(&[&["fit", "friends.tsv", "--undirected", "-q", "-o", "m"], &SHORT[..]].concat());
    let fit = ["fit", network, "--undirected", "-o", "m", "-q", "--seed", "2", "--time", "0"];
    let output = folder.dlfrm(&[&fit[..], &SHORT].concat()).output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "dlfrm: the time was over before the first draw was kept: m is still the former model; 'dlfrm resume m' goes on\n"
    );
    folder
}

#[test]
fn every_command_that_shows_a_model_says_so() {
    for (network, to) in [("friends.tsv", ""), ("others.tsv", " to others")] {
        let folder = with_later_fit(network);
        let said = format!(
            "m.checkpoint has a later fit{to} that was not finished: m is the former model ('dlfrm resume m' goes on with the \
             fit and replaces it)\n"
        );
        for args in [
            &["predict", "m", "--top", "1"][..],
            &["info", "m"],
            &["features", "m"],
            &["explain", "m", "Ada", "Bob"],
            &["report", "m", "-o", "page.html"],
            &["export", "m", "--format", "csv", "-o", "tables", "--force"],
            &["update", "m", "others.tsv", "-o", "updated", "--force"],
        ] {
            let printed = folder.warnings(args);
            assert!(printed.starts_with(&said), "{args:?}: {printed}");
            assert_eq!(folder.warnings(&[args, &["-q"]].concat()), "", "{args:?}");
        }
        let what = if to.is_empty() { "fit" } else { "network" };
        let printed = folder.warnings(&["resume", "m"]);
        assert!(
            printed
                .starts_with(&format!("m.checkpoint is of another {what} than m, which will be replaced\n")),
            "{printed}"
        );
        assert_eq!(folder.warnings(&["info", "m"]), "", "the fit is finished");
    }
}

/// A checkpoint of the fit that the model comes from is nothing to talk about.
#[test]
fn a_model_and_its_own_checkpoint() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let endless =
        ["fit", "friends.tsv", "--undirected", "--chains", "2", "--burn-in", "20", "--draws", "1000000"];
    folder.stdout(&[&endless[..], &["--time", "2s", "-o", "m", "-q"]].concat());
    assert_eq!(folder.names(), ["friends.tsv", "m", "m.checkpoint"]);
    assert_eq!(folder.warnings(&["info", "m"]), "");
}
