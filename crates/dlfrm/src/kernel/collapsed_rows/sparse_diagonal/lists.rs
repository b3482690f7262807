//! For each of some features, the pairs of an entity whose other end has it too. See "Collapsed rows" in `docs/model.md`.

use crate::model::Features;

use super::Asked;

/// Positions of pairs by feature, those of links first.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The number of the list of each feature plus 1; 0 if it has none, as all features between two rows.
    numbers: Vec<u32>,
    kept: Vec<List>,
    /// Numbers of lists, and the positions that are to go there.
    entries: Vec<(u32, u32)>,
    positions: Vec<u32>,
    /// Whether each feature that any partner has is listed.
    complete: bool,
    /// A feature without a list that was looked for, and where it was found.
    found: Option<u32>,
    found_at: (Vec<u32>, Vec<u32>),
}

#[derive(Debug, Clone, Copy, Default)]
struct List {
    slot: u32,
    /// Of links, and of non-links.
    sizes: [u32; 2],
    first: u32,
}

impl Lists {
    /// Lists the pairs with links and with other partners, whose positions follow, of the features that the entity has, of those
    /// that a link's partner has, and of those with negative weights; of all, if each will be asked for.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        own: &[u32],
        partners: (&[u32], &[u32]),
        features: &Features,
        weights: &[f64],
        asked: Asked,
    ) {
        for list in self.kept.drain(..) {
            self.numbers[list.slot as usize] = 0;
        }
        self.entries.clear();
        self.found = None;
        self.complete = asked == Asked::Every;
        self.numbers.resize(self.numbers.len().max(features.slots()), 0);
        for &slot in own {
            self.number(slot);
        }
        for (position, &partner) in partners.0.iter().enumerate() {
            for &slot in features.row(partner as usize) {
                let number = self.number(slot);
                self.kept[number as usize].sizes[0] += 1;
                self.entries.push((number, position as u32));
            }
        }
        for (position, &partner) in (partners.0.len()..).zip(partners.1) {
            for &slot in features.row(partner as usize) {
                if self.complete || self.numbers[slot as usize] > 0 || weights[slot as usize] < 0.0 {
                    let number = self.number(slot);
                    self.kept[number as usize].sizes[1] += 1;
                    self.entries.push((number, position as u32));
                }
            }
        }
        let mut end = 0;
        for list in &mut self.kept {
            list.first = end;
            end += list.sizes[0] + list.sizes[1];
        }
        self.positions.resize(self.positions.len().max(end as usize), 0);
        for &(number, position) in &self.entries {
            let first = &mut self.kept[number as usize].first;
            self.positions[*first as usize] = position;
            *first += 1;
        }
        for list in &mut self.kept {
            list.first -= list.sizes[0] + list.sizes[1];
        }
    }

    /// The number of the list of a feature, which begins one if there is none.
    #[inline(always)]
    fn number(&mut self, slot: u32) -> u32 {
        let number = &mut self.numbers[slot as usize];
        if *number == 0 {
            self.kept.push(List { slot, ..List::default() });
            *number = self.kept.len() as u32;
        }
        *number - 1
    }

    /// Looks for a feature among all partners, if it has no list.
    #[inline(always)]
    pub(super) fn find(&mut self, slot: usize, partners: (&[u32], &[u32]), features: &Features) {
        if self.complete || self.numbers[slot] > 0 {
            return;
        }
        let has = |partner: u32| features.has(partner as usize, slot as u32);
        let find = |positions: &mut Vec<u32>, partners: &[u32], first: usize| {
            let found = (first as u32..).zip(partners).filter(|&(_, &partner)| has(partner));
            positions.clear();
            positions.extend(found.map(|(position, _)| position));
        };
        find(&mut self.found_at.0, partners.0, 0);
        find(&mut self.found_at.1, partners.1, partners.0.len());
        self.found = Some(slot as u32);
    }

    /// The positions of the links and of the non-links that a feature acts on, if it has a list or was the last that was looked
    /// for.
    #[inline(always)]
    pub(super) fn of(&self, slot: usize) -> (&[u32], &[u32]) {
        match self.numbers[slot].checked_sub(1) {
            Some(number) => {
                let List { first, sizes: [links, non_links], .. } = self.kept[number as usize];
                let positions = &self.positions[first as usize..][..(links + non_links) as usize];
                positions.split_at(links as usize)
            }
            None if self.found == Some(slot as u32) => (&self.found_at.0, &self.found_at.1),
            None => (&[], &[]),
        }
    }

    /// The features that have a list, with the numbers of links and of non-links there.
    #[inline(always)]
    pub(super) fn sizes(&self) -> impl Iterator<Item = (u32, [u32; 2])> {
        self.kept.iter().map(|list| (list.slot, list.sizes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_come_first_and_rows_do_not_mix() {
        let features = Features::from_rows(&[vec![0, 2], vec![2], vec![0, 1], vec![1, 3], vec![2, 3]], 5);
        let mut lists = Lists::default();
        // The last feature is nobody's else, and only features of links' partners and feature 3 are listed.
        let weights = [1.0, 1.0, 1.0, -1.0, 1.0];
        lists.fill(&[4], (&[0, 1], &[2, 3, 4]), &features, &weights, Asked::Gaining);
        let of = |lists: &Lists, slot: usize| (lists.of(slot).0.to_vec(), lists.of(slot).1.to_vec());
        let want = [(vec![0], vec![2]), (vec![], vec![]), (vec![0, 1], vec![4]), (vec![], vec![3, 4])];
        assert_eq!([0, 1, 2, 3].map(|slot| of(&lists, slot)), want);
        assert_eq!(of(&lists, 4), (vec![], vec![]));
        lists.find(1, (&[0, 1], &[2, 3, 4]), &features);
        assert_eq!(of(&lists, 1), (vec![], vec![2, 3]));
        lists.fill(&[], (&[], &[1]), &features, &weights, Asked::Every);
        assert_eq!(of(&lists, 1), (vec![], vec![]));
        assert_eq!(lists.sizes().collect::<Vec<_>>(), [(2, [0, 1])]);
    }
}
