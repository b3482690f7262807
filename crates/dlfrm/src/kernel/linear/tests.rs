//! The linear part against its definition.

use std::sync::Arc;

use super::*;
use crate::covariates::{Attributes, Field, FieldValues, Matrix};
use crate::kernel::{
    augment,
    test_support::{many_pairs, synthetic},
};
use crate::model::{Settings, Shape};
use crate::network::Division;
use crate::random::StreamKey;

/// Products with the precision, from sums over the covariates that are made once, are those of the lines of A, each found by
/// asking for the offsets of a single unknown. The preconditioner is symmetric, as conjugate gradients need it.
#[test]
fn products_are_those_of_the_lines() {
    // So many pairs that their covariates are added in two portions.
    let nodes = 12;
    let numbers =
        |factor: f64| FieldValues::Numbers((0..nodes).map(|e| Some((e as f64 * factor).sin())).collect());
    let fields = ["one", "two"].into_iter().zip([0.7, 1.9]);
    let fields =
        fields.map(|(name, factor)| Field { name: name.to_owned(), values: numbers(factor) }).collect();
    let attributes = Arc::new(Attributes::new(nodes, fields).unwrap());
    for (shape, columns) in [(Shape::Full, 20), (Shape::Symmetric, 3), (Shape::Full, 0)] {
        let (pairs, mut state) = synthetic(shape, nodes, 3);
        let rows: Vec<Vec<f32>> = (0..pairs.len())
            .map(|pair| (0..columns).map(|column| ((pair * 5 + column * 3) % 7) as f32 - 3.0).collect())
            .collect();
        let design = Design { pairs: Matrix::from_rows(&rows), nodes: Some(Arc::clone(&attributes)) };
        let sides = if pairs.symmetric() { [1, 0] } else { [1, 1] };
        state.linear = Linear::new(columns, sides.map(|side| side * nodes), sides.map(|side| side * 2), 1);
        state.linear.precisions = [0.4, 3.0];
        state.linear.attribute_precisions.iter_mut().flatten().for_each(|precision| *precision = 1.7);
        let settings = Settings { intercept: true, ..Settings::default() }.check().unwrap();
        for division in [Division::whole(&pairs), Division::fine(&pairs)] {
            let key = StreamKey { seed: 1, chain: 0, sweep: 1 };
            let context = Context::new(&pairs, &settings, &division, key);
            products_are_right(&context, &design, &mut state);
        }
    }
}

fn products_are_right(context: &Context<'_>, design: &Design, state: &mut State) {
    fill_offsets(context, design, state);
    let (pairs, lines) = (context.pairs, Lines::new(context, design, state));
    let layout = lines.layout;
    let mut scratch = Scratch::default();
    layout.gather(state, &mut scratch.values);
    let stream = |block| context.stream(Purpose::Linear, block);
    let info = draw_with_ends(&lines, state, context.settings, &[], stream, &mut scratch);
    assert_eq!((info.solves, info.unconverged), (1, 0));

    let width = scratch.values.len();
    let expanded = &mut scratch.parts.expanded;
    let columns: Vec<Vec<f64>> = (0..width)
        .map(|unknown| {
            let (mut unit, mut offsets) = (vec![0.0; width], vec![0.0; pairs.len()]);
            unit[unknown] = 1.0;
            layout.expand(&unit, expanded);
            lines.write_offsets(expanded, &mut offsets);
            offsets
        })
        .collect();
    let vector: Vec<f64> = (0..width).map(|at| (at as f64 * 1.3).cos()).collect();
    let other: Vec<f64> = (0..width).map(|at| (at as f64 * 0.4).sin()).collect();
    let met: Vec<f64> = (0..pairs.len())
        .map(|pair| state.rates[pair] * (0..width).map(|at| columns[at][pair] * vector[at]).sum::<f64>())
        .collect();
    let mut system = Precision { lines: &lines, rates: &state.rates, parts: &mut scratch.parts };
    let mut product = vec![9.0; width];
    system.multiply(&vector, &mut product);
    for at in 0..width {
        let right = linalg::dot(&columns[at], &met) + system.parts.diagonal[at] * vector[at];
        let size = columns[at].iter().zip(&met).map(|(x, y)| (x * y).abs()).sum::<f64>() + 1.0;
        assert!((product[at] - right).abs() < 1e-10 * size, "unknown {at}: {} {right}", product[at]);
    }
    let (mut one, mut two) = (vec![9.0; width], vec![9.0; width]);
    system.precondition(&vector, &mut one);
    system.precondition(&other, &mut two);
    let (left, right) = (linalg::dot(&other, &one), linalg::dot(&vector, &two));
    assert!((left - right).abs() < 1e-8 * left.abs().max(1.0), "{left} {right}");
}

/// Without features, proposals alone draw from the posterior: means, squares and the share of large values are those of a sum
/// over a grid. Costs differ, and links are few, so that the posterior is far from a Gaussian.
#[test]
fn proposals_draw_from_the_posterior() {
    let (pairs, mut state) = synthetic(Shape::Full, 4, 0);
    let columns: Vec<Vec<f32>> = (0..pairs.len()).map(|pair| vec![(pair * 5 % 7) as f32 - 2.0]).collect();
    let design = Design { pairs: Matrix::from_rows(&columns), nodes: None };
    state.linear = Linear::new(1, [0, 0], [0, 0], 0);
    let settings = Settings {
        intercept: true,
        intercept_sd: 2.0,
        coefficient_sd: 1.5,
        c_pos: 1.4,
        c_neg: 0.6,
        ..Settings::default().linear()
    };
    let settings = settings.check().unwrap();
    let links = pairs.iter().filter(|pair| pair.link).count();
    assert!(links > 0 && 2 * links < pairs.len(), "{links} of {}", pairs.len());

    let log_density = |intercept: f64, slope: f64| {
        let prior = -0.5 * (intercept / 2.0).powi(2) - 0.5 * (slope / 1.5).powi(2);
        let each = pairs.iter().zip(&columns).map(|(pair, x)| {
            let logit = intercept + slope * f64::from(x[0]);
            let (cost, sign) = if pair.link { (1.4, 1.0) } else { (0.6, -1.0) };
            -cost * (-sign * logit).exp().ln_1p()
        });
        prior + each.sum::<f64>()
    };
    // The last one changes between two points of the grid.
    let summaries = |a: f64, b: f64| [a, b, a * a, b * b, a * b, f64::from(u8::from(b > 0.525))];
    let (mut whole, mut exact) = (0.0, [0.0; 6]);
    for step in 0..400 * 400 {
        let [a, b] = [step % 400, step / 400].map(|place| f64::from(place) * 0.05 - 10.0);
        let density = log_density(a, b).exp();
        whole += density;
        exact.iter_mut().zip(summaries(a, b)).for_each(|(sum, x)| *sum += density * x);
    }
    let exact = exact.map(|sum| sum / whole);

    // Sums over all pairs at once, and part by part.
    for division in [Division::whole(&pairs), Division::fine(&pairs)] {
        let context =
            |sweep| Context::new(&pairs, &settings, &division, StreamKey { seed: 5, chain: 0, sweep });
        fill_offsets(&context(0), &design, &mut state);
        let lines = Lines::new(&context(0), &design, &state);
        assert!(proposals::alone(&lines, &state, &settings));
        let mut sums = Sums::default();
        let known = Proposals::new(&lines, &state, &settings, &mut sums);
        let mut values = vec![0.0; 2];
        let (batches, sweeps) = (40, 250);
        let mut means = vec![[0.0; 6]; batches];
        let (mut accepted, mut last, mut ahead) = (0, None, Ahead::default());
        for (batch, mean) in means.iter_mut().enumerate() {
            for sweep in 0..sweeps {
                let key = context((1 + batch * sweeps + sweep) as u64).key;
                // Losses are known of the last sweep, or are found again.
                let from = (&mut values, last.filter(|_| sweep % 2 == 1));
                let ([_, kept], losses) =
                    known.update((&lines, &mut sums), &state, &settings, from, (key, &mut ahead));
                accepted += kept;
                last = Some(losses);
                assert_eq!(losses, lines.losses(&mut sums, std::slice::from_ref(&values))[0]);
                let now = summaries(values[0], values[1]);
                mean.iter_mut().zip(now).for_each(|(sum, x)| *sum += x / sweeps as f64);
            }
        }
        assert!(accepted > batches * sweeps, "{accepted}");
        for (at, exact) in exact.into_iter().enumerate() {
            let mean = means.iter().map(|mean| mean[at]).sum::<f64>() / batches as f64;
            let squares: f64 = means.iter().map(|one| (one[at] - mean).powi(2)).sum();
            let error = (squares / (batches * (batches - 1)) as f64).sqrt();
            assert!((mean - exact).abs() < 4.5 * error + 1e-3, "{at}: {mean} for {exact}, error {error}");
            assert!(error < 0.03 * (1.0 + exact.abs()), "{at}: {exact}, error {error}");
        }
    }
}

/// A state without rates and offsets goes where one goes that has them, also if its proposals, which are found for eight sweeps
/// together, are found again in their midst.
#[test]
fn states_need_no_rates() {
    let pairs = many_pairs();
    let settings = Settings::linear_defaults(Settings::default().model, pairs.len()).check().unwrap();
    let augmentation = Augmentation::new(&settings).unwrap();
    let columns: Vec<Vec<f32>> = (0..pairs.len()).map(|pair| vec![(pair * 5 % 7) as f32 - 2.0]).collect();
    let design = Design { pairs: Matrix::from_rows(&columns), nodes: None };
    let division = Division::fine(&pairs);
    let (_, mut bare) = synthetic(Shape::Symmetric, pairs.nodes(), 0);
    bare.linear = Linear::new(1, [0, 0], [0, 0], 0);
    (bare.rates, bare.offsets) = (vec![], vec![]);
    let mut whole = State { rates: vec![0.0; pairs.len()], ..bare.clone() };
    let mut scratches = [Scratch::default(), Scratch::default()];
    let at = |sweep| Context::new(&pairs, &settings, &division, StreamKey { seed: 3, chain: 0, sweep });
    assert!(super::bare(&at(1), &design, &bare));
    let mut draws = 0;
    for sweep in 1..=9 {
        if sweep == 5 {
            scratches[0] = Scratch::default();
        }
        fill_offsets(&at(sweep), &design, &mut whole);
        augment::update(&at(sweep - 1), &augmentation, &mut whole, &mut augment::Scratch::default());
        let context = at(sweep);
        let lines = Lines::new(&context, &design, &bare);
        let mut drawn = [Scratch::default(), Scratch::default()];
        for scratch in &mut drawn {
            lines.layout.gather(&bare, &mut scratch.values);
        }
        let rates = Drawn::new(&lines, &context, &augmentation, &drawn[0].values);
        let stream = || context.stream(Purpose::Linear, 0);
        draw_common(&lines, &rates, &bare, &settings, &[], &mut stream(), &mut drawn[0]);
        draw_common(&lines, &whole, &whole, &settings, &[], &mut stream(), &mut drawn[1]);
        assert_eq!(drawn[0].values, drawn[1].values, "sweep {sweep}");
        let infos = [&mut bare, &mut whole]
            .into_iter()
            .zip(&mut scratches)
            .map(|(state, scratch)| update(&at(sweep), &augmentation, &design, state, scratch));
        let infos: Vec<Info> = infos.collect();
        assert_eq!(infos[0], infos[1]);
        draws += infos[0].draws;
        assert_eq!(bare.linear, whole.linear, "sweep {sweep}");
        assert_eq!(bare.intercept, whole.intercept, "sweep {sweep}");
        let expected = Losses::of(&pairs, &whole, &settings);
        let found = losses(&at(sweep), &design, &bare);
        assert!((found.links / expected.links - 1.0).abs() < 1e-10);
        assert!((found.non_links / expected.non_links - 1.0).abs() < 1e-10);
    }
    assert_eq!(draws, 2);
    assert!(bare.rates.is_empty() && bare.offsets.is_empty());
}
