//! `dlfrm-paper reproduce` on synthetic networks in place of those of the paper: complete files, pieces that are kept, mistakes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::time::SystemTime;

use serde_json::Value;

use crate::shared::{Folder, json, refused};

const PAPER: &str = include_str!("../../src/paper.json");

/// Few and short chains: the tests are about the command, not about figures.
const SHORT: [&str; 7] = ["-q", "--chains", "1", "--burn-in", "2", "--draws", "2"];
const KINSHIP: [&str; 9] =
    ["reproduce", "kinship", "--data", "networks", "-o", "out", "--model", "diag-dlfrm-l,cn", "--runs"];

/// A folder with rings of so many nodes in place of a network of the paper.
fn networks(file: &str, nodes: usize, relations: &[&str]) -> Folder {
    let folder = Folder::new();
    let mut text = String::new();
    for (number, relation) in relations.iter().enumerate() {
        for i in 0..nodes {
            for step in [1, 2 + number] {
                writeln!(text, "{relation}{i}\t{}", (i + step) % nodes).unwrap();
            }
        }
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    fs::create_dir(folder.path("networks")).unwrap();
    folder.write(&format!("networks/{file}"), packed.finish().unwrap());
    folder
}

fn kinship() -> Folder {
    networks("kinship.tsv.gz", 104, &["0\t", "1\t"])
}

/// What the command prints: results, and warnings.
fn printed(folder: &Folder, args: &[&str]) -> (String, String) {
    let output = folder.dlfrm(args).output().unwrap();
    let (out, warnings) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{args:?}: {warnings}");
    (out, warnings)
}

fn times(folder: &Folder) -> BTreeMap<String, SystemTime> {
    let entries = fs::read_dir(folder.path("out/pieces")).unwrap().map(Result::unwrap);
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().unwrap();
    entries.map(|entry| (name(&entry), entry.metadata().unwrap().modified().unwrap())).collect()
}

#[test]
fn settings_without_effect_are_said() {
    let folder = kinship();
    let short = ["--chains", "1", "--burn-in", "2", "--draws", "2", "--margin", "2"];
    let (_, warnings) = printed(&folder, &[&KINSHIP[..], &["1"], &short].concat());
    assert_eq!(warnings.matches("no effect").count(), 1, "{warnings}");
    assert!(warnings.contains("--margin has no effect with diag-dlfrm-l\n"), "{warnings}");
}

/// The same without seconds.
fn without_times(text: &str) -> Value {
    let mut result = json(text);
    for line in result["lines"].as_array_mut().unwrap() {
        line.as_object_mut().unwrap().retain(|name, _| !name.starts_with("seconds"));
    }
    result
}

#[test]
fn all_files_are_written_with_the_papers_figures_beside() {
    let folder = kinship();
    let table = folder.stdout(&[&KINSHIP[..], &["2"], &SHORT].concat());
    let page = fs::read_to_string(folder.path("out/kinship.md")).unwrap();
    let paper = json(PAPER);
    for row in paper["studies"]["kinship"]["rows"].as_array().unwrap() {
        let (auc, sd) = (row["auc"].as_f64().unwrap(), row["auc_sd"].as_f64().unwrap());
        let figure = format!("{auc:.4} ({sd:.4})");
        assert!(table.contains(&figure) && page.contains(&figure), "{figure}: {table}");
    }
    assert!(
        page.contains(paper["source"].as_str().unwrap()) && page.contains("## How this was made"),
        "{page}"
    );
    assert!(page.contains("**not the network of the paper**") && page.contains("cores"), "{page}");
    assert!(table.contains("leak-free, pairs") && table.contains("ours, paper-pairs"), "{table}");
    let saved = json(&fs::read_to_string(folder.path("out/kinship.json")).unwrap());
    let lines = saved["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 4);
    assert_eq!((&lines[0]["contender"], &lines[0]["runs"]), (&"diag-dlfrm-l".into(), &2.into()));
    assert!(
        lines[0]["paper_auc"] == 0.9426 && lines[1]["paper_auc"].is_null() && lines[0]["auc_sd"].is_f64()
    );
    assert!(lines[0]["settings"]["node-effects"] == false && lines[2]["settings"]["node-effects"] == true);
    let svg = fs::read_to_string(folder.path("out/kinship.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    assert_eq!(times(&folder).len(), 8);
    assert!(!times(&folder).keys().any(|name| name.contains(".part")), "no half of a file is left behind");
}

#[test]
fn finished_pieces_are_taken() {
    let folder = kinship();
    let loud = [&KINSHIP[..], &["2"], &SHORT[1..]].concat();
    let quiet = [&KINSHIP[..], &["2", "--json"], &SHORT].concat();
    let (_, warnings) = printed(&folder, &loud);
    assert!(warnings.contains("[8 of 8] pairs: cn") && !warnings.contains("are taken"), "{warnings}");
    let (before, first) = (times(&folder), fs::read_to_string(folder.path("out/kinship.json")).unwrap());
    // All pieces are there: the same bytes, and nothing is computed.
    assert_eq!(folder.stdout(&quiet), first);
    assert_eq!(times(&folder), before);
    // A piece is missing: only this one is computed, with the same figures.
    fs::remove_file(folder.path("out/pieces/kinship-pairs-diag-dlfrm-l-run-2.json")).unwrap();
    let (_, warnings) = printed(&folder, &loud);
    assert!(warnings.contains("7 of 8 pieces are there already and are taken"), "{warnings}");
    assert!(warnings.contains("[8 of 8] pairs: diag-dlfrm-l"), "{warnings}");
    let again = fs::read_to_string(folder.path("out/kinship.json")).unwrap();
    assert_eq!(without_times(&again), without_times(&first));
    let after = times(&folder);
    let new: Vec<_> = after.iter().filter(|(name, time)| before.get(*name) != Some(time)).collect();
    assert_eq!(new.len(), 1, "{new:?}");
    // More runs are added to those that are there.
    let more = [&KINSHIP[..], &["3"], &SHORT[1..]].concat();
    assert!(printed(&folder, &more).1.contains("8 of 12 pieces"));
}

/// Methods that were evaluated before stand in the table, with their runs, unless it was with other settings.
#[test]
fn finished_methods_are_shown() {
    let folder = kinship();
    folder.stdout(&[&KINSHIP[..], &["2"], &SHORT].concat());
    let before = times(&folder).len();
    let run = |more: &[&'static str]| {
        let args =
            ["reproduce", "kinship", "--data", "networks", "-o", "out", "--runs", "1", "--chains", "1"];
        let (_, warnings) = printed(&folder, &[&args[..], &["--burn-in", "2"], more].concat());
        let page = fs::read_to_string(folder.path("out/kinship.md")).unwrap();
        let saved = json(&fs::read_to_string(folder.path("out/kinship.json")).unwrap());
        let lines = saved["lines"].as_array().unwrap().iter().filter(|line| line["split"] == "pairs");
        let runs = lines
            .map(|line| (line["contender"].as_str().unwrap().to_owned(), line["runs"].as_u64().unwrap()));
        (runs.collect::<Vec<_>>(), page, warnings)
    };
    let named =
        |all: &[(&str, u64)]| all.iter().map(|&(name, runs)| (name.to_owned(), runs)).collect::<Vec<_>>();
    let (lines, page, warnings) = run(&["--draws", "2", "--model", "pa"]);
    assert_eq!(lines, named(&[("diag-dlfrm-l", 2), ("cn", 2), ("pa", 1)]));
    assert!(page.contains("Runs: 2, fewer where the figure says so") && page.contains(", 1 run |"), "{page}");
    assert!(warnings.contains("[2 of 2] pairs: pa"), "{warnings}");
    assert_eq!(times(&folder).len(), before + 2);
    let (lines, _, warnings) = run(&["--draws", "3", "--model", "ra"]);
    assert_eq!(lines, named(&[("cn", 2), ("ra", 1), ("pa", 1)]));
    assert!(
        warnings.contains("not taken: out/pieces/kinship-pairs-diag-dlfrm-l-run-1.json was made with"),
        "{warnings}"
    );
}

#[test]
fn pieces_with_other_settings_are_refused() {
    let folder = kinship();
    let run = |more: &[&'static str]| {
        [&KINSHIP[..], &["1", "-q", "--chains", "1", "--burn-in", "2"], more].concat()
    };
    folder.stdout(&run(&["--draws", "2"]));
    let before = times(&folder);
    let message = refused(&folder, &run(&["--draws", "3"]));
    assert!(
        message.starts_with("out/pieces/kinship-paper-pairs-diag-dlfrm-l-run-1.json was made with"),
        "{message}"
    );
    assert!(message.contains("settings.draws is 2 there and 3 here; choose another folder"), "{message}");
    assert!(refused(&folder, &run(&["--draws", "2", "--seed", "5"])).contains("seed is 1 there and 5 here"));
    folder.write("out/pieces/kinship-pairs-cn-run-1.json", "{}");
    let message = refused(&folder, &run(&["--draws", "2"]));
    assert!(
        message.starts_with("out/pieces/kinship-pairs-cn-run-1.json is no piece of finished work"),
        "{message}"
    );
    assert_eq!(times(&folder).len(), before.len());
}

#[test]
fn analyses_vary_one_setting_and_have_common_pieces() {
    let folder = networks("nips234.tsv.gz", 234, &[""]);
    let run = |name: &'static str, more: &[&'static str]| {
        let args =
            ["reproduce", name, "--data", "networks", "-o", "out", "--quick", "--model", "diag-dlfrm-l"];
        printed(&folder, &[&args[..], &["--chains", "1", "--draws", "1"], more].concat())
    };
    for (name, values) in [("burn-in", vec![1, 5, 20]), ("imbalance", vec![1, 5, 10, 15])] {
        let (table, _) = run(name, &[]);
        assert!(table.contains("AUC (deviation over runs), leak-free, pairs"), "{table}");
        let saved = json(&fs::read_to_string(folder.path(&format!("out/{name}-nips.json"))).unwrap());
        let lines = saved["lines"].as_array().unwrap();
        let papers = lines.iter().filter(|line| line["split"] == "paper-pairs");
        let found: Vec<u64> = papers.map(|line| line["value"].as_u64().unwrap()).collect();
        assert_eq!((found, lines.len()), (values.clone(), 2 * values.len()));
        for split in ["paper-pairs", "pairs"] {
            let svg = fs::read_to_string(folder.path(&format!("out/{name}-nips-{split}.svg"))).unwrap();
            assert!(svg.contains("<polyline") && !svg.contains("NaN"), "{svg}");
        }
        if name == "burn-in" {
            assert!(lines.iter().all(|line| line["settings"]["burn-in"] == line["value"]));
        } else {
            assert!(lines.iter().all(|line| line["settings"]["c-pos"].as_f64() == line["value"].as_f64()));
            assert!(lines.iter().all(|line| line["settings"]["c-neg"] == 1.0));
        }
    }
    let (table, warnings) = run("dimension", &["--burn-in", "2"]);
    assert!(table.contains("K (deviation over runs)") && warnings.contains("[2 of 2]"), "{table}");
    let (table, warnings) = run("time", &["--burn-in", "2"]);
    assert!(table.contains("Seconds (deviation over runs)"), "{table}");
    assert!(warnings.contains("2 of 2 pieces are there already"), "{warnings}");
    assert!(folder.path("out/time-nips.svg").is_file() && folder.path("out/dimension-nips.md").is_file());
}

#[test]
fn mistakes_get_one_line() {
    let folder = Folder::new();
    let message = |args: &[&str]| refused(&folder, &[&["reproduce"], args].concat());
    let missing = message(&["nips", "--data", "none"]);
    assert!(
        missing
            .starts_with("none/nips234.tsv.gz: there is no such file; it is the network of NIPS: Coauthor")
    );
    assert!(message(&["nipz"]).contains("invalid value 'nipz' for '<NAME>'"));
    assert!(message(&["nips", "--network", "astroph"]).starts_with("--network is for analyses"));
    assert_eq!(message(&["nips", "--runs", "0"]), "runs must be at least 1, is 0");
    assert!(message(&["nips", "--model", "lfm"]).starts_with("unknown model 'lfm'"));
    assert!(message(&["burn-in", "--model", "cn"]).starts_with("unknown model 'cn'"));
    assert_eq!(message(&["nips", "--nu", "-1"]), "nu must be a positive number, is -1");
    let output = folder.dlfrm(&["reproduce", "nips"]).env_remove("DLFRM_DATA").output().unwrap();
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(line.contains("name it by --data or in the variable DLFRM_DATA"), "{line}");
    let folder = kinship();
    let little = refused(&folder, &[&KINSHIP[..], &["1", "-q", "--memory", "1K"]].concat());
    assert!(little.starts_with("networks/kinship.tsv.gz: the fit would take about "), "{little}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_reproduction_keeps_what_is_done() {
    use std::process::{Command, Stdio};

    let folder = kinship();
    let child = Command::new(assert_cmd::cargo::cargo_bin!("dlfrm-paper"))
        .current_dir(folder.path(""))
        .args(["reproduce", "kinship", "--data", "networks", "-o", "out", "--model", "cn,diag-dlfrm-l"])
        .args(["--chains", "1", "--burn-in", "1000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let piece = folder.path("out/pieces/kinship-paper-pairs-cn-run-1.json");
    while !piece.is_file() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success(), "the reproduction ended by itself");
    let output = child.wait_with_output().unwrap();
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{warnings}");
    assert!(warnings.contains("1 of 20 pieces are kept; the same command goes on from there"), "{warnings}");
    assert_eq!(times(&folder).len(), 1);
}

/// Needs the folder that the variable `DLFRM_DATA` names; without it the test says so and passes.
#[test]
fn the_papers_own_network() {
    if dlfrm_io::datasets::folder().is_none() {
        eprintln!("skipped: DLFRM_DATA does not name a folder with the networks");
        return;
    }
    let folder = Folder::new();
    let reproduced =
        json(&folder.stdout(&["reproduce", "nips", "--model", "cn", "--runs", "2", "-q", "--json"]));
    assert!(
        reproduced["network"]["as_in_the_paper"] == true && reproduced["network"]["links"] == 598,
        "{reproduced}"
    );
}
