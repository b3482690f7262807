//! The posterior of a tiny network by enumeration of Z and quadrature over the weights.

use std::collections::HashMap;
use std::f64::consts::PI;

use dlfrm::covariates::{Attributes, Design, FieldValues};
use dlfrm::model::{Features, ValidSettings};
use dlfrm::network::Pairs;
use dlfrm::testing::{ALPHA_PRIOR, PRECISION_PRIOR, RATIO_PRIOR, ibp};

/// A class of feature matrices: a multiset of columns, each the bit set of its owners.
pub(crate) struct Class {
    pub columns: Vec<u32>,
    pub probability: f64,
}

/// Posterior over matrices with at most two features, given that there are at most two.
pub(crate) struct Exact {
    pub classes: Vec<Class>,
    /// The posterior mean of tanh(logit) of each pair.
    pub logits: Vec<f64>,
}

impl Exact {
    pub(crate) fn new(pairs: &Pairs, design: &Design, settings: &ValidSettings) -> Self {
        Self::shared(&[pairs], design, settings)
    }

    /// The same where non-links that were not sampled count, except those within a class.
    pub(crate) fn counting(
        pairs: &Pairs,
        design: &Design,
        settings: &ValidSettings,
        together: &[usize],
    ) -> Self {
        Self::of(&[pairs], design, settings, Some(together))
    }

    /// The same for relations that share their features; the logits are those of one relation after the other.
    pub(crate) fn shared(relations: &[&Pairs], design: &Design, settings: &ValidSettings) -> Self {
        Self::of(relations, design, settings, None)
    }

    fn of(
        relations: &[&Pairs],
        design: &Design,
        settings: &ValidSettings,
        together: Option<&[usize]>,
    ) -> Self {
        let nodes = relations[0].nodes();
        let types = 1_u32 << nodes;
        let mut classes = vec![vec![]];
        classes.extend((1..types).map(|a| vec![a]));
        classes.extend((1..types).flat_map(|a| (a..types).map(move |b| vec![a, b])));
        let mut total = 0.0;
        let mut logits = vec![0.0; relations.iter().map(|pairs| pairs.len()).sum()];
        let mut masses = Vec::new();
        // Many classes have the same evidence, whose quadrature is what takes long.
        let mut known = vec![HashMap::new(); relations.len()];
        for columns in &classes {
            let prior = prior(columns, nodes, settings);
            let each = relations.iter().zip(&mut known).map(|(pairs, known)| {
                let sums = Sums::new(columns, pairs, settings, together);
                let evidence =
                    known.entry(sums).or_insert_with_key(|sums| evidence(sums, pairs, design, settings));
                evidence.clone()
            });
            let each: Vec<_> = each.collect();
            let all: f64 = each.iter().map(|(evidence, _)| evidence).product();
            total += prior * all;
            masses.push(prior * all);
            // A weighted logit has its own relation's evidence in it, and is multiplied by that of the others.
            let weighted = each.iter().flat_map(|(own, logits)| logits.iter().map(move |x| x * all / own));
            for (sum, value) in logits.iter_mut().zip(weighted) {
                *sum += prior * value;
            }
        }
        let classes = classes
            .into_iter()
            .zip(masses)
            .map(|(columns, mass)| Class { columns, probability: mass / total })
            .collect();
        Self { classes, logits: logits.into_iter().map(|sum| sum / total).collect() }
    }

    /// Which class a matrix belongs to, if it has at most two features.
    pub(crate) fn class_of(&self, features: &Features) -> Option<usize> {
        if features.slots() > 2 {
            return None;
        }
        let mut columns = vec![0_u32; features.slots()];
        for node in 0..features.nodes() {
            for &slot in features.row(node) {
                columns[slot as usize] |= 1 << node;
            }
        }
        columns.sort_unstable();
        self.classes.iter().position(|class| class.columns == columns)
    }
}

/// The prior mass of a class, alpha integrated out if it is learned.
fn prior(columns: &[u32], nodes: usize, settings: &ValidSettings) -> f64 {
    let rows: Vec<Vec<u32>> = (0..nodes)
        .map(|n| (0..columns.len() as u32).filter(|&k| columns[k as usize] >> n & 1 == 1).collect())
        .collect();
    let features = Features::from_rows(&rows, columns.len());
    if !settings.learn_alpha {
        return ibp::log_probability(&features, settings.alpha).exp();
    }
    // The class probability is h alpha^K exp(-alpha H); its mean under Gamma(a, b) is closed.
    let (a, b) = ALPHA_PRIOR;
    assert_eq!(a, 1.0, "the closed form below is for a = 1");
    let h = (ibp::log_probability(&features, 1.0) + ibp::harmonic(nodes)).exp();
    let factorial: f64 = (1..=columns.len()).map(|i| i as f64).product();
    h * b * factorial / (b + ibp::harmonic(nodes)).powi(columns.len() as i32 + 1)
}

/// Which weights add up to the logits of a class: what its evidence depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Sums {
    /// Those of each pair.
    of_pairs: Vec<Vec<usize>>,
    /// Of non-links that were not sampled: the weight, and how many they are in sixteenths of sixteenths.
    failures: Vec<(usize, u64)>,
    /// Whether each weight is one between two features.
    between: Vec<bool>,
}

/// So many of [`Sums::failures`] are one non-link.
const PARTS: f64 = 256.0;

impl Sums {
    fn new(columns: &[u32], pairs: &Pairs, settings: &ValidSettings, classes: Option<&[usize]>) -> Self {
        let mut used: Vec<(usize, usize)> = Vec::new();
        let mut index_of = |name| {
            used.iter().position(|other| *other == name).unwrap_or_else(|| {
                used.push(name);
                used.len() - 1
            })
        };
        let mut of_pairs = Vec::new();
        for pair in pairs.iter() {
            let mut list: Vec<usize> = Vec::new();
            for (k, &left) in columns.iter().enumerate() {
                for (l, &right) in columns.iter().enumerate() {
                    let on = left >> pair.source & 1 == 1 && right >> pair.target & 1 == 1;
                    if on && (!settings.model.diagonal() || k == l) {
                        list.push(index_of(if pairs.symmetric() { (k.min(l), k.max(l)) } else { (k, l) }));
                    }
                }
            }
            of_pairs.push(list);
        }
        let mut failures = Vec::new();
        if let Some(classes) = classes {
            for (k, &column) in columns.iter().enumerate() {
                let count = PARTS * not_sampled(column, pairs, classes);
                assert_eq!(count.fract(), 0.0);
                if count > 0.0 {
                    failures.push((index_of((k, k)), count as u64));
                }
            }
            failures.sort_unstable();
        }
        let between = used.iter().map(|(k, l)| k != l).collect();
        Self { of_pairs, failures, between }
    }
}

/// The evidence of a class, and the evidence times the mean of tanh(logit) for each pair.
fn evidence(sums: &Sums, pairs: &Pairs, design: &Design, settings: &ValidSettings) -> (f64, Vec<f64>) {
    let covariates = &design.pairs;
    let attribute = design.nodes.as_deref().map(standardised);
    // The intercept, if any, and the coefficients follow the weights.
    let (mut terms, weights) = (sums.of_pairs.clone(), sums.between.len());
    let coefficients = weights + usize::from(settings.intercept);
    let last = coefficients + covariates.width();
    let dimensions = last + usize::from(attribute.is_some());
    if settings.intercept {
        for list in &mut terms {
            list.push(weights);
        }
    }

    let scales: Vec<(f64, f64)> =
        if settings.learn_nu { scale_rule() } else { vec![(1.0 / settings.nu, 1.0)] };
    // The coefficient of the attribute has a learned scale, too.
    let attribute_scales = if attribute.is_some() { scale_rule() } else { vec![(1.0, 1.0)] };
    // A quarter of the points is enough for several scales and for non-links that were not sampled: expected values differ by
    // less than 3e-5.
    let few = scales.len() > 1 || attribute_scales.len() > 1 || !sums.failures.is_empty();
    let mut points = normal_points(dimensions, if few { 1 << 17 } else { 1 << 19 });
    if settings.learn_nu {
        // With the ratio of the precisions integrated out, a weight between features has a t distribution.
        assert!(sums.between.iter().filter(|&&between| between).count() < 2, "they would not be independent");
        for point in points.chunks_exact_mut(dimensions + 1) {
            let between = sums.between.iter().zip(point).filter(|(between, _)| **between);
            between.for_each(|(_, value)| *value = t_of_normal(*value));
        }
    }
    let mut total = 0.0;
    let mut weighted = vec![0.0; pairs.len()];
    let list: Vec<_> = pairs.iter().collect();
    let scales = scales.into_iter().flat_map(|(scale, mass)| {
        attribute_scales.iter().map(move |&(other, other_mass)| (scale, other, mass * other_mass))
    });
    for (scale, attribute_scale, scale_mass) in scales {
        for point in points.chunks_exact(dimensions + 1) {
            let mut log = 0.0;
            let mut logits = [0.0_f64; 8];
            for (number, ((terms, pair), logit)) in terms.iter().zip(&list).zip(&mut logits).enumerate() {
                for &index in terms {
                    *logit += point[index] * if index < weights { scale } else { settings.intercept_sd };
                }
                for column in 0..covariates.width() {
                    let covariate = f64::from(covariates.row(number)[column]);
                    *logit += settings.coefficient_sd * point[coefficients + column] * covariate;
                }
                if let Some(numbers) = &attribute {
                    let ends = numbers[pair.source as usize] + numbers[pair.target as usize];
                    *logit += attribute_scale * point[last] * ends;
                }
                let cost = settings.cost(pair.link);
                log += settings.model.loss.log_likelihood(pair.link, *logit, cost, settings.margin);
            }
            for &(index, count) in &sums.failures {
                let intercept = if settings.intercept { settings.intercept_sd * point[weights] } else { 0.0 };
                let logit = intercept + scale * point[index] + pairs.non_link_share().ln();
                log -= count as f64 / PARTS * logit.exp().ln_1p();
            }
            let mass = scale_mass * point[dimensions] * log.exp();
            total += mass;
            for (sum, logit) in weighted.iter_mut().zip(logits) {
                // tanh, in a fraction of the time.
                *sum += mass * (1.0 - 2.0 / ((2.0 * logit).exp() + 1.0));
            }
        }
    }
    (total, weighted)
}

/// The number of pairs of a feature's owners that are not among the pairs, nor within a class, each by the activity of its
/// ends: links plus one over the average, in sixteenths and at least one.
fn not_sampled(column: u32, pairs: &Pairs, classes: &[usize]) -> f64 {
    let links: Vec<_> = pairs.iter().filter(|pair| pair.link).collect();
    let nodes = 0..pairs.nodes() as u32;
    let active = |node: u32, source: bool| {
        let ends = |i: u32| {
            let own = |pair: &&dlfrm::network::Pair| {
                let both = pairs.symmetric() && (pair.source == i || pair.target == i);
                both || if source { pair.source == i } else { pair.target == i }
            };
            1.0 + links.iter().copied().filter(|pair| own(&pair)).count() as f64
        };
        let mean = nodes.clone().map(ends).sum::<f64>() / nodes.len() as f64;
        (16.0 * ends(node) / mean).round().max(1.0) / 16.0
    };
    let has = |i: u32| column >> i & 1 == 1;
    let mut sum = 0.0;
    for i in nodes.clone().filter(|&i| has(i)) {
        for j in nodes.clone().filter(|&j| has(j) && j != i && !(pairs.symmetric() && j < i)) {
            let known = pairs.iter().any(|pair| {
                let same = (pair.source, pair.target) == (i, j);
                same || (pairs.symmetric() && (pair.source, pair.target) == (j, i))
            });
            if !known && classes[i as usize] != classes[j as usize] {
                sum += active(i, true) * active(j, false);
            }
        }
    }
    sum
}

/// The one number of each node, less their mean and divided by their standard deviation.
fn standardised(attributes: &Attributes) -> Vec<f64> {
    let [field] = attributes.fields() else { panic!("one attribute") };
    let FieldValues::Numbers(numbers) = &field.values else { panic!("a number each") };
    let numbers: Vec<f64> = numbers.iter().map(|number| number.unwrap()).collect();
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    let deviation = (squares / numbers.len() as f64).sqrt();
    numbers.iter().map(|x| (x - mean) / deviation).collect()
}

/// The quantile of the t distribution with 4 degrees of freedom where a standard normal number has its own: normal numbers
/// over the root of a Gamma(2, 2) number have that distribution. Another rate is another unit.
fn t_of_normal(x: f64) -> f64 {
    let (shape, rate) = RATIO_PRIOR;
    assert_eq!(shape, 2.0, "the closed form below is for four degrees of freedom");
    // The upper tail by a continued fraction, or by the series from the middle.
    let size = x.abs();
    let density = (-0.5 * size * size).exp() / (2.0 * PI).sqrt();
    let tail = if size > 3.0 {
        density / (1..=40).rev().fold(size, |below, k| size + f64::from(k) / below)
    } else {
        let mut term = size;
        let mut sum = size;
        for k in 1..60 {
            term *= size * size / f64::from(2 * k + 1);
            sum += term;
        }
        0.5 - density * sum
    };
    let root = (4.0 * tail * (1.0 - tail)).sqrt().min(1.0);
    (rate / 2.0).sqrt() * 2.0 * x.signum() * ((root.acos() / 3.0).cos() / root - 1.0).max(0.0).sqrt()
}

/// Points of a standard normal of some dimensions, each followed by its mass: a fine grid in one or two
/// dimensions, a quasi-random sequence of some length beyond. Good to 1e-4 across the hinge's kinks.
fn normal_points(dimensions: usize, count: usize) -> Vec<f64> {
    let grid = |count: i32| {
        let step = 11.0 / f64::from(count);
        (0..=count)
            .map(move |i| step * f64::from(i) - 5.5)
            .map(move |x| (x, step * (-0.5 * x * x).exp() / (2.0 * PI).sqrt()))
    };
    match dimensions {
        0 => vec![1.0],
        1 => grid(4000).flat_map(|(x, mass)| [x, mass]).collect(),
        2 => grid(300).flat_map(|(x, p)| grid(300).flat_map(move |(y, q)| [x, y, p * q])).collect(),
        _ => quasi_random(dimensions, count),
    }
}

/// The additive recurrence of Roberts ("R sequence") in an even number of dimensions, by Box and Muller.
fn quasi_random(dimensions: usize, count: usize) -> Vec<f64> {
    let uniforms = dimensions.next_multiple_of(2);
    let mut golden = 2.0_f64;
    for _ in 0..60 {
        golden = (1.0 + golden).powf(1.0 / (uniforms as f64 + 1.0));
    }
    let mut points = Vec::with_capacity(count * (dimensions + 1));
    for i in 1..=count {
        let uniform = |d: usize| (0.5 + golden.powi(-(d as i32 + 1)) * i as f64).fract();
        for d in 0..dimensions {
            let radius = (-2.0 * uniform(d & !1).max(1e-300).ln()).sqrt();
            let angle = 2.0 * PI * uniform(d | 1);
            points.push(radius * if d % 2 == 0 { angle.cos() } else { angle.sin() });
        }
        points.push(1.0 / count as f64);
    }
    points
}

/// Points that have so little mass do not count.
const NEGLIGIBLE: f64 = 1e-6;

/// Points for the standard deviation of the weights under the prior of nu^2: weights that no pair has
/// seen integrate to one, so the prior is all that matters here.
fn scale_rule() -> Vec<(f64, f64)> {
    let (shape, rate) = PRECISION_PRIOR;
    assert_eq!(shape, 2.0, "Gamma(2) has the closed constant used below");
    let step = 0.3;
    (-25..=12)
        .map(|i| f64::exp(step * f64::from(i)))
        .map(|precision| {
            // Density rate^2 x exp(-rate x), and dx = x d(log x).
            let mass = step * rate * rate * precision * precision * (-rate * precision).exp();
            (1.0 / precision.sqrt(), mass)
        })
        .filter(|&(_, mass)| mass > NEGLIGIBLE)
        .collect()
}
