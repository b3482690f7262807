//! Convergence of chains and effective number of draws: rank-normalised R-hat, bulk and tail ESS.
//!
//! Vehtari, Gelman, Simpson, Carpenter & Bürkner, Rank-normalization, folding, and localization: an improved
//! R-hat for assessing convergence of MCMC, Bayesian Analysis 16(2), 2021. The figures agree with ArviZ.
//!
//! All functions take one list of values per chain. A single chain is compared half against half. Chains
//! of different lengths are cut to the last values of each, as many as the shortest has. `None` means that
//! the figure is undefined: fewer than four values per chain, a value that is not finite, or values that are
//! all the same (a fixed setting, or a chain that never moved: constancy alone does not distinguish the two).

use super::predict::quantile;

/// A chain has at least so many values.
pub(super) const FEWEST: usize = 4;

/// Agreement of the chains and worth of their draws for one quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diagnosis {
    /// Rank-normalised split R-hat; the paper's advice is to trust the draws below 1.01.
    pub r_hat: f64,
    /// How many independent draws would place the centre as well.
    pub ess_bulk: f64,
    /// How many independent draws would place the 5 % and 95 % quantiles as well.
    pub ess_tail: f64,
}

/// All three figures at once.
///
/// ```
/// use dlfrm::posterior::diagnose::diagnose;
/// let (one, other): (Vec<f64>, Vec<f64>) = (0..100).map(|i| ((i * 37 % 101) as f64, (i * 53 % 101) as f64)).unzip();
/// let diagnosis = diagnose(&[&one, &other]).unwrap();
/// assert!(diagnosis.r_hat < 1.05 && diagnosis.ess_bulk > 50.0);
/// assert_eq!(diagnose(&[&[2.0; 100]]), None);
/// ```
pub fn diagnose(chains: &[&[f64]]) -> Option<Diagnosis> {
    Some(Diagnosis { r_hat: r_hat(chains)?, ess_bulk: ess_bulk(chains)?, ess_tail: ess_tail(chains)? })
}

/// Rank-normalised split R-hat: the larger of that of the values and that of their distances from the
/// median, so that chains that differ in spread only are found too.
pub fn r_hat(chains: &[&[f64]]) -> Option<f64> {
    let halves = Halves::new(chains)?;
    let mut sorted = halves.values.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let median = quantile(&sorted, 0.5);
    let folded: Vec<f64> = halves.values.iter().map(|value| (value - median).abs()).collect();
    let location = halves.with(normal_scores(&halves.values)).potential_reduction();
    // Two values, equally frequent: their distances from the median are all the same.
    if constant(&folded) {
        return Some(location);
    }
    Some(location.max(halves.with(normal_scores(&folded)).potential_reduction()))
}

/// The effective sample size for the centre of the distribution.
pub fn ess_bulk(chains: &[&[f64]]) -> Option<f64> {
    let halves = Halves::new(chains)?;
    Some(halves.with(normal_scores(&halves.values)).effective_size())
}

/// The effective sample size for the 5 % and 95 % quantiles: the smaller of the two.
///
/// A quantile that no value exceeds (counts have such) says nothing and is left out; `None` if both do.
pub fn ess_tail(chains: &[&[f64]]) -> Option<f64> {
    let halves = Halves::new(chains)?;
    let mut sorted: Vec<f64> = last_of_each(chains).into_iter().flatten().copied().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let sizes = [0.05, 0.95].into_iter().filter_map(|level| {
        let limit = quantile(&sorted, level);
        let below: Vec<f64> = halves.values.iter().map(|&v| f64::from(u8::from(v <= limit))).collect();
        (!constant(&below)).then(|| halves.with(below).effective_size())
    });
    sizes.reduce(f64::min)
}

fn last_of_each<'a>(chains: &[&'a [f64]]) -> Vec<&'a [f64]> {
    let length = chains.iter().map(|chain| chain.len()).min().unwrap_or(0);
    chains.iter().map(|chain| &chain[chain.len() - length..]).collect()
}

fn constant(values: &[f64]) -> bool {
    values.iter().all(|&value| value == values[0])
}

/// The halves of all chains, one after the other; a chain of odd length loses its middle value.
struct Halves {
    length: usize,
    values: Vec<f64>,
}

impl Halves {
    fn new(chains: &[&[f64]]) -> Option<Self> {
        let chains = last_of_each(chains);
        let draws = chains.first()?.len();
        let length = draws / 2;
        let values: Vec<f64> =
            chains.iter().flat_map(|chain| [&chain[..length], &chain[draws - length..]].concat()).collect();
        let usable = draws >= FEWEST && values.iter().all(|value| value.is_finite()) && !constant(&values);
        usable.then_some(Self { length, values })
    }

    fn with(&self, values: Vec<f64>) -> Self {
        Self { length: self.length, values }
    }

    fn means(&self) -> Vec<f64> {
        self.values.chunks_exact(self.length).map(mean).collect()
    }

    /// Split R-hat (the paper's equations 1 to 4). Halves that never move but differ give infinity.
    fn potential_reduction(&self) -> f64 {
        let draws = self.length as f64;
        let within: Vec<f64> = self.values.chunks_exact(self.length).map(variance).collect();
        let between = draws * variance(&self.means());
        ((between / mean(&within) + draws - 1.0) / draws).sqrt()
    }

    /// The effective size by Geyer's initial monotone sequence (the paper's equations 10 to 13).
    fn effective_size(&self) -> f64 {
        let draws = self.length;
        let means = self.means();
        let within = self.autocovariance(&means, 0) * draws as f64 / (draws - 1) as f64;
        let total = within * (draws - 1) as f64 / draws as f64 + variance(&means);
        let correlation = |lag| 1.0 - (within - self.autocovariance(&means, lag)) / total;

        // Sums of two neighbours are positive and decreasing in theory: noise sets in where they are not.
        let mut kept = vec![1.0, correlation(1)];
        let (mut even, mut odd) = (kept[0], kept[1]);
        while kept.len() + 2 < draws && even + odd > 0.0 {
            (even, odd) = (correlation(kept.len()), correlation(kept.len() + 1));
            kept.extend([even, odd]);
        }
        let last = kept.len() - 2;
        if even <= 0.0 && even + odd < 0.0 {
            kept[last] = 0.0;
        }
        for t in (2..last).step_by(2) {
            if kept[t] + kept[t + 1] > kept[t - 2] + kept[t - 1] {
                let mean = f64::midpoint(kept[t - 2], kept[t - 1]);
                (kept[t], kept[t + 1]) = (mean, mean);
            }
        }
        let size = self.values.len() as f64;
        let time = -1.0 + 2.0 * kept[..last].iter().sum::<f64>() + kept[last];
        size / time.max(1.0 / size.log10())
    }

    /// The autocovariance at a lag, averaged over the halves.
    fn autocovariance(&self, means: &[f64], lag: usize) -> f64 {
        let of_half = |(half, mean): (&[f64], &f64)| {
            half.iter().zip(&half[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>()
        };
        let sum: f64 = self.values.chunks_exact(self.length).zip(means).map(of_half).sum();
        sum / self.values.len() as f64
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    // The rounding of the mean must not give a chain that never moved a spread.
    if constant(values) {
        return 0.0;
    }
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

/// Replaces values by the normal quantiles of their fractional ranks (r - 3/8) / (S + 1/4), ties sharing
/// the mean of their ranks (Vehtari et al. 2021, equation 14).
pub(super) fn normal_scores(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut scores = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let value = values[order[start]];
        let tied = order[start..].iter().take_while(|&&place| values[place] == value).count();
        let rank = start as f64 + f64::midpoint(tied as f64, 1.0);
        let score = normal_quantile((rank - 0.375) / (values.len() as f64 + 0.25));
        order[start..start + tied].iter().for_each(|&place| scores[place] = score);
        start += tied;
    }
    scores
}

/// The standard normal quantile, to about 1e-15: Wichura, Algorithm AS 241, Applied Statistics 37, 1988. Its third formula,
/// for tails below 1e-11, is left out: a rank among fewer than 1e10 values is not so extreme.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    let from_middle = probability - 0.5;
    if from_middle.abs() <= 0.425 {
        let r = 0.180_625 - from_middle * from_middle;
        return from_middle * ratio(&MIDDLE, r);
    }
    let tail = if from_middle < 0.0 { probability } else { 1.0 - probability };
    let r = (-tail.ln()).sqrt();
    let size = ratio(&TAIL, r - 1.6);
    if from_middle < 0.0 { -size } else { size }
}

/// Numerator and denominator of a rational function, from the constant upwards.
type Rational = [[f64; 8]; 2];

fn ratio([above, below]: &Rational, x: f64) -> f64 {
    let polynomial = |c: &[f64; 8]| c.iter().rev().fold(0.0, |sum, c| sum * x + c);
    polynomial(above) / polynomial(below)
}

// The coefficients as they are printed, one digit more than f64 needs here and there.
const MIDDLE: Rational = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];
const TAIL: Rational = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Autoregressive chains from the same integers as in Python.
    fn chains(chains: u64, draws: usize, keep: f64, shift: f64) -> Vec<Vec<f64>> {
        let chain = |c: u64| {
            let (mut state, mut x) = (12_345 + 1000 * c, 0.0);
            let next = |_| {
                state = (1_103_515_245 * state + 12_345) % (1 << 31);
                x = keep * x + state as f64 / f64::from(1_u32 << 31) - 0.5;
                x + shift * c as f64
            };
            (0..draws).map(next).collect()
        };
        (0..chains).map(chain).collect()
    }

    fn slices(chains: &[Vec<f64>]) -> Vec<&[f64]> {
        chains.iter().map(Vec::as_slice).collect()
    }

    /// import numpy as np, arviz as az                                             # 0.23.4
    /// def chains(chains, draws, keep, shift):
    ///     out = []
    ///     for c in range(chains):
    ///         s, x, row = 12345 + 1000 * c, 0.0, []
    ///         for t in range(draws):
    ///             s = (1103515245 * s + 12345) % 2**31
    ///             x = keep * x + s / 2**31 - 0.5
    ///             row.append(x + shift * c)
    ///         out.append(row)
    ///     return np.array(out)
    /// a = chains(4, 250, 0.6, 0.0)
    /// az.rhat(a), az.ess(a, method="bulk"), az.ess(a, method="tail")
    /// # R-hat of one chain, which az.rhat refuses:
    /// from arviz.stats.diagnostics import _rhat, _z_scale, _split_chains
    /// s = _split_chains(chains(1, 200, 0.8, 0.0))
    /// max(_rhat(_z_scale(s)), _rhat(_z_scale(abs(s - np.median(s)))))
    #[test]
    fn agrees_with_arviz() {
        let cases = [
            (
                chains(4, 250, 0.6, 0.0),
                [1.020_432_502_488_416_4, 253.709_646_818_130_55, 396.931_600_391_823_96],
            ),
            (
                chains(3, 101, 0.9, 0.2),
                [1.149_607_978_410_063_5, 18.866_331_941_317_377, 52.407_839_436_014_32],
            ),
            (chains(2, 50, -0.5, 0.0), [1.000_251_253_426_142_5, 200.0, 74.026_986_014_846_44]),
            (
                chains(1, 200, 0.8, 0.0),
                [1.011_191_109_881_807_8, 31.908_301_106_985_64, 41.310_303_788_677_28],
            ),
            // np.floor(4 * chains(4, 100, 0.7, 0.0)): many ties.
            (
                chains(4, 100, 0.7, 0.0)
                    .iter()
                    .map(|chain| chain.iter().map(|x| (4.0 * x).floor()).collect())
                    .collect(),
                [1.036_375_694_919_348_3, 96.409_141_347_066_34, 194.994_329_312_300_18],
            ),
        ];
        for (chains, expected) in cases {
            let found = diagnose(&slices(&chains)).unwrap();
            let found = [found.r_hat, found.ess_bulk, found.ess_tail];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
            }
        }
    }

    #[test]
    fn nothing_to_judge() {
        assert_eq!(diagnose(&[]), None);
        assert_eq!(diagnose(&[&[1.0, 2.0, 3.0]]), None);
        assert_eq!(diagnose(&[&[7.0; 50], &[7.0; 50]]), None);
        assert_eq!(diagnose(&[&[1.0, 2.0, f64::NAN, 4.0]]), None);
    }

    #[test]
    fn stuck_chains_are_found() {
        assert_eq!(r_hat(&[&[1.0; 50], &[2.0; 50]]), Some(f64::INFINITY));
        assert!(ess_bulk(&[&[1.0; 50], &[2.0; 50]]).unwrap() < 5.0);
        let wide: Vec<f64> = chains(1, 200, 0.0, 0.0)[0].iter().map(|x| 20.0 * x).collect();
        assert!(r_hat(&[&chains(2, 200, 0.0, 0.0)[1], &wide]).unwrap() > 1.5);
    }

    #[test]
    fn unequal_chains_are_cut_at_the_front() {
        let full = chains(2, 100, 0.5, 0.0);
        assert_eq!(r_hat(&[&full[0], &full[1][20..]]), r_hat(&[&full[0][20..], &full[1][20..]]));
    }

    #[test]
    fn quantiles_agree_with_scipy() {
        // from scipy.stats import norm; norm.ppf(p)
        for (probability, expected) in [
            (1e-05, -4.264_890_793_922_825),
            (0.02, -2.053_748_910_631_823),
            (0.07, -1.475_791_028_179_170_6),
            (0.3, -0.524_400_512_708_040_9),
            (0.5, 0.0),
            (0.7, 0.524_400_512_708_040_7),
            (0.924, 1.432_502_720_825_812),
            (0.999, 3.090_232_306_167_813),
        ] {
            let found = normal_quantile(probability);
            assert!((found - expected).abs() < 1e-14 * expected.abs().max(0.1), "{found} {expected}");
        }
    }
}
