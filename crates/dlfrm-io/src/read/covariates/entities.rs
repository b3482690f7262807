//! Reading attributes of entities: a table with a header, or a list of words for each entity.

use std::io::Read;
use std::path::Path;

use dlfrm::covariates::{Attributes, Field, FieldValues};
use dlfrm::network::Entities;

use super::super::error::ReadError;
use super::super::input::Input;
use super::cells::Cells;
use super::column::{Column, Values, Vocabulary};

/// Attributes of entities from a file, and notices for the user.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadAttributes {
    /// The attributes, one per column.
    pub fields: Vec<Field>,
    /// Missing entities and values.
    pub notices: Vec<String>,
}

/// Reads attributes of entities from a file (standard input for `-`).
///
/// A table has a header; its first column names the entities, each once, and every other column is an attribute: a number,
/// a category, or words between spaces if its title ends in `:words`. A file whose first line begins with an entity has
/// lists instead: an entity and its words on each line. Names that are not among `entities`, columns without information and
/// numbers that are not finite are errors.
pub fn read_attributes(path: &Path, entities: &Entities) -> Result<ReadAttributes, ReadError> {
    attributes(Input::open(path)?, entities)
}

/// Reads attributes from a stream (see [`read_attributes`]); `name` is its name in messages.
pub fn parse_attributes(
    reader: impl Read,
    name: &str,
    entities: &Entities,
) -> Result<ReadAttributes, ReadError> {
    attributes(Input::new(reader, name)?, entities)
}

fn attributes(input: Input<'_>, entities: &Entities) -> Result<ReadAttributes, ReadError> {
    let cells = Cells::read(input, entities)?;
    let owners = owners(&cells, entities)?;
    let columns = match &cells.titles {
        Some(titles) if titles.len() == 1 => {
            return Err(ReadError::Empty {
                file: cells.file,
                what: "has names of entities and no attributes",
            });
        }
        Some(titles) => {
            (1..titles.len()).map(|position| Column::read(&cells, position)).collect::<Result<Vec<_>, _>>()?
        }
        // Lists of the same length may as well be a table whose header was forgotten.
        None if cells.is_even() => {
            let what = "has no header: its first line must name the columns (lists of words need none, but differ in length)";
            return Err(ReadError::Empty { file: cells.file, what });
        }
        None => vec![lists(&cells)],
    };
    let mut notices = vec![];
    if owners.len() < entities.len() {
        let absent = entities.len() - owners.len();
        notices.push(format!("{}: {absent} of {} entities are not there", cells.file, entities.len()));
    }
    let mut fields = vec![];
    for column in columns {
        notices.extend(column.colon_notice(&cells.file));
        notices.extend(column.missing_notice(&cells.file));
        notices.extend(column.own_categories_notice(&cells.file));
        let field =
            Field { name: column.name.clone(), values: spread(&column.values, &owners, entities.len()) };
        // Column by column, so that an error names its column.
        Attributes::new(entities.len(), vec![field.clone()])
            .map_err(|cause| column.refused(&cells.file, cause))?;
        fields.push(field);
    }
    Ok(ReadAttributes { fields, notices })
}

/// The entity of each row, none of them twice.
fn owners(cells: &Cells, entities: &Entities) -> Result<Vec<u32>, ReadError> {
    let mut lines = vec![0; entities.len()];
    let mut owners = Vec::with_capacity(cells.rows.len());
    for (row, (line, fields)) in cells.rows.iter().enumerate() {
        let entity = cells.entity(row, 0, entities)?;
        let first = std::mem::replace(&mut lines[entity as usize], *line);
        if first > 0 {
            return Err(ReadError::RepeatedName {
                location: cells.location(row, 0),
                name: fields[0].clone(),
                first,
            });
        }
        owners.push(entity);
    }
    Ok(owners)
}

/// The lists of a file without a header.
fn lists(cells: &Cells) -> Column {
    let mut vocabulary = Vocabulary::default();
    let words = |row: &Vec<String>| {
        let words = row[1..].iter().filter(|word| !word.is_empty());
        vocabulary.list(words.map(String::as_str))
    };
    let lists = cells.rows.iter().map(|(_, row)| row).map(words).collect();
    let values = Values::Words { words: vocabulary.words, lists };
    Column { name: "word".to_owned(), position: 1, values, colon: false }
}

/// The values of the rows as values of all entities.
fn spread(values: &Values, owners: &[u32], entities: usize) -> FieldValues {
    match values {
        Values::Numbers(numbers) => {
            let mut all = vec![None; entities];
            owners.iter().zip(numbers).for_each(|(&owner, &number)| all[owner as usize] = number);
            FieldValues::Numbers(all)
        }
        Values::Categories { names, chosen } => {
            let mut lists = vec![vec![]; entities];
            for (&owner, &category) in owners.iter().zip(chosen) {
                lists[owner as usize].extend(category.map(|category| (category, 1.0)));
            }
            FieldValues::Words { words: names.clone(), lists }
        }
        Values::Words { words, lists: known } => {
            let mut lists = vec![vec![]; entities];
            owners.iter().zip(known).for_each(|(&owner, list)| lists[owner as usize].clone_from(list));
            FieldValues::Words { words: words.clone(), lists }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ReadAttributes, ReadError> {
        let entities: Entities = ["Ada", "Bob", "Cleo", "7"].into_iter().collect();
        parse_attributes(text.as_bytes(), "people.csv", &entities)
    }

    #[test]
    fn a_table_has_numbers_categories_and_words() {
        let text =
            "name,age,city,tags:words,code:category\nBob,30,Rome,a b a,1\nAda,,Oslo,,2\n7,41.5,Rome,c,1\n";
        let ReadAttributes { fields, notices } = read(text).unwrap();
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
            notices,
            [
                "people.csv: 1 of 4 entities are not there",
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
            assert_eq!((read.fields[0].name.as_str(), read.notices), ("code", vec![]), "{title}");
        }
        let read = read("name,dc:age\nAda,1\nBob,2\nCleo,1\n7,2\n").unwrap();
        assert_eq!(
            read.notices,
            [
                "people.csv: 'dc:age' is a title as a whole: the kinds of columns are :number, :category and :words"
            ]
        );
    }

    #[test]
    fn categories_that_no_two_entities_share_are_remarked_on() {
        let notices = |values: [&str; 4]| {
            let rows = ["Ada", "Bob", "Cleo", "7"].iter().zip(values);
            let rows: Vec<String> = rows.map(|(name, value)| format!("{name},{value}")).collect();
            read(&format!("name,born\n{}\n", rows.join("\n"))).unwrap().notices
        };
        assert_eq!(
            notices(["2001-01-31", "2002-01-31", "2003-01-31", "2004-01-31"]),
            [
                "people.csv: every value of 'born' is a category of its own ('2001-01-31'), so no two entities share one; \
                 dates and other quantities must be plain numbers"
            ]
        );
        assert_eq!(notices(["0x10", "0x11", "0x12", "0x13"]).len(), 1);
        assert_eq!(notices(["Rome", "Oslo", "Rome", "Lima"]), Vec::<String>::new());
    }

    #[test]
    fn lists_of_words_need_no_header() {
        let ReadAttributes { fields, notices } =
            read("Ada\tx\ty\nBob\ty\n# more\nCleo\n7\tx\tx\tz\n").unwrap();
        let lists = vec![vec![(0, 1.0), (1, 1.0)], vec![(1, 1.0)], vec![], vec![(0, 2.0), (2, 1.0)]];
        let words = ["x", "y", "z"].map(str::to_owned).to_vec();
        assert_eq!(fields, [Field { name: "word".to_owned(), values: FieldValues::Words { words, lists } }]);
        assert_eq!(notices, ["people.csv: 1 value of 'word' is missing"]);
    }

    #[test]
    fn mistakes_have_file_line_and_column() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            message("name,age\nAda,1\nZoe,2\n"),
            "people.csv, line 3, column 1: 'Zoe' is not one of the 4 entities"
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
        assert!(
            message("name,age\nAda,1\nBob,old\n7,3\n")
                .contains("line 3, column 2: a value of 'age' must be a")
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
        assert_eq!(
            message("name,age\nAda,1\nBob\n"),
            "people.csv, line 3: 1 column where 2 are needed (cut at commas)"
        );
        assert!(message("Ada,1\nBob,2\n").contains("has no header"));
        assert_eq!(message("name\nAda\n"), "people.csv has names of entities and no attributes");
        assert_eq!(message("# nothing\n"), "people.csv has no rows");
    }
}
