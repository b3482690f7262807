//! Commands that messages suggest, run on the files that the messages are about.

use std::io::Write as _;
use std::process::{Command, Stdio};

use dlfrm_io::{ReadOptions, parse_network};

fn refused(text: &str) -> String {
    parse_network(text.as_bytes(), "links", &ReadOptions::default()).unwrap_err().to_string()
}

/// What the command in brackets in a message writes for a text; nothing if the system does not have the command.
fn written(message: &str, text: &str) -> Option<String> {
    let from = message.find("(awk ").expect(message) + 1;
    let to = message[from..].rfind("')").expect(message) + from + 1;
    let mut child = Command::new("sh")
        .args(["-c", &message[from..to]])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code() != Some(127)).then(|| String::from_utf8(output.stdout).unwrap())
}

/// Checks the links, with a space between the ends, that the suggested command makes of a text and of the same text with line
/// ends of Windows.
fn check(text: &str, wanted: &[&str]) {
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let message = refused(&text);
        let Some(links) = written(&message, &text) else {
            eprintln!("skipped: awk is not there");
            return;
        };
        let read = parse_network(links.as_bytes(), "links", &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{text}{message}\n{links}{error}"));
        let network = &read.relations[0].network;
        let name = |id| network.nodes().name(id);
        let mut found: Vec<String> =
            network.links().iter().map(|&(i, j)| format!("{} {}", name(i), name(j))).collect();
        found.sort_unstable();
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text}{message}\n{links}");
    }
}

#[test]
fn matrices_with_names() {
    let links = ["a b", "b a", "b c", "c b", "c d", "d c"];
    let comma = "n,a,b,c,d\na,0,1,0,0\nb,1,0,1,0\nc,0,1,0,1\nd,0,0,1,0\n";
    let quoted = comma.chars().fold(String::new(), |all, c| match c {
        ',' | '\n' => all + &c.to_string(),
        _ => format!("{all}\"{c}\""),
    });
    let r = comma.replace("n,", "").replace(',', " ");
    let r_quoted = quoted.replace("\"n\",", "").replace(',', " ");
    for text in [
        comma.to_owned(),
        comma.replace('n', ""),
        comma.replace(',', ";"),
        comma.replace(',', "\t"),
        comma.replace(',', " ; ").replace('1', "0,5"),
        comma.replace('0', ""),
        comma.replace('0', "").replace('1', "x"),
        comma.replace('0', "FALSE").replace('1', "TRUE"),
        comma.replace('0', "NA"),
        comma.replace('0', "-"),
        comma.replace('0', "0.00e+00").replace('1', "2.50e-01"),
        comma.replace('1', "kin"),
        format!("# a matrix\n\n{comma}"),
        quoted.clone(),
        quoted.replace(',', ";"),
        quoted.replace(',', "\t"),
        quoted.replace("\"n\",", "\"\" ").replace(',', " "),
        r,
        r_quoted,
    ] {
        check(&text, &links);
    }
}

#[test]
fn matrices_without_names() {
    let links = ["1 2", "2 1", "2 3", "3 2", "3 4", "4 3"];
    let comma = "0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n";
    let diagonal = |mark: &str| format!("{mark},1,0,0\n1,{mark},1,0\n0,1,{mark},1\n0,0,1,{mark}\n");
    for text in [
        comma.to_owned(),
        comma.replace(',', ";"),
        comma.replace(',', "\t"),
        comma.replace(',', " "),
        comma.replace(',', " ").replace('1', "2.5"),
        comma.replace(',', ";").replace('1', "2,5"),
        comma.replace('0', "FALSE").replace('1', "TRUE"),
        comma.replace('0', "\"0\"").replace('1', "\"1\""),
        format!("# made by hand\n{comma}\n"),
        diagonal("NA"),
        diagonal("-"),
        diagonal("."),
        diagonal(""),
    ] {
        check(&text, &links);
    }
}

#[test]
fn lists_of_neighbours() {
    check("a b c\nb c\nc a b d\n", &["a b", "a c", "b c", "c a", "c b", "c d"]);
    check("a,b,c\nb,c,\nc,,\n", &["a b", "a c", "b c"]);
    check("\"a\",\"b\",\"c\"\n\"b\",\"c\"\n", &["a b", "a c", "b c"]);
    check("a: b c\nb: c\nc: a b\n", &["a b", "a c", "b c", "c a", "c b"]);
    check("% sizes below\n3 2\n2\n1 3\n2\n", &["1 2", "2 1", "2 3", "3 2"]);
    check("1 Ada\n2 Bob\n3 Cleo\n#\n1 2\n2 3\n", &["1 2", "2 3"]);
    check("# a\nb\nc\n# b\nc\n", &["a b", "a c", "b c"]);
}
