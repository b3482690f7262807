//! Numbers with as many digits as a page can show: it stays small.

use serde::{Serialize, Serializer};

/// A number that is written with six significant digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rounded(pub(super) f64);

impl Serialize for Rounded {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // What is not finite becomes null, as everywhere in JSON.
        let short: f64 = format!("{:.5e}", self.0).parse().unwrap_or(f64::NAN);
        if short.fract() == 0.0 && short.abs() < 1e15 {
            serializer.serialize_i64(short as i64)
        } else {
            serializer.serialize_f64(short)
        }
    }
}

/// A list of them.
pub(super) fn rounded(values: impl IntoIterator<Item = f64>) -> Vec<Rounded> {
    values.into_iter().map(Rounded).collect()
}

/// Points of a curve.
pub(super) fn points(curve: &[(f64, f64)]) -> Vec<[Rounded; 2]> {
    curve.iter().map(|&(x, y)| [Rounded(x), Rounded(y)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_kept() {
        let text = |value| serde_json::to_string(&Rounded(value)).unwrap();
        assert_eq!(text(std::f64::consts::PI), "3.14159");
        assert_eq!(text(-1_600.312_345), "-1600.31");
        assert_eq!(text(17.0), "17");
        assert_eq!(text(-0.0), "0");
        assert_eq!(text(1.234_567_8e-9), "1.23457e-9");
        assert_eq!(text(f64::INFINITY), "null");
        assert_eq!(text(f64::NAN), "null");
    }
}
