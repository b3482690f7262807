//! Inputs and flags that once were read wrongly, overwrote something or misled: each is refused or remarked on.

use std::fs;

use crate::shared::{FRIENDS, Folder, SHORT, json, refused};

#[test]
fn files_in_other_encodings_and_line_ends() {
    let folder = Folder::new();
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("a,b\nb,c\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    folder.write("wide.csv", utf16);
    assert_eq!(
        refused(&folder, &["fit", "wide.csv"]),
        "wide.csv is UTF-16 text: convert it (iconv -f UTF-16 -t UTF-8 wide.csv)"
    );
    folder.write("old.csv", "a,b\rb,c\rc,d\r");
    assert_eq!(
        refused(&folder, &["fit", "old.csv"]),
        "old.csv, line 1: a carriage return within a line; lines must end with a line feed (tr '\\r' '\\n' converts \
         them)"
    );
    folder.write("x.net", "*Vertices 999999999999\n*Edges\n1 2\n");
    assert_eq!(
        refused(&folder, &["fit", "x.net"]),
        "x.net, line 1: *Vertices must have their number, at most 4294967295, is '999999999999'"
    );
    folder.write("x.net", "*Vertices 4294967295\n*Edges\n1 2\n");
    assert_eq!(refused(&folder, &["fit", "x.net"]), "x.net has more than 100000000 nodes");
}

#[test]
fn titles_that_stand_twice_or_say_nothing() {
    let folder = Folder::new();
    folder.write("links.csv", "source,target,label,Label\na,b,1,0\nb,c,1,0\n");
    assert_eq!(
        refused(&folder, &["fit", "links.csv"]),
        "links.csv, line 1, column 4: column 3 is called 'Label', too; name the columns, as in --columns \
         source,target,skip"
    );
    folder.write("friends.tsv", FRIENDS);
    for (table, message) in [
        ("name,age,age\nAda,1,2\nBob,2,3\n", "line 1, column 3: column 2 is called 'age', too"),
        ("# people\nname,\nAda,1\nBob,2\n", "line 2, column 2: the column has no title"),
        (
            "name,age:int\nAda,1\nBob,2\n",
            "line 1, column 2: a column is age:number, age:category or age:words, is 'age:int'",
        ),
    ] {
        folder.write("people.csv", table);
        let printed = refused(&folder, &["fit", "friends.tsv", "-q", "--node-attributes", "people.csv"]);
        assert_eq!(printed, format!("people.csv, {message}"));
    }
}

#[test]
fn names_in_two_forms_are_remarked_on() {
    let folder = Folder::new();
    folder.write("links.csv", "Ada,Bob\nada,Cleo\nCleo,Dan\nDan,Bob\n");
    let args = [&["fit", "links.csv", "--undirected"], &SHORT[..]].concat();
    let warnings = folder.warnings(&args);
    assert!(warnings.contains("links.csv: 'Ada' and 'ada' are two nodes: "), "{warnings}");
}

#[test]
fn files_that_are_there_stay() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("notes.txt", "mine\n");
    for args in [
        &["generate", "-o", "notes.txt", "--nodes", "9"][..],
        &["generate", "-o", "new.tsv", "--truth", "notes.txt", "--nodes", "9"],
    ] {
        assert_eq!(refused(&folder, args), "notes.txt is there: it is replaced with --force only");
    }
    assert_eq!(
        refused(&folder, &["fit", "friends.tsv", "-q", "-o", "friends.dlfrm", "--trace", "notes.txt"]),
        "--trace notes.txt: it is there and is not a trace; name another file"
    );
    for args in [
        &["export", "friends.dlfrm", "--format", "csv", "-o", "notes.txt"][..],
        &["evaluate", "friends.tsv", "-q", "--model", "ra", "--write-splits", "notes.txt"],
    ] {
        assert_eq!(refused(&folder, args), "notes.txt is a file, a folder is needed");
    }
    assert_eq!(fs::read_to_string(folder.path("notes.txt")).unwrap(), "mine\n");
    folder.stdout(&["generate", "-o", "notes.txt", "--nodes", "9", "--force"]);
    assert_ne!(fs::read_to_string(folder.path("notes.txt")).unwrap(), "mine\n");
    // A trace replaces a trace.
    for _ in 0..2 {
        folder.fit_friends(&["--trace", "trace.jsonl"]);
    }
}

#[test]
fn traces_checkpoints_and_splits_replace_nothing_else() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    let model = fs::read(folder.path("friends.dlfrm")).unwrap();
    folder.write("mine.jsonl", "{\"id\": 1}\n");
    let resume = |trace: &'static str| {
        refused(&folder, &["resume", "friends.dlfrm", "--draws", "+1", "-q", "--trace", trace])
    };
    for trace in ["friends.tsv", "mine.jsonl"] {
        let message = format!("--trace {trace}: it is there and is not a trace; name another file");
        assert_eq!(resume(trace), message);
        assert_eq!(refused(&folder, &["fit", "friends.tsv", "-q", "-o", "x", "--trace", "mine.jsonl"]), {
            "--trace mine.jsonl: it is there and is not a trace; name another file"
        });
    }
    for trace in ["friends.dlfrm", "friends.dlfrm.checkpoint"] {
        let already = "the command reads or writes this file already; name another one";
        assert_eq!(resume(trace), format!("--trace {trace}: {already}"));
    }
    assert!(resume("-").starts_with("a trace is not written to standard output"));
    assert_eq!(resume("."), ". is a directory, a file is needed");
    folder.write("net.checkpoint", FRIENDS);
    assert_eq!(
        refused(&folder, &["fit", "net.checkpoint", "-q", "-o", "net", "--force"]),
        "the checkpoint net.checkpoint: the command reads or writes this file already; name another one"
    );
    assert_eq!(
        refused(&folder, &["fit", "friends.tsv", "-q", "-o", "net", "--force"]),
        "net.checkpoint is there and is not a checkpoint of dlfrm: rename it, or name another model with -o"
    );
    fs::create_dir(folder.path("splits")).unwrap();
    let evaluate =
        ["evaluate", "friends.tsv", "-q", "--undirected", "--model", "ra", "--runs", "1", "--write-splits"];
    let write = |more: &[&'static str]| [&evaluate[..], &["splits"], more].concat();
    let taken = |name: &str| {
        format!(
            "--write-splits: splits/{name} is there and is of other splits: it is replaced with --force only"
        )
    };
    // The last is a file of a user with the header of a split.
    for (name, text) in [
        ("nodes.txt", "mine\n"),
        ("run-1-train.tsv", "mine\n"),
        ("run-1-test.tsv", "source\ttarget\tlabel\n"),
    ] {
        let path = format!("splits/{name}");
        folder.write(&path, text);
        assert_eq!(refused(&folder, &write(&[])), taken(name));
        assert_eq!(fs::read_to_string(folder.path(&path)).unwrap(), text);
        fs::remove_file(folder.path(&path)).unwrap();
    }
    // The same splits again.
    for _ in 0..2 {
        folder.stdout(&write(&[]));
    }
    assert_eq!(refused(&folder, &write(&["--seed", "9"])), taken("run-1-train.tsv"));
    let names = || {
        let names = fs::read_dir(folder.path("splits")).unwrap();
        let mut names: Vec<String> =
            names.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let ours = names();
    folder.write("splits/run-2-notes.tsv", "mine");
    folder.write("splits/run-10-test.tsv", "of ten runs");
    assert_eq!(refused(&folder, &write(&[])), taken("run-10-test.tsv"));
    folder.stdout(&write(&["--seed", "9", "--force"]));
    assert_eq!(
        names(),
        [&ours[..], &["run-2-notes.tsv".to_owned()]].concat(),
        "no split of other runs is left"
    );
    folder.stdout(&write(&["--seed", "9"]));
    assert_eq!(fs::read(folder.path("friends.dlfrm")).unwrap(), model);
    assert_eq!(fs::read_to_string(folder.path("friends.tsv")).unwrap(), FRIENDS);
}

/// Nobody has to listen: a fit goes on without standard error.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_ends_no_fit() {
    let folder = Folder::new();
    folder.write("twice.csv", "a,b\nb,c\na,b\nc,d\n");
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let command = |args: &[&str]| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("dlfrm"));
        command.current_dir(folder.path("")).args(args);
        command
    };
    let args = [&["fit", "twice.csv", "-o", "m"], &SHORT[..]].concat();
    assert!(command(&args).stdout(std::process::Stdio::null()).stderr(full()).status().unwrap().success());
    let missing = command(&["predict", "nothing", "--top", "1"]).stderr(full()).status().unwrap();
    assert_eq!(missing.code(), Some(2));
    // Whoever listens learns what is full.
    for args in [&["--help"][..], &["settings"], &["predict", "m", "--top", "1000", "-q"]] {
        let output = command(args).stdout(full()).output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.starts_with("dlfrm: standard output cannot be written: No space left"), "{printed}");
    }
}

#[test]
fn flags_that_contradict_or_are_out_of_bounds() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    for (flags, said) in [
        (&["fit", "friends.tsv", "--bipartite", "--unipartite"][..], "cannot be used with '--unipartite'"),
        (&["fit", "friends.tsv", "--intercept", "--no-intercept"], "cannot be used with '--no-intercept'"),
        (&["evaluate", "friends.tsv", "--runs", "20000"], "expected a whole number from 1 to 10000"),
        (&["resume", "friends.dlfrm", "--draws", "++3"], "a number of draws is needed, such as +100"),
        (&["resume", "friends.dlfrm", "--draws", "5"], "write +5 for 5 draws more of each chain"),
        (
            &["fit", "friends.tsv", "-q", "--hold-out", "0.001"],
            "a share of 0.001 of the pairs is not one pair",
        ),
    ] {
        let line = refused(&folder, flags);
        assert!(line.contains(said), "{flags:?}: {line}");
    }
}

/// Rows that mean something else than what they look like, and networks that nobody said the direction of.
#[test]
fn rows_that_mislead() {
    let folder = Folder::new();
    folder.write("again.csv", "source,target\na,b\nb,c\nsource,target\nc,a\n");
    assert_eq!(
        refused(&folder, &["fit", "again.csv"]),
        "again.csv, line 4: the header is there again: take it out, if files were put together"
    );
    let warnings = |args: &[&str]| folder.warnings(&[args, &SHORT[..]].concat());
    folder.write("tags.csv", "a,b\n#b,c\nc,d\n# a remark\n");
    let said = warnings(&["fit", "tags.csv"]);
    assert!(said.contains("tags.csv: 1 line among the rows begins with # or % and was skipped"), "{said}");
    folder.write("two.net", "*Vertices 5 2\n*Edges\n1 3\n2 4\n1 4\n2 5\n");
    let said = warnings(&["fit", "two.net"]);
    assert!(said.contains("a bipartite network of 2 rows (sources) and 3 columns (targets)"), "{said}");
    folder.write("two.net", "*Vertices 5 9\n*Edges\n1 3\n");
    assert_eq!(
        refused(&folder, &["fit", "two.net"]),
        "two.net, line 1: the number of rows must be from 1 to 4, is '9'"
    );
    folder.write("friends.tsv", FRIENDS);
    let question = "no link is listed in both directions";
    assert!(warnings(&["fit", "friends.tsv", "-o", "m"]).contains(question));
    for flag in ["--undirected", "--directed"] {
        assert!(!warnings(&["fit", "friends.tsv", "-o", "m", flag]).contains(question));
    }
}

/// A full disk costs the trace and not the model.
#[cfg(target_os = "linux")]
#[test]
fn a_trace_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    let args = ["fit", "friends.tsv", "-q", "--undirected", "-o", "m.dlfrm", "--trace", "/dev/full"];
    let output = folder.dlfrm(&[&args[..], &SHORT].concat()).output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(
        printed.starts_with("dlfrm: the model is saved to m.dlfrm, but the trace could not be written: "),
        "{printed}"
    );
    assert_eq!(json(&folder.stdout(&["info", "m.dlfrm", "--json"]))["nodes"], 10);
}

#[test]
fn flags_that_contradict_each_other() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    for (one, other) in [
        ("--directed", "--undirected"),
        ("--header", "--no-header"),
        ("--share-features", "--separate-features"),
    ] {
        let printed = refused(&folder, &["fit", "friends.tsv", one, other]);
        assert_eq!(printed, format!("the argument '{one}' cannot be used with '{other}' (see --help)"));
    }
}

#[test]
fn causes_and_groups() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    assert_eq!(
        refused(&folder, &["corpus", "none", "--methods", "ra"]),
        "none/index.tsv: there is no such file; it lists the networks of its folder, in the columns file, domain, nodes, \
         links and name"
    );
    folder.write("groups.json", "[[], []]");
    assert_eq!(
        refused(&folder, &["features", "friends.dlfrm", "--truth", "groups.json"]),
        "groups.json has no groups, or none with members"
    );
    folder.write("groups.json", "[[\"Ada\", \"Bob\"]]");
    let printed = folder.stdout(&["features", "friends.dlfrm", "--truth", "groups.json"]);
    assert!(printed.contains(" beside the 1 group of groups.json"), "{printed}");
}

#[test]
fn new_names_that_are_like_known_ones_are_remarked_on() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("more.tsv", "ada\tJo\nJo\tKim\n");
    let remark = "more.tsv: 'Ada' and 'ada' are two nodes: ";
    let update = ["update", "friends.dlfrm", "more.tsv", "-o", "more.dlfrm"];
    let predict = ["predict", "friends.dlfrm", "--new", "more.tsv"];
    for args in [&update[..], &predict] {
        let printed = folder.warnings(args);
        assert!(printed.contains(remark), "{printed}");
    }
}

#[test]
fn the_checkpoint_of_another_network_is_remarked_on() {
    let folder = Folder::new();
    folder.fit_friends(&[]);
    folder.write("others.tsv", "a b\nb c\nc a\nc d\nd e\n");
    let fit = ["fit", "others.tsv", "--undirected", "-o", "others.dlfrm", "--time", "0s"];
    folder.dlfrm(&fit).output().unwrap();
    fs::rename(folder.path("others.dlfrm.checkpoint"), folder.path("friends.dlfrm.checkpoint")).unwrap();
    let printed = folder.warnings(&["resume", "friends.dlfrm"]);
    let remark = "friends.dlfrm.checkpoint is of another network than friends.dlfrm, which will be replaced";
    assert!(printed.contains(remark), "{printed}");
    // A model that cannot be read does not keep a checkpoint from being used.
    folder.dlfrm(&fit).output().unwrap();
    folder.write("others.dlfrm", "broken");
    assert!(!folder.warnings(&["resume", "others.dlfrm"]).contains("another network"));
}

#[test]
fn a_page_that_is_not_of_a_corpus_stays() {
    let folder = Folder::new();
    fs::create_dir(folder.path("figures")).unwrap();
    folder.write("figures/corpus.md", "mine\n");
    assert_eq!(
        refused(&folder, &["corpus", "networks", "--methods", "ra", "-o", "figures"]),
        "-o: figures/corpus.md is there and is not of dlfrm corpus: name another folder"
    );
}

/// A file that is written would take the place of the link, or could not be made.
#[cfg(target_os = "linux")]
#[test]
fn links_that_lead_nowhere_and_folders_that_take_no_files() {
    let folder = Folder::new();
    folder.write("friends.tsv", FRIENDS);
    std::os::unix::fs::symlink("nowhere", folder.path("gone")).unwrap();
    std::os::unix::fs::symlink("round", folder.path("round")).unwrap();
    for link in ["gone", "round"] {
        assert_eq!(
            refused(&folder, &["fit", "friends.tsv", "-q", "-o", link]),
            format!("{link} is a link that leads to no file, a file is needed")
        );
        assert!(folder.path(link).is_symlink());
    }
    assert_eq!(
        refused(&folder, &["fit", "friends.tsv", "-q", "-o", "/proc/x.dlfrm"]),
        "/proc/x.dlfrm cannot be written: /proc takes no files"
    );
}
