//! The pairs of one node, links and non-links apart. See "Collapsed rows" in `docs/model.md`.

use crate::model::{Loss, State, ValidSettings};
use crate::network::Pairs;

use super::super::incident::Direction;
use super::{group::Group, offsets_to::OffsetsTo};

/// The pairs of the node at hand; links and non-links apart, as they have different costs.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) links: Group,
    pub(super) non_links: Group,
}

impl Side {
    /// Lists the pairs of a node, with the partners that are wanted and the logits that the linear part gives them. If
    /// there are many and the network is dense, the non-links take up a line of all nodes.
    #[inline(always)]
    pub(super) fn list(
        &mut self,
        node: usize,
        direction: Direction,
        pairs: &Pairs,
        state: &State,
        offsets_to: &OffsetsTo,
        wanted: impl Fn(u32) -> bool,
    ) {
        let (outgoing, sources) = (pairs.from(node), pairs.to(node).0);
        // The two pairs with a partner have one logit if there is nothing but the intercept.
        let together = direction == Direction::Both && state.offsets.is_empty();
        let alone = direction != Direction::Both || pairs.symmetric();
        let listed = match direction {
            Direction::Out => outgoing.len(),
            Direction::In => sources.len(),
            Direction::Both => outgoing.len().max(sources.len()),
        };
        let line = pairs.dense() && (together || alone) && 2 * listed >= pairs.nodes();
        self.links.clear(None);
        self.non_links.clear(line.then_some(pairs.nodes()));
        if line && alone {
            if direction != Direction::In {
                let offsets = outgoing.clone().map(|pair| state.offset(pair));
                self.stand(&pairs.targets()[outgoing.clone()], &pairs.labels()[outgoing], offsets);
            }
            if direction != Direction::Out {
                let offsets = offsets_to.of(node, pairs, state);
                self.stand(sources, pairs.labels_to(node), offsets);
            }
            return;
        }
        if together {
            for (partner, kinds) in pairs.around(node) {
                if wanted(partner) {
                    self.add(partner, kinds, state.intercept);
                }
            }
            return;
        }
        if direction != Direction::In {
            for pair in outgoing {
                let (target, label) = (pairs.targets()[pair], pairs.label(pair));
                if wanted(target) {
                    self.add(target, [!label, label].map(u8::from), state.offset(pair));
                }
            }
        }
        if direction != Direction::Out {
            let offsets = offsets_to.of(node, pairs, state);
            for ((&source, &label), offset) in sources.iter().zip(pairs.labels_to(node)).zip(offsets) {
                if wanted(source) {
                    self.add(source, [!label, label].map(u8::from), offset);
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn losses(&self, settings: &ValidSettings) -> f64 {
        settings.cost(true) * self.links.losses(settings)
            + settings.cost(false) * self.non_links.losses(settings)
    }

    #[inline(always)]
    pub(super) fn find_odds(&mut self, loss: Loss) {
        self.links.find_odds(loss);
        self.non_links.find_odds(loss);
    }

    /// Adds single pairs of a dense network, whose non-links take up a line.
    #[inline(always)]
    fn stand(&mut self, partners: &[u32], labels: &[bool], offsets: impl Iterator<Item = f64>) {
        for ((&partner, &link), offset) in partners.iter().zip(labels).zip(offsets) {
            if link {
                self.links.add(partner, 1, offset);
            } else {
                self.non_links.stand(partner, -offset);
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, partner: u32, [non_links, links]: [u8; 2], offset: f64) {
        if links > 0 {
            self.links.add(partner, links, offset);
        }
        if non_links > 0 {
            self.non_links.add(partner, non_links, -offset);
        }
    }
}
