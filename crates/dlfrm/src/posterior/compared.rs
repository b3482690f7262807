//! A draw whose features are compared with other sets of nodes.

use super::Draw;

/// A draw and the sizes of its features.
pub(super) struct Compared<'a> {
    pub(super) draw: &'a Draw,
    pub(super) sizes: Vec<u32>,
}

impl<'a> Compared<'a> {
    pub(super) fn new(draw: &'a Draw) -> Self {
        let mut sizes = vec![0; draw.features()];
        draw.items.iter().for_each(|&slot| sizes[slot as usize] += 1);
        Self { draw, sizes }
    }

    /// Each feature of the draw with its overlap with some nodes, as Jaccard's coefficient; `shared` is memory.
    pub(super) fn overlaps<'b>(
        &'b self,
        members: &[u32],
        shared: &'b mut Vec<u32>,
    ) -> impl Iterator<Item = (u32, f64)> + use<'a, 'b> {
        shared.clear();
        shared.resize(self.sizes.len(), 0);
        for &node in members {
            for &slot in self.draw.row(node as usize) {
                shared[slot as usize] += 1;
            }
        }
        let count = members.len() as f64;
        (0..).zip(shared.iter().zip(&self.sizes)).map(move |(slot, (&shared, &size))| {
            (slot, f64::from(shared) / (count + f64::from(size) - f64::from(shared)))
        })
    }
}
