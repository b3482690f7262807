//! Rows and effects of nodes that come to a fitted model: everything that the model has stays as it is.
//! See "New nodes" in `docs/model.md`.

use rand_distr::{Distribution, StandardNormal};

use crate::random::Purpose;

use super::augment::{self, Augmentation};
use super::{RelationView, collapsed_rows};

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    rows: collapsed_rows::relations::Scratch,
    augment: augment::Scratch,
}

/// One relation of new nodes. Its pairs are those of new nodes only.
#[derive(Debug)]
pub(crate) struct NewNodes<'a> {
    pub(crate) view: RelationView<'a>,
    pub(crate) augmentation: &'a Augmentation,
    /// The means of the prior of an effect, as a source and as a target; `None` if effects are not drawn.
    pub(crate) effects: Option<[f64; 2]>,
}

/// Draws every entry of the rows from `first` on, and the effects of these nodes. The features of all relations are the
/// same ones.
pub(crate) fn update(relations: &mut [NewNodes<'_>], first: usize, scratch: &mut Scratch) {
    let nodes = relations[0].view.context.pairs.nodes();
    let mut views: Vec<RelationView<'_>> = relations
        .iter_mut()
        .map(|relation| RelationView { context: relation.view.context, state: &mut *relation.view.state })
        .collect();
    collapsed_rows::relations::update_rows(&mut views, first..nodes, &mut scratch.rows);
    for relation in relations {
        let Some(means) = relation.effects else { continue };
        let RelationView { context, state } = &mut relation.view;
        augment::update(context, relation.augmentation, state, &mut scratch.augment);
        for node in first..nodes {
            draw_effects(relation, node, means);
        }
    }
}

/// Draws the effects of one node, given the rates of its pairs.
fn draw_effects(relation: &mut NewNodes<'_>, node: usize, means: [f64; 2]) {
    let RelationView { context, state } = &mut relation.view;
    let pairs = context.pairs;
    let outgoing = pairs.from(node);
    let incoming = pairs.to(node).1.iter().map(|&number| number as usize);
    // Where a pair stands for both directions a node has one effect.
    let sides: [Vec<usize>; 2] = if pairs.symmetric() {
        [outgoing.chain(incoming).collect(), vec![]]
    } else {
        [outgoing.collect(), incoming.collect()]
    };
    for (side, numbers) in sides.iter().enumerate().take(if pairs.symmetric() { 1 } else { 2 }) {
        let before = state.linear.effects[side][node];
        let prior = state.linear.precisions[side];
        let (mut precision, mut sum) = (prior, prior * means[side]);
        for &number in numbers {
            let (source, target) = (pairs.source(number), pairs.targets()[number] as usize);
            let others = state.offset(number) + state.latent(source, target) - before;
            let rate = state.rates[number];
            precision += rate;
            sum += context.settings.pull(pairs.label(number), rate) - rate * others;
        }
        let mut rng = context.stream(Purpose::Linear, 2 * node as u64 + side as u64);
        let normal: f64 = StandardNormal.sample(&mut rng);
        let effect = sum / precision + normal / precision.sqrt();
        state.linear.effects[side][node] = effect;
        for &number in numbers {
            state.offsets[number] += effect - before;
        }
    }
}
