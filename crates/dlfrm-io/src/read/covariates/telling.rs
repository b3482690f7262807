//! How well the values of a column of pairs tell links from non-links by themselves.

use std::hash::Hash;

use dlfrm::covariates::{PairColumn, PairValues};
use dlfrm::score::auc;
use rustc_hash::FxHashMap;

/// So many links and so many non-links are needed: few may differ by chance.
const ENOUGH: usize = 10;

/// The AUC of a column over the pairs with a label and a value: that of its numbers, or of whether a pair has the value that
/// tells most, in the direction that tells more. None if there are too few pairs.
pub(super) fn telling(column: &PairColumn, labels: &[Option<bool>]) -> Option<f64> {
    match &column.values {
        PairValues::Numbers(numbers) => {
            let (numbers, labels) = known(numbers, labels)?;
            // Zeros of both signs are one value.
            let by_value = of_one_value(numbers.iter().map(|number| (number + 0.0).to_bits()), &labels);
            Some(by_value.max(either_way(auc(&numbers, &labels)?)))
        }
        PairValues::Categories { chosen, .. } => {
            let (chosen, labels) = known(chosen, labels)?;
            Some(of_one_value(chosen.into_iter(), &labels))
        }
    }
}

/// The AUC of a score of two values, which these shares of the links and of the non-links have the larger one of.
pub(super) fn of_shares(links: f64, non_links: f64) -> f64 {
    either_way(0.5 + (links - non_links) / 2.0)
}

fn either_way(area: f64) -> f64 {
    area.max(1.0 - area)
}

/// The values and labels of the pairs that have both, if there are enough links and non-links.
fn known<T: Copy>(values: &[Option<T>], labels: &[Option<bool>]) -> Option<(Vec<T>, Vec<bool>)> {
    let both = values.iter().zip(labels).filter_map(|(value, label)| Some(((*value)?, (*label)?)));
    let (values, labels): (Vec<T>, Vec<bool>) = both.unzip();
    let links = labels.iter().filter(|&&link| link).count();
    (links >= ENOUGH && labels.len() - links >= ENOUGH).then_some((values, labels))
}

/// The AUC of whether a pair has the value that tells most.
fn of_one_value<T: Eq + Hash>(values: impl Iterator<Item = T>, labels: &[bool]) -> f64 {
    let mut counts: FxHashMap<T, [usize; 2]> = FxHashMap::default();
    let mut all = [0_usize; 2];
    for (value, &link) in values.zip(labels) {
        counts.entry(value).or_default()[usize::from(link)] += 1;
        all[usize::from(link)] += 1;
    }
    let share = |count: usize, link: usize| count as f64 / all[link] as f64;
    counts
        .values()
        .map(|[non_links, links]| of_shares(share(*links, 1), share(*non_links, 0)))
        .fold(0.5, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty links before twenty non-links, of which the last has no label.
    fn of(values: PairValues) -> Option<f64> {
        let labels: Vec<Option<bool>> = (0..41).map(|at| (at < 40).then_some(at < 20)).collect();
        telling(&PairColumn { name: "strength".to_owned(), values }, &labels)
    }

    fn numbers(value: impl Fn(u32) -> f64) -> PairValues {
        PairValues::Numbers((0..41).map(|at| Some(value(at))).collect())
    }

    fn categories(value: impl Fn(u32) -> Option<u32>) -> PairValues {
        let names = (0..41).map(|at| at.to_string()).collect();
        PairValues::Categories { names, chosen: (0..41).map(value).collect() }
    }

    #[test]
    fn numbers_tell_by_their_order_or_by_one_of_them() {
        assert_eq!(of(numbers(|at| f64::from(at) + 0.5)), Some(1.0));
        assert_eq!(of(numbers(|at| -f64::from(at))), Some(1.0));
        // Non-links are 0, links are more or less.
        let signed = |at: u32| if at.is_multiple_of(2) { 1.0 } else { -1.0 };
        assert_eq!(of(numbers(|at| if at < 20 { signed(at) } else { 0.0 })), Some(1.0));
        assert_eq!(of(numbers(|at| if at < 20 { signed(at) } else { 0.0 * signed(at) })), Some(1.0));
        assert_eq!(of(numbers(signed)), Some(0.5));
    }

    #[test]
    fn categories_tell_by_one_of_them() {
        assert_eq!(of(categories(|at| Some(if at < 20 { 1 + at % 3 } else { 0 }))), Some(1.0));
        assert_eq!(of(categories(|at| Some(u32::from(at < 21)))), Some(0.975));
        // Categories of their own tell nothing that could be learned.
        assert_eq!(of(categories(Some)), Some(0.525));
        // Too few links have a value.
        assert_eq!(of(categories(|at| (at >= 11).then_some(u32::from(at < 20)))), None);
    }
}
