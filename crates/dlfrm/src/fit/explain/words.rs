//! Sentences of an explanation: odds as factors, probabilities in per cent.

use super::{ExplainedPart, Explanation, NAMED};
use crate::posterior::{Part, PartKind};

/// By what a part multiplies the odds, in words.
pub(super) fn fold(part: &Part) -> String {
    let [mean, low, high] = [part.log_odds, part.low, part.high].map(|log_odds| times(log_odds.exp()));
    if part.low > 0.0 {
        format!("raises the odds {mean}-fold ({low} to {high})")
    } else if part.high < 0.0 {
        let [mean, low, high] = [part.log_odds, part.high, part.low].map(|log_odds| times((-log_odds).exp()));
        format!("lowers the odds {mean}-fold ({low} to {high})")
    } else {
        format!("no clear effect on the odds (times {mean}, {low} to {high})")
    }
}

/// So many parts of the log-odds are reasons with a sentence.
const REASONS: usize = 4;

/// What a part is about, in a word or two.
fn matter(kind: PartKind) -> &'static str {
    match kind {
        PartKind::CommonNeighbours => "common neighbours",
        PartKind::LongerPaths => "longer paths",
        PartKind::Activity => "numbers of links",
        PartKind::Reciprocity => "the other direction",
        PartKind::Attributes => "attributes",
        PartKind::PairCovariates => "covariates of pairs",
        PartKind::Effects => "activity",
        PartKind::Features => "features",
    }
}

/// A factor with two digits or so.
fn times(factor: f64) -> String {
    match factor {
        factor if factor >= 1e6 => "over a million".to_owned(),
        factor if factor < 1e-6 => "less than a millionth".to_owned(),
        // By what it rounds to, so that two factors that are alike have the same digits.
        factor if factor >= 9.95 => format!("{factor:.0}"),
        factor if factor >= 0.995 => format!("{factor:.1}"),
        factor if factor >= 0.01 => format!("{factor:.2}"),
        factor => format!("1/{:.0}", 1.0 / factor),
    }
}

impl Explanation<'_> {
    /// All of it in sentences, one on each line.
    pub fn text(&self) -> String {
        let mut lines: Vec<String> =
            self.relation.map(|name| format!("relation '{name}'")).into_iter().collect();
        lines.extend([self.headline(), String::new()]);
        let reasons = self.reasons();
        if !reasons.is_empty() {
            lines.push(format!(
                "A pair that is average in everything has {}. Beside it:",
                percent(self.average)
            ));
            lines.extend(reasons.iter().map(|reason| format!("- {reason}")));
            lines.push(String::new());
        }
        lines.extend(self.balance());
        if self.common_neighbours.len() > NAMED {
            lines.push(format!("Common neighbours: {}", self.common_neighbours.join(", ")));
        }
        lines.join("\n")
    }

    /// The sentences of the strongest parts; smaller ones are named behind them.
    pub fn reasons(&self) -> Vec<String> {
        let shown = self.parts.len().min(REASONS);
        let (strongest, others) = self.parts.split_at(shown);
        let names: Vec<&str> = others.iter().map(|part| matter(part.part.kind)).collect();
        let others = (!names.is_empty()).then(|| format!("smaller still: {}", names.join(", ")));
        strongest.iter().map(|part| part.sentence.clone()).chain(others).collect()
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
        let has =
            |features: bool| self.parts.iter().any(|part| (part.part.kind == PartKind::Features) == features);
        let [others, features] = [self.by_covariates, self.by_features].map(signed);
        // Effects are a part of their own where there are no covariates of links.
        let effects = self.parts.iter().any(|part| part.part.kind == PartKind::Effects);
        let name = if effects { "effects of the two nodes" } else { "covariates" };
        let sums = match (has(false), has(true)) {
            (true, true) => format!("{name} add {others} to the log-odds and features {features}"),
            (true, false) => format!("{name} add {others} to the log-odds"),
            (false, true) => format!("features add {features} to the log-odds"),
            (false, false) => "nothing adds to the log-odds".to_owned(),
        };
        let mut lines = vec![format!("Compared with an average pair, {sums}.")];
        if let Some(ExplainedPart { part, .. }) = self.parts.first() {
            let (what, without) = (matter(part.kind), percent(part.probability_without));
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
        value if value >= 99.5 => format!("{value:.1} %"),
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
            [0.0002, 0.31, 0.994, 0.998, 1.0, 3.21, 9.97, 12.4, 2e7].map(times),
            ["1/5000", "0.31", "0.99", "1.0", "1.0", "3.2", "10", "12", "over a million"]
        );
        assert_eq!(
            [1.0, 0.996, 0.5, 0.021, 3e-5, 1e-9].map(percent),
            ["above 99.9 %", "99.6 %", "50 %", "2.1 %", "0.003 %", "below 0.001 %"]
        );
        assert_eq!(
            [0.0, -0.0, -0.004, -0.5, 1.234].map(signed),
            ["+0.00", "+0.00", "+0.00", "-0.50", "+1.23"]
        );
        let part = |log_odds, low, high| {
            fold(&Part { kind: PartKind::Features, log_odds, low, high, probability_without: 0.5 })
        };
        assert_eq!(part(12f64.ln(), 6f64.ln(), 25f64.ln()), "raises the odds 12-fold (6.0 to 25)");
        assert_eq!(
            part(1e4, 1e3, 1e5),
            "raises the odds over a million-fold (over a million to over a million)"
        );
        assert_eq!(part(0.5f64.ln(), 0.2f64.ln(), 0.8f64.ln()), "lowers the odds 2.0-fold (1.2 to 5.0)");
        assert_eq!(part(0.0, -1.0, 1.0), "no clear effect on the odds (times 1.0, 0.37 to 2.7)");
    }
}
