//! Numbers, times and sizes on the command line: what is none is refused with what would have been accepted.

use std::time::Duration;

pub(crate) fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

/// Reads a count of any size.
pub fn count(text: &str) -> Result<usize, String> {
    count_from(0)(text)
}

/// The parser of a count, whose message has the least one. Whether it is in range is checked with what it is for.
pub(crate) fn count_from(least: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text: &str| text.parse().map_err(|_| format!("expected a whole number, {least} or more"))
}

pub(crate) fn between(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text: &str| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

/// The parser of a number of runs: more are a slip of the hand.
pub fn runs(text: &str) -> Result<usize, String> {
    between(1, 10_000)(text)
}

/// Reads a number. Whether it is in range is checked with what it is for.
pub fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number, such as 0.5".to_owned())
}

/// Reads a time: a number with `s`, `m` or `h`, seconds without.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = with_unit(text.trim(), &units);
    let seconds = number.ok().and_then(|number| Duration::try_from_secs_f64(unit * number).ok());
    seconds.ok_or_else(|| "a time is needed, such as 90s, 10m or 2h".to_owned())
}

const UNITS: [(&str, f64); 4] =
    [("G", 1_073_741_824.0), ("M", 1_048_576.0), ("K", 1024.0), ("T", 1_099_511_627_776.0)];

/// Reads a number of bytes with an optional unit.
pub(super) fn size(text: &str) -> Result<f64, String> {
    let upper = text.trim().to_ascii_uppercase();
    match with_unit(upper.trim_end_matches("IB").trim_end_matches('B'), &UNITS) {
        (Ok(number), unit) if number > 0.0 && number.is_finite() => Ok(number * unit),
        _ => Err("expected a size above 0 such as 4G, 512M or 1000000".to_owned()),
    }
}

/// A number and the value of the unit behind it; 1 without one.
fn with_unit(text: &str, units: &[(&str, f64)]) -> (Result<f64, std::num::ParseFloatError>, f64) {
    let found = units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)));
    let (number, unit) = found.unwrap_or((text, 1.0));
    (number.trim().parse(), unit)
}

pub(super) fn readable(bytes: f64) -> String {
    if bytes >= UNITS[0].1 {
        format!("{:.1} GiB", bytes / UNITS[0].1)
    } else if bytes >= UNITS[1].1 {
        format!("{:.0} MiB", (bytes / UNITS[1].1).ceil())
    } else {
        format!("{:.0} KiB", (bytes / UNITS[2].1).ceil())
    }
}

/// What a pair of opposite flags says, if one of them was given.
pub(super) fn switch(yes: bool, no: bool) -> Option<bool> {
    (yes || no).then_some(yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        let seconds = |text| duration(text).map(|time| time.as_secs_f64());
        assert_eq!(["90", "90s", "1.5m", "2h", "0"].map(seconds), [90.0, 90.0, 90.0, 7200.0, 0.0].map(Ok));
        for wrong in ["", "-1s", "x", "m", "inf", "1e300h", "1d"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        let sizes = ["1000", "2K", "1.5M", "1 gib", "3GB"].map(|text| size(text).unwrap());
        assert_eq!(sizes, [1000.0, 2048.0, 1_572_864.0, UNITS[0].1, 3.0 * UNITS[0].1]);
        for bad in ["", "G", "-1", "0", "4X", "NaN", "inf"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        assert_eq!([1000.0, 1500.0, 3e9].map(readable), ["1 KiB", "2 KiB", "2.8 GiB"]);
    }
}
