//! A row in a dense network: the effects of a feature on all nodes are known, and so are its owners.
//! See "Collapsed rows" in `docs/model.md`.

use crate::model::{Shape, State, ValidSettings};

use super::super::{Context, LANES, incident::Direction, row::Row};
use super::{effects::Effects, group::Group, offsets_to::OffsetsTo, side::Side};

/// A feature with diagonal weights has a line if so large a share of the nodes have it.
const POPULAR: f64 = 0.25;

#[derive(Debug, Default)]
pub(super) struct AllNodes {
    /// What a feature does to those whose pairs with its owner start there, and end there; all in the first one, if
    /// the weights are the same in both directions.
    effects: [Effects; 2],
    /// How many features have lines of effects: these are the first ones.
    lines: usize,
    /// The owners of the other features.
    owners: Positions,
}

impl AllNodes {
    pub(super) fn fill(&mut self, state: &State, settings: &ValidSettings) {
        let features = &state.features;
        let (nodes, slots) = (features.nodes(), features.slots());
        self.lines = if state.weights.shape() == Shape::Diagonal {
            let popular = |&&count: &&u32| f64::from(count) >= POPULAR * nodes as f64;
            features.counts().iter().take_while(popular).count()
        } else {
            slots
        };
        for (effects, &direction) in self.effects.iter_mut().zip(Direction::of(state)) {
            effects.fill(self.lines, state, settings.model.loss, direction == Direction::In);
        }
        self.owners.clear(self.lines, slots, nodes);
        for node in 0..nodes {
            for &slot in features.row(node) {
                self.owners.add(node, slot as usize);
            }
        }
    }

    /// A node has no pair with itself: only the rows that follow see what it took and gave up.
    #[inline(always)]
    pub(super) fn take_over(&mut self, node: usize, changes: &[(u32, bool)], state: &State) {
        for &(slot, take) in changes {
            let (slot, sign) = (slot as usize, if take { 1.0 } else { -1.0 });
            for (effects, &direction) in self.effects.iter_mut().zip(Direction::of(state)) {
                effects.change(node, slot, sign, state, direction == Direction::In);
            }
            if take {
                self.owners.add(node, slot);
            } else {
                self.owners.remove(node, slot);
            }
        }
    }
}

#[derive(Debug, Default)]
struct End {
    side: Side,
    /// The positions of the features without lines among the links and among the non-links, if these are listed.
    links: Positions,
    non_links: Positions,
}

#[derive(Debug, Default)]
pub(super) struct Scratch {
    ends: [End; 2],
}

pub(super) struct DenseRow<'a> {
    ends: &'a mut [End],
    all_nodes: &'a AllNodes,
    settings: &'a ValidSettings,
    /// The log pseudo-likelihood as the row stands, and with the feature of the last gain changed.
    known: f64,
    tried: f64,
}

/// The positions of the non-links: those of this row, or, if it has a line of all nodes, the owners.
#[inline(always)]
fn listed<'a>(side: &Side, of_row: &'a Positions, owners: &'a Positions) -> &'a Positions {
    if side.non_links.all_nodes() { owners } else { of_row }
}

impl Row for DenseRow<'_> {
    #[inline(always)]
    fn gain(&mut self, k: usize, has: bool, state: &State) -> f64 {
        let sign = if has { -1.0 } else { 1.0 };
        self.tried = if k < self.all_nodes.lines {
            self.log_likelihood(k, sign)
        } else {
            let step = sign * state.weights.diagonal()[k];
            self.known - (self.more_loss_of_links(k, step) + self.more_loss_of_non_links(k, step))
        };
        sign * (self.tried - self.known)
    }

    #[inline(always)]
    fn most(&mut self, k: usize, state: &State) -> f64 {
        if k < self.all_nodes.lines || state.weights.diagonal()[k] < 0.0 {
            return f64::INFINITY;
        }
        let more = self.more_loss_of_links(k, state.weights.diagonal()[k]);
        if more == 0.0 { 1.0 } else { (-more).exp() }
    }

    #[inline(always)]
    fn flip(&mut self, k: usize, sign: f64, state: &State) {
        if k < self.all_nodes.lines {
            self.shift(k, sign, state);
            self.find_odds();
        } else {
            let loss = self.settings.model.loss;
            self.step_by(k, sign, state, |group, positions, step| {
                group.step_with_odds(positions, step, loss);
            });
        }
        self.known = self.tried;
    }
}

impl<'a> DenseRow<'a> {
    #[inline(always)]
    pub(super) fn prepare(
        node: usize,
        context: &Context<'a>,
        state: &State,
        (all_nodes, offsets_to): (&'a AllNodes, &OffsetsTo),
        scratch: &'a mut Scratch,
    ) -> Self {
        let Context { pairs, settings, .. } = *context;
        let (directions, slots) = (Direction::of(state), state.features.slots());
        let ends = &mut scratch.ends[..directions.len()];
        for (end, &direction) in ends.iter_mut().zip(directions) {
            end.side.list(node, direction, pairs, state, offsets_to, |_| true);
            for (positions, group) in
                [(&mut end.links, &end.side.links), (&mut end.non_links, &end.side.non_links)]
            {
                if all_nodes.lines < slots && !group.all_nodes() {
                    positions.clear(all_nodes.lines, slots, group.partners().len());
                    for (position, &partner) in group.partners().iter().enumerate() {
                        for &slot in state.features.row(partner as usize) {
                            positions.add(position, slot as usize);
                        }
                    }
                }
            }
        }
        let mut row = Self { ends, all_nodes, settings, known: 0.0, tried: 0.0 };
        for &slot in state.features.row(node) {
            row.shift(slot as usize, 1.0, state);
        }
        row.find_odds();
        row.known = -row.ends.iter().map(|end| end.side.losses(settings)).sum::<f64>();
        row
    }

    /// The log pseudo-likelihood of all pairs, with the effects of a feature added (sign 1) or taken away (-1).
    #[inline(always)]
    fn log_likelihood(&self, slot: usize, sign: f64) -> f64 {
        let mut sum = 0.0;
        for (End { side, .. }, effects) in self.ends.iter().zip(&self.all_nodes.effects) {
            let line = effects.line(slot);
            sum -= self.settings.cost(true) * side.links.losses_with(line, sign, self.settings);
            sum -= self.settings.cost(false) * side.non_links.losses_with(line, -sign, self.settings);
        }
        sum
    }

    /// What the losses of links grow by, if the logits of all pairs whose other end has a feature take a step.
    #[inline(always)]
    fn more_loss_of_links(&self, slot: usize, step: f64) -> f64 {
        let mut sum = 0.0;
        for End { side, links, .. } in &*self.ends {
            sum += self.settings.cost(true) * side.links.more_loss(links.of(slot), step, self.settings);
        }
        sum
    }

    /// The same of non-links.
    #[inline(always)]
    fn more_loss_of_non_links(&self, slot: usize, step: f64) -> f64 {
        let mut sum = 0.0;
        for End { side, non_links, .. } in &*self.ends {
            let non_links = listed(side, non_links, &self.all_nodes.owners);
            sum += self.settings.cost(false)
                * side.non_links.more_loss(non_links.of(slot), -step, self.settings);
        }
        sum
    }

    /// Adds the effects of a feature to the logits, or takes them away.
    #[inline(always)]
    fn shift(&mut self, slot: usize, sign: f64, state: &State) {
        let all_nodes = self.all_nodes;
        if slot >= all_nodes.lines {
            return self.step_by(slot, sign, state, Group::step);
        }
        for (End { side, .. }, effects) in self.ends.iter_mut().zip(&all_nodes.effects) {
            let line = effects.line(slot);
            side.links.shift(line, sign);
            side.non_links.shift(line, -sign);
        }
    }

    /// The same for a feature without lines, by the positions of its owners.
    #[inline(always)]
    fn step_by(
        &mut self,
        slot: usize,
        sign: f64,
        state: &State,
        take: impl Fn(&mut Group, &[[u32; LANES]], f64),
    ) {
        let step = sign * state.weights.diagonal()[slot];
        for End { side, links, non_links } in &mut *self.ends {
            let non_links = listed(side, non_links, &self.all_nodes.owners);
            take(&mut side.links, links.of(slot), step);
            take(&mut side.non_links, non_links.of(slot), -step);
        }
    }

    #[inline(always)]
    fn find_odds(&mut self) {
        for End { side, .. } in &mut *self.ends {
            side.find_odds(self.settings.model.loss);
        }
    }
}

/// A list of positions per feature, in whole blocks.
#[derive(Debug, Default)]
struct Positions {
    /// The first feature that has a list.
    first: usize,
    /// The room of each list, in blocks.
    room: usize,
    used: Vec<u32>,
    items: Vec<[u32; LANES]>,
}

impl Positions {
    /// Empty lists for all features from `first` on, of the positions below `positions`. What fills up the last block
    /// of a list is the first position of the block behind them.
    #[inline(always)]
    fn clear(&mut self, first: usize, slots: usize, positions: usize) {
        self.first = first;
        self.room = positions.div_ceil(LANES);
        self.used.clear();
        self.used.resize(slots - first, 0);
        self.items.resize(self.items.len().max(self.room * self.used.len()), [0; LANES]);
    }

    #[inline(always)]
    fn add(&mut self, position: usize, slot: usize) {
        let Some(list) = slot.checked_sub(self.first) else { return };
        let (block, lane) = self.end(list);
        if lane == 0 {
            self.items[block] = [self.filler(); LANES];
        }
        self.items[block][lane] = position as u32;
        self.used[list] += 1;
    }

    #[inline(always)]
    fn remove(&mut self, position: usize, slot: usize) {
        let Some(list) = slot.checked_sub(self.first) else { return };
        self.used[list] -= 1;
        let (block, lane) = self.end(list);
        let filler = self.filler();
        let last = std::mem::replace(&mut self.items[block][lane], filler);
        if last != position as u32 {
            let items = self.items[list * self.room..=block].as_flattened_mut();
            *items.iter_mut().find(|item| **item == position as u32).expect("the position is listed") = last;
        }
    }

    #[inline(always)]
    fn of(&self, slot: usize) -> &[[u32; LANES]] {
        let list = slot - self.first;
        &self.items[list * self.room..][..(self.used[list] as usize).div_ceil(LANES)]
    }

    #[inline(always)]
    fn end(&self, list: usize) -> (usize, usize) {
        let used = self.used[list] as usize;
        (list * self.room + used / LANES, used % LANES)
    }

    fn filler(&self) -> u32 {
        (LANES * self.room) as u32
    }
}
