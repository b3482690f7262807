//! The machines against scikit-learn, and their solutions against what optimality means.

use dlfrm::covariates::{Field, FieldValues};
use dlfrm::network::Pair;
use dlfrm::score::auc;

use super::linear::{Function, Loss, minimise};
use super::rbf::{Kernel, solve};
use super::*;
use dlfrm::covariates::Attributes;
use dlfrm::network::Pairs;

/// The attributes that scripts/reference_svm.py makes.
fn attributes() -> Attributes {
    let number = |i: usize| (i != 7).then_some(((5 * i * i + 3 * i) % 11) as f64);
    let list = |i: usize| {
        let mut counts = [0.0; 5];
        (0..i % 4).for_each(|k| counts[(i * (k + 2) + k) % 5] += 1.0);
        (0..).zip(counts).filter(|&(_, count)| count > 0.0).collect()
    };
    let words = FieldValues::Words {
        words: (0..5).map(|word| word.to_string()).collect(),
        lists: (0..12).map(list).collect(),
    };
    let numbers = FieldValues::Numbers((0..12).map(number).collect());
    let field = |name: &str, values| Field { name: name.to_owned(), values };
    Attributes::new(12, vec![field("number", numbers), field("words", words)]).unwrap()
}

fn all_pairs(n: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..n).flat_map(move |i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j)
}

/// The pairs that it learns from, and some of those that it tests.
fn pairs() -> (Pairs, Vec<(u32, u32)>) {
    let tested = |&(i, j): &(u32, u32)| (i + 2 * j) % 5 == 0;
    let pair = |(source, target)| Pair { source, target, link: (3 * source + target * target) % 7 < 2 };
    let train = all_pairs(12).filter(|pair| !tested(pair)).map(pair);
    (Pairs::new(12, false, train), all_pairs(12).filter(tested).step_by(4).collect())
}

#[test]
fn decisions_are_those_of_scikit_learn() {
    // scripts/reference_svm.py, scikit-learn 1.9.1
    let expected = [
        (
            SupportVectorMachine::Linear,
            1e-6,
            [
                0.164_166_647_357_258_58,
                0.154_242_025_869_301_22,
                -0.711_501_374_316_965_8,
                -0.402_586_743_258_764_65,
                0.220_201_495_512_725_97,
                0.285_551_328_835_798_26,
                -0.145_528_187_521_148_63,
            ],
        ),
        (
            SupportVectorMachine::Rbf,
            // Its steps end at a slope of 1e-3, those of the reference at 1e-6.
            2e-3,
            [
                0.671_816_598_110_835,
                1.018_291_905_808_088,
                -1.119_037_092_472_096,
                -0.732_129_064_065_185,
                0.854_433_652_197_944_1,
                -0.203_666_453_364_074_4,
                0.125_359_750_785_600_74,
            ],
        ),
    ];
    let (train, test) = pairs();
    assert_eq!((train.len(), train.links(), test.len()), (106, 32, 7));
    for (machine, error, expected) in expected {
        let found = machine.fit(&attributes(), &train, 1).unwrap().score(&test);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < error, "{machine}: {found} {expected}");
        }
    }
}

/// The dual of the squared hinge loss is never above it, and meets it at the solution.
#[test]
fn the_linear_machine_has_no_duality_gap() {
    let (ordered, _) = pairs();
    let unordered = Pairs::new(12, true, ordered.iter().filter(|pair| pair.source < pair.target));
    for train in [ordered, unordered] {
        let attributes = attributes();
        let mut loss = Loss::new(&attributes, &train);
        let weights = minimise(&mut loss);
        let mut gradient = weights.clone();
        let value = loss.visit(&weights, &mut gradient);
        // alpha = 2 cost max(0, 1 - y f); the vectors that it weighs add up to the weights less the gradient.
        let linear: f64 = (0..train.len()).map(|pair| 2.0 * loss.cost(pair) * loss.short[pair]).sum();
        let quadratic: f64 = (0..train.len()).map(|pair| loss.cost(pair) * loss.short[pair].powi(2)).sum();
        let sum = weights.iter().zip(&gradient).map(|(w, g)| (w - g) * (w - g)).sum::<f64>();
        let dual = linear - quadratic - sum / 2.0;
        assert!(value - dual < 1e-6 * value && value - dual > -1e-12 * value, "{value} {dual}");
        // Far from it, so that the gap says something.
        assert!(loss.visit(&vec![0.0; weights.len()], &mut gradient) > 1.01 * value);
    }
}

/// A kernel that is written down.
struct Written(Vec<Vec<f32>>);

impl Kernel for Written {
    fn write_row(&self, pair: usize, row: &mut [f32]) {
        row.copy_from_slice(&self.0[pair]);
    }

    fn own(&self, pair: usize) -> f64 {
        f64::from(self.0[pair][pair])
    }
}

/// Within its bounds a pair is on its margin, at 0 beyond it, at its cost on the wrong side; coefficients add up to 0.
#[test]
fn the_dual_is_solved() {
    let place = |t: usize| ((t * t * 7 + 3 * t) % 29) as f32 / 10.0;
    let kernel =
        Written((0..60).map(|s| (0..60).map(|t| (-(place(s) - place(t)).powi(2)).exp()).collect()).collect());
    let labels: Vec<bool> = (0..60).map(|t| place(t) > 1.7 || t % 9 == 0).collect();
    let costs = [0.7, 1.9];
    let solution = solve(&kernel, &labels, costs);
    assert!(solution.coefficients.iter().sum::<f64>().abs() < 1e-9);
    let mut kinds = [0; 3];
    for (pair, &label) in labels.iter().enumerate() {
        let products = solution.coefficients.iter().zip(&kernel.0[pair]).map(|(c, &k)| c * f64::from(k));
        let sign = if label { 1.0 } else { -1.0 };
        let margin = sign * (products.sum::<f64>() + solution.bias) - 1.0;
        let alpha = sign * solution.coefficients[pair];
        let cost = costs[usize::from(label)];
        let (kind, right) = if alpha == 0.0 {
            (0, margin > -1e-3)
        } else if alpha == cost {
            (1, margin < 1e-3)
        } else {
            (2, margin.abs() < 1e-3 && 0.0 < alpha && alpha < cost)
        };
        assert!(right, "{pair}: {alpha} of {cost}, {margin}");
        kinds[kind] += 1;
    }
    assert!(kinds.iter().all(|&kind| kind > 0), "{kinds:?}");
}

/// Nodes with one number; pairs are linked if `link` says so of their numbers, and a pair in three is held out.
fn planted(
    n: u32,
    symmetric: bool,
    link: fn(f64, f64) -> bool,
) -> (Attributes, Pairs, Vec<(u32, u32)>, Vec<bool>) {
    let number = |i: u32| f64::from(i * i % 101 % 7);
    let values = FieldValues::Numbers((0..n).map(|i| Some(number(i))).collect());
    let attributes = Attributes::new(n as usize, vec![Field { name: "x".to_owned(), values }]).unwrap();
    let pairs: Vec<Pair> = all_pairs(n)
        .filter(|(i, j)| !symmetric || i < j)
        .map(|(source, target)| Pair { source, target, link: link(number(source), number(target)) })
        .collect();
    let (test, train): (Vec<Pair>, Vec<Pair>) =
        pairs.into_iter().partition(|pair| (pair.source + pair.target) % 3 == 0);
    let labels = test.iter().map(|pair| pair.link).collect();
    let test = test.into_iter().map(|pair| (pair.source, pair.target)).collect();
    (attributes, Pairs::new(n as usize, symmetric, train), test, labels)
}

#[test]
fn planted_links_are_found() {
    let area = |machine: SupportVectorMachine, symmetric, link| {
        let (attributes, train, test, labels) = planted(40, symmetric, link);
        let scores = machine.fit(&attributes, &train, 1).unwrap().score(&test);
        if symmetric {
            let turned: Vec<(u32, u32)> = test.iter().map(|&(i, j)| (j, i)).collect();
            let back = machine.fit(&attributes, &train, 1).unwrap().score(&turned);
            assert!(scores.iter().zip(back).all(|(one, other)| (one - other).abs() < 1e-9), "{machine}");
        }
        auc(&scores, &labels).unwrap()
    };
    for machine in SupportVectorMachine::ALL {
        assert!(area(machine, false, |x, y| x + 2.0 < y) > 0.99, "{machine}: directions");
        assert!(area(machine, true, |x, y| x + y > 8.0) > 0.99, "{machine}: sums");
    }
    // A sum over the two ends cannot express that like is linked to like.
    for symmetric in [false, true] {
        assert!(area(SupportVectorMachine::Rbf, symmetric, |x, y| (x - y).abs() < 1.5) > 0.97);
        assert!(area(SupportVectorMachine::Linear, symmetric, |x, y| (x - y).abs() < 1.5) < 0.8);
    }
}

#[test]
fn samples_follow_from_the_seed_and_not_from_threads() {
    // 6,768 pairs with few links: some non-links are left out.
    let (attributes, train, test, _) = planted(101, false, |x, y| x == 0.0 && y > 5.0);
    assert!(train.len() > 11 * train.links());
    let on = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let score =
            |machine: SupportVectorMachine| machine.fit(&attributes, &train, seed).unwrap().score(&test);
        pool.install(|| SupportVectorMachine::ALL.map(score))
    };
    assert_eq!(on(1, 3), on(3, 3));
    let ([linear, rbf], [same, other]) = (on(2, 3), on(2, 4));
    assert!(linear == same && rbf != other);
}

#[test]
fn what_cannot_be_learned() {
    let (attributes, train, test, _) = planted(40, false, |_, _| false);
    for machine in SupportVectorMachine::ALL {
        assert_eq!(machine.fit(&attributes, &train, 1).unwrap().score(&test[..2]), [0.0, 0.0]);
    }
    let values = FieldValues::Numbers((0..10_001).map(|i| Some(f64::from(i))).collect());
    let many = Attributes::new(10_001, vec![Field { name: "x".to_owned(), values }]).unwrap();
    let pair = |target, link| Pair { source: 0, target, link };
    let train = Pairs::new(10_001, true, [pair(1, true), pair(2, false)]);
    let message = SupportVectorMachine::Rbf.fit(&many, &train, 1).unwrap_err().to_string();
    assert_eq!(message, "svm-rbf is for 10000 nodes at most, these are 10001");
    let scores = SupportVectorMachine::Linear.fit(&many, &train, 1).unwrap().score(&[(0, 1), (0, 10_000)]);
    assert!(scores[0] > scores[1]);
}
