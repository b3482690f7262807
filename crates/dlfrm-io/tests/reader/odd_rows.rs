//! Lists that may be meant otherwise as a whole: their first rows, cells, columns, relations and modes.

use std::fmt::Write;

use dlfrm::network::Nodes;
use dlfrm_io::{KnownNetwork, ReadOptions, ReadReport, first_row_remark, parse_network};

/// 16 people and 32 links.
const FRIENDS: &str = "Ada,Dan Ada,Gus Ada,Hal Ada,Jon Ada,Max Ada,Pam Bob,Hal Bob,Ivy Bob,Kim Bob,Max Cleo,Ivy Cleo,Lea Dan,Gus \
                       Dan,Jon Dan,Max Eve,Kim Fay,Gus Fay,Lea Gus,Hal Gus,Jon Hal,Jon Hal,Kim Hal,Lea Hal,Nia Ivy,Jon Ivy,Lea \
                       Ivy,Ole Jon,Max Lea,Ole Lea,Pam Max,Pam Ole,Pam";

/// A line for each of these links.
fn each(line: impl Fn(usize, &str, &str) -> String) -> String {
    let links = FRIENDS.split(' ').enumerate();
    links.map(|(at, link)| link.split_once(',').map(|(i, j)| line(at + 1, i, j) + "\n").unwrap()).collect()
}

fn friends() -> String {
    each(|_, i, j| format!("{i},{j}"))
}

fn read(text: &str, options: &ReadOptions) -> Result<ReadReport, String> {
    let read = parse_network(text.as_bytes(), "links", options);
    read.map(|dataset| dataset.report).map_err(|error| error.to_string())
}

fn warnings(text: &str) -> Vec<String> {
    read(text, &ReadOptions::default()).unwrap().warnings()
}

fn with_columns(columns: &str) -> ReadOptions {
    ReadOptions { columns: Some(columns.parse().unwrap()), ..ReadOptions::default() }
}

const NONE: Vec<String> = Vec::new();

#[test]
fn a_first_row_whose_names_are_in_no_other_row() {
    let said = |first: &str| {
        format!(
            "the first row ({first}) was taken for a link, and its names are in no other row: --header takes it for a header"
        )
    };
    for first in [
        "Cause (name),Effect (name)",
        "Unnamed: 0,Unnamed: 1",
        "i,alter",
        "A,partner",
        "1st,2nd",
        "a1,b",
        "network,c",
        "foo,12",
        "husband,wife",
    ] {
        assert_eq!(warnings(&format!("{first}\n{}", friends())), [said(&first.replace(',', ", "))]);
    }
    // Once, whatever columns there are beside the names.
    let behind = |first: &str, row: &str| format!("{first}\n{}", each(|_, i, j| format!("{i},{j}{row}")));
    assert_eq!(warnings(&behind("husband,wife,,", ",,")), [said("husband, wife")]);
    let skipped = read(&behind("husband,wife,km", ",3"), &with_columns("source,target,skip")).unwrap();
    assert_eq!(skipped.warnings(), [said("husband, wife, km")]);
    for first in ["; network", "! foo", "c graph", "* x"] {
        let rows = each(|_, i, j| format!("{i} {j}"));
        assert_eq!(warnings(&format!("{first}\n{rows}")), [said(&first.replace(' ', ", "))]);
    }
    // The option does what it is said to do.
    let header = ReadOptions { header: Some(true), ..ReadOptions::default() };
    let report = read(&format!("1st,2nd\n{}", friends()), &header).unwrap();
    assert_eq!((report.nodes, report.counts.links, report.warnings()), (16, 32, NONE));
    let added = ReadOptions { adds_to: Some(KnownNetwork { bipartite: false }), ..ReadOptions::default() };
    let no_header = ReadOptions { header: Some(false), ..ReadOptions::default() };
    for options in [added, no_header] {
        assert_eq!(read(&format!("1st,2nd\n{}", friends()), &options).unwrap().warnings(), NONE);
    }
    // Another row of this kind, names in other rows, and few rows.
    for text in [
        format!("1st,2nd\n{}x7,y8\n", friends()),
        format!("1st,2nd\n{}2nd,Ada\n", friends()),
        friends(),
        "x7,y8\nAda,Bob\nBob,Cleo\nCleo,Ada\n".to_owned(),
    ] {
        assert_eq!(warnings(&text), NONE, "{text}");
    }
}

#[test]
fn numbers_of_columns_above_numbers() {
    // Each link from the number of its first letter.
    let number = |name: &str| u32::from(name.as_bytes()[0] - b'A');
    let numbered = |from: u32| each(|_, i, j| format!("{},{}", from + number(i), from + number(j)));
    for first in ["0, 1", "1, 2"] {
        assert_eq!(
            warnings(&format!("{first}\n{}", numbered(1000))),
            [format!(
                "the first row ({first}) was taken for a link, and its names are in no other row: --header takes it for a header"
            )]
        );
        assert_eq!(warnings(&format!("{first}\n{}", numbered(0))), NONE);
    }
    // A pair without other links.
    assert_eq!(warnings(&format!("0,1\n{}", numbered(2))), NONE);
    assert_eq!(warnings(&format!("7,500\n{}", numbered(1000))), NONE);
    assert_eq!(warnings(&format!("n7,n500\n{}", numbered(1000).replace("10", "n10"))), NONE);
}

#[test]
fn a_first_row_above_new_nodes() {
    let known: Nodes = FRIENDS.split([',', ' ']).collect();
    let said = |known: &Nodes, text: &str| {
        let added =
            ReadOptions { adds_to: Some(KnownNetwork { bipartite: false }), ..ReadOptions::default() };
        first_row_remark(known, &parse_network(text.as_bytes(), "new", &added).unwrap())
    };
    let remark = |first: &str| {
        Some(format!(
            "the first row ({first}) was taken for a link of two new nodes, and all other rows have a known name: if it is \
             a header, say --header"
        ))
    };
    for first in ["V1,V2", "1st,2nd", "foo,12", "Unnamed: 0,Unnamed: 1", "a,b"] {
        let text = format!("{first}\nZed,Ada\nYan,Bob\nYan,Dan\n");
        assert_eq!(said(&known, &text), remark(&first.replace(',', ", ")));
    }
    let numbers: Nodes = (1000..1020).map(|number| number.to_string()).collect();
    assert_eq!(said(&numbers, "0,1\n2000,1000\n2000,1001\n2001,1002\n"), remark("0, 1"));
    // New nodes like those that are known.
    assert_eq!(said(&numbers, "1500,1600\n2000,1000\n2000,1001\n2001,1002\n"), None);
}

#[test]
fn a_table_of_nodes() {
    let said = "every node is in one row alone: if the file lists nodes, such as numbers and their names, and not \
                links, read the file of links in its place";
    let mut nodes = "Id,Label\n".to_owned();
    for (id, name) in ["Ada", "Bob", "Cleo", "Dan", "Eve"].iter().enumerate() {
        writeln!(nodes, "{id},{name}").unwrap();
    }
    assert_eq!(warnings(&nodes), [said]);
    let added = ReadOptions { adds_to: Some(KnownNetwork { bipartite: false }), ..ReadOptions::default() };
    assert_eq!(read(&nodes, &added).unwrap().warnings(), NONE);
    for text in [nodes.clone() + "4,Ada\n", "a,b\nc,d\ne,f\ng,h\n".to_owned()] {
        assert_eq!(warnings(&text), NONE, "{text}");
    }
}

#[test]
fn lists_of_names_in_a_cell() {
    let said = |name: &str, more: &str| {
        format!(
            "'{name}' is one node, though 'Dan' and 'Gus' are in other names, too: if it is a list, write a line for each \
             link{more}"
        )
    };
    let rows = friends();
    assert_eq!(warnings(&format!("source,target\nKim,Dan;Gus\n{rows}")), [said("Dan;Gus", "")]);
    assert_eq!(warnings(&format!("{rows}Kim,\"Dan, Gus\"\n")), [said("Dan, Gus", "")]);
    assert_eq!(
        warnings(&format!("{rows}Kim,Dan|Gus\nNia,Gus|Dan|Ada\n")),
        [said("Dan|Gus", "; there is 1 more such name")]
    );
    let lists = "source,target\nAda,tea;rum\nBob,rum;gin\nCleo,gin;tea;ale\nDan,ale\n";
    assert_eq!(
        warnings(lists),
        [
            "'tea;rum' is one node, though 'tea' and 'rum' are in other names, too: if it is a list, write a line for each \
             link; there are 2 more such names"
        ]
    );
    assert_eq!(warnings("\"Doe, J\",\"Roe, J\"\n\"Roe, J\",\"Doe, A\"\n\"Doe, A\",Ada\n"), NONE);
}

#[test]
fn commas_within_cells() {
    let decimal = each(|at, i, j| format!("{i} {j} {},{}", at % 3, at % 9 + 1));
    assert_eq!(
        read(&decimal, &ReadOptions::default()).unwrap_err(),
        "links, line 1: 3 columns where 2 are understood: there is no header that names them; name them, as in --columns \
         source,target,skip; numbers with a decimal comma are not used; if names have spaces in them, put them in double \
         quotes"
    );
    let report = read(&decimal, &with_columns("source,target,skip")).unwrap();
    assert_eq!((report.nodes, report.counts.links, report.warnings()), (16, 32, NONE));
    assert!(read("Zed Ada 0,5\nZed Dan 0,7\n", &ReadOptions::default()).unwrap_err().contains("3 columns"));
    let dates = each(|at, i, j| format!("{i} {j} Jan {at}, 2020"));
    assert!(
        read(&dates, &ReadOptions::default()).unwrap_err().starts_with("links, line 1: 5 columns where 2")
    );
    let report = read(&dates, &with_columns("source,target")).unwrap();
    assert_eq!((report.nodes, report.counts.links), (16, 32));
    let quoted = each(|at, i, j| format!("\"{i} {j} {}\",{}", at % 3, at % 9 + 1));
    let report = read(&quoted, &ReadOptions::default()).unwrap();
    // No source is a target, which is said.
    assert_eq!((report.nodes, report.warnings().len()), (32 + 9, 1));
    // Two delimiters.
    for (behind, signs) in [(";2020", "semicolons"), (", Jr", "commas")] {
        assert_eq!(
            warnings(&each(|_, i, j| format!("{i} {j}{behind}")))[0],
            format!(
                "'Ada Dan' is the name of one node, as rows are cut at {signs}: if these are two names, put the same delimiter \
                 between all columns"
            )
        );
    }
    // Names with spaces in them.
    for text in [
        "Jo Roe,Ann Lee\nAnn Lee,May Doe\nMay Doe,Jo Roe\n".to_owned(),
        "Jo Roe,1987\nAnn Lee,1987\nMay Doe,1988\nJo Roe,1988\n".to_owned(),
        "Jo May Roe,1987\nAnn Jo Lee,1987\nMay Ann Doe,1988\nJo May Roe,1988\n".to_owned(),
        each(|_, i, j| format!("{i} Roe,{j} Lee")),
    ] {
        let report = read(&text, &ReadOptions { directed: false, ..ReadOptions::default() }).unwrap();
        assert!(report.warnings().iter().all(|said| said.starts_with("a bipartite network")), "{text}");
        assert!(report.nodes > 2, "{text}");
    }
}

#[test]
fn columns_that_contradict_their_titles() {
    let said = |text: &str, columns: &str| read(text, &with_columns(columns)).unwrap().warnings();
    let relations = format!("relation,source,target\n{}", each(|_, i, j| format!("knows,{i},{j}")));
    assert_eq!(
        said(&relations, "source,relation,target")[0],
        "column 1 is called 'relation' and is read as the source, as --columns says"
    );
    let numbered = format!("id,source,target\n{}", each(|at, i, j| format!("{at},{i},{j}")));
    assert_eq!(
        said(&numbered, "source,skip,target")[0],
        "column 2 is called 'source' and is skipped, and column 1 ('id') is read as the source, as --columns says"
    );
    assert_eq!(
        said("source,target,weight\na,b,1\nb,c,0\nc,a,1\n", "source,target,label")[0],
        "column 3 is called 'weight' and is read as the label, as --columns says"
    );
    for (text, columns) in [
        (&*relations, "relation,source,target"),
        (&relations, "skip,source,target"),
        (&numbered, "skip,source,target"),
        ("Source,Target,Label\na,b,likes\nb,c,knows\nc,a,likes\n", "source,target,relation"),
        ("Source,Target,sourceid,targetid\na,b,1,2\nb,c,2,3\nc,a,3,1\n", "skip,skip,source,target"),
    ] {
        assert_eq!(said(text, columns), NONE, "{columns}");
    }
}

#[test]
fn names_of_rows_above_integers() {
    let text = "\"V1\" \"V2\"\n\"1\" 0 3\n\"2\" 0 6\n\"3\" 3 6\n";
    assert_eq!(
        read(text, &ReadOptions::default()).unwrap_err(),
        "links, line 2: 3 columns where 2 are understood: the header has one title less than that, as R writes a table with \
         names of rows: say --header --columns skip,source,target"
    );
    let report =
        read(text, &ReadOptions { header: Some(true), ..with_columns("skip,source,target") }).unwrap();
    assert_eq!((report.nodes, report.counts.links, report.warnings()), (3, 3, NONE));
}

#[test]
fn relations_that_may_be_none() {
    let text = format!("source,target,relation\n{}", each(|at, i, j| format!("{i},{j},note{at}")));
    assert_eq!(
        warnings(&text),
        [
            "32 of 32 rows have a relation of their own, such as 'note1': if the column has no relations, skip it (--columns)"
        ]
    );
    assert_eq!(read(&text, &with_columns("source,target,skip")).unwrap().warnings(), NONE);
    let few = |most: usize| {
        let relation = |at: usize| if at <= most { format!("note{at}") } else { "knows".to_owned() };
        warnings(&format!("source,target,relation\n{}", each(|at, i, j| format!("{i},{j},{}", relation(at)))))
    };
    assert_eq!((few(17).len(), few(16)), (1, NONE));
    assert_eq!(warnings("source,target,relation\na,b,r1\nb,c,r2\nc,a,r3\n"), NONE);
    assert_eq!(
        warnings("source,target,relation\na,b,NA\nb,c,likes\nc,a,likes\nd,a,NA\nd,b,?\n"),
        [
            "2 rows have 'NA' as a relation, which is taken for its name: if it is a missing value, take these rows out",
            "1 row has '?' as a relation, which is taken for its name: if it is a missing value, take the row out",
        ]
    );
}

#[test]
fn forests_of_two_kinds() {
    let said = "no source is a target, as in a bipartite network, but with so few cycles this may be by chance, and the network is \
                read as one of one kind of nodes: if sources and targets are two kinds, say --bipartite";
    let rows =
        |numbers: std::ops::Range<usize>, row: fn(usize) -> String| numbers.map(row).collect::<String>();
    let employees = |count| rows(0..count, |i| format!("e{i},d{}\n", i % 3));
    assert_eq!(warnings(&employees(12)).last().map(String::as_str), Some(said));
    assert!(!warnings(&employees(9)).iter().any(|warning| warning == said));
    // Titles of two kinds are enough.
    assert!(warnings(&format!("user,item\n{}", employees(6))).iter().any(|warning| warning == said));
    let bipartite = ReadOptions { bipartite: Some(true), ..ReadOptions::default() };
    let report = read(&employees(12), &bipartite).unwrap();
    assert_eq!(report.warnings(), ["a bipartite network of 12 rows and 3 columns"]);
    // A star, and a tree with more than two levels.
    let star = rows(0..12, |i| format!("hub,e{i}\n"));
    let tree = rows(1..12, |i| format!("n{i},n{}\n", i / 2));
    for text in [star, tree] {
        assert!(!warnings(&text).iter().any(|warning| warning == said), "{text}");
    }
}

#[test]
fn graphs_of_two_kinds() {
    let edges: String = (0..12).fold(String::new(), |mut text, i| {
        write!(text, r#"<edge source="e{i}" target="d{}"/>"#, i % 3).unwrap();
        text
    });
    let nodes: String = (0..12).map(|i| format!("e{i}")).chain((0..3).map(|i| format!("d{i}"))).fold(
        String::new(),
        |mut text, id| {
            write!(text, r#"<node id="{id}"/>"#).unwrap();
            text
        },
    );
    let text = format!(r#"<graphml><graph edgedefault="undirected">{nodes}{edges}</graph></graphml>"#);
    let options = ReadOptions { directed: false, ..ReadOptions::default() };
    let warnings = read(&text, &options).unwrap().warnings();
    assert!(warnings[0].starts_with("no source is a target, as in a bipartite network, but"), "{warnings:?}");
}

#[test]
fn last_rows_with_sums() {
    let said = "line 5 (Total, 3) was taken for a link: if it has the sums of the columns, take it out";
    let rows = "source,target\na,b\nb,c\nc,a\n";
    assert!(warnings(&format!("{rows}Total,3\n")).iter().any(|warning| warning == said));
    for more in ["Total,3\nc,d\n", "Totally,3\n", ""] {
        assert!(!warnings(&format!("{rows}{more}")).iter().any(|warning| warning.contains("sums")), "{more}");
    }
    assert!(
        !warnings("source,target\ntotal,b\nb,c\ntotal,c\n").iter().any(|warning| warning.contains("sums"))
    );
}

#[test]
fn names_with_a_mark_around_them() {
    let said = "'b' and 'b;' are two nodes: what is behind the first name is part of the other";
    assert_eq!(warnings("source\ttarget\na\tb;\nb\tc\nc\ta\n"), [said]);
    assert_eq!(
        warnings("source\ttarget\na\t@b\nb\tc\nc\ta\n"),
        ["'b' and '@b' are two nodes: what is in front of the first name is part of the other"]
    );
    let more = warnings("a\tb,\nb\tc\nc[2]\ta\n");
    assert_eq!(
        more.last().unwrap(),
        "'b' and 'b,' are two nodes: what is behind the first name is part of the other; there is 1 more such name"
    );
    assert_eq!(warnings("source\ttarget\na;\tb;\nb;\tc;\nc;\ta;\n"), NONE);
}

#[test]
fn long_numbers_that_a_spreadsheet_shortened() {
    let said = |name: &str, others: &str| {
        let said = format!(
            "'{name}' looks like a long number as a spreadsheet shortens it, so that different ones may be the same here"
        );
        let ring: Vec<&str> = others.split(' ').collect();
        let rows = ring.iter().enumerate().map(|(at, i)| format!("{i},{}\n", ring[(at + 1) % ring.len()]));
        warnings(&format!("source,target\n{}{name},{}\n", rows.collect::<String>(), ring[0])).contains(&said)
    };
    let ids = "123456 100001 200300 7 89 90210";
    for name in ["1E+11", "1e+05", "1E5", "2E+10", "1.5e10", "1.23E+11"] {
        assert!(said(name, ids), "{name}");
    }
    assert!(said("1E+11", "Ada Bob Cleo Dan Eve Fay"));
    // Hexadecimal numbers and other codes.
    for (name, others) in [
        ("12e4", "a3f2 9c01 1234 77b0 0031 5566"),
        ("1e5", "a3f 9c0 123 770 1f0 556"),
        ("1E5", "1A1 1B2 2C3 3E7 4D4 4E1"),
        ("12e4", ids),
        ("1e", ids),
    ] {
        assert!(!said(name, others), "{name}");
    }
}

#[test]
fn names_that_a_program_has_changed() {
    let escaped = "has an escaped character, which is part of the name, as in pages, addresses and JSON";
    for (name, said) in [
        ("AT&amp;T", escaped),
        ("Jos&#233;", escaped),
        ("Jos&eacute;", escaped),
        ("Ada%20Roe", escaped),
        ("Jos%C3%A9", escaped),
        ("Li-%E6%9D%8E", escaped),
        ("Jos\\u00e9", escaped),
        (
            "Jos\u{fffd}",
            "has U+FFFD, which programs write for letters that they lost, so that different names may be the same here",
        ),
        ("Jos\u{c3}\u{a9}", "looks like UTF-8 that was taken for Latin-1 when the file was written"),
        (
            "1.23457E+17",
            "looks like a long number as a spreadsheet shortens it, so that different ones may be the same here",
        ),
        ("1-Mar", "looks like a date: spreadsheets turn names such as MARCH1 into dates"),
        ("=\"11\"", "is in =\"\", which spreadsheets put around texts: it is part of the name"),
    ] {
        let others = "a\tb\nb\tc\nc\td\nd\te\ne\tf\nf\tg\ng\th\nh\ti\ni\tj\nj\tk\n";
        let found = warnings(&format!("source\ttarget\n{others}{name}\ta\n"));
        assert!(found.contains(&format!("'{name}' {said}")), "{name}: {found:?}");
    }
    for name in ["R&D", "A&B;C", "50%", "x%C3", "a%41", "http://x.org/Jos%C3%A9", "\\user", "Q&A; more"] {
        let found = warnings(&format!("source\ttarget\na\tb\nb\tc\n{name}\ta\n"));
        assert!(!found.iter().any(|said| said.contains("escaped")), "{name}: {found:?}");
    }
}

#[test]
fn rules_below_headers_are_skipped() {
    for (text, said) in [
        (
            "source,target\n------,-----\na,b\nb,c\nc,a\n",
            "line 2 (------,-----) is a rule between rows and was skipped",
        ),
        ("id1|id2\n:---|---:\n1|2\n2|3\n3|1\n", "line 2 (:---|---:) is a rule between rows and was skipped"),
    ] {
        let report = read(text, &ReadOptions::default()).unwrap();
        assert_eq!((report.nodes, report.counts.links), (3, 3), "{text}");
        assert!(report.warnings().iter().any(|warning| warning == said), "{:?}", report.warnings());
    }
}

#[test]
fn tables_with_borders_are_refused() {
    for text in [
        "+-----+-----+\n| src | dst |\n+-----+-----+\n| a   | b   |\n| b   | c   |\n+-----+-----+\n",
        "| source | target |\n|---|---|\n| a | b |\n| b | c |\n",
    ] {
        assert_eq!(
            read(text, &ReadOptions::default()).unwrap_err(),
            "links is a file of text tables with borders, which is not read: take the borders out (tr -d '\\r' < links | grep -v '^+' | sed \
             's/^| *//; s/ *|$//; s/ *| */\\t/g' > links.tsv)"
        );
    }
}

#[test]
fn rows_at_the_edges_that_may_be_no_links() {
    let words = "a,b\nb,c\nc,d\nd,a\na,c\nb,d\n";
    let numbers = "1,2\n2,3\n3,4\n4,1\n1,3\n2,4\n";
    let said = |line, row| {
        format!(
            "line {line} ({row}) was taken for a link, and its names are in no other row: if it is none, take it out"
        )
    };
    for (text, expected) in [
        (
            format!("source,target\n{words}Data extracted on,2024-03-01\n"),
            said(8, "Data extracted on, 2024-03-01"),
        ),
        (format!("source,target\n{numbers}END,OF FILE\n"), said(8, "END, OF FILE")),
        (format!("source,target\nint,bigint\n{numbers}"), said(2, "int, bigint")),
    ] {
        assert!(warnings(&text).contains(&expected), "{text} {:?}", warnings(&text));
    }
    let none = |text: &str| !warnings(text).iter().any(|warning| warning.contains("if it is none"));
    // Numbers like others, and rows in the middle.
    assert!(none(&format!("source,target\n{numbers}8,9\n")));
    assert!(none(&format!("source,target\n{words}x,y\na,d\n")));
    assert!(none(&format!("source,target\n{words}x,y\nu,v\n")));
    let positions = "the first row (0, 1) was taken for a link, and 0 is in no other row: if these are numbers of columns, say \
                     --header";
    assert!(warnings(&format!("0,1\n{numbers}")).iter().any(|warning| warning == positions));
    assert!(!warnings("0,1\n1,2\n1,3\n2,3\n2,4\n3,4\n4,5\n").iter().any(|warning| warning == positions));
    assert!(!warnings(&format!("0,1\n{numbers}4,0\n")).iter().any(|warning| warning == positions));
}

#[test]
fn titles_of_ends_the_other_way_round() {
    for titles in
        ["to_user,from_user", "callee,caller", "followed,follower", "end_node,start_node", "Ziel,Quelle"]
    {
        let read = |rows: &str| {
            let text = format!("{titles}\n{rows}");
            parse_network(text.as_bytes(), "links", &ReadOptions::default()).unwrap()
        };
        let dataset = read("b,a\nc,b\n");
        let network = &dataset.relations[0].network;
        let names = network.links().iter().map(|&(i, j)| [i, j].map(|id| network.nodes().name(id)).join(" "));
        let mut names: Vec<String> = names.collect();
        names.sort();
        assert_eq!(names, ["a b", "b c"], "{titles}");
    }
}

#[test]
fn words_for_missing_values() {
    let words = [
        "n/a",
        "unknown",
        "[deleted]",
        "\u{2014}",
        "nil",
        "none",
        "na",
        "Null",
        "Undefined",
        "N / A",
        "blank",
        "Blank",
        "(none)",
        "<Unknown>",
        "NIL",
        "_",
        "nobody",
        "Nobody",
        "no one",
        "No-one",
    ];
    for word in words {
        let found = warnings(&format!("source,target\nAda,Bob\nBob,Cleo\nCleo,Ada\nAda,{word}\n"));
        let said = format!(
            "1 row has '{word}' as an end, which is taken for the name of a node: if it is a missing value, take the row out"
        );
        assert!(found.contains(&said), "{found:?}");
    }
    // A number that is the only one among words.
    let among = |code: &str, others: &str| {
        let said = format!(
            "2 rows have '{code}' as an end, which is taken for the name of a node: if it is a missing value, take these rows \
             out"
        );
        let rows = "Ada,Bob\nBob,Cleo\nCleo,Ada\nDan,Eve\nEve,Ada\n";
        warnings(&format!("source,target\n{rows}Ada,{code}\nBob,{code}\n{others}")).contains(&said)
    };
    assert!(["0", "-9", "-1", "99", "-99", "999"].map(|code| among(code, "")).iter().all(|said| *said));
    assert!(among("0", "Cleo,_\n") && among("0", "Cleo,B12\n"));
    assert!(!["1", "5", "00", "0a", "007"].map(|code| among(code, "")).iter().any(|said| *said));
    assert!(!among("0", "Cleo,1\n") && !among("0", "Cleo,0-1\n"));
    let minus =
        |text: &str| warnings(text).iter().any(|warning| warning.starts_with("1 row has '-1' as an end"));
    assert!(minus("source,target\n1,2\n2,3\n3,1\n1,-1\n"));
    assert!(!minus("source,target\n1,2\n2,3\n3,-2\n1,-1\n"));
    // Codes among numbers.
    let ring = (0..12).map(|i| format!("{i},{}\n", (i + 5) % 12)).collect::<Vec<_>>().concat();
    let code = |code: i32| {
        let said = format!(
            "2 rows have '{code}' as an end, which is taken for the name of a node: if it is a missing value, take these rows \
             out"
        );
        warnings(&format!("source,target\n{ring}3,{code}\n4,{code}\n")).contains(&said)
    };
    assert!([-1, -9, -99, -999, -9999, 99, 999, 9999].map(code).iter().all(|said| *said));
    assert!(![-3, -98, 12, 98].map(code).iter().any(|said| *said));
    let sparse = "source,target\n99,1\n40,99\n7,40\n1,7\n23,99\n40,1\n";
    assert!(!warnings(sparse).iter().any(|said| said.contains("missing value")));
}

#[test]
fn most_links_in_both_directions() {
    let both = |count: usize| -> String {
        (0..count).fold(String::new(), |mut text, i| {
            writeln!(text, "n{i}\tn{}\nn{}\tn{i}", i + 1, i + 1).unwrap();
            text
        })
    };
    let options = ReadOptions { directed_by_default: true, ..ReadOptions::default() };
    let said = |text: &str| read(text, &options).unwrap().warnings();
    let text = format!("{}n0\tn5\n", both(11));
    assert!(
        said(&text).contains(
            &"22 of 23 links are listed in both directions: is the network undirected (--undirected)?"
                .to_owned()
        ),
        "{:?}",
        said(&text)
    );
    assert!(
        !said(&format!("{}n0\tn5\nn0\tn6\n", both(5)))
            .iter()
            .any(|warning| warning.contains("both directions: is"))
    );
}

#[test]
fn headers_that_are_there_again() {
    for titles in ["id1,id2", "node1,node2", "user,item"] {
        let text = format!("{titles}\n1,2\n2,3\n3,4\n4,1\n{titles}\n5,1\n5,2\n");
        assert_eq!(
            read(&text, &ReadOptions::default()).unwrap_err(),
            "links, line 6: the header is there again: take it out, if files were put together"
        );
    }
}

/// 12 people in three of 8 clubs each; the rows of these numbers are the other way round.
fn members(turned: &[usize]) -> String {
    let mut text = String::new();
    for at in 0..36 {
        let (person, club) = (format!("p{}", at / 3), format!("club{}", (at / 3 * 5 + at % 3) % 8));
        let (i, j) = if turned.contains(&at) { (club, person) } else { (person, club) };
        writeln!(text, "{i},{j}").unwrap();
    }
    text
}

#[test]
fn rows_that_are_the_other_way_round() {
    let said = |turned: &[usize]| {
        let options = ReadOptions { directed: false, ..ReadOptions::default() };
        read(&members(turned), &options).unwrap().warnings()
    };
    let one = "but for 1 row ('club0', 'p0'), no source is a target, as in a bipartite network, but the network is read as one of \
               one kind of nodes: if it is the other way round, turn it or say --bipartite";
    assert_eq!(said(&[0]), [one]);
    // The option does what it is said to do.
    let bipartite = ReadOptions { bipartite: Some(true), ..ReadOptions::default() };
    let report = read(&members(&[0]), &bipartite).unwrap();
    assert!(report.warnings().contains(&"a bipartite network of 12 rows and 8 columns".to_owned()));
    for bipartite in [Some(true), Some(false)] {
        let options = ReadOptions { bipartite, ..ReadOptions::default() };
        assert!(
            !read(&members(&[0]), &options).unwrap().warnings().iter().any(|said| said.contains("but for"))
        );
    }
    // Too many rows, and a row between two of a kind.
    assert_eq!(said(&[0, 10]), NONE);
    let kinds = |more: &str| warnings(&format!("{}{more}", members(&[])));
    for (more, name) in [("p1,p2\n", "p2"), ("club1,club2\n", "club1"), ("p1,x\nx,y\n", "x")] {
        let one = format!(
            "but for 1 name ('{name}'), no source is a target, as in a bipartite network, but the network is read as one of one \
             kind of nodes: if it names two nodes, give them different names"
        );
        assert!(kinds(more).contains(&one), "{more}: {:?}", kinds(more));
    }
    assert!(!kinds("p1,p2\nclub1,club2\n").iter().any(|said| said.contains("but for")));
    assert_eq!(kinds("newclub,p1\n").len(), 1);
    assert_eq!(warnings(&friends()), NONE);
}
