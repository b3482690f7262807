//! How wide a text is, roughly: enough to keep labels apart without the metrics of a font.

use crate::visible;

/// Longer names are cut: they would be wider than the picture.
const LONGEST: usize = 40;

/// A name as it is shown.
pub(super) fn shown(name: &str) -> String {
    let name = visible(name);
    if name.chars().count() <= LONGEST {
        return name.into_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// The width of a text, in units of the size of its letters. Rather too wide than too narrow: fonts differ.
pub(super) fn width(text: &str) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | '\'' | '!' | '|' => 0.31,
        'f' | 'r' | 't' | ' ' | '-' | '(' | ')' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
        'A'..='Z' => 0.72,
        '\0'..='\u{2e7f}' => 0.6,
        _ => 1.05,
    };
    text.chars().map(of).sum()
}

/// As many names as fit into a line, and how many more there are.
pub(super) fn list(names: &[String], most: f64) -> String {
    for count in (1..=names.len()).rev() {
        let named = names[..count].join(", ");
        let text = match names.len() - count {
            0 => named,
            more => format!("{named} and {more} more"),
        };
        if count == 1 || width(&text) <= most {
            return text;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_whole() {
        let names = ["Gavroche", "Bahorel", "MlleGillenormand"].map(str::to_owned);
        assert_eq!(list(&names, 100.0), "Gavroche, Bahorel, MlleGillenormand");
        assert_eq!(list(&names, width("Gavroche, Bahorel and 1 more")), "Gavroche, Bahorel and 1 more");
        assert_eq!(list(&names, 1.0), "Gavroche and 2 more");
        assert_eq!(shown(&"x".repeat(41)), format!("{}…", "x".repeat(39)));
        assert_eq!(shown("a\u{202e}b"), "a\\u202eb");
        assert!(width("雪雪") > 2.0 && width("ill") < width("mmm"));
    }
}
