//! Words that title columns of nodes, and the kinds of nodes that they name.

/// Words that title a column of nodes, alone or with others, as in `user_id` or `node 1`.
const TITLES: &[&str] = &[
    "actor",
    "article",
    "artist",
    "author",
    "book",
    "buyer",
    "callee",
    "caller",
    "character",
    "child",
    "city",
    "company",
    "consumer",
    "country",
    "course",
    "customer",
    "disease",
    "doc",
    "document",
    "drug",
    "employee",
    "node",
    "event",
    "followed",
    "followee",
    "follower",
    "friend",
    "gene",
    "group",
    "host",
    "id",
    "identifier",
    "index",
    "item",
    "key",
    "manager",
    "member",
    "movie",
    "name",
    "node",
    "nodes",
    "num",
    "number",
    "organisation",
    "organization",
    "page",
    "paper",
    "parasite",
    "parent",
    "patient",
    "person",
    "plant",
    "player",
    "pollinator",
    "post",
    "predator",
    "prey",
    "product",
    "protein",
    "reader",
    "reviewer",
    "seller",
    "song",
    "species",
    "station",
    "student",
    "supplier",
    "teacher",
    "team",
    "tweet",
    "user",
    "vertex",
    "word",
];

/// Words that title a list of names, and that are no titles of ends.
const LISTS: [&str; 9] = ["nodes", "ids", "label", "labels", "names", "title", "v1", "vertices", "x"];

/// Titles of one kind of nodes each: a person and a movie of the same name are two nodes. What may be of any kind, such
/// as parent and child, is not here.
const KINDS: &[&[&str]] = &[
    &[
        "actor", "artist", "author", "consumer", "customer", "employee", "member", "patient", "person",
        "player", "reader", "reviewer", "student", "teacher", "user",
    ],
    &["item", "product"],
    &["movie"],
    &["book"],
    &["song"],
    &["article", "doc", "document", "page", "paper"],
    &["post", "tweet"],
    &["course"],
    &["event"],
    &["company", "group", "organisation", "organization", "team"],
    &["disease"],
    &["drug"],
    &["gene", "protein"],
    &["host"],
    &["parasite"],
    &["plant"],
    &["pollinator"],
    &["word"],
];

/// The words of a title without the numbers at their ends.
fn words(title: &str) -> Vec<String> {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word.to_lowercase().trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()).collect()
}

/// Whether a list has a word, or the word without `id` at its end.
fn has(list: &[&str], word: &str) -> bool {
    list.contains(&word) || word.strip_suffix("id").is_some_and(|stem| list.contains(&stem))
}

/// Whether a cell is made of words that title columns; one letter or a number may follow them.
pub(crate) fn is_title(cell: &str) -> bool {
    let words = words(cell);
    let known = |word: &String| has(TITLES, word);
    words.first().is_some_and(known) && words.iter().all(|word| known(word) || word.chars().count() <= 1)
}

/// Whether the first of several names may be the title of their list, as programs write it.
pub(crate) fn titles_a_list(names: &[String]) -> bool {
    let number = |name: &String| name.parse::<f64>().is_ok();
    match names {
        [first, others @ ..] if first == "0" => !others.iter().any(number),
        [first, ..] => LISTS.iter().any(|title| first.eq_ignore_ascii_case(title)),
        [] => false,
    }
}

/// Whether two titles name different kinds of nodes, such as `user` and `item`.
pub(crate) fn two_kinds(one: &str, other: &str) -> bool {
    let kind =
        |title: &str| words(title).iter().find_map(|word| KINDS.iter().position(|kind| has(kind, word)));
    matches!((kind(one), kind(other)), (Some(one), Some(other)) if one != other)
}
