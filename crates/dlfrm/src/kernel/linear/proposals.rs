//! Proposals for intercept and coefficients where they are all there is: a model without features.
//! See "Covariates alone" in `docs/model.md`.

use rand::RngExt;
use rand_distr::{ChiSquared, Distribution, StandardNormal};

use crate::model::{Loss, Losses, State, ValidSettings, sigmoid};
use crate::network::Division;
use crate::random::{Purpose, Stream, StreamKey};

use super::super::{linalg, with_simd};
use super::lines::{Curvatures, Lines, Sums};

/// Proposals in a sweep: at least, and at most where pairs are few. One pass over the pairs serves them all.
const PROPOSALS: [usize; 2] = [4, 40];
/// Where a pass takes long, it serves the proposals of so many sweeps.
const SWEEPS: u64 = 8;
/// Pairs that the proposals of a sweep look at, unless there are more or fewer proposals than that.
const VISITS: usize = 200_000;
/// Degrees of freedom of the Student t.
const FREEDOM: f64 = 8.0;
/// Steps to the mode at most, each with so many halvings.
const STEPS: usize = 50;
const HALVINGS: usize = 30;
/// The mode is found once a step gains less than this.
const GAIN: f64 = 1e-6;

/// Where proposals come from.
#[derive(Debug)]
pub(crate) struct Proposals {
    /// The costs of links and of non-links that they are made for.
    costs: [f64; 2],
    mode: Vec<f64>,
    /// The factor of the curvature there.
    factor: Vec<f64>,
}

/// The proposals of some sweeps, which were found together, with their losses.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// The first of these sweeps.
    first: Option<StreamKey>,
    proposals: Vec<(Vec<f64>, Losses)>,
}

/// Whether intercept and coefficients are all there is.
pub(super) fn alone(lines: &Lines<'_>, state: &State, settings: &ValidSettings) -> bool {
    settings.linear_alone(state.features.slots())
        && settings.model.loss == Loss::Logistic
        && settings.intercept
        && !lines.layout.of_nodes()
}

impl Proposals {
    /// Whether they are made for these settings.
    pub(super) fn are_of(&self, settings: &ValidSettings) -> bool {
        self.costs == costs(settings)
    }

    /// Finds the mode, in a large network from that of a sample of its pairs.
    pub(super) fn new(lines: &Lines<'_>, state: &State, settings: &ValidSettings, sums: &mut Sums) -> Self {
        let mut mode = vec![0.0; lines.layout.common()];
        if lines.division.parallel() {
            let sample = Division::sample(lines.pairs);
            climb(&Lines { division: &sample, ..*lines }, state, settings, sums, &mut mode);
        }
        let factor = climb(lines, state, settings, sums, &mut mode);
        Self { costs: costs(settings), mode, factor }
    }

    fn count(pairs: usize) -> usize {
        (VISITS / pairs.max(1)).clamp(PROPOSALS[0], PROPOSALS[1])
    }

    /// How many sweeps have their proposals found together.
    fn sweeps(pairs: usize) -> u64 {
        if Self::count(pairs) > PROPOSALS[0] { 1 } else { SWEEPS }
    }

    /// Whether a sweep draws from the Gaussian, too, before its proposals: the first of those whose proposals are found
    /// together does.
    pub(super) fn after_gaussian(sweep: u64, pairs: usize) -> bool {
        (sweep - 1).is_multiple_of(Self::sweeps(pairs))
    }

    /// Moves the values, whose losses may be known, by the proposals of a sweep. Says how many there were and how many of them
    /// were kept, and the losses there.
    pub(super) fn update(
        &self,
        (lines, sums): (&Lines<'_>, &mut Sums),
        state: &State,
        settings: &ValidSettings,
        (values, known): (&mut Vec<f64>, Option<Losses>),
        (key, ahead): (StreamKey, &mut Ahead),
    ) -> ([usize; 2], Losses) {
        let (count, sweeps) = (Self::count(lines.pairs.len()), Self::sweeps(lines.pairs.len()));
        let place = (key.sweep - 1) % sweeps;
        let first = StreamKey { sweep: key.sweep - place, ..key };
        // Together with the values after the Gaussian draw, proposals of several sweeps fill whole vectors.
        let fewer = usize::from(sweeps > 1);
        let [begin, end] = [place, place + 1].map(|sweeps| (sweeps as usize * count).saturating_sub(fewer));
        let [mut rng, mut rng_of_first] = [key, first].map(|key| key.stream(Purpose::Linear, u64::MAX - 3));
        let mut unknown = Vec::from_iter(known.is_none().then(|| values.clone()));
        let draws_all = place == 0 || ahead.first != Some(first);
        if draws_all {
            let rng = if place == 0 { &mut rng } else { &mut rng_of_first };
            unknown.extend((fewer..count * sweeps as usize).map(|_| self.draw(rng)));
        }
        let mut losses = lines.losses(sums, &unknown).into_iter();
        let mut here = known.or_else(|| losses.next()).expect("asked for if unknown");
        if draws_all {
            let proposals = unknown.into_iter().skip(usize::from(known.is_none()));
            *ahead = Ahead { first: Some(first), proposals: proposals.zip(losses).collect() };
        }
        let weight = |values: &[f64], losses: Losses| {
            log_density(lines, state, settings, losses, values) - self.log_proposal(values)
        };
        let mut weight_here = weight(values, here);
        let mut kept = 0;
        for (proposal, losses) in &ahead.proposals[begin..end] {
            let weight = weight(proposal, *losses);
            if rng.random::<f64>().ln() < weight - weight_here {
                values.clone_from(proposal);
                (here, weight_here) = (*losses, weight);
                kept += 1;
            }
        }
        ([end - begin, kept], here)
    }

    fn draw(&self, rng: &mut Stream) -> Vec<f64> {
        let chi_squared = ChiSquared::new(FREEDOM).expect("degrees of freedom");
        let mut proposal: Vec<f64> = self.mode.iter().map(|_| StandardNormal.sample(rng)).collect();
        let scale: f64 = (FREEDOM / chi_squared.sample(rng)).sqrt();
        linalg::solve_upper(&self.factor, proposal.len(), &mut proposal);
        proposal.iter_mut().zip(&self.mode).for_each(|(value, mode)| *value = mode + scale * *value);
        proposal
    }

    /// The log density of a proposal, but for a constant.
    fn log_proposal(&self, values: &[f64]) -> f64 {
        let width = values.len();
        let moved: Vec<f64> = values.iter().zip(&self.mode).map(|(value, mode)| value - mode).collect();
        let rows =
            (0..width).map(|at| linalg::dot(&self.factor[at * width + at..][..width - at], &moved[at..]));
        let squares: f64 = rows.map(|row| row * row).sum();
        -0.5 * (FREEDOM + width as f64) * (squares / FREEDOM).ln_1p()
    }
}

/// Goes from some values to the mode by Newton's method. Returns the factor of the curvature there.
fn climb(
    lines: &Lines<'_>,
    state: &State,
    settings: &ValidSettings,
    sums: &mut Sums,
    mode: &mut Vec<f64>,
) -> Vec<f64> {
    let width = mode.len();
    let (mut tried, mut slope, mut factor) = (vec![], vec![], vec![]);
    let log_density_at = |sums: &mut Sums, values: &Vec<f64>| {
        let losses = lines.losses(sums, std::slice::from_ref(values));
        log_density(lines, state, settings, losses[0], values)
    };
    let mut known = log_density_at(sums, mode);
    for _ in 0..STEPS {
        let of_loss = |link: bool, _rate: f64, logit: f64| {
            let sign = if link { 1.0 } else { -1.0 };
            sign * settings.cost(link) * sigmoid(-sign * logit)
        };
        let curvatures = Curvatures::new(lines, settings, mode);
        lines.gather(&curvatures, of_loss, None, sums, (&mut slope, &mut factor));
        lines.layout.for_each_precision(state, settings, |at, precision| {
            slope[at] -= precision * mode[at];
            factor[at * (width + 1)] += precision;
        });
        with_simd(
            #[inline(always)]
            || {
                linalg::cholesky(&mut factor, width);
                linalg::solve_lower(&factor, width, &mut slope);
                linalg::solve_upper(&factor, width, &mut slope);
            },
        );
        let mut share = 1.0;
        let gain = (0..HALVINGS).find_map(|_| {
            tried.clone_from(mode);
            linalg::add_scaled(&mut tried, share, &slope);
            share *= 0.5;
            let density = log_density_at(sums, &tried);
            (density > known).then_some(density - known)
        });
        let Some(gain) = gain else { break };
        mode.clone_from(&tried);
        known += gain;
        if gain < GAIN {
            break;
        }
    }
    factor
}

fn costs(settings: &ValidSettings) -> [f64; 2] {
    [true, false].map(|link| settings.cost(link))
}

/// The log density of intercept and coefficients with these losses, but for a constant.
fn log_density(
    lines: &Lines<'_>,
    state: &State,
    settings: &ValidSettings,
    losses: Losses,
    values: &[f64],
) -> f64 {
    let mut density = -settings.cost(true) * losses.links - settings.cost(false) * losses.non_links;
    lines.layout.for_each_precision(state, settings, |at, precision| {
        density -= 0.5 * precision * values[at] * values[at];
    });
    density
}
