//! `dlfrm-paper corpus` on a folder of synthetic networks: tables, files, pieces that are kept, mistakes.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use crate::shared::{Folder, json, refused};

/// Two packed networks of different domains, and a line of the index without a file.
fn networks() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("networks")).unwrap();
    let mut index = "file\tdomain\tnodes\tlinks\tname\n".to_owned();
    for (name, domain, nodes, reach) in [("ring", "Social", 40, 3), ("belt", "Roads", 30, 4)] {
        let mut text = String::new();
        for i in 0..nodes {
            for step in 1..=reach {
                writeln!(text, "{i}\t{}", (i + step) % nodes).unwrap();
            }
        }
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text.as_bytes()).unwrap();
        folder.write(&format!("networks/{name}.tsv.gz"), packed.finish().unwrap());
        writeln!(index, "{name}.tsv.gz\t{domain}\t{nodes}\t{}\tThe {name}", nodes * reach).unwrap();
    }
    index += "lost.tsv.gz\tRoads\t9\t9\tNo file\n";
    folder.write("networks/index.tsv", index);
    folder
}

#[test]
fn settings_without_effect_are_said() {
    let folder = networks();
    let printed = folder.warnings(&[&RUN[..], &["--alpha", "3", "--seed", "4"]].concat());
    assert!(printed.contains("--alpha has no effect with ra, katz\n"), "{printed}");
    let short = ["--chains", "1", "--burn-in", "2", "--draws", "2", "--margin", "2"];
    let run = ["corpus", "networks", "--methods", "diag-dlfrm-l,ra", "-o", "other"];
    let printed = folder.warnings(&[&run[..], &short].concat());
    assert_eq!(printed.matches("--margin has no effect with diag-dlfrm-l\n").count(), 1, "{printed}");
    assert_eq!(printed.matches("no effect").count(), 1, "{printed}");
}

const RUN: [&str; 6] = ["corpus", "networks", "--methods", "ra,katz", "-o", "out"];

#[test]
fn one_table_by_domain_and_a_second_run_takes_the_pieces() {
    let folder = networks();
    let more = ["--seed", "31", "--runs", "2", "--test-share", "0.2"];
    let output = folder.dlfrm(&[&RUN[..], &more].concat()).output().unwrap();
    let (table, warnings) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{warnings}");
    assert!(
        table
            .starts_with("ra, katz on 2 networks of networks\nsplit links, 20 % held out, 2 runs, seed 31\n")
    );
    let row = |line: &str| line.split_whitespace().take(3).map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = table.lines().skip(5).take(6).map(row).collect();
    assert_eq!(rows[0], ["Roads", "1", "ra"]);
    assert_eq!(rows[5], ["all", "2", "katz"]);
    assert!(
        table.contains("lost.tsv.gz is left out: networks/lost.tsv.gz: there is no such file"),
        "{table}"
    );
    assert!(table.contains("saved to out: corpus.md, corpus.json, corpus.svg"), "{table}");
    assert!(warnings.contains("[network 2 of 3] The belt (Roads, 30 nodes, 120 links)"), "{warnings}");
    let first = json(&fs::read_to_string(folder.path("out/corpus.json")).unwrap());
    let output = folder.dlfrm(&[&RUN[..], &more, &["--json"]].concat()).output().unwrap();
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert!(warnings.contains("8 of 8 pieces are there already and are taken"), "{warnings}");
    assert_eq!(json(&String::from_utf8(output.stdout).unwrap()), first, "nothing is computed again");
    // Files of others stay.
    for name in ["corpus.md", "corpus.json", "corpus.svg"] {
        let path = format!("out/{name}");
        let own = fs::read(folder.path(&path)).unwrap();
        let theirs = if name == "corpus.json" { "{\"mine\": 1}" } else { "# mine <svg></svg>" };
        folder.write(&path, theirs);
        assert_eq!(
            refused(&folder, &[&RUN[..], &more].concat()),
            format!("-o: {path} is there and is not of dlfrm-paper corpus: name another folder")
        );
        assert_eq!(fs::read_to_string(folder.path(&path)).unwrap(), theirs);
        folder.write(&path, own);
    }
}

#[test]
fn models_have_probabilities_under_pairs() {
    let folder = networks();
    let more =
        ["--split", "pairs", "--domain", "social", "--chains", "1", "--burn-in", "2", "--draws", "2", "-q"];
    let args = ["corpus", "networks", "--methods", "diag-dlfrm-l,pa", "-o", "out"];
    let printed = folder.stdout(&[&args[..], &more].concat());
    assert!(printed.contains("log-loss") && !printed.contains("left out"), "{printed}");
    let results = json(&fs::read_to_string(folder.path("out/corpus.json")).unwrap());
    let methods = results["all"]["methods"].as_array().unwrap();
    assert!(methods[0]["log_loss_mean"].is_f64() && methods[1]["log_loss_mean"].is_null());
    let page = fs::read_to_string(folder.path("out/corpus.md")).unwrap();
    assert!(page.contains("burn-in 2, chains 1, draws 2"), "{page}");
    let longer = [&args[..], &more[..8], &["--draws", "3", "-q"]].concat();
    assert!(refused(&folder, &longer).contains("draws is 2 there and 3 here"));
}

#[test]
fn mistakes_get_one_line() {
    let folder = networks();
    let message = |args: &[&str]| refused(&folder, &[&["corpus"], args].concat());
    assert!(message(&["none", "--methods", "ra"]).starts_with("none/index.tsv: "));
    assert!(message(&["networks"]).contains("--methods"));
    assert!(message(&["networks", "--methods", "lfm"]).starts_with("unknown model 'lfm'"));
    let domain = message(&["networks", "--methods", "ra", "--domain", "Art"]);
    assert_eq!(domain, "unknown domain 'Art'; known are Roads, Social");
    let none = message(&["networks", "--methods", "ra", "--max-nodes", "3"]);
    assert_eq!(none, "networks/index.tsv, line 1: none of the 3 networks is wanted");
    folder.write("networks/index.tsv", "file\tdomain\tnodes\tlinks\tname\na.tsv\tArt\tx\t3\tA\n");
    let wrong = message(&["networks", "--methods", "ra"]);
    assert_eq!(wrong, "networks/index.tsv, line 2: nodes must be a whole number, is 'x'");
}
