//! How long a fit runs, and how often it is kept: `--until`, `--time`, `--checkpoint-every`.

use std::time::Duration;

use clap::Args;

use super::number;

/// How long a fit runs, and how often it is kept.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ControlArgs {
    /// Go on with more draws until link probabilities have at most this R-hat, e.g. 1.05
    ///
    /// 95 of 100 must. Each round doubles the draws of a chain, and the second half of them counts; ends after 10 minutes if there
    /// is no --time
    #[arg(long, value_name = "R", value_parser = number, allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// End after this time with the draws kept until then, e.g. 90s, 10m or 2h
    #[arg(long, value_name = "T", value_parser = duration, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Write a checkpoint at most this often, e.g. 60s; 0 writes none
    #[arg(long, value_name = "T", value_parser = duration, allow_hyphen_values = true, default_value = "60s", hide_short_help = true)]
    pub(crate) checkpoint_every: Duration,
}

impl ControlArgs {
    /// How long the fit may run.
    pub(crate) fn time(self) -> Option<Duration> {
        self.time.or(self.until.map(|_| Duration::from_secs(600)))
    }
}

/// Reads a time: a number with `s`, `m` or `h`, seconds without.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(unit * seconds).ok())
        .ok_or_else(|| "a time is needed, such as 90s, 10m or 2h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let seconds = |text| duration(text).map(|time| time.as_secs_f64());
        assert_eq!(["90", "90s", "1.5m", "2h", "0"].map(seconds), [90.0, 90.0, 90.0, 7200.0, 0.0].map(Ok));
        for wrong in ["", "-1s", "x", "m", "inf", "1e300h", "1d"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
