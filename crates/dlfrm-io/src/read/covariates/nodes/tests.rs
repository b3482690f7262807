//! Attributes with every kind of column.

use super::*;

fn read(text: &str) -> Result<ReadAttributes, ReadError> {
    let nodes: Nodes = ["Ada", "Bob", "Cleo", "7"].into_iter().collect();
    parse_attributes(text.as_bytes(), "people.csv", &nodes)
}

/// The first warning with some words about a column of five nodes.
fn warning_of(title: &str, values: [&str; 5], words: &str) -> Option<String> {
    let names = ["Ada", "Bob", "Cleo", "Dan", "Eve"];
    let rows = names.iter().zip(values).map(|(name, value)| format!("{name},{value}\n"));
    let text = format!("name,{title}\n{}", rows.collect::<String>());
    let nodes: Nodes = names.into_iter().collect();
    let warnings = parse_attributes(text.as_bytes(), "people.csv", &nodes).unwrap().warnings;
    warnings.into_iter().find(|warning| warning.contains(words))
}

#[test]
fn a_table_has_numbers_categories_and_words() {
    let text = "name,age,city,tags:words,code:category\nBob,30,Rome,a b a,1\nAda,,Oslo,,2\n7,41.5,Rome,c,1\n";
    let ReadAttributes { fields, warnings } = read(text).unwrap();
    let words = |words: &[&str], lists: [&[(u32, f64)]; 4]| FieldValues::Words {
        words: words.iter().map(|&word| word.to_owned()).collect(),
        lists: lists.map(<[_]>::to_vec).to_vec(),
    };
    let one = |word| -> &[(u32, f64)] { if word == 0 { &[(0, 1.0)] } else { &[(1, 1.0)] } };
    assert_eq!(fields[0].values, FieldValues::Numbers(vec![None, Some(30.0), None, Some(41.5)]));
    assert_eq!(fields[1].values, words(&["Rome", "Oslo"], [one(1), one(0), &[], one(0)]));
    assert_eq!(fields[2].values, words(&["a", "b", "c"], [&[], &[(0, 2.0), (1, 1.0)], &[], &[(2, 1.0)]]));
    assert_eq!(fields[3].values, words(&["1", "2"], [one(1), one(0), &[], one(0)]));
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["age", "city", "tags", "code"]);
    assert_eq!(
        warnings,
        [
            "people.csv: 1 of 4 nodes is not there",
            "people.csv: read as age (number), city (2 categories), tags (3 words), code (2 categories)",
            "people.csv: 1 value of 'age' is missing",
            "people.csv: 1 value of 'tags' is missing"
        ]
    );
}

#[test]
fn kinds_follow_a_colon_in_any_writing() {
    for title in ["code:Category", "code: category", "code :CATEGORY"] {
        let read = read(&format!("name,{title}\nAda,1\nBob,2\nCleo,1\n7,2\n")).unwrap();
        assert!(matches!(read.fields[0].values, FieldValues::Words { .. }), "{title}");
        assert_eq!(read.fields[0].name, "code");
        assert_eq!(read.warnings, ["people.csv: read as code (2 categories)"], "{title}");
    }
    let read = read("name,dc:age\nAda,1\nBob,2\nCleo,1\n7,2\n").unwrap();
    assert_eq!(
        read.warnings,
        [
            "people.csv: read as dc:age (number)",
            "people.csv: 'dc:age' is a title as a whole: the kinds of columns are :number, :category and :words"
        ]
    );
}

#[test]
fn categories_that_no_two_nodes_share_are_remarked_on() {
    let warnings = |values: [&str; 4]| {
        let rows = ["Ada", "Bob", "Cleo", "7"].iter().zip(values);
        let rows: Vec<String> = rows.map(|(name, value)| format!("{name},{value}")).collect();
        read(&format!("name,born\n{}\n", rows.join("\n"))).unwrap().warnings
    };
    assert_eq!(
        warnings(["2001-01-31", "2002-01-31", "2003-01-31", "2004-01-31"]),
        [
            "people.csv: read as born (4 categories)",
            "people.csv: every value of 'born' is a category of its own ('2001-01-31'), so no two nodes share one; \
             dates and other quantities must be plain numbers"
        ]
    );
    assert_eq!(warnings(["0x10", "0x11", "0x12", "0x13"]).len(), 2);
    assert_eq!(warnings(["Rome", "Oslo", "Rome", "Lima"]), ["people.csv: read as born (3 categories)"]);
}

#[test]
fn categories_in_two_forms_are_remarked_on() {
    let warnings = read("name;city\nAda;Rome\nBob;rome\nCleo;Rome\n7;Oslo\n").unwrap().warnings;
    assert_eq!(
        warnings,
        [
            "people.csv: read as city (3 categories)",
            "people.csv: 'Rome' and 'rome' are two categories of 'city': their names differ in case, spaces and signs \
             between words, quotes, invisible marks, look-alike letters of two scripts or the form of letters or \
             numbers alone",
        ]
    );
}

#[test]
fn words_are_separated_by_spaces_or_by_commas() {
    let read = |cells: [&str; 4]| {
        let [ada, bob, cleo, seven] = cells;
        read(&format!("name\ttags:words\nAda\t{ada}\nBob\t{bob}\nCleo\t{cleo}\n7\t{seven}\n")).unwrap()
    };
    let words = |read: &ReadAttributes| match &read.fields[0].values {
        FieldValues::Words { words, .. } => words.join("|"),
        FieldValues::Numbers(_) => String::new(),
    };
    for (cells, expected, kind) in [
        (["red,blue", "red", "green", "blue"], "red|blue|green", "3 words between commas"),
        (["red, blue", "red", "green,blue,", "blue"], "red|blue|green", "3 words between commas"),
        (["red;blue", "red", "green", "blue"], "red|blue|green", "3 words between semicolons"),
        (["red blue", "red", "green", "blue"], "red|blue|green", "3 words"),
    ] {
        let read = read(cells);
        assert_eq!(words(&read), expected);
        assert_eq!(read.warnings, [format!("people.csv: read as tags ({kind})")]);
    }
    let both = read(["red blue", "red,blue", "green", "None"]);
    assert_eq!(words(&both), "red|blue|red,blue|green");
    assert_eq!(
        both.warnings,
        [
            "people.csv: read as tags (4 words)",
            "people.csv: words of 'tags' are separated by spaces, so that 'red,blue' is one of them",
            "people.csv: 1 value of 'tags' is missing",
        ]
    );
}

#[test]
fn words_for_nothing_are_missing_values() {
    let words = [
        "None", "NULL", "null", "(null)", "N/A", "n.a.", "<NA>", "-", "--", ".", "NaN", "NaT", "\\N", "#N/A",
        "#REF!", "#DIV/0!",
    ];
    for word in words {
        let read = read(&format!("name,age\nAda,{word}\nBob,30\nCleo,{word}\n7,20\n")).unwrap();
        assert_eq!(read.fields[0].values, FieldValues::Numbers(vec![None, Some(30.0), None, Some(20.0)]));
        assert_eq!(read.warnings[1], "people.csv: 2 values of 'age' are missing", "{word}");
    }
    for word in words {
        assert_eq!(
            read(&format!("name,city\nAda,{word}\nBob,Rome\nCleo,{word}\n7,Oslo\n")).unwrap().warnings,
            ["people.csv: read as city (2 categories)", "people.csv: 2 values of 'city' are missing"],
            "{word}"
        );
    }
    // In small letters it may be a category.
    assert_eq!(
        read("name,pet\nAda,none\nBob,cat\n").unwrap().warnings[1],
        "people.csv: read as pet (2 categories)"
    );
}

#[test]
fn codes_with_zeros_in_front_are_remarked_on() {
    let warnings = |title: &str, zips: [&str; 3]| {
        let [ada, bob, cleo] = zips;
        let text = format!("name,{title}\nAda,{ada}\nBob,{bob}\nCleo,{cleo}\n");
        let warnings = read(&text).unwrap().warnings;
        warnings.into_iter().filter(|warning| warning.contains("which is read as")).collect::<Vec<_>>()
    };
    assert_eq!(
        warnings("zip", ["21234", "01234", "NA"]),
        [
            "people.csv: 'zip' has 01234, which is read as the number 1234: if these are codes, call the column 'zip:category'"
        ]
    );
    assert!(warnings("zip:category", ["21234", "01234", "NA"]).is_empty());
    for zips in [["21234", "0", "7"], ["0.5", "01", "7"], ["0.5", "00.7", "-01"]] {
        assert!(warnings("zip", zips).is_empty(), "{zips:?}");
    }
    assert!(warnings("zip:number", ["21234", "01234", "7"]).is_empty());
}

#[test]
fn two_files_have_different_titles() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let nodes: Nodes = ["Ada", "Bob", "Cleo", "7"].into_iter().collect();
    let [one, other] = ["one.csv", "other.csv"].map(|name| file(name, "name,age\nAda,1\nBob,2\n"));
    let message = read_all_attributes(&[one.clone(), other.clone()], &nodes).unwrap_err().to_string();
    assert_eq!(
        message,
        format!(
            "{}: 'age' is an attribute of {} already: put both into one file, or call it otherwise",
            other.display(),
            one.display()
        )
    );
    let lists = ["likes.txt", "knows.txt"].map(|name| file(name, "Ada tea cake\nBob tea\n"));
    let read = read_all_attributes(&lists, &nodes).unwrap();
    let names: Vec<&str> = read.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["word", "word 2"]);
}

#[test]
fn lists_of_words_need_no_header() {
    let ReadAttributes { fields, warnings } = read("Ada\tx\ty\nBob\ty\n# more\nCleo\n7\tx\tx\tz\n").unwrap();
    let lists = vec![vec![(0, 1.0), (1, 1.0)], vec![(1, 1.0)], vec![], vec![(0, 2.0), (2, 1.0)]];
    let words = ["x", "y", "z"].map(str::to_owned).to_vec();
    assert_eq!(fields, [Field { name: "word".to_owned(), values: FieldValues::Words { words, lists } }]);
    assert_eq!(warnings, ["people.csv: read as word (3 words)", "people.csv: 1 value of 'word' is missing"]);
}

#[test]
fn mistakes_have_file_line_and_column() {
    let message = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(
        message("name,age\nAda,1\nZoe,2\n"),
        "people.csv, line 3, column 1: 'Zoe' is not one of the 4 nodes"
    );
    assert_eq!(
        message("name,age\nAda,1\nBob,2\nAda,3\n"),
        "people.csv, line 4, column 1: the name 'Ada' is in line 2 already"
    );
    assert_eq!(
        message("name,age\nAda,5\nBob,5\n"),
        "people.csv, column 2 ('age'): all values are the same (5)"
    );
    assert_eq!(message("name,age\nAda,\nBob,NA\n"), "people.csv, column 2 ('age'): no value is known");
    assert_eq!(
        message("name,age\nAda,inf\nBob,3\n"),
        "people.csv, line 2, column 2: a value of 'age' must be a finite number, or empty where it is not \
         known, is 'inf'"
    );
    assert_eq!(
        message("name,age\nAda,1\nBob,old\n7,3\nCleo,NA\n"),
        "people.csv, line 3, column 2: a value of 'age' must be a number as most that are known, or empty where it is not \
         known (if they are categories, call the column 'age:category'), is 'old'"
    );
    let plain = "a value of 'age' must be a plain number such as 1000.5 (if they are categories, call the column \
                 'age:category'), is";
    assert_eq!(
        message("name;age\nAda;1 000\nBob;2 000\nCleo;900\n"),
        format!("people.csv, line 2, column 2: {plain} '1 000'")
    );
    assert_eq!(
        message("name;age\nAda;1,5\nBob;2,5\n"),
        format!("people.csv, line 2, column 2: {plain} '1,5'")
    );
    for (values, first) in [
        (["23 kg", "7.5 kg"], "23 kg"),
        (["2.26 km", "800 m"], "2.26 km"),
        (["23kg", "31 Kg"], "23kg"),
        (["1,000 EUR", "900"], "1,000 EUR"),
    ] {
        let [ada, bob] = values;
        assert_eq!(
            message(&format!("name\tage\nAda\t{ada}\nBob\t{bob}\n")),
            format!("people.csv, line 2, column 2: {plain} '{first}'")
        );
    }
    for values in ["5g\nBob,4g", "1a\nBob,2a", "3rd\nBob,2nd", "kg\nBob,7 kg", "7 Oaks\nBob,8 Elms"] {
        let warnings = read(&format!("name,code\nAda,{values}\n")).unwrap().warnings;
        assert_eq!(warnings[1], "people.csv: read as code (2 categories)", "{values}");
    }
    assert_eq!(
        message("name,age\nAda,1\nBob\n"),
        "people.csv, line 3: 1 column where 2 are needed (cut at commas)"
    );
    assert!(message("Ada,1\nBob,2\n").contains("has no header"));
    assert_eq!(message("name\nAda\n"), "people.csv has names of nodes and no attributes");
    assert_eq!(message("# nothing\n"), "people.csv has no rows");
}

#[test]
fn a_first_column_of_row_numbers_is_remarked_on() {
    let nodes: Nodes = ["0", "1", "2", "11"].into_iter().collect();
    let warnings = |text: &str| parse_attributes(text.as_bytes(), "people.csv", &nodes).unwrap().warnings;
    let said = "people.csv: the first column ('Unnamed: 0') names the nodes, but all values of 'id' are names of nodes, \
                too: if that column names them, put it first";
    assert!(warnings("Unnamed: 0,id,age\n0,11,31\n1,2,22\n2,0,28\n").iter().any(|warning| warning == said));
    for text in ["name,id,age\n0,0,31\n1,1,22\n2,2,28\n", "name,rank,age\n0,11,31\n1,2,22\n2,0,28\n"] {
        assert!(!warnings(text).iter().any(|warning| warning.contains("put it first")), "{text}");
    }
}

#[test]
fn one_code_among_many_numbers_and_words_for_not_known() {
    let names: Vec<String> = (0..12).map(|number| format!("n{number}")).collect();
    let nodes: Nodes = names.iter().map(String::as_str).collect();
    let said = |cell: &dyn Fn(usize) -> String, what: &str| {
        let rows = names.iter().enumerate().map(|(row, name)| format!("{name},{}\n", cell(row)));
        let text = format!("name,is\n{}", rows.collect::<Vec<_>>().concat());
        let warnings = parse_attributes(text.as_bytes(), "people.csv", &nodes).unwrap().warnings;
        warnings.into_iter().find(|warning| warning.contains(what))
    };
    let ages = |code: &'static str| {
        move |row: usize| if row == 3 { code.to_owned() } else { (20 + row).to_string() }
    };
    assert_eq!(
        said(&ages("999"), "unlike all others").unwrap(),
        "people.csv: 1 value of 'is' is 999, unlike all others: if it stands for a missing value, leave the cell empty"
    );
    assert!(said(&ages("-99"), "unlike all others").is_some());
    let codes =
        |row: usize| ["888", "20", "999", "31"].get(row).map_or((20 + row).to_string(), ToString::to_string);
    assert_eq!(
        said(&codes, "unlike all others").unwrap(),
        "people.csv: 2 values of 'is' are 888 or 999, unlike all others: if these stand for missing values, leave the cells empty"
    );
    assert_eq!(said(&ages("48"), "unlike all others"), None);
    let cities = |word: &'static str| move |row: usize| [word, "Oslo", "Rome"][row % 3].to_owned();
    assert_eq!(
        said(&cities("Unknown"), "like any other").unwrap(),
        "people.csv: 'Unknown' is a category of 'is' like any other: if it stands for a missing value, leave its cells empty"
    );
    for word in [
        "refused",
        "Don't know",
        "don’t know",
        "DK",
        "n/k",
        "Not applicable",
        "not available",
        "k.A.",
        "(blank)",
        "-999",
        "99",
    ] {
        let expected = format!(
            "people.csv: '{word}' is a category of 'is' like any other: if it stands for a missing value, leave its cells empty"
        );
        assert_eq!(said(&cities(word), "like any other").as_ref(), Some(&expected));
    }
    for word in ["Paris", "75", "1", "Available", "Refuge"] {
        assert_eq!(said(&cities(word), "like any other"), None, "{word}");
    }
    // Countries, and streets.
    for others in [["DK", "NO", "SE"], ["99", "5th", "Main"], ["k", "77a", "9"]] {
        assert_eq!(said(&|row| others[row % 3].to_owned(), "like any other"), None, "{others:?}");
    }
}

#[test]
fn codes_that_may_be_missing_values() {
    let said = |values| warning_of("age", values, "unlike all others");
    assert_eq!(
        said(["-999", "3", "-999", "8", "5"]).unwrap(),
        "people.csv: 2 values of 'age' are -999, unlike all others: if it stands for a missing value, leave the cells empty"
    );
    for values in [["99", "2", "99", "4", "5"], ["-1", "12", "-1", "16", "10"], ["-9", "0", "4", "5", "-9"]] {
        assert!(said(values).is_some(), "{values:?}");
    }
    for values in [
        ["-999", "3", "2", "8", "5"],
        ["999", "999", "700", "8", "9"],
        ["-1", "-1", "-2", "8", "9"],
        ["99", "99", "99", "1", "2"],
    ] {
        assert_eq!(said(values), None, "{values:?}");
    }
}

#[test]
fn rows_behind_a_mark_are_counted() {
    let nodes: Nodes = ["Ada", "Bob", "Gus"].into_iter().collect();
    let skipped = |text: &str| {
        let warnings = parse_attributes(text.as_bytes(), "people.csv", &nodes).unwrap().warnings;
        warnings.into_iter().filter(|warning| warning.contains("comment")).collect::<Vec<_>>()
    };
    assert_eq!(
        skipped("name,age\nAda,4\nBob,7\n#Gus,6\n"),
        [
            "people.csv: 1 line begins with # or % and was skipped as a comment, though it has a name of a node: put a name that \
          begins so in double quotes"
        ]
    );
    assert_eq!(
        skipped("# Gus, Ada and Bob\nname,age\nAda,4\n#Gus\n#ages,in years\nBob,7\n"),
        Vec::<String>::new()
    );
}

#[test]
fn points_that_may_separate_thousands() {
    let said = |values| warning_of("income", values, "thousands");
    assert_eq!(
        said(["950", "12.500", "3.100", "800", "2.750"]).unwrap(),
        "people.csv, line 3: 'income' is 12.500, which is read as 12.5, below all whole numbers of the column: if the point \
         separates thousands, write 12500"
    );
    for values in [
        ["950", "12.5", "3.100", "800", "2.750"],
        ["1", "12.500", "3.100", "2", "2.750"],
        ["1.250", "12.500", "3.100", "4.125", "2.750"],
        ["0.125", "0.500", "0.250", "1", "1"],
        ["1500", "12.500", "3.100", "800", "2.750"],
    ] {
        assert_eq!(said(values), None, "{values:?}");
    }
}
