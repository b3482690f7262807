//! What once was read in another way than it was meant, without a word: each is remarked on, or refused with what to do.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use dlfrm::network::Nodes;
use dlfrm_io::{
    Declared, ReadOptions, parse_attributes, parse_groups, parse_names, parse_network, parse_pair_table,
    parse_pairs,
};

const NONE: Vec<String> = Vec::new();

fn warnings_with(text: &str, options: &ReadOptions) -> Vec<String> {
    parse_network(text.as_bytes(), "links", options).unwrap().report.warnings()
}

fn warnings(text: &str) -> Vec<String> {
    warnings_with(text, &ReadOptions::default())
}

fn refused(text: &str) -> String {
    parse_network(text.as_bytes(), "links", &ReadOptions::default()).unwrap_err().to_string()
}

fn declared(names: &str) -> ReadOptions {
    let names = names.split(' ').map(str::to_owned).collect();
    ReadOptions { nodes: Some(Declared::Names(names)), ..ReadOptions::default() }
}

fn people() -> Nodes {
    ["Ada", "Bob", "Cleo", "Dan", "Eve", "#ai"].into_iter().collect()
}

#[test]
fn names_of_the_rows_of_a_matrix() {
    let square = "%%MatrixMarket matrix coordinate pattern general\n12 12 3\n1 2\n2 10\n10 12\n";
    let dataset = |text: &str, options| parse_network(text.as_bytes(), "links", &options).unwrap();
    let links = |text: &str, options| {
        let network = dataset(text, options).relations.remove(0).network;
        let name = |id| network.nodes().name(id);
        network.links().iter().map(|&(i, j)| format!("{} {}", name(i), name(j))).collect::<Vec<_>>()
    };
    let isolated = "8 nodes have no link";
    // The numbers of the rows as texts are sorted: a set.
    let sorted = declared("1 10 11 12 2 3 4 5 6 7 8 9");
    assert_eq!(warnings_with(square, &sorted), [isolated]);
    assert_eq!(links(square, sorted), ["1 2", "2 10", "10 12"]);
    let named = declared("a b c d e f g h i j k l");
    assert_eq!(
        warnings_with(square, &named),
        ["the declared names are those of the rows in their order: 'a' is 1, 'l' is 12", isolated]
    );
    assert_eq!(links(square, named), ["a b", "b j", "j l"]);
    let count = ReadOptions { nodes: Some(Declared::Count(12)), ..ReadOptions::default() };
    assert_eq!(
        warnings_with(square, &count),
        ["nodes are called 1 to 12, as in the file, and not 0 to 11", isolated]
    );
    let bipartite = "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 2\n2 1\n";
    let kinds = "a bipartite network of 2 rows and 3 columns";
    let isolated = "1 node has no link";
    assert_eq!(warnings_with(bipartite, &declared("c1 c2 c3 r1 r2")), [kinds, isolated]);
    assert_eq!(
        warnings_with(bipartite, &declared("Ada Bob tea rum gin")),
        [
            "the declared names are those of the rows and then of the columns in their order: 'Ada' is r1, 'gin' is c3",
            kinds,
            isolated
        ]
    );
}

#[test]
fn rows_of_hashtags_at_the_top() {
    let rows = "ai\tbots\nbots\tcloud\ncloud\tai\n";
    assert_eq!(
        warnings(&format!("#ai\t#cloud\n{rows}")),
        [
            "1 line above the rows was skipped as a comment, though both of its names begin with # or %: put names that begin \
             so in double quotes"
        ]
    );
    assert_eq!(
        warnings(&format!("#ai\t#cloud\n#ai\t#bots\n{rows}")),
        [
            "2 lines above the rows begin with # or % and were skipped as comments, though they look like rows: put names that \
             begin so in double quotes"
        ]
    );
    for first in ["#source\t#target", "# ai\t# cloud", "#\t#", "#ai\tnothing"] {
        assert_eq!(warnings(&format!("{first}\n{rows}")), NONE, "{first}");
    }
    assert_eq!(
        refused("#ai #cloud\n#ai #bots\n"),
        "links has no rows: all lines begin with # or % and are comments (put names that begin so in double quotes)"
    );
    assert_eq!(refused("# ai cloud\n"), "links has no rows, only blank lines and comments");
}

#[test]
fn nodes_without_a_group() {
    let read = |text: &str| parse_groups(text.as_bytes(), "teams.csv", &people()).unwrap();
    let each = "each line is taken for a node and its group";
    for missing in ["", "NA", "?", "n.a."] {
        let found = read(&format!("name,team\nAda,red\nBob,red\nCleo,blue\nDan,{missing}\nEve,blue\n"));
        assert_eq!(found.groups, [vec![0, 1], vec![2, 4]]);
        assert_eq!(
            found.warnings,
            [each, "1 node has no group (an empty cell, NA or another missing value)"]
        );
    }
    let found = read("red,Ada\nred,Bob\nblue,Cleo\n,Dan\nblue,Eve\nNA,#ai\n");
    assert_eq!(found.groups, [vec![0, 1], vec![2, 4]]);
    assert_eq!(found.warnings.len(), 2);
    // Lines that were skipped.
    let tags = read("Ada Bob\n#x #y\n#of Bob\n# of Ada\n").warnings;
    assert_eq!(tags, ["1 line with names of nodes begins with # or % and was skipped as a comment"]);
    let found = read("Ada,red\nBob,red\nCleo,blue\nDan,blue\n#ai,red\n");
    assert_eq!(
        found.warnings,
        [each, "1 line with names of nodes begins with # or % and was skipped as a comment"]
    );
}

#[test]
fn what_is_behind_a_name() {
    let two = |name: &str| {
        vec![format!("'Ann' and '{name}' are two nodes: what is behind the first name is part of the other")]
    };
    let rows = "Ann\tBob\nBob\tCleo\nCleo\tAnn\n";
    for name in ["Ann:", "Ann (friend)", "Ann (2)", "Ann [1]"] {
        assert_eq!(warnings(&format!("{rows}{name}\tCleo\n")), two(name));
    }
    let list = (0..12).map(|i| format!("p{i}: p{}\n", (i + 5) % 12)).collect::<Vec<_>>().concat();
    let found = warnings_with(&list, &ReadOptions { bipartite: Some(false), ..ReadOptions::default() });
    let said = "every row begins with a name and a colon, which is part of the name, as in 'p0:': if the rows are an adjacency list \
         with one neighbour in each, take the colons out (sed 's/: */\\t/')";
    assert!(found.iter().any(|found| found == said), "{found:?}");
    assert!(!found.iter().any(|said| said.contains("are two nodes")), "{found:?}");
}

#[test]
fn comments_in_tables_that_are_rows() {
    let said = "1 line begins with # or % and was skipped as a comment, though it has a name of a node: put a name that \
                begins so in double quotes";
    let read = |text: &str| parse_attributes(text.as_bytes(), "people.csv", &people()).unwrap().warnings;
    assert_eq!(
        read("name,age\n#ai,3\nAda,1\nBob,2\nCleo,3\nDan,4\nEve,5\n")[..2],
        ["people.csv: 1 of 6 nodes is not there".to_owned(), format!("people.csv: {said}")]
    );
    assert_eq!(read("name,age\n#Zoe,3\nAda,1\nBob,2\n# of 2020\n").len(), 2);
    let ties = "source,target,years\n#ai,Ada,3\nAda,Bob,2\nBob,Cleo,1\n";
    let found = parse_pair_table(ties.as_bytes(), "ties.csv", &people(), false).unwrap();
    assert_eq!(found.warnings[0], format!("ties.csv: {said}"));
}

#[test]
fn words_between_commas_with_spaces_in_them() {
    let read = |text: &str| parse_attributes(text.as_bytes(), "people.csv", &people()).unwrap().warnings;
    let rows = "#x\nname,likes:words\nAda,\"green tea, cake\"\nBob,\"cake; rum\"\nCleo,Tea\n";
    assert_eq!(
        read(rows),
        [
            "people.csv: 3 of 6 nodes are not there",
            "people.csv: read as likes (5 words)",
            "people.csv: 'tea' and 'Tea' are two words of 'likes': their names differ in case, spaces and signs \
             between words, quotes, invisible marks, look-alike letters of two scripts or the form of letters or \
             numbers alone",
            "people.csv: words of 'likes' are separated by spaces, as in 'green tea, cake', and are without the commas and \
             semicolons behind them: if what is between these is one word, write it without spaces (green_tea)"
        ]
    );
    let lists = "Ada tea, cake, rum\nBob tea cake\nCleo rum;\n";
    let found = parse_attributes(lists.as_bytes(), "words.txt", &people()).unwrap();
    assert_eq!(found.warnings[1], "words.txt: read as word (3 words)");
    assert!(
        found.warnings[2].starts_with(
            "words.txt: words of 'word' are separated by spaces, as in 'tea, cake, rum', and are"
        )
    );
}

#[test]
fn lists_of_words_of_an_unknown_node() {
    let read =
        |text: &str| parse_attributes(text.as_bytes(), "words.txt", &people()).unwrap_err().to_string();
    assert_eq!(
        read("Zoe tea cake rum\nAda tea\nBob cake rum\nCleo rum\n"),
        "words.txt, line 1, column 1: 'Zoe' is not one of the 6 nodes (so its line was taken for a header, but the lines \
         below differ in length, as lists of words do)"
    );
    assert_eq!(
        read("name,age,city\nAda,3,Rome\nBob,4\nCleo,5,Oslo\n"),
        "words.txt, line 3: 2 columns where 3 are needed (cut at commas)"
    );
}

/// What a command prints that reads this text.
fn piped(command: &str, text: &str) -> Option<String> {
    let mut shell = Command::new("sh");
    let started = shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut started = started.ok()?;
    started.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = started.wait_with_output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

/// The command between these words of a message.
fn command<'a>(message: &'a str, before: &str, behind: &str) -> &'a str {
    let (_, rest) = message.split_once(before).unwrap_or_else(|| panic!("{message}"));
    rest.split_once(behind).unwrap_or_else(|| panic!("{message}")).0
}

#[test]
fn what_turns_lists_into_links_does_so() {
    let expected = "Ann,Bob Ann,Gus Ann,Hal Bob,Ann";
    for list in [
        "Ann: Bob, Gus, Hal\nBob: Ann\nEve: \n",
        "Ann: Bob Gus Hal\nBob: Ann\nEve:\n",
        "Ann: Bob,Gus,Hal\nBob: Ann,\nEve:\n",
        "Ann,Bob,Gus,Hal\nBob,Ann,,\nEve,,,\n",
        "Ann\tBob\tGus\tHal\nBob\tAnn\t\t\n",
        "Ann Bob Gus Hal\nBob Ann\n",
    ] {
        let message = refused(list);
        let Some(links) = piped(command(&message, "for each link (", "), or name"), list) else { return };
        let links: Vec<String> = links
            .lines()
            .map(|line| {
                line.split([',', ' ', '\t']).filter(|name| !name.is_empty()).collect::<Vec<_>>().join(",")
            })
            .collect();
        assert_eq!(links.join(" "), expected, "{message}");
    }
    let sif = "Ann pp Bob Gus\nBob pp Gus\nGus pp Hal\nEve\n";
    let message = refused(sif);
    assert!(message.contains("the same words (pp) in the second column"), "{message}");
    let Some(links) = piped(command(&message, "for each link (", ") and say"), sif) else { return };
    assert_eq!(links, "Ann pp Bob\nAnn pp Gus\nBob pp Gus\nGus pp Hal\n");
    let psql = " source | target \n--------+--------\n Ann    | Bob\n Bob    | Gus\n(2 rows)\n";
    let message = refused(psql);
    assert_eq!(
        message,
        "links is a file of text tables with borders, which is not read: take the borders out (tr -d '\\r' < links | grep '|' | sed 's/^ *//; s/ \
         *$//; s/ *| */\\t/g' > links.tsv)"
    );
}

#[test]
fn the_number_of_rows_below_them() {
    let rows = "source|target\nAnn|Bob\nBob|Gus\nGus|Ann\n(3 rows)\n";
    assert_eq!(
        refused(rows),
        "links, line 5: 1 column where 2 are needed (cut at bars; the line has the number of rows, as databases write it: take \
         it out)"
    );
}

#[test]
fn weights_of_links_alone() {
    let text = "source,target,label,weight\nAda,Bob,1,2\nBob,Cleo,1,0\nCleo,Ada,0,0\nAda,Dan,?,0\n";
    let said = warnings(text);
    let weights = "4 weights from 0 to 2 were read and are not used (1 of them 0 and still links)";
    assert!(said.iter().any(|said| said == weights), "{said:?}");
    for (weights, still) in [
        (
            [-1, 1, -2],
            "3 weights from -2 to 1 were read and are not used (2 of them negative and still links)",
        ),
        (
            [-1, 0, 0],
            "3 weights from -1 to 0 were read and are not used (2 of them 0, 1 negative, and still links)",
        ),
    ] {
        let [first, second, third] = weights;
        let text = format!("source,target,weight\nAda,Bob,{first}\nBob,Cleo,{second}\nCleo,Ada,{third}\n");
        assert!(warnings(&text).iter().any(|said| said == still), "{:?}", warnings(&text));
    }
}

#[test]
fn predictions_as_links() {
    let predicted = "source,target,probability,low,high\nAda,Bob,0.9,0.8,0.95\nBob,Cleo,0.8,0.6,0.9\n";
    let said =
        "the column 'probability' is not used: the rows are predictions of dlfrm, and each is read as a link";
    assert!(warnings(predicted).iter().any(|warning| warning == said), "{:?}", warnings(predicted));
    let edges = |kind: &str| {
        warnings(&format!("Source,Target,Type,kind\nAda,Bob,Undirected,link\nBob,Cleo,Undirected,{kind}\n"))
    };
    let said = "the column 'kind' is not used: links that dlfrm predicted are read as links, too".to_owned();
    assert!(edges("predicted").contains(&said), "{:?}", edges("predicted"));
    assert!(edges("link").contains(&"the column 'kind' is not used".to_owned()));
}

#[test]
fn columns_of_0_and_1() {
    let said = |title: &str, values: [&str; 3]| {
        let [first, second, third] = values;
        warnings(&format!("source,target,{title}\nAda,Bob,{first}\nBob,Cleo,{second}\nCleo,Ada,{third}\n"))
    };
    assert!(said("value", ["1", "0", "1"]).contains(
        &"the column 'value' is not used: it has 0 and 1, and every row is a link; if 0 says that there is none, call it 'label'"
            .to_owned()
    ));
    for values in [["1", "1", "1"], ["1", "0", "2"]] {
        assert!(said("value", values).contains(&"the column 'value' is not used".to_owned()), "{values:?}");
    }
}

#[test]
fn kinds_of_edges() {
    let graph = |kinds: &[&str]| {
        let mut text =
            "<graphml><key id=\"k\" for=\"edge\" attr.name=\"kind\"/><graph edgedefault=\"undirected\">\n"
                .to_owned();
        for node in 0..=kinds.len() {
            writeln!(text, "<node id=\"n{node}\"/>").unwrap();
        }
        for (at, kind) in kinds.iter().enumerate() {
            writeln!(
                text,
                "<edge source=\"n{at}\" target=\"n{}\"><data key=\"k\">{kind}</data></edge>",
                at + 1
            )
            .unwrap();
        }
        warnings_with(
            &(text + "</graph></graphml>\n"),
            &ReadOptions { directed: false, ..ReadOptions::default() },
        )
    };
    let isolated = |count: usize| {
        if count == 1 { "1 node has no link".to_owned() } else { format!("{count} nodes have no link") }
    };
    assert_eq!(
        graph(&["real", "real", "predicted"]),
        [
            "1 edge is a predicted one and was set aside (its kind is 'predicted', as dlfrm export writes it; edges of other \
             kinds are links)"
                .to_owned(),
            isolated(1)
        ]
    );
    assert_eq!(
        graph(&["link", "predicted", "predicted"]),
        ["2 edges are predicted ones and were set aside".to_owned(), isolated(2)]
    );
    assert_eq!(graph(&["real", "real"]), ["the edge attribute 'kind' is not used"]);
}

#[test]
fn columns_of_konect() {
    let rows = |kind: &str, behind: &str| {
        let links = (1..8).map(|i| format!("{i} {} {behind}\n", i % 7 + 1)).collect::<Vec<_>>().concat();
        refused(&format!("% {kind}\n% 7 7 7\n{links}"))
    };
    let said = |weights: &str| {
        format!(
            "a comment in the file says it is of KONECT, with weights ({weights}) and a time behind the ends, which are not used: "
        )
    };
    assert_eq!(
        rows("asym posweighted", "2 1199145600"),
        format!(
            "links, line 3: 4 columns where 2 are understood: {}say --columns source,target,weight,skip",
            said("posweighted")
        )
    );
    assert_eq!(
        rows("asym signed", "-1 1199145600"),
        format!(
            "links, line 3: 4 columns where 2 are understood: {}say --columns source,target,weight,skip; if a negative sign is to \
             be the label of a non-link, say --columns source,target,label,skip",
            said("signed")
        )
    );
    assert!(rows("sym positive", "3").ends_with("which are not used: say --columns source,target,weight"));
}

#[test]
fn a_first_row_of_unknown_names_may_be_a_header() {
    let hint = "(if it is a title, say --header)";
    let known = declared("Ada Bob Cleo");
    let refused = |text: &str, options: &ReadOptions| {
        parse_network(text.as_bytes(), "links", options).unwrap_err().to_string()
    };
    let unknown = "links, line 1, column 1: 'person' is not one of the 3 nodes";
    assert_eq!(refused("person,pal\nAda,Bob\n", &known), format!("{unknown} {hint}"));
    assert_eq!(refused("person,Ada\nAda,Bob\n", &known), unknown);
    assert_eq!(
        refused("7,8\nAda,Bob\n", &known),
        "links, line 1, column 1: '7' is not one of the 3 nodes",
        "a number is no title"
    );
    let no_header = ReadOptions { header: Some(false), ..known };
    assert_eq!(refused("person,pal\nAda,Bob\n", &no_header), unknown);
    let count = ReadOptions { nodes: Some(Declared::Count(3)), ..ReadOptions::default() };
    assert_eq!(
        refused("person,pal\n0,1\nx,2\n", &count),
        format!("links, line 1, column 1: an id must be an integer from 0 to 2 {hint}, is 'person'")
    );
    assert_eq!(
        refused("5,6\n0,1\n", &count),
        "links, line 1, column 1: an id must be an integer from 0 to 2, is '5'"
    );
    let nodes: Nodes = ["Ada", "Bob"].into_iter().collect();
    let error = parse_pairs(&b"person,pal\nAda,Bob\n"[..], "pairs", &nodes, &ReadOptions::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        format!("pairs, line 1, column 1: 'person' is not one of the 2 nodes {hint}")
    );
}

#[test]
fn a_row_of_one_type_below_the_header() {
    let ring = (0..9).map(|i| format!("Ada{i},Ada{}\n", (i + 4) % 9)).collect::<Vec<_>>().concat();
    for word in ["string", "object"] {
        let found = warnings(&format!("source,target\n{word},{word}\n{ring}"));
        let said = format!(
            "line 2 ({word}, {word}) was taken for a self link, and its name is in no other row: if it is none, take it out"
        );
        assert!(found.contains(&said), "{found:?}");
    }
    let again = warnings(&format!("source,target\nAda0,Ada0\n{ring}"));
    assert!(!again.iter().any(|said| said.contains("self link, and")), "{again:?}");
}

#[test]
fn titles_of_declared_nodes() {
    for title in ["x", "0", "Label", "label", "names", "nodes", "title", "name"] {
        let found = warnings_with("Ada Bob\nBob Cleo\n", &declared(&format!("{title} Ada Bob Cleo")));
        let said = format!(
            "'{title}' is the first of the declared nodes and has no link: if it is a title, take it out of the list"
        );
        assert_eq!(found, [said, "1 node has no link".to_owned()]);
    }
    for names in ["x Ada Bob Cleo Dan", "Zoe Ada Bob Cleo"] {
        let found = warnings_with("Ada Bob\nBob Cleo\n", &declared(names));
        assert!(found.len() == 1 && found[0].contains("no link"), "{found:?}");
    }
}

#[test]
fn titles_that_do_not_say_the_direction() {
    let rows = "1,2\n2,3\n3,1\n1,4\n";
    let directed = ReadOptions { directed: true, ..ReadOptions::default() };
    assert_eq!(
        warnings_with(&format!("callee_name,caller_name\n{rows}"), &directed),
        [
            "the first row (callee_name, caller_name) was taken for a header: links go from callee_name to caller_name"
        ]
    );
    let undirected = ReadOptions { directed: false, ..ReadOptions::default() };
    for (titles, options) in [("callee_name,caller_name", &undirected), ("node_1,node_2", &directed)] {
        let said = format!("the first row ({}) was taken for a header", titles.replace(',', ", "));
        assert_eq!(warnings_with(&format!("{titles}\n{rows}"), options), [said]);
    }
}

#[test]
fn groups_that_may_be_none() {
    let read = |text: &str| parse_groups(text.as_bytes(), "teams.csv", &people()).unwrap().warnings;
    for none in ["-1", "none", "unknown", "Noise"] {
        assert_eq!(
            read(&format!("Ada,1\nBob,1\nCleo,2\nDan,2\nEve,{none}\n\"#ai\",{none}\n")),
            [
                "each line is taken for a node and its group".to_owned(),
                format!(
                    "'{none}' is taken for a group of 2 nodes: if it stands for no group, leave its cells empty"
                )
            ]
        );
    }
}

#[test]
fn rows_of_hashtags_below_a_header() {
    let what = "links has a header and no rows";
    assert_eq!(
        refused("source,target\n#ai,#cloud\n#ai,#bots\n"),
        format!(
            "{what}: all lines below it begin with # or % and are comments (put names that begin so in double quotes)"
        )
    );
    assert_eq!(refused("source,target\n# of 2020\n"), what);
}

#[test]
fn files_that_are_no_lists() {
    let model = b"\x58\0\0\0\0\0\0\0{\"__metadata__\":{\"dlfrm\":\"1\"}}\0\0\xff\n";
    let said = "file is a model or a checkpoint of dlfrm, a text file is needed";
    let known = people();
    for message in [
        parse_names(&model[..], "file").unwrap_err(),
        parse_groups(&model[..], "file", &known).unwrap_err(),
        parse_attributes(&model[..], "file", &known).unwrap_err(),
        parse_pair_table(&model[..], "file", &known, false).unwrap_err(),
    ] {
        assert_eq!(message.to_string(), said);
    }
    let matrix = ",Ada,Bob,Cleo\nAda,0,1,2\nBob,1,0,3\nCleo,2,3,0\n";
    assert_eq!(
        parse_pair_table(matrix.as_bytes(), "km.csv", &known, false).unwrap_err().to_string(),
        "km.csv, line 1, column 1: the column has no title, and the others are called like nodes: a matrix is not read, write \
         a row for each pair (source,target,value)"
    );
    let mut archive = b"links.tsv".to_vec();
    archive.resize(257, 0);
    archive.extend(b"ustar\x0000");
    archive.resize(1024, 0);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&archive).unwrap();
    for bytes in [archive, packed.finish().unwrap()] {
        assert_eq!(
            parse_network(&bytes[..], "links.tar.gz", &ReadOptions::default()).unwrap_err().to_string(),
            "links.tar.gz is packed with tar, which is not read: unpack it, or use .gz or .zst"
        );
    }
}
