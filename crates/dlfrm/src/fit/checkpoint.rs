//! Checkpoints: what a fit has so far, so that another run can go on with it and find what the first would have found.
//!
//! The library does no I/O: a [`Keeper`] gets what there is and puts it where it lasts.

use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use super::choice::keep_up;
use super::course::{Course, Until};
use super::development::pilot;
use super::hold_out::{LeftOut, without};
use super::{Event, Observer, Versions};
use crate::chain::{ChainRun, Control, Progress, Slots, noted};
use crate::covariates::SideInfo;
use crate::error::{Error, Result};
use crate::model::number;
use crate::network::{Network, Relation};
use crate::warning::{Kept, Warning};

/// What a fit has so far.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// The name of the network.
    pub name: String,
    /// Everything that is known of its links.
    pub relations: Vec<Relation>,
    /// Pairs of each relation that are held out, in order; none if there are none.
    pub held_out: Vec<LeftOut>,
    /// What is known beside them.
    pub side_info: SideInfo,
    /// How the fit goes.
    pub course: Course,
    /// The chains of the covariates' posterior, for each relation that is learned from; none if there is one posterior.
    pub covariates: Vec<Vec<ChainRun>>,
    /// The chains of the features' posterior, or the only one, for each relation.
    pub features: Vec<Vec<ChainRun>>,
    /// The programs that it was made with.
    pub versions: Versions,
    /// How long it took until then.
    pub seconds: f64,
}

/// What a running fit has so far.
#[derive(Debug)]
#[non_exhaustive]
pub struct SoFar<'a> {
    /// The name of the network.
    pub name: &'a str,
    /// Everything that is known of its links.
    pub relations: &'a [Relation],
    /// Pairs of each relation that are held out.
    pub held_out: &'a [LeftOut],
    /// What is known beside them.
    pub side_info: &'a SideInfo,
    /// How the fit goes.
    pub course: &'a Course,
    /// The chains of the covariates' posterior, for each relation.
    pub covariates: Vec<Vec<&'a ChainRun>>,
    /// The chains of the features' posterior, for each relation.
    pub features: Vec<Vec<&'a ChainRun>>,
    /// The programs that it is made with.
    pub versions: Versions,
    /// How long it took until now.
    pub seconds: f64,
}

impl SoFar<'_> {
    /// The same as a checkpoint that lasts longer than the run.
    pub fn to_checkpoint(&self) -> Checkpoint {
        let owned = |all: &[Vec<&ChainRun>]| {
            all.iter().map(|runs| runs.iter().map(|&run| run.clone()).collect()).collect()
        };
        Checkpoint {
            name: self.name.to_owned(),
            relations: self.relations.to_vec(),
            held_out: self.held_out.to_vec(),
            side_info: self.side_info.clone(),
            course: self.course.clone(),
            covariates: owned(&self.covariates),
            features: owned(&self.features),
            versions: self.versions.clone(),
            seconds: self.seconds,
        }
    }
}

/// Keeps checkpoints of a running fit.
pub trait Keeper: Sync {
    /// Whether it is time for another one. Called after every sweep.
    fn due(&self) -> bool;

    /// Keeps what there is, in place of what it had before. Chains that end a sweep meanwhile wait. A failure is reported; the
    /// fit goes on, unless it has just begun.
    fn keep(&self, so_far: &SoFar<'_>) -> std::result::Result<(), String>;
}

impl Checkpoint {
    /// The same as a keeper gets it.
    pub fn so_far(&self) -> SoFar<'_> {
        SoFar {
            name: &self.name,
            relations: &self.relations,
            held_out: &self.held_out,
            side_info: &self.side_info,
            course: &self.course,
            covariates: self.covariates.iter().map(|runs| runs.iter().collect()).collect(),
            features: self.features.iter().map(|runs| runs.iter().collect()).collect(),
            versions: self.versions.clone(),
            seconds: self.seconds,
        }
    }

    /// Refuses another network, or other side information, with the first difference.
    pub fn check_same(&self, relations: &[Relation], side_info: &SideInfo) -> Result<()> {
        let rest = |(number, relation): (usize, &Relation)| match self.held_out.get(number) {
            Some(out) if self.relations[0].network.len() == relation.network.len() => {
                let network = without(&relation.network, &out.pairs)?;
                Ok(Relation { name: relation.name.clone(), network })
            }
            _ => Ok(relation.clone()),
        };
        let relations: Vec<Relation> = relations.iter().enumerate().map(rest).collect::<Result<_>>()?;
        match first_difference(&self.relations, &relations) {
            Some(difference) => {
                Err(Error::Network(format!("the fit began with another network: {difference}")))
            }
            None if self.side_info != *side_info => {
                Err(Error::Network("the fit began with other side information".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Asks for more draws of each chain. The fit ends with those of a fit that asked for all of them at once.
    pub fn more_draws(&mut self, draws: usize) -> Result<()> {
        let course = &mut self.course;
        let before = pilot(&course.settings);
        course.settings.draws = course.settings.draws.saturating_add(draws);
        course.settings.clone().check()?;
        if let Some(linear) = &mut course.linear {
            keep_up(linear, course.settings.draws);
        }
        if let Some(chosen) = &mut course.chosen {
            // Trials are as long as the fit, up to a point.
            chosen.again |= !chosen.choices.is_empty() && pilot(&course.settings) != before;
        }
        Ok(())
    }

    /// The R-hat of predictions that the fit goes on to, if that was asked for.
    pub fn goal(&self) -> Option<f64> {
        self.course.until.filter(|until| !until.drift).map(|until| until.r_hat)
    }

    /// Has the fit go on until the chains agree on predictions, up to an R-hat.
    pub fn until(&mut self, r_hat: f64) -> Result<()> {
        let asked = until(r_hat, self.course.settings.draws)?;
        // A fit that goes on already keeps the lengths of its rounds.
        let first = self.course.until.map_or(asked.first, |before| before.first);
        self.course.until = Some(Until { first, ..asked });
        Ok(())
    }

    /// Whether every chain has made all of its sweeps.
    pub fn complete(&self) -> bool {
        let Course { settings, later, until, chosen, .. } = &self.course;
        let length = crate::chain::Length {
            burn_in: settings.burn_in + later[1],
            draws: settings.draws,
            thin: settings.thin,
        };
        until.is_none()
            && chosen.as_ref().is_some_and(|chosen| !chosen.again)
            && self.features.iter().flatten().all(|run| run.sweeps() == length.sweeps())
    }
}

/// A rule for a fit that goes on until its chains agree.
pub(super) fn until(r_hat: f64, first: usize) -> Result<Until> {
    if r_hat.is_finite() && r_hat > 1.0 {
        return Ok(Until { r_hat, first, drift: false, most_sweeps: None });
    }
    Err(Error::Setting { name: "until", expected: "a number above 1", value: number(r_hat) })
}

/// Passes everything on to an observer, and has checkpoints kept after sweeps.
pub(super) struct Keeping<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) keeper: Option<&'a dyn Keeper>,
    pub(super) name: &'a str,
    pub(super) relations: &'a [Relation],
    pub(super) held_out: &'a [LeftOut],
    pub(super) side_info: &'a SideInfo,
    pub(super) course: Mutex<Course>,
    pub(super) covariates: &'a Slots,
    pub(super) features: &'a Slots,
    pub(super) began: Instant,
    /// How long earlier runs took.
    pub(super) earlier: f64,
    pub(super) busy: Mutex<()>,
}

impl Keeping<'_> {
    /// Seconds of this run and those before it.
    pub(super) fn seconds(&self) -> f64 {
        self.earlier + self.began.elapsed().as_secs_f64()
    }

    /// Keeps what there is.
    pub(super) fn keep(&self) -> std::result::Result<(), String> {
        let Some(keeper) = self.keeper else { return Ok(()) };
        let course = self.course.lock().expect("nobody panics with it").clone();
        let (covariates, features) = (locked(self.covariates), locked(self.features));
        keeper.keep(&SoFar {
            name: self.name,
            relations: self.relations,
            held_out: self.held_out,
            side_info: self.side_info,
            course: &course,
            covariates: runs(&covariates),
            features: runs(&features),
            versions: Versions::current(),
            seconds: self.seconds(),
        })
    }

    /// Keeps what there is; a failure is no more than a warning.
    pub(super) fn keep_if_possible(&self) {
        if let Err(why) = self.keep() {
            let warning = Warning::NotKept { what: Kept::Checkpoint, why };
            self.observer.event(&Event::Warning(&warning));
        }
    }
}

impl Observer for Keeping<'_> {
    fn sweep(&self, progress: &Progress) -> Control {
        let control = self.observer.sweep(progress);
        let due = || self.keeper.is_some_and(Keeper::due);
        // One chain writes, and the others go on.
        if due()
            && let Ok(_busy) = self.busy.try_lock()
            && due()
        {
            self.keep_if_possible();
        }
        control
    }

    fn step(&self) -> Control {
        self.observer.step()
    }

    fn event(&self, event: &Event<'_>) {
        self.observer.event(event);
    }
}

type Locked<'a> = Vec<Vec<MutexGuard<'a, ChainRun>>>;

fn locked(slots: &Slots) -> Locked<'_> {
    slots.iter().map(|slots| slots.iter().map(noted).collect()).collect()
}

fn runs<'a>(locked: &'a Locked<'_>) -> Vec<Vec<&'a ChainRun>> {
    locked.iter().map(|slots| slots.iter().map(|run| &**run).collect()).collect()
}

/// Where two data sets differ first.
fn first_difference(one: &[Relation], other: &[Relation]) -> Option<String> {
    let counted = |what: &str, one: usize, other: usize| {
        (one != other).then(|| format!("it had {one} {what}, this one has {other}"))
    };
    let all = one.iter().zip(other);
    counted("relations", one.len(), other.len()).or_else(|| {
        all.into_iter().find_map(|(one, other)| {
            let named = |difference: String| match &one.name {
                Some(name) => format!("in relation '{name}' {difference}"),
                None => difference,
            };
            if one.name != other.name {
                let [one, other] =
                    [one, other].map(|relation| relation.name.as_deref().unwrap_or_default().to_owned());
                return Some(format!("its relation '{one}' is '{other}' here"));
            }
            difference_of(&one.network, &other.network).map(named)
        })
    })
}

fn difference_of(one: &Network, other: &Network) -> Option<String> {
    let (names, others) = (one.nodes().names(), other.nodes().names());
    if let Some(at) = (0..names.len().min(others.len())).find(|&at| names[at] != others[at]) {
        return Some(format!("node {} was '{}' and is '{}' here", at + 1, names[at], others[at]));
    }
    if names.len() != others.len() {
        return Some(format!("it had {} nodes, this one has {}", names.len(), others.len()));
    }
    if one.directed() != other.directed() {
        let kind = |network: &Network| if network.directed() { "directed" } else { "undirected" };
        return Some(format!("it was {}, this one is {}", kind(one), kind(other)));
    }
    if one.unlisted() != other.unlisted() {
        return Some("pairs that are not listed had another meaning".to_owned());
    }
    let lists = [
        ("link", one.links(), other.links()),
        ("non-link", one.non_links(), other.non_links()),
        ("unobserved pair", one.unobserved(), other.unobserved()),
    ];
    lists.into_iter().find_map(|(what, one, other)| {
        let at = (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at))?;
        let shown = |pair: Option<&(u32, u32)>| {
            pair.map_or("none".to_owned(), |&(i, j)| {
                format!("'{}', '{}'", names[i as usize], names[j as usize])
            })
        };
        Some(format!(
            "its {what} number {} was {} and is {} here",
            at + 1,
            shown(one.get(at)),
            shown(other.get(at))
        ))
    })
}
