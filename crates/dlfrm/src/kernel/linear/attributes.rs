//! The preconditioner of the coefficients of attributes: their precision as if what sources and targets add did not meet.
//! See "The linear part" in `docs/model.md`.
//!
//! With attributes V, the rates D of each node's pairs and prior precisions T a side has V'DV + T. The factorisation is as
//! wide as there are columns, or as there are nodes where these are fewer: with M = I + D^1/2 V T^-1 V' D^1/2
//!
//! ```text
//! (V'DV + T)^-1 = T^-1 - T^-1 V' D^1/2 M^-1 D^1/2 V T^-1
//! ```
//!
//! Where either would cost more than the rest of a sweep there is the diagonal alone.

use crate::covariates::Attributes;

use super::super::linalg;

/// A factorisation takes the cube of its width: at most so many times the number of pairs, which is about the time of an
/// augmentation step.
const CUBE_A_PAIR: f64 = 4000.0;

/// How the precision of a side is solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Form {
    #[default]
    Diagonal,
    Columns,
    Nodes,
}

impl Form {
    fn for_size(columns: usize, nodes: usize, pairs: usize) -> Self {
        let width = columns.min(nodes) as f64;
        if width.powi(3) > CUBE_A_PAIR * pairs as f64 {
            Self::Diagonal
        } else if columns <= nodes {
            Self::Columns
        } else {
            Self::Nodes
        }
    }
}

/// The preconditioner of each side, and reused memory.
#[derive(Debug, Default)]
pub(super) struct Preconditioner {
    form: Form,
    sides: Vec<Side>,
    /// V V' of each group of columns, in whole: it does not change, and is found once.
    products: Vec<Vec<f64>>,
    blocks: linalg::Blocks,
    of_nodes: Vec<f64>,
    of_columns: Vec<f64>,
}

#[derive(Debug, Default)]
struct Side {
    /// T, by columns.
    precisions: Vec<f64>,
    /// The square root of D.
    roots: Vec<f64>,
    /// The diagonal itself, or the factor.
    matrix: Vec<f64>,
}

impl Preconditioner {
    /// Finds the form that suits the network, before each side is [set](Self::set).
    pub(super) fn begin(&mut self, attributes: &Attributes, pairs: usize) {
        self.form = Form::for_size(attributes.width(), attributes.nodes(), pairs);
        if self.form == Form::Nodes && self.products.is_empty() {
            self.products = attributes.groups().iter().map(|group| attributes.products(group)).collect();
        }
    }

    /// The precision of a side, given the sums of rates of its nodes and the prior precisions of its columns.
    pub(super) fn set(
        &mut self,
        side: usize,
        attributes: &Attributes,
        rates: &[f64],
        precisions: impl Iterator<Item = f64>,
    ) {
        self.sides.resize_with(self.sides.len().max(side + 1), Side::default);
        let Self { form, sides, products, blocks, .. } = self;
        let Side { precisions: prior, roots, matrix } = &mut sides[side];
        prior.clear();
        prior.extend(precisions);
        roots.clear();
        roots.extend(rates.iter().map(|rate| rate.sqrt()));
        matrix.clear();
        match form {
            Form::Diagonal => {
                matrix.resize(prior.len(), 0.0);
                attributes.write_squares(rates, matrix);
                linalg::add_scaled(matrix, 1.0, prior);
            }
            Form::Columns => {
                attributes.write_weighted_products(rates, matrix);
                for (at, precision) in prior.iter().enumerate() {
                    matrix[at * (prior.len() + 1)] += precision;
                }
                linalg::factorise(matrix, prior.len(), blocks);
            }
            Form::Nodes => {
                matrix.resize(roots.len() * roots.len(), 0.0);
                for (group, products) in attributes.groups().iter().zip(products) {
                    linalg::add_scaled(matrix, 1.0 / prior[group.start], products);
                }
                for (at, column) in matrix.chunks_exact_mut(roots.len()).enumerate() {
                    for (value, root) in column.iter_mut().zip(&*roots) {
                        *value *= root * roots[at];
                    }
                    column[at] += 1.0;
                }
                linalg::factorise(matrix, roots.len(), blocks);
            }
        }
    }

    pub(super) fn solve(
        &mut self,
        side: usize,
        attributes: &Attributes,
        residual: &[f64],
        solved: &mut [f64],
    ) {
        let Self { form, sides, of_nodes, of_columns, .. } = self;
        let Side { precisions, roots, matrix } = &sides[side];
        let divide = |by: &[f64], values: &mut [f64]| {
            for (value, by) in values.iter_mut().zip(by) {
                *value /= by;
            }
        };
        solved.copy_from_slice(residual);
        match form {
            Form::Diagonal => divide(matrix, solved),
            Form::Columns => linalg::solve(matrix, solved),
            Form::Nodes => {
                divide(precisions, solved);
                of_nodes.clear();
                of_nodes.resize(roots.len(), 0.0);
                attributes.add_products(solved, of_nodes);
                let weigh = |values: &mut [f64]| {
                    for (value, root) in values.iter_mut().zip(roots) {
                        *value *= root;
                    }
                };
                weigh(of_nodes);
                linalg::solve(matrix, of_nodes);
                weigh(of_nodes);
                of_columns.resize(solved.len(), 0.0);
                attributes.write_transposed(of_nodes, of_columns);
                divide(precisions, of_columns);
                linalg::add_scaled(solved, -1.0, of_columns);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::covariates::example;

    use super::*;

    /// Whatever the form, a product with V'DV + T leads back to what was solved for; of the diagonal, one with that.
    #[test]
    fn solutions_solve() {
        let attributes = example::attributes();
        let rows = example::dense(&attributes);
        let rates = [1.0, 0.0, 3.0, 0.7];
        let precision = |column: usize| if attributes.groups()[0].contains(&column) { 0.3 } else { 2.0 };
        let residual = [1.0, -0.5, 0.2, 2.0, 0.8];
        for form in [Form::Columns, Form::Nodes, Form::Diagonal] {
            let mut preconditioner = Preconditioner { form, ..Preconditioner::default() };
            preconditioner.products =
                attributes.groups().iter().map(|group| attributes.products(group)).collect();
            let mut solved = [9.0; 5];
            for side in 0..2 {
                preconditioner.set(side, &attributes, &rates, (0..5).map(precision));
                preconditioner.solve(side, &attributes, &residual, &mut solved);
                for line in 0..5 {
                    let entry = |column: usize| -> f64 {
                        let products =
                            rows.iter().zip(rates).map(|(row, rate)| rate * row[line] * row[column]);
                        let met = form != Form::Diagonal || line == column;
                        let prior = if line == column { precision(line) } else { 0.0 };
                        if met { products.sum::<f64>() + prior } else { 0.0 }
                    };
                    let product: f64 = (0..5).map(|column| entry(column) * solved[column]).sum();
                    assert!((product - residual[line]).abs() < 1e-9, "{form:?}, line {line}: {product}");
                }
            }
        }
    }
}
