//! How alike the attributes of the two ends of a pair are: nodes that are alike may be linked more, or less.

use super::Matrix;
use super::attributes::{Attributes, Field, FieldValues, standard};
use super::sources::Sources;

/// Attributes of all nodes, ready to be compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Similarity {
    fields: Vec<Compared>,
}

/// One attribute of all nodes.
#[derive(Debug, Clone, PartialEq)]
enum Compared {
    /// A number each: how far apart they are. What is not known is taken for the mean.
    Numbers(Vec<f64>),
    /// A list of words each: the cosine between them, rare words counting more.
    Words { words: usize, lists: Vec<Vec<(u32, f64)>> },
}

impl Similarity {
    /// Looks at some attributes.
    pub(super) fn new(attributes: &Attributes) -> Self {
        Self { fields: attributes.fields().iter().map(Compared::new).collect() }
    }

    /// The names of the columns.
    pub(super) fn names(attributes: &Attributes) -> impl Iterator<Item = String> {
        attributes.fields().iter().map(|field| match field.values {
            FieldValues::Numbers(_) => format!("distance of {}", field.name),
            FieldValues::Words { .. } => format!("likeness of {}", field.name),
        })
    }

    /// Adds the most that the columns add to the pairs of each node, with these slopes.
    pub(super) fn add_most(&self, slopes: &[f64], most: &mut [f64]) {
        for (field, slope) in self.fields.iter().zip(slopes).filter(|(_, slope)| **slope > 0.0) {
            match field {
                Compared::Numbers(numbers) => {
                    let [low, high] = range(numbers);
                    for (most, number) in most.iter_mut().zip(numbers) {
                        *most += slope * (number - low).max(high - number);
                    }
                }
                Compared::Words { .. } => most.iter_mut().for_each(|most| *most += slope),
            }
        }
    }

    /// The least and the most of each column.
    pub(super) fn ranges(&self) -> impl Iterator<Item = [f64; 2]> {
        self.fields.iter().map(|field| match field {
            Compared::Numbers(numbers) => {
                let [low, high] = range(numbers);
                [0.0, high - low]
            }
            Compared::Words { .. } => [0.0, 1.0],
        })
    }

    /// Fills in the columns from `first` on.
    pub(super) fn fill(&self, sources: &Sources<'_>, first: usize, matrix: &mut Matrix) {
        for (column, field) in (first..).zip(&self.fields) {
            field.fill(sources, column, matrix);
        }
    }
}

impl Compared {
    fn new(field: &Field) -> Self {
        match &field.values {
            FieldValues::Numbers(numbers) => {
                let scale = standard(numbers).expect("attributes are checked");
                Self::Numbers(numbers.iter().map(|number| number.map_or(0.0, &scale)).collect())
            }
            FieldValues::Words { words, lists } => {
                let mut holders = vec![0_usize; words.len()];
                lists.iter().flatten().for_each(|&(word, _)| holders[word as usize] += 1);
                let rarity = |word: u32| (1.0 + lists.len() as f64 / holders[word as usize] as f64).ln();
                let weigh = |list: &Vec<(u32, f64)>| {
                    let mut list: Vec<_> = list.iter().map(|&(word, n)| (word, n * rarity(word))).collect();
                    let length = list.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
                    for (_, weight) in &mut list {
                        *weight /= length;
                    }
                    list
                };
                Self::Words { words: words.len(), lists: lists.iter().map(weigh).collect() }
            }
        }
    }

    fn fill(&self, sources: &Sources<'_>, column: usize, matrix: &mut Matrix) {
        let columns = column..column + 1;
        match self {
            Self::Numbers(numbers) => sources.fill(
                matrix,
                columns,
                || (),
                |(), source, pairs| {
                    for (target, line) in pairs {
                        line[0] = (numbers[source as usize] - numbers[target as usize]).abs() as f32;
                    }
                },
            ),
            Self::Words { words, lists } => sources.fill(
                matrix,
                columns,
                || vec![0.0; *words],
                |spread, source, pairs| {
                    let own = &lists[source as usize];
                    // The words of the source are spread out once for all its pairs.
                    for &(word, weight) in own {
                        spread[word as usize] = weight;
                    }
                    for (target, line) in pairs {
                        let other = &lists[target as usize];
                        let cosine: f64 =
                            other.iter().map(|&(word, weight)| weight * spread[word as usize]).sum();
                        line[0] = cosine as f32;
                    }
                    for &(word, _) in own {
                        spread[word as usize] = 0.0;
                    }
                },
            ),
        }
    }
}

fn range(numbers: &[f64]) -> [f64; 2] {
    numbers.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &x| [low.min(x), high.max(x)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_the_cosine_and_distance_the_difference() {
        let words = FieldValues::Words {
            words: ["common", "rare"].map(str::to_owned).to_vec(),
            lists: vec![vec![(0, 1.0)], vec![(0, 2.0)], vec![(0, 1.0), (1, 1.0)], vec![]],
        };
        let numbers = FieldValues::Numbers(vec![Some(1.0), Some(3.0), None, Some(5.0)]);
        let field = |name: &str, values| Field { name: name.to_owned(), values };
        let attributes = Attributes::new(4, vec![field("w", words), field("x", numbers)]).unwrap();
        assert_eq!(Similarity::names(&attributes).collect::<Vec<_>>(), ["distance of x", "likeness of w"]);
        let pairs = [(2, 0), (0, 1), (3, 1), (0, 3)];
        let mut matrix = Matrix::new(2, pairs.len());
        Sources::with_pairs(&pairs, &mut matrix, |sources, matrix| {
            Similarity::new(&attributes).fill(sources, 0, matrix);
        });
        // Three hold the common word, one the rare one; the standard deviation of 1, 3, 5 is the root of 8/3.
        let (common, rare) = ((1.0 + 4.0 / 3.0_f64).ln(), 5.0_f64.ln());
        let cosine = common / common.hypot(rare);
        let step = 2.0 / (8.0_f64 / 3.0).sqrt();
        let expected = [[step, cosine], [step, 1.0], [step, 0.0], [2.0 * step, 0.0]];
        for (line, expected) in expected.iter().enumerate() {
            for (value, expected) in matrix.row(line).iter().zip(expected) {
                assert!((f64::from(*value) - expected).abs() < 1e-6, "line {line}: {value} {expected}");
            }
        }
    }
}
