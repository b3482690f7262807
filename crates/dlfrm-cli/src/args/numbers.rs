//! Numbers on the command line: what is none is refused with what would have been accepted.

/// Reads a whole number.
pub(crate) fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| out_of_bounds(0, u64::MAX))
}

/// Reads a count of any size.
pub fn count(text: &str) -> Result<usize, String> {
    count_from(0)(text)
}

/// The parser of a count, whose message has the least one. Whether it is in range is checked with what it is for.
pub(crate) fn count_from(least: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text: &str| {
        let whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let expected = || format!("expected a whole number, {least} or more");
        text.parse().map_err(|_| if whole { "the number is too large".to_owned() } else { expected() })
    }
}

/// The parser of a whole number with bounds.
pub(crate) fn between(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text: &str| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| out_of_bounds(least, most))
    }
}

/// What is said of anything else than a whole number with these bounds.
pub(super) fn out_of_bounds<T: std::fmt::Display>(least: T, most: T) -> String {
    format!("expected a whole number from {least} to {most}")
}

/// More runs are a slip of the hand.
const MOST_RUNS: usize = 10_000;

/// The parser of a number of runs.
pub fn runs(text: &str) -> Result<usize, String> {
    between(1, MOST_RUNS)(text)
}

/// Reads a number. Whether it is in range is checked with what it is for.
pub fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number, such as 0.5".to_owned())
}
