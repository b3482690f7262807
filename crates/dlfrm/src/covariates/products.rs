//! Products of attributes with each other, as dense matrices: of columns over all nodes, and of nodes over some columns.

use std::ops::Range;

use super::Attributes;

impl Attributes {
    /// V'DV for a number of each node: the lower triangle by columns.
    pub(crate) fn write_weighted_products(&self, numbers: &[f64], matrix: &mut Vec<f64>) {
        let (width, means) = (self.width(), self.means());
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
        let (nodes, means) = (self.nodes(), self.means());
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

#[cfg(test)]
mod tests {
    use super::super::example;

    #[test]
    fn products_are_those_of_the_columns() {
        let attributes = example::attributes();
        let rows = example::dense(&attributes);
        let numbers = [1.0, 0.2, 3.0, 0.7];
        let mut matrix = vec![];
        attributes.write_weighted_products(&numbers, &mut matrix);
        for left in 0..5 {
            for right in left..5 {
                let right_one: f64 =
                    rows.iter().zip(numbers).map(|(row, number)| number * row[left] * row[right]).sum();
                assert!((matrix[left * 5 + right] - right_one).abs() < 1e-12, "({left}, {right})");
            }
        }
        for group in attributes.groups() {
            let matrix = attributes.products(group);
            for (place, product) in matrix.iter().enumerate() {
                let (one, other) = (&rows[place / 4], &rows[place % 4]);
                let right_one: f64 = group.clone().map(|column| one[column] * other[column]).sum();
                assert!((product - right_one).abs() < 1e-12, "{place}");
            }
        }
    }
}
