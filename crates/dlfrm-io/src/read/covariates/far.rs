//! A number of a column that is far from all others.

use super::cells::Cells;
use super::column::{Column, Values};

/// So many other rows are needed for each that is far from them, ...
const OTHERS: usize = 8;
/// ... with so many different numbers, ...
const DIFFERENT: usize = 4;
/// ... and so many rows may have the number that is far.
const MOST: usize = 3;

/// A number is far if its distance from the nearest other is so many times the range of the others, where distances from the
/// median are taken as logarithms, ...
const FAR: f64 = 3.0;
/// ... or so many times, if it is `FAR` where the numbers themselves, all above 0, are taken as logarithms. With logarithms
/// heavy tails, such as those of incomes and degrees, are near.
const FAR_IF_FAR_IN_LOGARITHMS: f64 = 1.5;

impl Column {
    /// A warning of a number that stands for a missing value, or that is far from all others.
    pub(super) fn odd_number_warning(&self, cells: &Cells) -> Option<String> {
        self.code_warning(&cells.file).or_else(|| self.far_warning(cells))
    }

    fn far_warning(&self, cells: &Cells) -> Option<String> {
        let Values::Numbers(numbers) = &self.values else { return None };
        let mut known: Vec<f64> = numbers.iter().flatten().copied().collect();
        known.sort_unstable_by(f64::total_cmp);
        let (far, count) = far(&known)?;
        let row = numbers.iter().position(|number| *number == Some(far))?;
        let others = || known.iter().copied().filter(|&number| number != far);
        let (least, most) = (shown(others().next()?), shown(others().next_back()?));
        let more = match count {
            1 => String::new(),
            2 => ", as in 1 more row".to_owned(),
            count => format!(", as in {} more rows", count - 1),
        };
        Some(format!(
            "{}: '{}' is {}{more}, far from all others ({least} to {most}): if it is a mistake, correct it; if it stands for a \
             missing value, leave the cell empty",
            cells.row_location(row),
            self.name,
            shown(far)
        ))
    }
}

/// The number that is far from all others, and how many have it.
fn far(sorted: &[f64]) -> Option<(f64, usize)> {
    [*sorted.first()?, *sorted.last()?].into_iter().find_map(|end| {
        let others: Vec<f64> = sorted.iter().copied().filter(|&number| number != end).collect();
        let count = sorted.len() - others.len();
        if count > MOST || others.len() < OTHERS * count {
            return None;
        }
        if others.windows(2).filter(|two| two[0] != two[1]).count() + 1 < DIFFERENT {
            return None;
        }
        let median = others[others.len() / 2];
        let mut distances: Vec<f64> = others.iter().map(|number| (number - median).abs()).collect();
        distances.sort_unstable_by(f64::total_cmp);
        let unit = distances[distances.len() / 2];
        let by_distance = |number: f64| ((number - median).abs() / unit).ln_1p().copysign(number - median);
        let ratio = |scale: &dyn Fn(f64) -> f64| {
            let (least, most) = (scale(others[0]), scale(others[others.len() - 1]));
            (least - scale(end)).max(scale(end) - most) / (most - least)
        };
        let distance = ratio(&by_distance);
        let in_logarithms = || sorted[0] > 0.0 && ratio(&f64::ln) > FAR;
        let is_far = unit > 0.0 && (distance > FAR || distance > FAR_IF_FAR_IN_LOGARITHMS && in_logarithms());
        is_far.then_some((end, count))
    })
}

/// A number without dozens of zeros.
fn shown(number: f64) -> String {
    if (1e-5..1e16).contains(&number.abs()) || number == 0.0 {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

#[cfg(test)]
mod tests {
    use dlfrm::network::Nodes;

    use super::super::codes::codes;
    use super::*;
    use crate::read::parse_attributes;

    fn said(values: &[f64]) -> Vec<String> {
        let names: Vec<String> = (0..values.len()).map(|number| format!("n{number}")).collect();
        let nodes: Nodes = names.iter().map(String::as_str).collect();
        let rows = names.iter().zip(values).map(|(name, value)| format!("{name},{value}\n"));
        let text = format!("name,age\n{}", rows.collect::<String>());
        let warnings = parse_attributes(text.as_bytes(), "people.csv", &nodes).unwrap().warnings;
        warnings.into_iter().filter(|warning| warning.contains("all others")).collect()
    }

    const AGES: [f64; 16] =
        [20.0, 21.0, 22.0, 22.0, 23.0, 24.0, 24.0, 25.0, 26.0, 27.0, 28.0, 21.0, 23.0, 25.0, 26.0, 27.0];

    #[test]
    fn numbers_far_from_all_others() {
        let behind = "far from all others (20 to 28): if it is a mistake, correct it; if it stands for a missing value, leave the \
                      cell empty";
        for (value, shown) in [
            (1e6, "1000000"),
            (2e4, "20000"),
            (-2e4, "-20000"),
            (250.0, "250"),
            (1e308, "1e308"),
            (-1e308, "-1e308"),
        ] {
            let mut values = AGES.to_vec();
            values.insert(3, value);
            assert_eq!(said(&values), [format!("people.csv, line 5: 'age' is {shown}, {behind}")]);
            values.push(value);
            assert_eq!(
                said(&values),
                [format!("people.csv, line 5: 'age' is {shown}, as in 1 more row, {behind}")]
            );
        }
        let none =
            |more: &[f64]| assert_eq!(said(&[&AGES[..], more].concat()), Vec::<String>::new(), "{more:?}");
        for more in [&[60.0][..], &[0.0], &[1.0], &[1e6, 2e6], &[1e6; 4]] {
            none(more);
        }
        // Few rows, few different numbers.
        assert_eq!(said(&[20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 1e6]), Vec::<String>::new());
        let degrees = [1.0, 2.0, 1.0, 3.0, 2.0, 1.0, 2.0, 2.0, 1.0, 1.0, 3.0, 500.0];
        assert_eq!(said(&degrees), Vec::<String>::new());
    }

    /// Standard normal numbers.
    fn normal(seed: u64) -> impl Iterator<Item = f64> {
        let mut state = seed;
        let mut uniform = move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (((mixed ^ (mixed >> 31)) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        };
        std::iter::repeat_with(move || {
            (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
        })
    }

    #[test]
    fn heavy_tails_are_not_far() {
        let samples = |rows: usize, value: fn(f64) -> f64| {
            let found = (0..2000).filter(|&seed| {
                let mut numbers: Vec<f64> = normal(seed).map(value).take(rows).collect();
                numbers.sort_unstable_by(f64::total_cmp);
                far(&numbers).is_some() || codes(&numbers).is_some_and(|(codes, _)| codes.len() > 1)
            });
            found.count()
        };
        // Of 2000 samples each.
        for (rows, most) in [(10, 10), (20, 2), (100, 0)] {
            assert!(samples(rows, |z| (2.0 * z).exp()) <= most, "log-normal, {rows} rows");
            assert!(samples(rows, |z| (2.0 * z).exp().round()) <= 2 * most, "rounded, {rows} rows");
            assert!(
                samples(rows, |z| (2.0 * z.abs()).exp().copysign(z)) <= most,
                "of both signs, {rows} rows"
            );
            assert!(samples(rows, |z| z) <= most, "normal, {rows} rows");
        }
        for (rows, most) in [(6, 4), (10, 4), (20, 4), (100, 1)] {
            // Degrees, and whole numbers of which some are below 0.
            let wide: fn(f64) -> f64 = |z| (2.0 + 2.0 * z).exp().round();
            let codes = |value: fn(f64) -> f64| {
                let of = |seed| codes(&normal(seed).map(value).take(rows).collect::<Vec<_>>());
                (0..2000).filter(|&seed| of(seed).is_some_and(|(codes, _)| codes.len() > 1)).count()
            };
            for (name, value) in
                [("wide", wide), ("whole", |z| (5.0 * z).round()), ("shifted", |z| (6.0 + 5.0 * z).round())]
            {
                assert!(codes(value) <= most, "{name}, {rows} rows: {}", codes(value));
            }
        }
        for (rows, most) in [(20, 10), (100, 1)] {
            assert!(samples(rows, |z| 1000.0 + (2.0 * z).exp()) <= most, "far from 0, {rows} rows");
        }
    }
}
