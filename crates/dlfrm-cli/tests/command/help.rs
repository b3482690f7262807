//! Help in two lengths, and what is made from the same arguments: completions, manual pages, the table of settings.

use crate::shared::{Folder, refused};

const COMMANDS: [&str; 14] = [
    "fit", "resume", "update", "predict", "explain", "features", "info", "report", "export", "evaluate",
    "tune", "generate", "demo", "settings",
];

#[test]
fn every_command_has_an_example_and_a_short_help() {
    let folder = Folder::new();
    for command in COMMANDS {
        let [short, long] = ["-h", "--help"].map(|flag| folder.stdout(&[command, flag]));
        let example = long.contains(&format!("  dlfrm {command} ")) && long.contains("Example");
        assert!(long.len() >= short.len() && example, "{command}");
    }
    for command in ["fit", "tune", "predict", "explain", "export", "report"] {
        let short = folder.stdout(&[command, "-h"]);
        assert!(short.lines().count() <= 50, "{command} -h has {} lines", short.lines().count());
    }
    assert!(!folder.stdout(&["fit", "-h"]).contains("--coefficient-sd"));
    assert!(folder.stdout(&["fit", "--help"]).contains("--coefficient-sd"));
    assert!(folder.stdout(&["help", "fit"]).starts_with("Fits a model to a network"));
    assert!(folder.stdout(&["--version"]).starts_with(&format!("dlfrm {}", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn defaults_are_in_one_table() {
    let folder = Folder::new();
    let of = |more: &[&str]| folder.json(&[&["settings", "--json"], more].concat());
    let value = |lines: &serde_json::Value, name: &str| -> String {
        let found = lines.as_array().unwrap().iter().find(|line| line["setting"] == name).unwrap();
        found["default"].as_str().unwrap().to_owned()
    };
    let (small, large) = (of(&["--pairs", "1000"]), of(&["--pairs", "20000000"]));
    assert_ne!(value(&small, "burn-in"), value(&large, "burn-in"));
    assert_eq!(value(&small, "seed"), "1");
    let text = folder.stdout(&["settings", "--model", "dlfrm-l", "--pairs", "1000"]);
    assert!(text.starts_with("dlfrm-l, 1000 pairs\n\nsetting "), "{text}");
}

#[test]
fn shells_and_manuals_have_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(folder.stdout(&["completions", shell]).contains("explain"), "{shell}");
    }
    assert!(folder.stdout(&["man"]).contains(".TH dlfrm 1"));
    assert!(folder.stdout(&["man", "fit"]).contains("undirected"));
    assert_eq!(refused(&folder, &["man", "guess"]), "there is no command 'guess'");
}
