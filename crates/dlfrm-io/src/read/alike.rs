//! Names that differ in nothing but case, spaces or leading zeros: often one entity that was written in two ways.

use std::collections::HashMap;

use dlfrm::network::Entities;

use super::names::integer;

/// More names are not compared: it would take longer than to read them.
const MOST: usize = 2_000_000;

/// A remark about pairs of names that are alike, if there are any.
pub(super) fn alike(entities: &Entities) -> Option<String> {
    let names = entities.names();
    // Numbers of one form are all different.
    if names.len() > MOST || names.iter().all(|name| integer(name).is_some()) {
        return None;
    }
    let mut seen: HashMap<String, &str> = HashMap::with_capacity(names.len());
    remark(names.iter().filter_map(|name| Some((seen.insert(plain(name), name)?, name.as_str()))))
}

/// A remark about names that are not among the known ones, but like one of them, if there are any.
pub fn alike_names(known: &Entities, given: &Entities) -> Option<String> {
    let numbers = |entities: &Entities| entities.names().iter().all(|name| integer(name).is_some());
    if known.len() + given.len() > MOST || numbers(known) && numbers(given) {
        return None;
    }
    let seen: HashMap<String, &str> = known.names().iter().map(|name| (plain(name), name.as_str())).collect();
    let new = given.names().iter().filter(|name| known.get(name).is_none());
    remark(new.filter_map(|name| Some((*seen.get(&plain(name))?, name.as_str()))))
}

/// What is said of pairs of names.
fn remark<'a>(mut pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Option<String> {
    let (one, other) = pairs.next()?;
    let example = format!("'{one}' and '{other}' are two entities");
    let more = match pairs.count() {
        0 => String::new(),
        1 => "; there is 1 more such pair".to_owned(),
        more => format!("; there are {more} more such pairs"),
    };
    Some(format!(
        "{example}: their names differ in case, spaces, invisible marks or the form of a number alone{more}"
    ))
}

/// Marks without width: soft hyphen, zero-width space and joiners, word joiner, byte order mark.
const INVISIBLE: [char; 6] = ['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'];

/// What two forms of a name have in common.
fn plain(name: &str) -> String {
    match name.parse::<f64>() {
        Ok(number) if number.is_finite() => number.to_string(),
        _ => {
            let seen: String = name.chars().filter(|c| !INVISIBLE.contains(c)).collect();
            seen.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_two_forms_are_remarked_on() {
        let remark = |names: &[&str]| alike(&names.iter().collect());
        assert_eq!(
            remark(&["Ada", "Bob", "ada"]).unwrap(),
            "'Ada' and 'ada' are two entities: their names differ in case, spaces, invisible marks or the \
             form of a number alone"
        );
        let more = remark(&["01", "1", "x", "2.0", "2", "Jo  Roe", "Jo\u{a0}Roe"]).unwrap();
        assert!(
            more.starts_with("'01' and '1' are two entities: ")
                && more.ends_with("; there are 2 more such pairs"),
            "{more}"
        );
        assert!(remark(&["Ada", "\u{feff}Ada"]).is_some());
        for names in [&["Ada", "Bob"][..], &["1", "2", "10"], &["1a", "1b"]] {
            assert_eq!(remark(names), None, "{names:?}");
        }
    }
    #[test]
    fn new_names_are_compared_with_known_ones() {
        let remark =
            |known: &[&str], given: &[&str]| alike_names(&known.iter().collect(), &given.iter().collect());
        let found = remark(&["Ada", "Bob"], &["Ada", "bob", "Cleo", " ada "]).unwrap();
        assert!(found.starts_with("'Bob' and 'bob' are two entities: "), "{found}");
        assert!(found.ends_with("alone; there is 1 more such pair"), "{found}");
        assert_eq!(remark(&["Ada", "ada"], &["Ada", "ada", "Cleo", "cleo"]), None);
        assert_eq!(remark(&["1", "2"], &["1", "11"]), None);
        assert!(remark(&["1", "2"], &["01", "x"]).is_some());
    }
}
