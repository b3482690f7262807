//! Help in two lengths, and what is made from the same arguments: completions, manual pages, the table of settings.

use crate::shared::{Folder, json, refused};

#[test]
fn short_help_is_a_screen_and_long_help_has_everything() {
    let folder = Folder::new();
    for command in ["fit", "tune", "predict", "explain", "export", "report"] {
        let [short, long] = ["-h", "--help"].map(|flag| folder.stdout(&[command, flag]));
        assert!(short.lines().count() <= 50, "{command} -h has {} lines", short.lines().count());
        assert!(long.len() >= short.len());
    }
    let generate = folder.stdout(&["generate", "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        generate.contains("one per line; a file that is there is replaced with --force only;"),
        "{generate}"
    );
    assert!(!folder.stdout(&["fit", "-h"]).contains("--coefficient-sd"));
    assert!(folder.stdout(&["fit", "--help"]).contains("--coefficient-sd"));
    assert!(folder.stdout(&["help", "fit"]).starts_with("Fits a model to a network"));
    assert!(folder.stdout(&["--version"]).starts_with(&format!("dlfrm {}", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn defaults_are_in_one_table() {
    let folder = Folder::new();
    let of = |more: &[&str]| json(&folder.stdout(&[&["settings", "--json"], more].concat()));
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

/// Lines of the closing text are full: none ends where the first word of the next one would have fitted.
#[test]
fn closing_texts_are_wrapped_once() {
    let folder = Folder::new();
    let commands = ["fit", "resume", "update", "predict", "explain", "features", "info", "report", "export"];
    let others = ["evaluate", "tune", "generate", "demo", "settings"];
    for command in commands.into_iter().chain(others) {
        let help = folder.stdout(&[command, "--help"]);
        let prose: Vec<&str> = help.lines().collect();
        let prose: Vec<&str> =
            prose.into_iter().rev().take_while(|line| !line.starts_with(' ')).collect::<Vec<_>>();
        for pair in prose.windows(2).filter(|pair| !pair[0].is_empty() && !pair[1].is_empty()) {
            let (line, next) = (pair[1], pair[0].split(' ').next().unwrap());
            assert!(line.len() + 1 + next.len() > 100, "{command}: '{line}' could have '{next}'");
            assert!(line.len() <= 100, "{command}: {line}");
        }
    }
}
