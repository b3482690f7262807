//! Layouts that are found, reported and refused.

use super::*;

fn expected(comments: &Comments) -> Expected<'_> {
    Expected { file: "links", last: 0, known: None, unnamed: &ENDS, delimiter: None, comments }
}

fn layout(text: &str, options: &ReadOptions) -> Layout {
    let sample: Vec<_> = (1..).zip(text.lines().map(str::to_owned)).collect();
    find(&sample, options, expected(&Comments::default())).unwrap()
}

fn refused(text: &str) -> String {
    refused_with(text, &ReadOptions::default())
}

fn refused_with(text: &str, options: &ReadOptions) -> String {
    let sample: Vec<_> = (1..).zip(text.lines().map(str::to_owned)).collect();
    find(&sample, options, expected(&Comments::default())).unwrap_err().to_string()
}

fn found(text: &str) -> (Delimiter, String, bool) {
    let layout = layout(text, &ReadOptions::default());
    (layout.delimiter, layout.columns.to_string(), layout.header)
}

#[test]
fn delimiters_are_found() {
    let plain = |delimiter| (delimiter, "source,target".to_owned(), false);
    assert_eq!(found("1\t2\n3\t4"), plain(Delimiter::Tab));
    assert_eq!(found("Jean Valjean,Cosette\n\"Doe, J\",x"), plain(Delimiter::Comma));
    assert_eq!(found("Doe, J;Roe, A\nX, Y;Z, W"), plain(Delimiter::Semicolon));
    assert_eq!(found("\"a\tb\",\"c; d\""), plain(Delimiter::Comma));
    assert_eq!(found("1   2\n3 4"), plain(Delimiter::Spaces));
    assert_eq!(found("1\t2\n3 4\n5 6"), plain(Delimiter::Spaces));
    assert_eq!(found("alone\nalone"), plain(Delimiter::Spaces));
}

#[test]
fn titles_choose_columns() {
    assert_eq!(found("w,from,to\n1,a,b").1, "skip,source,target");
    assert_eq!(found("weight,from,to\n1,a,b"), (Delimiter::Comma, "weight,source,target".into(), true));
    assert_eq!(found("source,target,label\na,b,0").1, "source,target,label");
    // What is no label is refused when it is read: a column of labels is never left out.
    assert_eq!(found("Source,Target,Label\na,b,friends").1, "source,target,label");
    assert_eq!(found("Source,Target,Label\na,b,?").1, "source,target,label");
    let empty = layout("Source,Target,Label\na,b,\nb,c,", &ReadOptions::default());
    assert_eq!(empty.columns.to_string(), "source,target,skip");
    assert_eq!(empty.remarks, ["the column 'Label' is empty and is not used: all rows are links"]);
}

#[test]
fn columns_that_nothing_names_are_refused() {
    let unnamed = "links, line 1: 3 columns where 2 are understood: there is no header that names them; name \
                   them, as in --columns source,target,";
    let skip = " (or skip for one to ignore)";
    let spaces = "; if names have spaces in them, put tabs or commas between the columns";
    assert_eq!(refused("1 2 0.5\n2 3 0.7"), format!("{unnamed}weight{skip}"));
    assert_eq!(refused("1 2 0\n2 3 1"), format!("{unnamed}label{skip}"));
    assert_eq!(refused("1 2 x\n2 3 y"), format!("{unnamed}relation{skip}{spaces}"));
    // Whoever says that there is no header is not asked for one.
    let no_header = |text: &str| {
        let options = ReadOptions { header: Some(false), ..ReadOptions::default() };
        refused_with(text, &options)
    };
    assert_eq!(
        no_header("source,target,weight\na,b,1\nb,c,2\nc,a,3"),
        "links, line 1: 3 columns where 2 are understood: the first row (source, target, weight) looks like a header, and \
         --no-header takes it for a link: leave --no-header out"
    );
    for text in ["p,q,s\na,b,0.5\nb,c,1.5", "day,p,q\n2020-01-01,a,b\n2020-01-02,b,c", ",p,q\n1,a,b\n2,b,c"] {
        assert_eq!(no_header(text), format!("{unnamed}relation{skip}"), "{text}");
    }
    assert_eq!(
        refused("a b\nb c d\n"),
        "links, line 2: 3 columns where 2 are understood: rows that differ in length look like an adjacency list, \
         which is not read: write a line for each link (awk '{gsub(/[\\r\"]/, \"\")} {for (i = 2; i <= NF; i++) print $1, $i}'), or name the \
         columns, as in --columns source,target,skip; if names have spaces in them, put tabs or commas between the \
         columns"
    );
    assert_eq!(
        refused("id,user,item\n1,2,3\n4,5,6"),
        "links, line 1: 3 columns where 2 are understood: the header (id, user, item) does not say which are \
         source and target; name the columns, as in --columns source,target,skip"
    );
    assert_eq!(
        refused("\"from\",\"to\"\n\"1\",\"a\",\"b\"\n\"2\",\"b\",\"c\""),
        "links, line 2: 3 columns where 2 are understood: the header has one title less than that, as R writes a \
         table with names of rows: say --columns skip,source,target"
    );
    assert_eq!(
        refused("from,to\na,b,5\na,c,7"),
        "links, line 2: 3 columns where 2 are understood: the header has one title less than that: name the columns, \
         as in --columns skip,source,target or --columns source,target,skip"
    );
    assert_eq!(
        refused("// who knows whom\n1 2\n2 3"),
        "links, line 1: 4 columns where 2 are understood: lines that begin with // are read as rows: begin comments with # or %"
    );
    assert_eq!(found("a,b,\nb,c,").1, "source,target");
}

/// Advice that is followed to the letter reads what is meant.
#[test]
fn titles_without_a_known_meaning_are_named() {
    let text = "Von,Nach,Gewicht\na,b,1\nb,c,2\nc,d,3\n";
    assert_eq!(
        refused(text),
        "links, line 1: 3 columns where 2 are understood: the words of the first row (Von, Nach, Gewicht) have no known \
         meaning; name them, as in --header --columns source,target,weight (or skip for one to ignore)"
    );
    assert!(
        refused("Von,Nach,Ja\na,b,yes\nb,c,no\n")
            .contains("as in --header --columns source,target,label (or")
    );
    let columns = Some("source,target,weight".parse().unwrap());
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let read = |options: &ReadOptions| crate::read::parse_network(text.as_bytes(), "links", options);
    assert_eq!(
        read(&options).unwrap_err().to_string(),
        "links, line 1, column 3: a weight must be a finite number (if it is a title, say --header), is 'Gewicht'"
    );
    let report = read(&ReadOptions { header: Some(true), ..options }).unwrap().report;
    assert_eq!((report.nodes, report.counts.links, report.weights.unwrap().count), (4, 3, 3));
}

#[test]
fn ends_that_may_be_meant_the_other_way_are_reported() {
    let remarks = |text: &str, columns: Option<&str>, directed| {
        let columns = columns.map(|columns| columns.parse().unwrap());
        layout(text, &ReadOptions { columns, directed, ..ReadOptions::default() }).remarks
    };
    let said = |from: &str, to: &str, columns: &str| {
        format!(
            "links go from '{from}' to '{to}', as in knowledge graphs; if they go the other way, as in graph theory, \
             say --columns {columns}"
        )
    };
    assert_eq!(remarks("tail,head\na,b\nb,c", None, true), [said("head", "tail", "source,target")]);
    assert_eq!(
        remarks("head,weight,tail\na,1,b\nb,2,c", None, true),
        [said("head", "tail", "target,weight,source")]
    );
    assert!(remarks("head,relation,tail\na,r,b\nb,r,c", None, true).is_empty());
    assert!(remarks("tail,head\na,b\nb,c", None, false).is_empty());
    assert!(remarks("tail,head\na,b\nb,c", Some("source,target"), true).is_empty());
    assert_eq!(
        remarks("target,source\na,b\nb,c", Some("source,target"), true),
        ["column 1 is called 'target' and is read as the source, as --columns says"]
    );
    let shifted = "\"from\",\"to\"\n\"1\",\"a\",\"b\"\n\"2\",\"b\",\"c\"";
    assert!(remarks(shifted, Some("skip,source,target"), true).is_empty());
    assert_eq!(
        remarks("source,target,label\na,b,1\nb,c,0", Some("source,target"), true),
        ["the column 'label' is not used"]
    );
}

#[test]
fn what_was_guessed_is_reported() {
    let remarks = |text: &str| layout(text, &ReadOptions::default()).remarks.join("|");
    assert_eq!(remarks("a b\n1 2\n2 3"), "the first row (a, b) was taken for a header");
    assert_eq!(remarks("a b\n1 c\n2 3"), "");
    assert_eq!(remarks("user,item\nAda,tea\nBob,tea"), "the first row (user, item) was taken for a header");
    assert_eq!(
        remarks("husband,wife\nAda,Bob\nBob,Cleo\nCleo,Ada\nAda,Cleo"),
        "the first row (husband, wife) was taken for a link, and its names are in no other row: --header takes it \
         for a header"
    );
    let options = ReadOptions { columns: Some(Columns::default()), ..ReadOptions::default() };
    assert_eq!(layout("1 2 3", &options).remarks, ["column 3 has no name and is not used"]);
}

#[test]
fn the_user_has_the_last_word() {
    let options = ReadOptions { header: Some(false), ..ReadOptions::default() };
    assert!(!layout("source target\n1 2", &options).header);
    let options = ReadOptions { header: Some(true), ..ReadOptions::default() };
    assert!(layout("1 2\n1 3", &options).header);
    assert!(layout("alone\n1 3", &options).header);
    let options = ReadOptions { delimiter: Some(Delimiter::Comma), ..ReadOptions::default() };
    assert_eq!(layout("a\tb", &options).delimiter, Delimiter::Comma);
}
