//! A model that is there while another fit to the same file is not finished: it is used, and called the former one.

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

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

/// Draws that were asked for and not made are due, and are said with those that are asked for next.
#[test]
fn draws_that_are_due_are_said() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    folder.stdout(&[&["fit", "friends.tsv", "--undirected", "-q", "-o", "m"], &SHORT[..]].concat());
    let draws = || json(&folder.stdout(&["info", "m", "--json"]))["relations"][0]["draws"].as_u64().unwrap();
    assert_eq!(draws(), 10);
    let output = folder.dlfrm(&["resume", "m", "--draws", "+5", "--time", "0"]).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(
        printed.ends_with(
            "dlfrm: the time was over before a further draw was kept: m is as it was, and 5 draws of each chain are due; \
             'dlfrm resume m' goes on\n"
        ),
        "{printed}"
    );
    assert_eq!(draws(), 10);
    assert_eq!(folder.warnings(&["info", "m"]), "", "it is the checkpoint of the model");
    let printed = folder.warnings(&["resume", "m", "--draws", "+7"]);
    let said = "m.checkpoint has 5 draws of each chain to make already: with 7 more these are 12\n";
    assert!(printed.contains(said), "{printed}");
    assert_eq!(draws(), 2 * (5 + 12));
}

/// No advice that does not help.
#[test]
fn a_folder_in_the_place_of_a_checkpoint() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    std::fs::create_dir(folder.path("m.checkpoint")).unwrap();
    let line = "m.checkpoint is a folder, where the checkpoint is to be: rename it, or name another model";
    let fit = ["fit", "friends.tsv", "--undirected", "-q", "-o", "m"];
    for args in [&fit[..], &[&fit[..], &["--force"]].concat(), &["resume", "m"]] {
        assert_eq!(refused(&folder, args), line);
    }
}
