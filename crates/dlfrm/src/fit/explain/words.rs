//! Sentences of an explanation: odds as factors, probabilities in per cent.

use super::{ExplainedPart, Explanation};
use crate::posterior::{Part, PartKind};

/// By what a part multiplies the odds, in words.
pub(super) fn fold(part: &Part) -> String {
    let [mean, low, high] =
        [part.log_odds, part.low, part.high].map(|log_odds| times(log_odds.clamp(-MOST, MOST).exp()));
    if part.low > 0.0 {
        format!("raises the odds {mean}-fold ({low} to {high})")
    } else if part.high < 0.0 {
        format!("multiplies the odds by {mean} ({low} to {high})")
    } else {
        format!("no clear effect on the odds (times {mean}, {low} to {high})")
    }
}

/// Larger factors than exp(69), some 1e30, say nothing more.
const MOST: f64 = 69.0;

/// A factor with two digits or so.
fn times(factor: f64) -> String {
    match factor {
        factor if !(1e-4..1e6).contains(&factor) => format!("{factor:.0e}"),
        factor if factor >= 10.0 => format!("{factor:.0}"),
        factor if factor >= 1.0 => format!("{factor:.1}"),
        factor if factor >= 0.01 => format!("{factor:.2}"),
        factor => format!("{factor:.1e}"),
    }
}

impl Explanation<'_> {
    /// All of it in sentences, one on each line.
    pub fn text(&self) -> String {
        let mut lines: Vec<String> =
            self.relation.map(|name| format!("relation '{name}'")).into_iter().collect();
        lines.extend([self.headline(), String::new()]);
        lines.extend(self.parts.iter().map(|part| format!("- {}", part.sentence)));
        if !self.parts.is_empty() {
            lines.push(String::new());
        }
        lines.extend(self.balance());
        if self.common_neighbours.len() > 1 {
            lines.push(format!("Common neighbours: {}", self.common_neighbours.join(", ")));
        }
        lines.join("\n")
    }

    /// The probability beside the base rate, in a sentence.
    pub fn headline(&self) -> String {
        let Self { source, target, probability, low, high, base_rate, .. } = self;
        let [probability, low, high, base] = [*probability, *low, *high, *base_rate].map(percent);
        let known = if self.known_link { "; the model was fitted to this link" } else { "" };
        format!(
            "{source} and {target}: probability {probability} (90 % interval {low} to {high}), base rate {base}{known}"
        )
    }

    /// How much of the log-odds comes from covariates and from features, and what the strongest part matters.
    pub fn balance(&self) -> Vec<String> {
        let has = |features: bool| self.parts.iter().any(|part| part.part.kind.of_features() == features);
        let [covariates, features] = [self.by_covariates, self.by_features].map(signed);
        // Beside features, effects are a part of what features add.
        let of_features = self.parts.iter().any(|part| part.part.kind == PartKind::Features);
        let name = if of_features { "features" } else { "effects of the two entities" };
        let sums = match (has(false), has(true)) {
            (true, true) => format!("covariates add {covariates} to the log-odds and {name} {features}"),
            (true, false) => format!("covariates add {covariates} to the log-odds"),
            (false, true) => format!("{name} add {features} to the log-odds"),
            (false, false) => "nothing adds to the log-odds".to_owned(),
        };
        let mut lines = vec![format!("Compared with an average pair, {sums}.")];
        if let Some(ExplainedPart { part, .. }) = self.parts.first() {
            let what = match part.kind {
                PartKind::CommonNeighbours => "common neighbours",
                PartKind::LongerPaths => "longer paths",
                PartKind::Activity => "numbers of links",
                PartKind::Reciprocity => "the other direction",
                PartKind::Attributes => "attributes",
                PartKind::PairCovariates => "covariates of pairs",
                PartKind::Effects => "activity",
                PartKind::Features => "features",
            };
            let without = percent(part.probability_without);
            lines.push(format!(
                "If the pair were an average one in {what}, the probability would be {without}."
            ));
        }
        lines
    }

    /// The sentences of the strongest parts in one line.
    pub fn summary(&self, most: usize) -> String {
        self.parts.iter().take(most).map(|part| part.sentence.as_str()).collect::<Vec<_>>().join("; ")
    }
}

/// A sum of log-odds with its sign; what rounds to nothing has that of nothing.
fn signed(log_odds: f64) -> String {
    let text = format!("{log_odds:+.2}");
    if text == "-0.00" { "+0.00".to_owned() } else { text }
}

/// A probability in per cent.
fn percent(probability: f64) -> String {
    let value = 100.0 * probability;
    match value {
        value if value >= 99.95 => "above 99.9 %".to_owned(),
        value if value >= 10.0 => format!("{value:.0} %"),
        value if value >= 0.1 => format!("{value:.1} %"),
        value if value >= 0.001 => format!("{value:.3} %"),
        _ => "below 0.001 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_and_percentages_are_short() {
        assert_eq!(
            [0.0002, 0.31, 1.0, 3.21, 12.4, 2e7].map(times),
            ["2.0e-4", "0.31", "1.0", "3.2", "12", "2e7"]
        );
        assert_eq!(
            [1.0, 0.9999, 0.5, 0.021, 3e-5, 1e-9].map(percent),
            ["above 99.9 %", "above 99.9 %", "50 %", "2.1 %", "0.003 %", "below 0.001 %"]
        );
        assert_eq!(
            [0.0, -0.0, -0.004, -0.5, 1.234].map(signed),
            ["+0.00", "+0.00", "+0.00", "-0.50", "+1.23"]
        );
        let part = |log_odds, low, high| {
            fold(&Part { kind: PartKind::Features, log_odds, low, high, probability_without: 0.5 })
        };
        assert_eq!(part(12f64.ln(), 6f64.ln(), 25f64.ln()), "raises the odds 12-fold (6.0 to 25)");
        assert_eq!(part(1e4, 1e3, 1e5), "raises the odds 9e29-fold (9e29 to 9e29)");
        assert_eq!(part(0.5f64.ln(), 0.2f64.ln(), 0.8f64.ln()), "multiplies the odds by 0.50 (0.20 to 0.80)");
        assert_eq!(part(0.0, -1.0, 1.0), "no clear effect on the odds (times 1.0, 0.37 to 2.7)");
    }
}
