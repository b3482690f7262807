//! Ranks as standard normal quantiles: how diagnostics make any distribution comparable.

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

/// The standard normal quantile, to about 1e-15: Wichura, Algorithm AS 241, Applied Statistics 37, 1988.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    let from_middle = probability - 0.5;
    if from_middle.abs() <= 0.425 {
        let r = 0.180_625 - from_middle * from_middle;
        return from_middle * ratio(&MIDDLE, r);
    }
    let tail = if from_middle < 0.0 { probability } else { 1.0 - probability };
    let r = (-tail.ln()).sqrt();
    let size = if r <= 5.0 { ratio(&TAIL, r - 1.6) } else { ratio(&FAR_TAIL, r - 5.0) };
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
const FAR_TAIL: Rational = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_7e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_scipy() {
        // from scipy.stats import norm; norm.ppf(p)
        for (probability, expected) in [
            (1e-300, -37.047_096_299_361_2),
            (1e-20, -9.262_340_089_798_409),
            (1e-05, -4.264_890_793_922_825),
            (0.02, -2.053_748_910_631_823),
            (0.07, -1.475_791_028_179_170_6),
            (0.3, -0.524_400_512_708_040_9),
            (0.5, 0.0),
            (0.7, 0.524_400_512_708_040_7),
            (0.924, 1.432_502_720_825_812),
            (0.999, 3.090_232_306_167_813),
            (0.999_999_999_999, 7.034_486_910_047_835_6),
        ] {
            let found = normal_quantile(probability);
            assert!((found - expected).abs() < 1e-14 * expected.abs().max(0.1), "{found} {expected}");
        }
    }

    #[test]
    fn ties_share_their_rank() {
        let scores = normal_scores(&[3.0, 1.0, 3.0, 2.0]);
        assert_eq!(scores[0], scores[2]);
        assert_eq!(scores[1], normal_quantile(0.625 / 4.25));
        assert_eq!(scores[0], normal_quantile(3.125 / 4.25));
    }
}
