//! Rows and comments that may be meant otherwise than they are read: each has its notice, and ordinary files have none.

use dlfrm_io::{Dataset, ReadOptions, parse_network};

fn read_with(text: &str, options: &ReadOptions) -> Dataset {
    parse_network(text.as_bytes(), "links", options).unwrap()
}

fn notices(text: &str) -> Vec<String> {
    read_with(text, &ReadOptions::default()).report.notices()
}

#[test]
fn rows_that_begin_as_comments_above_the_others() {
    let several = |count: usize| {
        format!(
            "{count} lines above the rows begin with # or % and were skipped as comments, though they have names of entities: \
             put names that begin so in double quotes"
        )
    };
    assert_eq!(notices("#t0\tAda\n#t1\tBob\nt2\tAda\nt2\tBob\n"), [several(2)]);
    assert_eq!(notices("#t0 Cleo\n%t1 Dan\nAda #t0\nBob %t1\n"), [several(2)]);
    assert_eq!(notices("#a,1\n#b,2\n#c,1\n#d,3\ne,1\nf,2\ng,3\n"), [several(4)]);
    assert_eq!(
        notices("# tags\n#t0 Ada\nt1 Ada\nt1 Bob\n"),
        [
            "1 line above the rows begins with # or % and was skipped as a comment, though it has a name of an entity: put a \
             name that begins so in double quotes"
        ]
    );
    assert_eq!(
        notices("Ada,Bob\n#Bob,Cleo\nCleo,Ada\n"),
        ["1 line among the rows begins with # or % and was skipped as a comment"]
    );
    for text in [
        "# Directed graph: x\n# Nodes: 4 Edges: 5\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n3\t4\n4\t1\n4\t2\n",
        "% asym unweighted\n% 4 3 3\n1 2\n2 3\n3 1\n1 3\n",
        "#nodes 3\n#edges 4\n#made by\n1 2\n2 3\n3 1\n1 3\n",
        "#nodes\t3\n#edges\t4\nAda\tBob\nBob\t3\n3\tAda\n",
        "#source,target\nAda,Bob\nBob,Cleo\nCleo,Ada\n",
        "#script.py here\n# GMT Wed Nov 18\n#\nAda Bob\nBob Cleo\nCleo Ada\n",
        "#t0,Ada\nsource,target\nAda,Bob\nBob,Cleo\n",
        "\"#t0\" Ada\nt1 Ada\nt1 Bob\n",
    ] {
        assert_eq!(notices(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn titles_in_a_comment_that_are_the_other_way_round() {
    let rows = "Ada\tBob\nBob\tCleo\nCleo\tAda\n";
    for comment in ["#target\tsource", "# To\tFrom"] {
        let [target, source] = [1, 2].map(|word| comment.split(['#', '\t']).nth(word).unwrap().trim());
        assert_eq!(
            notices(&format!("{comment}\n{rows}")),
            [format!(
                "links go from the first column to the second, which a comment calls '{target}' and '{source}': if they go \
                 the other way, say --columns target,source"
            )]
        );
    }
    let undirected = ReadOptions { directed: false, ..ReadOptions::default() };
    assert!(read_with(&format!("#target\tsource\n{rows}"), &undirected).report.notices().is_empty());
    let columns = ReadOptions { columns: Some("source,target".parse().unwrap()), ..ReadOptions::default() };
    assert!(read_with(&format!("#target\tsource\n{rows}"), &columns).report.notices().is_empty());
    for comment in ["#source\ttarget", "#tail\thead", "# the target\tand the source"] {
        assert_eq!(notices(&format!("{comment}\n{rows}")), Vec::<String>::new(), "{comment}");
    }
}
