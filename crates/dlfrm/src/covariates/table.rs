//! Numbers and categories that are known of pairs, looked up by pair.

use super::attributes::standard;
use super::matrix::{Matrix, Scale, Sources};
use crate::error::{Error, Result};

/// One column of a table: of each of its pairs a number or a category, where it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct PairColumn {
    /// Its name.
    pub name: String,
    /// What is known of each pair.
    pub values: PairValues,
}

/// What a column says of each pair of its table, in their order.
#[derive(Debug, Clone, PartialEq)]
pub enum PairValues {
    /// A number.
    Numbers(Vec<Option<f64>>),
    /// One of some categories.
    Categories {
        /// The categories.
        names: Vec<String>,
        /// The number of each pair's category.
        chosen: Vec<Option<u32>>,
    },
}

/// What is known of some pairs.
///
/// A number is a column, standardised; each category is a column that is 1 for its pairs. Where the value of a pair is not
/// known these have their means, and a further column says so: pairs of which nothing is known may well be others.
#[derive(Debug, Clone)]
pub struct PairTable {
    symmetric: bool,
    pairs: Vec<(u32, u32)>,
    columns: Vec<PairColumn>,
    starts: Vec<usize>,
    width: usize,
    values: Vec<f32>,
    /// The line of a pair of which nothing is known.
    unknown: Vec<f32>,
}

/// All else follows from these; and what is not known is no number, which equals nothing.
impl PartialEq for PairTable {
    fn eq(&self, other: &Self) -> bool {
        let known = |table: &Self| (table.symmetric, table.starts.len());
        known(self) == known(other) && self.pairs == other.pairs && self.columns == other.columns
    }
}

impl PairTable {
    /// A table of some pairs, each once and in any order; in a symmetric one (i, j) and (j, i) are the same pair. Refuses a
    /// column that is the same for all pairs.
    pub fn new(nodes: usize, symmetric: bool, pairs: &[(u32, u32)], columns: &[PairColumn]) -> Result<Self> {
        let key = |(i, j): (u32, u32)| if symmetric && i > j { (j, i) } else { (i, j) };
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&place| key(pairs[place]));
        let width = columns.iter().map(PairColumn::width).sum();
        let mut values = vec![0.0; width * pairs.len()];
        let mut first = 0;
        for column in columns {
            column
                .write(&order, &mut values, width, first)
                .map_err(|what| Error::Attribute { name: column.name.clone(), what })?;
            first += column.width();
        }
        let columns: Vec<PairColumn> = columns.iter().map(|column| column.ordered(&order)).collect();
        let pairs: Vec<(u32, u32)> = order.iter().map(|&place| key(pairs[place])).collect();
        assert!(pairs.windows(2).all(|two| two[0] < two[1]), "each pair once");
        let starts = (0..=nodes as u32).map(|source| pairs.partition_point(|&(i, _)| i < source)).collect();
        let unknown = columns.iter().flat_map(PairColumn::unknown).collect();
        Ok(Self { symmetric, pairs, columns, starts, width, values, unknown })
    }

    /// The pairs in order.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// What is known of these pairs.
    pub fn columns(&self) -> &[PairColumn] {
        &self.columns
    }

    /// Whether (i, j) and (j, i) are the same pair.
    pub fn symmetric(&self) -> bool {
        self.symmetric
    }

    /// Whether the table has the pair.
    pub fn knows(&self, pair: (u32, u32)) -> bool {
        self.place(pair).is_some()
    }

    fn place(&self, (source, target): (u32, u32)) -> Option<usize> {
        let turned = self.symmetric && source > target;
        let (i, j) = if turned { (target, source) } else { (source, target) };
        let range = self.starts[i as usize]..self.starts[i as usize + 1];
        let first = range.start;
        self.pairs[range].binary_search_by_key(&j, |&(_, target)| target).ok().map(|place| first + place)
    }

    pub(super) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The lines of its pairs, and that of a pair of which nothing is known.
    fn lines(&self) -> impl Iterator<Item = &[f32]> {
        let width = self.width.max(1);
        self.values.chunks_exact(width).chain(self.unknown.chunks_exact(width))
    }

    /// The most that its columns add to any pair, with these slopes.
    pub(super) fn most(&self, slopes: &[f64], scales: &[Scale]) -> f64 {
        let line = |line: &[f32]| -> f64 {
            let known = line.iter().zip(slopes).zip(scales).filter(|((value, _), _)| !value.is_nan());
            known.map(|((&value, slope), scale)| slope * (f64::from(value) - scale.mean)).sum()
        };
        self.lines().map(line).fold(f64::NEG_INFINITY, f64::max)
    }

    pub(super) fn ranges(&self) -> Vec<[f64; 2]> {
        let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; self.width];
        for line in self.lines() {
            for (range, value) in ranges.iter_mut().zip(line).filter(|(_, value)| !value.is_nan()) {
                *range = [range[0].min((*value).into()), range[1].max((*value).into())];
            }
        }
        ranges
    }

    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.columns.iter().flat_map(PairColumn::names)
    }

    /// Which of these say that a value is not known.
    pub(super) fn unknown_places(&self) -> impl Iterator<Item = usize> {
        self.columns.iter().scan(0, |end, column| {
            *end += column.width();
            Some(*end - 1)
        })
    }

    pub(super) fn fill(&self, sources: &Sources<'_>, first: usize, matrix: &mut Matrix) {
        sources.fill(
            matrix,
            first..first + self.width,
            || (),
            |(), source, pairs| {
                for (target, line) in pairs {
                    match self.place((source, target)) {
                        Some(place) => line.copy_from_slice(&self.values[place * self.width..][..self.width]),
                        None => line.copy_from_slice(&self.unknown),
                    }
                }
            },
        );
    }
}

impl PairColumn {
    fn width(&self) -> usize {
        self.names().len()
    }

    /// One for a number or for each category, and one that says that it is not known.
    fn names(&self) -> Vec<String> {
        let mut all = match &self.values {
            PairValues::Numbers(_) => vec![self.name.clone()],
            PairValues::Categories { names, .. } => {
                names.iter().map(|category| format!("{} {category}", self.name)).collect()
            }
        };
        all.push(format!("{} is not known", self.name));
        all
    }

    fn unknown(&self) -> Vec<f32> {
        let mut values = vec![f32::NAN; self.width()];
        *values.last_mut().expect("one column at least") = 1.0;
        values
    }

    fn write(
        &self,
        order: &[usize],
        values: &mut [f32],
        width: usize,
        first: usize,
    ) -> std::result::Result<(), String> {
        let unknown = self.unknown();
        let columns = first..first + unknown.len();
        let lines = values.chunks_exact_mut(width.max(1)).map(|line| &mut line[columns.clone()]);
        match &self.values {
            PairValues::Numbers(numbers) => {
                let scale = standard(numbers)?;
                for (line, &place) in lines.zip(order) {
                    match numbers[place] {
                        Some(number) => line[0] = scale(number) as f32,
                        None => line.copy_from_slice(&unknown),
                    }
                }
            }
            PairValues::Categories { chosen, names } => {
                if chosen.windows(2).all(|two| two[0] == two[1]) {
                    return Err(match chosen.first().copied().flatten() {
                        Some(one) => format!("all values are the same ({})", names[one as usize]),
                        None => "no value is known".to_owned(),
                    });
                }
                for (line, &place) in lines.zip(order) {
                    match chosen[place] {
                        Some(category) => line[category as usize] = 1.0,
                        None => line.copy_from_slice(&unknown),
                    }
                }
            }
        }
        Ok(())
    }

    fn ordered(&self, order: &[usize]) -> Self {
        let values = match &self.values {
            PairValues::Numbers(numbers) => {
                PairValues::Numbers(order.iter().map(|&place| numbers[place]).collect())
            }
            PairValues::Categories { names, chosen } => PairValues::Categories {
                names: names.clone(),
                chosen: order.iter().map(|&place| chosen[place]).collect(),
            },
        };
        Self { name: self.name.clone(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(symmetric: bool) -> PairTable {
        let columns = vec![
            PairColumn {
                name: "km".to_owned(),
                values: PairValues::Numbers(vec![Some(3.0), None, Some(1.0)]),
            },
            PairColumn {
                name: "kind".to_owned(),
                values: PairValues::Categories {
                    names: ["road", "rail"].map(str::to_owned).to_vec(),
                    chosen: vec![Some(1), Some(0), None],
                },
            },
        ];
        PairTable::new(4, symmetric, &[(2, 1), (0, 3), (0, 1)], &columns).unwrap()
    }

    #[test]
    fn pairs_are_looked_up_whichever_way_they_are_written() {
        let [plain, both] = [table(false), table(true)];
        for (pair, directed, undirected) in
            [((2, 1), true, true), ((1, 2), false, true), ((3, 3), false, false)]
        {
            assert_eq!((plain.knows(pair), both.knows(pair)), (directed, undirected), "{pair:?}");
        }
    }

    #[test]
    fn what_is_not_known_is_said() {
        let table = table(false);
        let names: Vec<String> = table.names().collect();
        assert_eq!(names, ["km", "km is not known", "kind road", "kind rail", "kind is not known"]);
        let pairs = [(2, 1), (0, 3), (0, 1), (1, 2)];
        let mut matrix = Matrix::new(6, pairs.len());
        Sources::with_pairs(&pairs, &mut matrix, |sources, matrix| table.fill(sources, 1, matrix));
        let known: Vec<String> = (0..4).map(|line| format!("{:?}", matrix.row(line))).collect();
        assert_eq!(
            known,
            [
                "[0.0, 1.0, 0.0, 0.0, 1.0, 0.0]",
                "[0.0, NaN, 1.0, 1.0, 0.0, 0.0]",
                "[0.0, -1.0, 0.0, NaN, NaN, 1.0]",
                "[0.0, NaN, 1.0, NaN, NaN, 1.0]",
            ]
        );
        // Standardised, what is not known is the mean.
        let scales = matrix.standardise();
        assert_eq!((scales[1].mean, scales[1].deviation), (0.0, 1.0));
        assert_eq!([matrix.row(1)[1], matrix.row(3)[3]], [0.0, 0.0]);
    }
}
