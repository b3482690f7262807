//! From names in a file to numbers of entities, with a short way for names that are integers.

use std::collections::HashMap;
use std::sync::Arc;

use dlfrm::network::Entities;
use rustc_hash::FxBuildHasher;

/// The value of a name that is an integer written in the usual way (no sign, no leading zero).
pub(crate) fn integer(name: &str) -> Option<u64> {
    let bytes = name.as_bytes();
    // 19 digits always fit into 64 bits.
    if bytes.is_empty() || bytes.len() > 19 || (bytes[0] == b'0' && bytes.len() > 1) {
        return None;
    }
    let mut value = 0;
    for byte in bytes {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    Some(value)
}

/// Numbers names in the order in which they appear.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    integers: HashMap<u64, u32, FxBuildHasher>,
    words: HashMap<Box<str>, u32, FxBuildHasher>,
}

impl Numbering {
    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.integers.len() + self.words.len()
    }

    /// The number of `name`, a new one if there is room for less than `limit` names; else nothing.
    pub(crate) fn number(&mut self, name: &str, limit: u32) -> Option<u32> {
        let next = self.len() as u32;
        let number = if let Some(value) = integer(name) {
            *self.integers.entry(value).or_insert(next)
        } else if let Some(&known) = self.words.get(name) {
            known
        } else {
            self.words.insert(name.into(), next);
            next
        };
        (number < limit).then_some(number)
    }

    /// The names in their final order, and the final number of each number given so far: integers in
    /// order of size if all names are integers, else all in order of appearance.
    pub(crate) fn finish(self) -> (Vec<String>, Option<Vec<u32>>) {
        let count = self.len();
        if self.words.is_empty() {
            let mut sorted: Vec<_> = self.integers.into_iter().collect();
            sorted.sort_unstable();
            let mut places = vec![0; count];
            for (place, &(_, number)) in sorted.iter().enumerate() {
                places[number as usize] = place as u32;
            }
            return (sorted.iter().map(|(value, _)| value.to_string()).collect(), Some(places));
        }
        let mut names = vec![String::new(); count];
        for (value, number) in self.integers {
            names[number as usize] = value.to_string();
        }
        for (name, number) in self.words {
            names[number as usize] = name.into_string();
        }
        (names, None)
    }
}

/// How the names of a file become entities.
#[derive(Debug)]
pub(crate) enum Naming {
    /// Every name that appears is an entity.
    Free(Numbering),
    /// The names are the numbers below this one.
    Count(u32),
    /// The names are known beforehand.
    Known(Arc<Entities>),
}

/// Why a name has no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoNumber {
    TooMany,
    Unknown,
}

impl Naming {
    /// The entities, if they are known beforehand.
    pub(crate) fn known(&self) -> Option<&Entities> {
        if let Self::Known(entities) = self { Some(entities) } else { None }
    }

    pub(crate) fn number(&mut self, name: &str, limit: u32) -> Result<u32, NoNumber> {
        match self {
            Self::Free(numbering) => numbering.number(name, limit).ok_or(NoNumber::TooMany),
            Self::Count(count) => {
                let small = integer(name).filter(|&value| value < u64::from(*count));
                small.map(|value| value as u32).ok_or(NoNumber::Unknown)
            }
            Self::Known(entities) => entities.get(name).ok_or(NoNumber::Unknown),
        }
    }

    /// The entities, and the final number of each number given so far where it differs.
    pub(crate) fn finish(self) -> (Arc<Entities>, Option<Vec<u32>>) {
        match self {
            Self::Free(numbering) => {
                let (names, places) = numbering.finish();
                (Arc::new(names.into_iter().collect()), places)
            }
            Self::Count(count) => (Arc::new(Entities::numbered(count as usize)), None),
            Self::Known(entities) => (entities, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finish(names: &[&str]) -> (Vec<String>, Option<Vec<u32>>) {
        let mut numbering = Numbering::default();
        for name in names {
            numbering.number(name, u32::MAX).unwrap();
        }
        numbering.finish()
    }

    #[test]
    fn integers_are_sorted_and_words_are_not() {
        let (names, places) = finish(&["10", "9", "10", "2"]);
        assert_eq!((names, places), (vec!["2".into(), "9".into(), "10".into()], Some(vec![2, 1, 0])));
        let (names, places) = finish(&["10", "b", "9", "b", "010"]);
        assert_eq!(names, ["10", "b", "9", "010"]);
        assert_eq!(places, None);
    }

    #[test]
    fn only_plain_integers_are_integers() {
        assert_eq!(integer("0"), Some(0));
        assert_eq!(integer("9999999999999999999"), Some(9_999_999_999_999_999_999));
        for name in ["", "-1", "+1", "01", "1.0", "1a", "10000000000000000000", "١"] {
            assert_eq!(integer(name), None, "{name}");
        }
    }

    #[test]
    fn limits_hold() {
        let mut numbering = Numbering::default();
        assert_eq!(numbering.number("a", 2), Some(0));
        assert_eq!(numbering.number("5", 2), Some(1));
        assert_eq!(numbering.number("b", 2), None);
        assert_eq!(Naming::Count(3).number("3", 9), Err(NoNumber::Unknown));
        assert_eq!(Naming::Count(3).number("2", 9), Ok(2));
    }
}
