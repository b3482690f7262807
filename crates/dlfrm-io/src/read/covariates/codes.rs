//! Numbers that stand for missing values, such as -999, or 97, 98 and 99.

use super::column::{Column, Values};

/// Numbers that stand for missing values by themselves.
const ALONE: [f64; 11] = [-1.0, -9.0, -99.0, -999.0, -9999.0, -99999.0, 88.0, 99.0, 999.0, 9999.0, 99999.0];

/// Among so many other numbers one that is far from them is odd by itself.
const MANY: usize = 8;

/// Whether a number may be one of several codes of a survey: -1, -7 to -9, the last three of two and more digits, and all sevens,
/// eights or nines.
fn is_code(number: f64) -> bool {
    let size = number.abs();
    if number.fract() != 0.0 || size > 99999.0 {
        return false;
    }
    if size < 10.0 {
        return [-1.0, -7.0, -8.0, -9.0].contains(&number);
    }
    let ones = ones(size);
    [7.0, 8.0, 9.0].iter().any(|digit| size == digit * ones) || (9.0 * ones - 2.0..9.0 * ones).contains(&size)
}

/// Whether a category is a code, and all others but codes are words.
pub(super) fn code_among_words(name: &str, all: &[String]) -> bool {
    let number = |name: &str| name.parse::<f64>().ok();
    let code = |name: &str| number(name).is_some_and(is_code);
    let words = || all.iter().filter(|name| !code(name));
    code(name) && words().count() > 1 && words().all(|word| !word.contains(|c: char| c.is_ascii_digit()))
}

/// 1, 11, 111, ..., with as many digits as this.
fn ones(size: f64) -> f64 {
    [11111.0, 1111.0, 111.0, 11.0].into_iter().find(|&ones| size >= 7.0 * ones).unwrap_or(1.0)
}

/// Whether two codes follow each other, as -8 and -9, 98 and 99, or 777 and 888 do.
fn follow(one: f64, other: f64) -> bool {
    let (least, most) = (one.abs().min(other.abs()), one.abs().max(other.abs()));
    let apart = most - least;
    one.signum() == other.signum() && most > 1.0 && (apart == 1.0 || apart == ones(most))
}

/// The codes of a column, the smallest first, and how many rows have one: numbers that are far from all others, or the only ones
/// below 0.
pub(super) fn codes(known: &[f64]) -> Option<(Vec<f64>, usize)> {
    several(known).or_else(|| ALONE.into_iter().find_map(|code| accepted(known, &[code])))
}

/// Several codes, each of which would hide that another one is far from all other numbers.
fn several(known: &[f64]) -> Option<(Vec<f64>, usize)> {
    let mut found: Vec<f64> = known.iter().copied().filter(|&number| is_code(number)).collect();
    found.sort_unstable_by(|a, b| b.abs().total_cmp(&a.abs()).then(a.total_cmp(b)));
    found.dedup();
    let least = (2..=found.len()).rev();
    least.map(|length| &found[..length]).find_map(|codes| {
        let related = |code: &f64| ALONE.contains(code) || codes.iter().any(|&other| follow(*code, other));
        if codes.iter().all(related) { accepted(known, codes) } else { None }
    })
}

/// The codes and their number of rows, if they are unlike all other numbers.
fn accepted(known: &[f64], codes: &[f64]) -> Option<(Vec<f64>, usize)> {
    let others = || known.iter().filter(|number| !codes.contains(number));
    let rows = |code: f64| known.iter().filter(|&&number| number == code).count();
    let (largest, least) = others().fold((0.0_f64, f64::MAX), |(largest, least), &number| {
        (largest.max(number.abs()), least.min(number))
    });
    let (rest, count) = (others().count(), known.len() - others().count());
    let far = |code: f64| largest < code.abs() / 2.0 && (rows(code) > 1 || rest >= MANY);
    // One number below 0 may be a measurement, but not beside other codes and among many others.
    let beside = |code: f64| {
        rest >= MANY && codes.iter().any(|&other| follow(code, other) || other < 0.0 && far(other))
    };
    let unlike = |&code: &f64| far(code) || code < 0.0 && least >= 0.0 && (rows(code) > 1 || beside(code));
    if count == 0 || count > 1 && rest <= count || !codes.iter().all(unlike) {
        return None;
    }
    let mut codes = codes.to_vec();
    codes.sort_unstable_by(f64::total_cmp);
    Some((codes, count))
}

impl Column {
    /// A warning of numbers such as -999 that are far from all others, or that several rows have and that are the only ones below 0.
    pub(super) fn code_warning(&self, file: &str) -> Option<String> {
        let Values::Numbers(numbers) = &self.values else { return None };
        let known: Vec<f64> = numbers.iter().flatten().copied().collect();
        let (codes, count) = codes(&known)?;
        let name = &self.name;
        let (values, cells) = if count == 1 {
            (format!("1 value of '{name}' is"), "cell")
        } else {
            (format!("{count} values of '{name}' are"), "cells")
        };
        let shown: Vec<String> = codes.iter().map(f64::to_string).collect();
        let (last, first) = shown.split_last()?;
        let (shown, stand) = if first.is_empty() {
            (last.clone(), "it stands for a missing value")
        } else {
            (format!("{} or {last}", first.join(", ")), "these stand for missing values")
        };
        Some(format!("{file}: {values} {shown}, unlike all others: if {stand}, leave the {cells} empty"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(Vec<f64>, usize)> {
        codes(&text.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<_>>())
    }

    #[test]
    fn codes_do_not_hide_each_other() {
        for (numbers, expected) in [
            ("21 22 999 24 25 26 888 23 22 25", &[888.0, 999.0][..]),
            ("21 22 777 24 25 26 888 23 22 25", &[777.0, 888.0]),
            ("1 2 98 4 5 2 99 3 2 1 5", &[98.0, 99.0]),
            ("1 2 98 4 5 2 99 97 3 2 1 5 2 3", &[97.0, 98.0, 99.0]),
            ("1 2 -8 4 5 2 -9 3 2 1", &[-9.0, -8.0]),
            ("1 2 -8 4 5 2 -9 -7 3 2 1", &[-9.0, -8.0, -7.0]),
            ("21 22 -99 24 25 -98 26 -97 22 25 24", &[-99.0, -98.0, -97.0]),
            ("21 22 999 24 25 26 9999 23 22 25", &[999.0, 9999.0]),
            ("21 22 9998 24 25 26 9999 23 22 25", &[9998.0, 9999.0]),
            ("1 2 -1 4 5 2 -999 -1 3 2 1 7", &[-999.0, -1.0]),
            ("1 2 -1 4 5 2 -999 3 2 1 7", &[-999.0, -1.0]),
            ("21 22 -9 24 25 26 999 -9 23 22 25", &[-9.0, 999.0]),
            ("21 22 23 999 22 21 24 25 26", &[999.0]),
            ("1 2 -9 4 5 -9", &[-9.0]),
        ] {
            let codes = found(numbers).unwrap_or_else(|| panic!("{numbers}"));
            assert_eq!(codes.0, expected, "{numbers}");
            assert_eq!(
                codes.1,
                numbers
                    .split(' ')
                    .filter(|number| { expected.contains(&number.parse::<f64>().unwrap()) })
                    .count()
            );
        }
    }

    #[test]
    fn ordinary_numbers_are_no_codes() {
        for numbers in [
            "55 62 70 77 81 88 91 97 98 99",
            "-9 -8 -5 -3 0 2 4 8 12",
            "-1 0 1 2 1 0 3 2",
            "1 2 3 50 99 98 20 10 60",
            "600 700 777 888 999 850 910 920",
            "-2 -1 1 2 0 1 2 2",
            "1 2 77 4 5 2 97 3 2 1 5",
            "88 99",
            "0 1 -1 0 1 2 0 -7 3",
        ] {
            assert_eq!(found(numbers), None, "{numbers}");
        }
    }
}
