//! For each of some features, the pairs of a node whose other end has it too. See "Collapsed rows" in `docs/model.md`.

use super::Asked;

/// Entries that are compared with a feature together.
const CHUNK: usize = 64;

/// Positions of pairs by feature, those of links first.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The features of the partners of links, and those of other partners.
    of_links: Entries,
    of_non_links: Entries,
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

/// Features of partners, side by side with the positions of their pairs.
#[derive(Debug, Default)]
struct Entries {
    features: Vec<u32>,
    positions: Vec<u32>,
}

impl Entries {
    #[inline(always)]
    fn clear(&mut self) {
        self.features.clear();
        self.positions.clear();
    }

    #[inline(always)]
    fn add(&mut self, position: usize, row: &[u32]) {
        self.features.extend_from_slice(row);
        self.positions.resize(self.features.len(), position as u32);
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.features.iter().copied().zip(self.positions.iter().copied())
    }

    /// The positions of a feature.
    #[inline(always)]
    fn find(&self, slot: u32, found: &mut Vec<u32>) {
        found.clear();
        // That a chunk does not have it is seen at once.
        for (features, positions) in self.features.chunks(CHUNK).zip(self.positions.chunks(CHUNK)) {
            if features.contains(&slot) {
                let here = features.iter().zip(positions).filter(|pair| *pair.0 == slot);
                found.extend(here.map(|pair| *pair.1));
            }
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct List {
    slot: u32,
    /// Of links, and of non-links.
    sizes: [u32; 2],
    first: u32,
}

impl Lists {
    /// Forgets all partners.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.of_links.clear();
        self.of_non_links.clear();
    }

    /// Puts a partner with these features there and says whether there are any.
    #[inline(always)]
    pub(super) fn put(&mut self, position: usize, link: bool, row: &[u32]) -> bool {
        let entries = if link { &mut self.of_links } else { &mut self.of_non_links };
        entries.add(position, row);
        !row.is_empty()
    }

    /// All partners are there. Lists the pairs of the features that the node has, of those that a link's partner has, and of
    /// those with negative weights; of all, if each will be asked for.
    #[inline(always)]
    pub(super) fn fill(&mut self, own: &[u32], weights: &[f64], asked: Asked) {
        for list in self.kept.drain(..) {
            self.numbers[list.slot as usize] = 0;
        }
        self.entries.clear();
        self.found = None;
        self.complete = asked == Asked::Every;
        self.numbers.resize(self.numbers.len().max(weights.len()), 0);
        for &slot in own {
            self.number(slot);
        }
        let (of_links, of_non_links) =
            (std::mem::take(&mut self.of_links), std::mem::take(&mut self.of_non_links));
        for (slot, position) in of_links.iter() {
            let number = self.number(slot);
            self.kept[number as usize].sizes[0] += 1;
            self.entries.push((number, position));
        }
        for (slot, position) in of_non_links.iter() {
            if self.complete || self.numbers[slot as usize] > 0 || weights[slot as usize] < 0.0 {
                let number = self.number(slot);
                self.kept[number as usize].sizes[1] += 1;
                self.entries.push((number, position));
            }
        }
        (self.of_links, self.of_non_links) = (of_links, of_non_links);
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
    pub(super) fn find(&mut self, slot: usize) {
        if self.complete || self.numbers[slot] > 0 {
            return;
        }
        self.of_links.find(slot as u32, &mut self.found_at.0);
        self.of_non_links.find(slot as u32, &mut self.found_at.1);
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
        let rows: [&[u32]; 5] = [&[0, 2], &[2], &[0, 1], &[1, 3], &[2, 3]];
        let put = |lists: &mut Lists, partners: &[(usize, bool)]| {
            lists.clear();
            for (position, &(partner, link)) in partners.iter().enumerate() {
                assert!(lists.put(position, link, rows[partner]));
            }
        };
        let mut lists = Lists::default();
        put(&mut lists, &[(0, true), (1, true), (2, false), (3, false), (4, false)]);
        assert!(!lists.put(5, false, &[]));
        // The last feature is nobody's else, and only features of links' partners and feature 3 are listed.
        let weights = [1.0, 1.0, 1.0, -1.0, 1.0];
        lists.fill(&[4], &weights, Asked::Gaining);
        let of = |lists: &Lists, slot: usize| (lists.of(slot).0.to_vec(), lists.of(slot).1.to_vec());
        let want = [(vec![0], vec![2]), (vec![], vec![]), (vec![0, 1], vec![4]), (vec![], vec![3, 4])];
        assert_eq!([0, 1, 2, 3].map(|slot| of(&lists, slot)), want);
        assert_eq!(of(&lists, 4), (vec![], vec![]));
        lists.find(1);
        assert_eq!(of(&lists, 1), (vec![], vec![2, 3]));
        put(&mut lists, &[(1, false)]);
        lists.fill(&[], &weights, Asked::Every);
        assert_eq!(of(&lists, 1), (vec![], vec![]));
        assert_eq!(lists.sizes().collect::<Vec<_>>(), [(2, [0, 1])]);
    }

    /// Many entries without the feature, and some with it.
    #[test]
    fn a_feature_is_found_among_many() {
        let mut lists = Lists::default();
        for position in 0..100 {
            let row: &[u32] = if position % 7 == 3 { &[2, 5, 9] } else { &[1, 4] };
            lists.put(position, position < 20, row);
        }
        lists.fill(&[], &[1.0; 10], Asked::Gaining);
        lists.find(5);
        let expected =
            |positions: std::ops::Range<u32>| positions.filter(|at| at % 7 == 3).collect::<Vec<_>>();
        // The partner of a link has it: it has a list.
        assert_eq!(lists.of(5), (&expected(0..20)[..], &expected(20..100)[..]));
        let mut lists = Lists::default();
        (0..100).for_each(|at| assert!(lists.put(at, false, if at % 7 == 3 { &[2, 5, 9] } else { &[1, 4] })));
        lists.fill(&[], &[1.0; 10], Asked::Gaining);
        lists.find(5);
        assert_eq!(lists.of(5), (&[][..], &expected(0..100)[..]));
    }
}
