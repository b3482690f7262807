//! The pairs of one entity, links and non-links apart.

use crate::model::{Checked, Loss};
use crate::network::Pairs;

use super::super::incident::Direction;
use super::group::Group;

/// The pairs of the entity at hand; links and non-links apart, as they have different costs.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) links: Group,
    pub(super) non_links: Group,
}

impl Side {
    /// Lists the pairs of an entity, with the partners that are wanted and the logits that the intercept gives them. If
    /// there are many and the network is dense, the non-links take up a line of all entities.
    #[inline(always)]
    pub(super) fn list(
        &mut self,
        entity: usize,
        direction: Direction,
        pairs: &Pairs,
        intercept: f64,
        dense: bool,
        wanted: impl Fn(u32) -> bool,
    ) {
        let (outgoing, (sources, _)) = (pairs.from(entity), pairs.to(entity));
        let listed = match direction {
            Direction::Out => outgoing.len(),
            Direction::In => sources.len(),
            Direction::Both => outgoing.len().max(sources.len()),
        };
        let line = dense && 2 * listed >= pairs.entities();
        self.links.clear(None);
        self.non_links.clear(line.then_some(pairs.entities()));
        match direction {
            Direction::Out => {
                for (&target, &label) in
                    pairs.targets()[outgoing.clone()].iter().zip(&pairs.labels()[outgoing])
                {
                    if wanted(target) {
                        self.add(target, [!label, label].map(u8::from), intercept);
                    }
                }
            }
            Direction::In => {
                for (&source, &label) in sources.iter().zip(pairs.labels_to(entity)) {
                    if wanted(source) {
                        self.add(source, [!label, label].map(u8::from), intercept);
                    }
                }
            }
            Direction::Both => {
                for (partner, kinds) in pairs.around(entity) {
                    if wanted(partner) {
                        self.add(partner, kinds, intercept);
                    }
                }
            }
        }
    }

    /// The summed losses at their costs.
    #[inline(always)]
    pub(super) fn losses(&self, settings: &Checked) -> f64 {
        settings.cost(true) * self.links.losses(settings)
            + settings.cost(false) * self.non_links.losses(settings)
    }

    /// Finds the odds of all pairs, which have got other logits.
    #[inline(always)]
    pub(super) fn find_odds(&mut self, loss: Loss) {
        self.links.find_odds(loss);
        self.non_links.find_odds(loss);
    }

    #[inline(always)]
    fn add(&mut self, partner: u32, [non_links, links]: [u8; 2], intercept: f64) {
        if links > 0 {
            self.links.add(partner, links, intercept);
        }
        if non_links > 0 {
            self.non_links.add(partner, non_links, -intercept);
        }
    }
}
