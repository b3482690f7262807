//! The label of a pair: a link, a non-link, or unobserved.

/// The label of a listed pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Label {
    Link,
    NonLink,
    Unobserved,
}

impl Label {
    /// Whether the pair is a link; `None` if it is unobserved.
    pub(crate) fn link(self) -> Option<bool> {
        match self {
            Self::Link => Some(true),
            Self::NonLink => Some(false),
            Self::Unobserved => None,
        }
    }

    /// The label in words, for messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Link => "a link",
            Self::NonLink => "a non-link",
            Self::Unobserved => "unobserved",
        }
    }

    /// What a label must be, for messages.
    pub(crate) const EXPECTED: &str =
        "a label must be 1 or 0, yes or no, true or false, or ? if it is unobserved";

    /// Reads a label; letters may be large or small.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "1" | "+1" => return Some(Self::Link),
            "0" | "-1" => return Some(Self::NonLink),
            "" | "?" => return Some(Self::Unobserved),
            _ => {}
        }
        // Tables written by numerical programs have 1.0 where 1 is meant, so numbers are compared as numbers.
        match (text.to_ascii_lowercase().as_str(), text.parse::<f64>()) {
            ("true" | "yes" | "link", _) | (_, Ok(1.0)) => Some(Self::Link),
            ("false" | "no" | "non-link" | "nonlink", _) | (_, Ok(0.0 | -1.0)) => Some(Self::NonLink),
            ("na" | "nan" | "unobserved", _) => Some(Self::Unobserved),
            _ => None,
        }
    }
}
