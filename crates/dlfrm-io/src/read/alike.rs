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
    let mut seen: HashMap<String, usize> = HashMap::with_capacity(names.len());
    let mut first = None;
    let mut count = 0_usize;
    for (number, name) in names.iter().enumerate() {
        if let Some(other) = seen.insert(plain(name), number) {
            count += 1;
            first.get_or_insert((other, number));
        }
    }
    let (one, other) = first?;
    let [one, other] = [one, other].map(|number| &names[number]);
    let example = format!("'{one}' and '{other}' are two entities");
    let more = match count - 1 {
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
}
