//! A development set: pairs that are held out of those to learn from, to compare settings by.

use crate::error::{Error, Result};
use crate::model::Settings;
use crate::network::{Pair, Pairs};
use crate::posterior::{CombinedRelation, Posterior};
use crate::random::{Purpose, stream};
use crate::score::auc;
use rand::RngExt;

/// The share of the pairs that is held out.
pub(crate) const DEVELOPMENT_SHARE: f64 = 0.1;

/// The share of the links that is little.
const LITTLE: f64 = 0.02;

/// The pairs of some relations, a share of them held out.
#[derive(Debug, Clone)]
pub(crate) struct Development {
    relations: Vec<Held>,
}

/// One relation.
#[derive(Debug, Clone)]
struct Held {
    train: Pairs,
    pairs: Vec<(u32, u32)>,
    labels: Vec<bool>,
}

impl Held {
    fn new(pairs: &Pairs, share: f64, seed: u64, number: usize) -> Self {
        let mut rng = stream(seed, 0, 0, Purpose::Development, number as u64);
        let (held, kept): (Vec<Pair>, Vec<Pair>) = pairs.iter().partition(|_| rng.random::<f64>() < share);
        let train = Pairs::new(pairs.nodes(), pairs.symmetric(), kept).with_modes(pairs.modes());
        Self::of(train.with_non_link_share(pairs.non_link_share()), &held)
    }

    fn of(train: Pairs, held: &[Pair]) -> Self {
        Self {
            train,
            pairs: held.iter().map(|pair| (pair.source, pair.target)).collect(),
            labels: held.iter().map(|pair| pair.link).collect(),
        }
    }

    /// Whether something can be learned, and scored.
    fn useful(&self) -> bool {
        let mixed = |links: usize, all: usize| links > 0 && links < all;
        let links = self.labels.iter().filter(|&&link| link).count();
        mixed(links, self.labels.len()) && mixed(self.train.links(), self.train.len())
    }
}

impl Development {
    /// The usual development set: the pairs that are given for it, or else a share of those of each relation.
    pub(crate) fn usual(relations: &[&Pairs], given: &[&[Pair]], seed: u64) -> Result<Self> {
        if given.iter().all(|pairs| pairs.is_empty()) {
            Self::new(relations, Self::share(relations), seed)
        } else {
            Self::from_pairs(relations, given)
        }
    }

    /// Whether the usual development set has so few of the links that covariates are next to the same without them.
    pub(crate) fn takes_little(relations: &[&Pairs], given: &[&[Pair]]) -> bool {
        let links: usize = relations.iter().map(|pairs| pairs.links()).sum();
        let given = given.iter().flat_map(|pairs| *pairs);
        let held = match given.filter(|pair| pair.link).count() {
            0 => Self::share(relations) * links as f64,
            held => held as f64,
        };
        held <= LITTLE * links as f64
    }

    /// Holds out a share of the pairs of each relation. Relations without a link or a non-link on either side do not
    /// count; it is an error if none is left.
    pub(crate) fn new(relations: &[&Pairs], share: f64, seed: u64) -> Result<Self> {
        let held = |(number, pairs): (usize, &&Pairs)| Held::new(pairs, share, seed, number);
        Self::of(relations.iter().enumerate().map(held))
    }

    /// A development set of pairs that are not among those to learn from, for each relation.
    pub(crate) fn from_pairs(relations: &[&Pairs], held: &[&[Pair]]) -> Result<Self> {
        Self::of(relations.iter().zip(held).map(|(&pairs, held)| Held::of(pairs.clone(), held)))
    }

    fn of(relations: impl Iterator<Item = Held>) -> Result<Self> {
        let relations: Vec<Held> = relations.filter(Held::useful).collect();
        if relations.is_empty() {
            return Err(Error::Network("there are too few links for a development set".to_owned()));
        }
        Ok(Self { relations })
    }

    /// The share of the pairs to hold out: that of some 2,000 links at most, which are enough to choose by.
    pub(crate) fn share(relations: &[&Pairs]) -> f64 {
        let links: usize = relations.iter().map(|pairs| pairs.links()).sum();
        DEVELOPMENT_SHARE.min(2000.0 / links.max(1) as f64)
    }

    /// How many relations there are.
    pub(crate) fn count(&self) -> usize {
        self.relations.len()
    }

    /// What weights of two posteriors per relation are learned from.
    pub(crate) fn relations<'a>(
        &'a self,
        covariates: &'a [Posterior],
        features: &'a [Posterior],
    ) -> Vec<CombinedRelation<'a>> {
        let posteriors = covariates.iter().zip(features);
        let relation = |(held, (covariates, features)): (&'a Held, (&'a Posterior, &'a Posterior))| {
            CombinedRelation { covariates, features, pairs: &held.pairs, labels: &held.labels }
        };
        self.relations.iter().zip(posteriors).map(relation).collect()
    }

    /// How many of the links are held out, in all relations.
    pub(crate) fn links(&self) -> usize {
        self.relations.iter().flat_map(|held| &held.labels).filter(|&&link| link).count()
    }

    /// What is left to learn from, of each relation.
    pub(crate) fn pairs(&self) -> Vec<(Option<&str>, &Pairs)> {
        self.relations.iter().map(|held| (None, &held.train)).collect()
    }

    /// How well the held-out pairs are ranked by the posteriors of the relations.
    pub(crate) fn rank(&self, posteriors: &[Posterior]) -> Ranked {
        // A fit that was ended before its first draw says nothing.
        let scores = |(held, posterior): (&Held, &Posterior)| match posterior.draws() {
            [] => vec![0.0; held.pairs.len()],
            _ => posterior.score(&held.pairs),
        };
        let all: Vec<Vec<f64>> = self.relations.iter().zip(posteriors).map(scores).collect();
        let areas = if let ([held], [scores]) = (&self.relations[..], &all[..]) {
            areas_of_links(scores, &held.labels)
        } else {
            let scored = self.relations.iter().zip(&all);
            scored.map(|(held, scores)| auc(scores, &held.labels).expect("both labels are there")).collect()
        };
        Ranked { areas }
    }
}

/// How well held-out pairs are ranked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked {
    /// The AUC of each relation; of each link against all non-links, if there is one relation.
    areas: Vec<f64>,
}

impl Ranked {
    /// The AUC, a mean over the relations.
    pub(crate) fn auc(&self) -> f64 {
        self.areas.iter().sum::<f64>() / self.areas.len() as f64
    }

    /// Whether it is better than another ranking of the same pairs by more than a standard error of the difference.
    pub(crate) fn clearly_better(&self, other: &Self) -> bool {
        let count = self.areas.len() as f64;
        let differences: Vec<f64> = self.areas.iter().zip(&other.areas).map(|(a, b)| a - b).collect();
        let mean = differences.iter().sum::<f64>() / count;
        let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
        count > 1.0 && mean > (squares / (count - 1.0) / count).sqrt()
    }
}

/// For each link the share of the non-links that it is ranked above, those of the same score by half. Their mean is the AUC.
fn areas_of_links(scores: &[f64], labels: &[bool]) -> Vec<f64> {
    let of = |link: bool| {
        let scored = scores.iter().zip(labels).filter(move |&(_, &label)| label == link);
        scored.map(|(&score, _)| score)
    };
    let mut non_links: Vec<f64> = of(false).collect();
    non_links.sort_unstable_by(f64::total_cmp);
    let count = non_links.len() as f64;
    let above = |score: f64| {
        let below = non_links.partition_point(|&other| other < score);
        let same = non_links[below..].partition_point(|&other| other == score);
        (below as f64 + 0.5 * same as f64) / count
    };
    of(true).map(above).collect()
}

/// The most sweeps of a comparison before the first kept draw, and after it.
const PILOT_BURN_IN: usize = 150;
const PILOT_DRAWS: usize = 50;

/// The same settings for a comparison: a quarter of the chains, but two at least, and no more sweeps than it needs.
pub(crate) fn pilot(settings: &Settings) -> Settings {
    Settings {
        chains: (settings.chains / 4).max(2).min(settings.chains),
        burn_in: settings.burn_in.min(PILOT_BURN_IN),
        draws: settings.draws.min(PILOT_DRAWS),
        thin: 1,
        ..settings.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Silent;
    use crate::covariates::{CovariateSet, SideInfo};
    use crate::generate::{GenerateSettings, generate};
    use crate::posterior::run_chains;

    #[test]
    fn what_is_held_out_is_not_learned_from() {
        let made = generate(&GenerateSettings { nodes: 30, ..GenerateSettings::default() }).unwrap();
        let pairs = Pairs::observed(&made.network, false);
        let development = Development::new(&[&pairs, &pairs], 0.2, 5).unwrap();
        let again = Development::new(&[&pairs, &pairs], 0.2, 5).unwrap();
        assert_eq!(development.relations[0].pairs, again.relations[0].pairs);
        assert_ne!(development.relations[0].pairs, development.relations[1].pairs);
        for held in &development.relations {
            assert_eq!(held.pairs.len() + held.train.len(), pairs.len());
            let kept = |i: u32, j: u32| held.train.iter().any(|pair| (pair.source, pair.target) == (i, j));
            assert!(held.pairs.iter().all(|&(i, j)| !kept(i, j)));
            let share = held.pairs.len() as f64 / pairs.len() as f64;
            assert!((share - 0.2).abs() < 0.06, "{share}");
        }
    }

    /// A model that cannot explain links (weights of next to nothing) scores low.
    #[test]
    fn better_settings_score_higher() {
        let made = generate(&GenerateSettings { nodes: 40, ..GenerateSettings::default() }).unwrap();
        let pairs = Pairs::observed(&made.network, false);
        let development = Development::new(&[&pairs], 0.2, 1).unwrap();
        let score = |nu: f64| {
            let settings = Settings {
                nu,
                covariates: CovariateSet::None,
                chains: 2,
                burn_in: 20,
                draws: 10,
                ..Settings::default()
            };
            let settings = settings.check().unwrap();
            let train = &development.relations[0].train;
            development.rank(&[run_chains(train, &SideInfo::default(), &settings, 0, &Silent).unwrap()])
        };
        let (usual, stiff) = (score(1.0), score(1e5));
        assert!(usual.auc() > stiff.auc() + 0.05, "{usual:?} {stiff:?}");
        assert!(usual.clearly_better(&stiff) && !stiff.clearly_better(&usual));
        assert!(!usual.clearly_better(&usual));
    }

    #[test]
    fn the_areas_of_links_are_parts_of_the_auc() {
        let scores = [0.3, 0.9, 0.3, 0.1, 0.5, 0.3];
        let labels = [true, true, false, false, true, false];
        let areas = areas_of_links(&scores, &labels);
        assert_eq!(areas, [(1.0 + 1.0) / 3.0, 1.0, 1.0]);
        let ranked = Ranked { areas };
        assert!((ranked.auc() - auc(&scores, &labels).unwrap()).abs() < 1e-12);
    }

    #[test]
    fn a_difference_that_may_be_chance_is_none() {
        let ranked = |areas: &[f64]| Ranked { areas: areas.to_vec() };
        let base = ranked(&[0.9, 0.8, 0.7]);
        assert!(ranked(&[0.92, 0.82, 0.73]).clearly_better(&base));
        assert!(!ranked(&[0.99, 0.75, 0.7]).clearly_better(&base));
        assert!(!ranked(&[0.99]).clearly_better(&ranked(&[0.5])));
    }

    /// Pairs that are not among those to learn from are scored, and take nothing from these.
    #[test]
    fn held_out_pairs_are_scored() {
        let pair = |source, target, link| Pair { source, target, link };
        let train = Pairs::new(4, true, [pair(0, 1, true), pair(0, 2, false), pair(1, 2, true)]);
        let held = [pair(0, 3, false), pair(1, 3, true)];
        let development = Development::from_pairs(&[&train, &train], &[&held, &held[..1]]).unwrap();
        let [first] = &development.relations[..] else { panic!("the second relation has no held-out link") };
        assert_eq!((first.train.len(), &first.pairs[..]), (3, &[(0, 3), (1, 3)][..]));
        assert_eq!((&first.labels[..], development.links()), (&[false, true][..], 1));
        assert!(Development::from_pairs(&[&train], &[&[]]).is_err());
    }

    #[test]
    fn too_few_links_are_refused() {
        let pairs = Pairs::new(3, true, [Pair { source: 0, target: 1, link: true }]);
        let message = Development::new(&[&pairs], DEVELOPMENT_SHARE, 1).unwrap_err().to_string();
        assert_eq!(message, "there are too few links for a development set");
    }
}
