//! From values to positions in a chart, and the round values beside an axis.

/// A scale, even or logarithmic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    domain: (f64, f64),
    range: (f64, f64),
    logarithmic: bool,
}

impl Scale {
    /// A logarithmic scale needs a domain above 0.
    pub(super) fn new(domain: (f64, f64), range: (f64, f64), logarithmic: bool) -> Self {
        debug_assert!(domain.0 < domain.1 && (!logarithmic || domain.0 > 0.0), "{domain:?}");
        Self { domain, range, logarithmic }
    }

    /// The position of a value; what is outside stands at the end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let size = |value: f64| if self.logarithmic { value.ln() } else { value };
        let (low, high) = (size(self.domain.0), size(self.domain.1));
        let part = (size(value.clamp(self.domain.0, self.domain.1)) - low) / (high - low);
        self.range.0 + part * (self.range.1 - self.range.0)
    }

    /// Where the scale begins.
    pub(super) fn start(&self) -> f64 {
        self.range.0
    }

    /// Round values, about so many.
    pub(super) fn ticks(&self, count: usize) -> Vec<f64> {
        let (low, high) = self.domain;
        let inside = |value: &f64| (low..=high).contains(value);
        if self.logarithmic {
            let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
            let wide = (high / low).log10() > 3.0;
            let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
            let all = decades.flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
            return all.filter(inside).collect();
        }
        let rough = (high - low) / count.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|step| *step >= 0.999 * rough);
        let step = step.unwrap_or(10.0 * power);
        let steps = (low / step).ceil() as i64..=(high / step).floor() as i64;
        steps.map(|number| number as f64 * step).collect()
    }
}

/// A value beside an axis, without digits that say nothing.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |domain, logarithmic| -> Vec<String> {
            Scale::new(domain, (0.0, 100.0), logarithmic).ticks(5).into_iter().map(short).collect()
        };
        assert_eq!(ticks((0.93, 0.991), false), ["0.94", "0.96", "0.98"]);
        assert_eq!(ticks((0.0, 15.5), false), ["0", "5", "10", "15"]);
        assert_eq!(ticks((0.9, 220.0), true), ["1", "2", "5", "10", "20", "50", "100", "200"]);
        assert_eq!(ticks((30.0, 99_000.0), true), ["100", "1000", "10000"]);
    }

    #[test]
    fn positions() {
        let scale = Scale::new((1.0, 100.0), (0.0, 10.0), true);
        assert!((scale.at(10.0) - 5.0).abs() < 1e-12);
        assert_eq!((scale.at(0.0), scale.at(1000.0)), (0.0, 10.0));
        assert_eq!(Scale::new((0.0, 2.0), (10.0, 0.0), false).at(0.5), 7.5);
    }
}
