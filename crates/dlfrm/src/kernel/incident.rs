//! The pairs that meet in one node, as flat lists. See "Sums over the pairs of a row" in `docs/model.md`.

use crate::model::{Shape, State};

use super::{ABSENT, Context};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Direction {
    /// The pairs that start at the node.
    #[default]
    Out,
    /// The pairs that end at the node.
    In,
    /// All of them: the weights are the same in both directions.
    Both,
}

impl Direction {
    /// The directions that have weights of their own.
    #[inline(always)]
    pub(super) fn of(state: &State) -> &'static [Self] {
        match state.weights.shape() {
            Shape::Full => &[Self::Out, Self::In],
            Shape::Symmetric | Shape::Diagonal => &[Self::Both],
        }
    }

    /// The summed weights that the features of a row present to every feature of a partner.
    #[inline(always)]
    pub(super) fn present(self, row: &[u32], state: &State, presented: &mut Vec<f64>) {
        let slots = state.features.slots();
        presented.clear();
        presented.resize(slots, 0.0);
        if self == Self::In {
            state.weights.add_columns(row, slots, presented);
        } else {
            state.weights.add_rows(row, slots, presented);
        }
    }
}

/// The pairs of one node, or the partners: where the weights are the same in both directions, the two pairs with a
/// partner are one entry, with both rates and pulls.
#[derive(Debug, Default)]
pub(super) struct Incident {
    pub(super) partners: Vec<u32>,
    pub(super) rates: Vec<f64>,
    /// Its pull, less what the linear part explains.
    pub(super) pulls: Vec<f64>,
    /// Where each node stands among the partners, while they are listed.
    position: Vec<u32>,
}

impl Incident {
    #[inline(always)]
    pub(super) fn list(&mut self, direction: Direction, node: usize, context: &Context<'_>, state: &State) {
        let Context { pairs, settings, .. } = *context;
        self.partners.clear();
        self.rates.clear();
        self.pulls.clear();
        let pull = |pair: usize, rate: f64| {
            let link = pairs.label(pair);
            settings.pull(link, rate) - rate * state.offset(pair)
        };
        if direction != Direction::In {
            let range = pairs.from(node);
            self.partners.extend_from_slice(&pairs.targets()[range.clone()]);
            self.rates.extend_from_slice(&state.rates[range.clone()]);
            self.pulls.extend(range.map(|pair| pull(pair, state.rates[pair])));
        }
        if direction == Direction::Out {
            return;
        }
        let (sources, numbers) = pairs.to(node);
        if direction == Direction::In || pairs.symmetric() {
            self.partners.extend_from_slice(sources);
            self.rates.extend(numbers.iter().map(|&pair| state.rates[pair as usize]));
            self.pulls.extend(numbers.iter().map(|&pair| pull(pair as usize, state.rates[pair as usize])));
            return;
        }
        // The two pairs with one partner have one logit: they count as one.
        self.position.resize(pairs.nodes(), ABSENT);
        for (position, &partner) in self.partners.iter().enumerate() {
            self.position[partner as usize] = position as u32;
        }
        let listed = self.partners.len();
        for (&source, &pair) in sources.iter().zip(numbers) {
            let rate = state.rates[pair as usize];
            let pull = pull(pair as usize, rate);
            let position = self.position[source as usize];
            if position == ABSENT {
                self.partners.push(source);
                self.rates.push(rate);
                self.pulls.push(pull);
            } else {
                self.rates[position as usize] += rate;
                self.pulls[position as usize] += pull;
            }
        }
        for &partner in &self.partners[..listed] {
            self.position[partner as usize] = ABSENT;
        }
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&u32, &f64, &f64)> {
        let Self { partners, rates, pulls, .. } = self;
        partners.iter().zip(rates).zip(pulls).map(|((partner, rate), pull)| (partner, rate, pull))
    }
}
