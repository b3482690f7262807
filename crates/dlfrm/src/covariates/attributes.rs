//! What is known about nodes: numbers, categories and bags of words, as one sparse matrix of standardised columns; products of
//! these; and how alike the two ends of a pair are: nodes that are alike may be linked more, or less.

use std::ops::Range;

use crate::error::{Error, Result};

use super::matrix::{Matrix, Sources};

/// One attribute as it is known: of each node a number, or a list of words.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What is known of each node.
    pub values: FieldValues,
}

/// What an attribute says of each node, in their order.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldValues {
    /// A number, where it is known.
    Numbers(Vec<Option<f64>>),
    /// A list of words, each once with its count; a category is a list of one word, and a list may be empty.
    Words {
        /// The words.
        words: Vec<String>,
        /// The list of each node: numbers of words, and how often they stand.
        lists: Vec<Vec<(u32, f64)>>,
    },
}

/// What is known about all nodes of a network.
///
/// A number is a column with mean 0 and standard deviation 1, and nothing is said of a node whose number is not known.
/// A list of words is as long a vector as there are words, of Euclidean length 1; the mean over all nodes is taken away
/// when it is multiplied, so that lists stay sparse.
#[derive(Debug, Clone, PartialEq)]
pub struct Attributes {
    fields: Vec<Field>,
    names: Vec<String>,
    groups: Vec<Range<usize>>,
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    means: Vec<f64>,
}

impl Attributes {
    /// Standardises some attributes of so many nodes. Refuses one that is the same for all of them.
    pub fn new(nodes: usize, mut fields: Vec<Field>) -> Result<Self> {
        // Numbers first, so that they are one group of columns.
        fields.sort_by_key(|field| matches!(field.values, FieldValues::Words { .. }));
        let mut rows: Vec<Vec<(u32, f64)>> = vec![vec![]; nodes];
        let (mut names, mut groups): (Vec<String>, Vec<Range<usize>>) = (vec![], vec![]);
        for field in &fields {
            let first = names.len();
            let lists = field
                .values
                .standardised(nodes)
                .map_err(|what| Error::Attribute { name: field.name.clone(), what })?;
            for (row, list) in rows.iter_mut().zip(lists) {
                row.extend(list.into_iter().map(|(column, value)| (first as u32 + column, value)));
            }
            match &field.values {
                FieldValues::Numbers(_) => {
                    names.push(field.name.clone());
                    groups.clear();
                    groups.push(0..names.len());
                }
                FieldValues::Words { words, .. } => {
                    names.extend(words.iter().map(|word| format!("{} {word}", field.name)));
                    groups.push(first..names.len());
                }
            }
        }
        let mut means = vec![0.0; names.len()];
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for row in rows {
            for (column, value) in row {
                means[column as usize] += value / nodes as f64;
                columns.push(column);
                values.push(value);
            }
            starts.push(columns.len());
        }
        Ok(Self { fields, names, groups, starts, columns, values, means })
    }

    /// The attributes as they were given, numbers first.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The columns of all numbers together, and of each list of words: what has a prior precision of its own.
    pub fn groups(&self) -> &[Range<usize>] {
        &self.groups
    }

    /// The columns of a node that are not zero, before means are taken away.
    pub fn row(&self, node: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[node]..self.starts[node + 1];
        let columns = self.columns[range.clone()].iter().map(|&column| column as usize);
        columns.zip(self.values[range].iter().copied())
    }

    /// Adds the product of each node's columns with the coefficients.
    pub(crate) fn add_products(&self, coefficients: &[f64], sums: &mut [f64]) {
        let shift: f64 = self.means.iter().zip(coefficients).map(|(mean, beta)| mean * beta).sum();
        for (node, sum) in sums.iter_mut().enumerate() {
            *sum += self.row(node).map(|(column, value)| value * coefficients[column]).sum::<f64>() - shift;
        }
    }

    /// The product of the coefficients with the columns of a node of which nothing is known.
    pub(crate) fn product_of_unknown(&self, coefficients: &[f64]) -> f64 {
        -self.means.iter().zip(coefficients).map(|(mean, beta)| mean * beta).sum::<f64>()
    }

    /// The transpose: for each column its product with a number for each node.
    pub(crate) fn write_transposed(&self, numbers: &[f64], sums: &mut [f64]) {
        let total: f64 = numbers.iter().sum();
        for (sum, mean) in sums.iter_mut().zip(&self.means) {
            *sum = -mean * total;
        }
        for (node, number) in numbers.iter().enumerate() {
            self.row(node).for_each(|(column, value)| sums[column] += value * number);
        }
    }

    /// For each column the sum of its squares, weighted by a number for each node.
    pub(crate) fn write_squares(&self, numbers: &[f64], sums: &mut [f64]) {
        let total: f64 = numbers.iter().sum();
        for (sum, mean) in sums.iter_mut().zip(&self.means) {
            *sum = mean * mean * total;
        }
        for (node, number) in numbers.iter().enumerate() {
            self.row(node).for_each(|(column, value)| {
                sums[column] += value * (value - 2.0 * self.means[column]) * number;
            });
        }
    }

    /// V'DV for a number of each node: the lower triangle by columns.
    pub(crate) fn write_weighted_products(&self, numbers: &[f64], matrix: &mut Vec<f64>) {
        let (width, means) = (self.width(), &self.means);
        matrix.clear();
        matrix.resize(width * width, 0.0);
        let mut sums = vec![0.0; width];
        for (node, number) in numbers.iter().enumerate() {
            for (left, value) in self.row(node) {
                sums[left] += number * value;
                for (right, other) in self.row(node).filter(|(right, _)| *right >= left) {
                    matrix[left * width + right] += number * value * other;
                }
            }
        }
        let total: f64 = numbers.iter().sum();
        for left in 0..width {
            for right in left..width {
                matrix[left * width + right] += total * means[left] * means[right]
                    - means[left] * sums[right]
                    - sums[left] * means[right];
            }
        }
    }

    /// VV' over some columns: the whole of it.
    pub(crate) fn products(&self, columns: &Range<usize>) -> Vec<f64> {
        let (nodes, means) = (self.nodes(), &self.means);
        let row = |node| self.row(node).filter(|(column, _)| columns.contains(column));
        let mut matrix = vec![0.0; nodes * nodes];
        let mut dense = vec![0.0; self.width()];
        let shifts: Vec<f64> =
            (0..nodes).map(|node| row(node).map(|(column, value)| value * means[column]).sum()).collect();
        let square: f64 = means[columns.clone()].iter().map(|mean| mean * mean).sum();
        for left in 0..nodes {
            row(left).for_each(|(column, value)| dense[column] = value);
            for right in left..nodes {
                let product: f64 = row(right).map(|(column, value)| value * dense[column]).sum();
                let centred = product - shifts[left] - shifts[right] + square;
                matrix[left * nodes + right] = centred;
                matrix[right * nodes + left] = centred;
            }
            row(left).for_each(|(column, _)| dense[column] = 0.0);
        }
        matrix
    }
}

impl FieldValues {
    /// What is known of each node as columns; why not, if it is the same for all or no number.
    fn standardised(&self, nodes: usize) -> std::result::Result<Vec<Vec<(u32, f64)>>, String> {
        match self {
            Self::Numbers(numbers) => {
                assert_eq!(numbers.len(), nodes, "a number for each node");
                let scale = standard(numbers)?;
                Ok(numbers.iter().map(|number| number.iter().map(|x| (0, scale(*x))).collect()).collect())
            }
            Self::Words { words, lists } => {
                assert_eq!(lists.len(), nodes, "a list for each node");
                if let Some((_, bad)) = lists.iter().flatten().find(|(_, n)| !(n.is_finite() && *n > 0.0)) {
                    return Err(format!("a word cannot stand {bad} times"));
                }
                if lists.windows(2).all(|two| two[0] == two[1]) {
                    let known =
                        lists.first().and_then(|list| list.first()).map(|&(word, _)| &words[word as usize]);
                    return Err(match known {
                        Some(word) => format!("it is the same for all nodes ('{word}')"),
                        None => "no node has a value".to_owned(),
                    });
                }
                Ok(lists.iter().map(|list| unit(list.clone())).collect())
            }
        }
    }
}

/// The same list with Euclidean length 1.
fn unit(mut list: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    let length = list.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
    for (_, weight) in &mut list {
        *weight /= length;
    }
    list
}

/// Numbers that differ by less than this share of themselves are close.
const CLOSE: f64 = 1e-6;

/// How known numbers are brought to mean 0 and standard deviation 1; why not, if they are all the same.
pub(super) fn standard(numbers: &[Option<f64>]) -> std::result::Result<impl Fn(f64) -> f64 + use<>, String> {
    let known: Vec<f64> = numbers.iter().flatten().copied().collect();
    let Some(&first) = known.first() else { return Err("no value is known".to_owned()) };
    if let Some(bad) = known.iter().find(|number| !number.is_finite()) {
        return Err(format!("a value is {bad}"));
    }
    if known.iter().all(|x| *x == first) {
        return Err(format!("all values are the same ({first})"));
    }
    let count = known.len() as f64;
    // Numbers that differ in their last digits, such as times, count from the first: differences of close numbers are exact.
    let far = known.iter().map(|x| (x - first).abs()).fold(0.0, f64::max);
    let origin = if far < CLOSE * first.abs() { first } else { 0.0 };
    let mean = known.iter().map(|x| (x - origin) / count).sum::<f64>();
    // Divided first, so that the squares of large numbers are none too large.
    let reach = known.iter().map(|x| (x - origin - mean).abs()).fold(0.0, f64::max);
    let variance = known.iter().map(|x| ((x - origin - mean) / reach).powi(2) / count).sum::<f64>();
    let deviation = reach * variance.sqrt();
    Ok(move |x| (x - origin - mean) / deviation)
}

/// Attributes of all nodes, ready to be compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Similarity(Vec<Compared>);

#[derive(Debug, Clone, PartialEq)]
enum Compared {
    /// A number each: how far apart they are. What is not known is taken for the mean.
    Numbers(Vec<f64>),
    /// A list of words each: the cosine between them, rare words counting more.
    Words { words: usize, lists: Vec<Vec<(u32, f64)>> },
}

impl Similarity {
    pub(super) fn new(attributes: &Attributes) -> Self {
        Self(attributes.fields().iter().map(Compared::new).collect())
    }

    pub(super) fn names(attributes: &Attributes) -> impl Iterator<Item = String> {
        attributes.fields().iter().map(|field| match field.values {
            FieldValues::Numbers(_) => format!("distance of {}", field.name),
            FieldValues::Words { .. } => format!("likeness of {}", field.name),
        })
    }

    /// Adds the most that the columns add to the pairs of each node, with these slopes.
    pub(super) fn add_most(&self, slopes: &[f64], most: &mut [f64]) {
        for (field, slope) in self.0.iter().zip(slopes).filter(|(_, slope)| **slope > 0.0) {
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

    pub(super) fn ranges(&self) -> impl Iterator<Item = [f64; 2]> {
        self.0.iter().map(|field| match field {
            Compared::Numbers(numbers) => {
                let [low, high] = range(numbers);
                [0.0, high - low]
            }
            Compared::Words { .. } => [0.0, 1.0],
        })
    }

    pub(super) fn fill(&self, sources: &Sources<'_>, first: usize, matrix: &mut Matrix) {
        for (column, field) in (first..).zip(&self.0) {
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
                    unit(list.iter().map(|&(word, n)| (word, n * rarity(word))).collect())
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
pub(crate) mod example {
    use super::*;

    /// Numbers, of which one is not known, and lists of words.
    pub(crate) fn attributes() -> Attributes {
        let words = |lists: [&[(u32, f64)]; 4]| FieldValues::Words {
            words: ["red", "green", "blue"].map(str::to_owned).to_vec(),
            lists: lists.map(<[_]>::to_vec).to_vec(),
        };
        let field = |name: &str, values| Field { name: name.to_owned(), values };
        let numbers = FieldValues::Numbers(vec![Some(1.0), None, Some(4.0), Some(1e9)]);
        let lists = words([&[(0, 1.0)], &[(0, 1.0), (2, 2.0)], &[], &[(1, 1.0)]]);
        let more = FieldValues::Numbers(vec![Some(3.0), Some(2.0), Some(1.0), Some(2.0)]);
        let fields = vec![field("size", numbers), field("tags", lists), field("age", more)];
        Attributes::new(4, fields).unwrap()
    }

    /// The same as a dense matrix, by the definition.
    pub(crate) fn dense(attributes: &Attributes) -> Vec<Vec<f64>> {
        let mut rows = vec![vec![0.0; attributes.width()]; attributes.nodes()];
        for (node, row) in rows.iter_mut().enumerate() {
            attributes.row(node).for_each(|(column, value)| row[column] = value);
        }
        let count = rows.len() as f64;
        for column in 0..attributes.width() {
            let mean: f64 = rows.iter().map(|row| row[column] / count).sum();
            for row in &mut rows {
                row[column] -= mean;
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::example::{attributes as example, dense};
    use super::*;

    #[test]
    fn columns_are_standardised_and_grouped() {
        let attributes = example();
        assert_eq!(attributes.names(), ["size", "age", "tags red", "tags green", "tags blue"]);
        assert_eq!(attributes.groups(), [0..2, 2..5]);
        let rows = dense(&attributes);
        let age: Vec<f64> = rows.iter().map(|row| row[1]).collect();
        let root = 2.0_f64.sqrt();
        assert!(age.iter().zip([root, 0.0, -root, 0.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{age:?}");
        // Nothing is said of the node without a number.
        assert!(attributes.row(1).all(|(column, _)| column != 0));
        let lengths: f64 = attributes.row(1).filter(|&(column, _)| column > 1).map(|(_, x)| x * x).sum();
        assert!((lengths - 1.0).abs() < 1e-12);
    }

    #[test]
    fn products_are_those_of_the_matrix() {
        let attributes = example();
        let rows = dense(&attributes);
        let coefficients = [0.3, -1.0, 2.0, 0.5, -0.7];
        let numbers = [1.0, 0.2, 3.0, 0.7];
        let mut products = vec![1.0; 4];
        attributes.add_products(&coefficients, &mut products);
        let (mut transposed, mut squares) = ([9.0; 5], [9.0; 5]);
        attributes.write_transposed(&numbers, &mut transposed);
        attributes.write_squares(&numbers, &mut squares);
        for (row, product) in rows.iter().zip(products) {
            let sum: f64 = row.iter().zip(coefficients).map(|(x, beta)| x * beta).sum();
            assert!((product - 1.0 - sum).abs() < 1e-12);
        }
        for column in 0..5 {
            let over = |of: fn(f64) -> f64| -> f64 {
                rows.iter().zip(numbers).map(|(row, number)| of(row[column]) * number).sum()
            };
            assert!((transposed[column] - over(|x| x)).abs() < 1e-12);
            assert!((squares[column] - over(|x| x * x)).abs() < 1e-12);
        }
        let mut matrix = vec![];
        attributes.write_weighted_products(&numbers, &mut matrix);
        for (left, right) in (0..5).flat_map(|left| (left..5).map(move |right| (left, right))) {
            let lines = rows.iter().zip(numbers);
            let product: f64 = lines.map(|(row, number)| number * row[left] * row[right]).sum();
            assert!((matrix[left * 5 + right] - product).abs() < 1e-12, "({left}, {right})");
        }
        for group in attributes.groups() {
            for (place, found) in attributes.products(group).iter().enumerate() {
                let (one, other) = (&rows[place / 4], &rows[place % 4]);
                let product: f64 = group.clone().map(|column| one[column] * other[column]).sum();
                assert!((found - product).abs() < 1e-12, "{place}");
            }
        }
    }

    #[test]
    fn numbers_that_differ_in_their_last_digits_are_scaled() {
        // Times in milliseconds.
        let scale = standard(&[0.0, 1.0, 3.0].map(|time| Some(1_700_000_000_000.0 + time))).unwrap();
        let plain = standard(&[0.0, 1.0, 3.0].map(Some)).unwrap();
        assert!((0..9).map(f64::from).all(|x| (scale(1_700_000_000_000.0 + x) - plain(x)).abs() < 1e-12));
        let tiny = [1.0, 1.0 + f64::EPSILON].map(Some);
        assert_eq!(standard(&tiny).map(|scale| tiny.map(|x| scale(x.unwrap()))), Ok([-1.0, 1.0]));
    }

    #[test]
    fn what_says_nothing_is_refused() {
        let refused = |values| {
            Attributes::new(2, vec![Field { name: "a".to_owned(), values }]).unwrap_err().to_string()
        };
        let infinite = refused(FieldValues::Numbers(vec![Some(f64::INFINITY), None]));
        assert_eq!(infinite, "the attribute 'a': a value is inf");
        let lists = vec![vec![(0, 1.0)], vec![(0, 1.0)]];
        let words = FieldValues::Words { words: vec!["x".to_owned()], lists };
        assert_eq!(refused(words), "the attribute 'a': it is the same for all nodes ('x')");
    }

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
