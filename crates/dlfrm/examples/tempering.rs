//! Whether tempering pays: chains of the features' posterior with and without a ladder of costs, in the same time.
//!
//! `tempering FILE SWEEPS COST...`: FILE has the two ids of a link in each line, from 0 on; links have no direction. A ladder has a
//! chain with each of the costs, beginning with 1. After every sweep neighbours on it may exchange their states, by Metropolis and
//! Hastings with the likelihood to the power of the costs; the draws are those at cost 1. Four such ladders are compared with four
//! chains that make as many sweeps in all. Printed are rank-normalised R-hat and effective draws, in all and per second, of K, of the
//! log-likelihood, and the largest R-hat and the fewest effective draws of the logits of 200 pairs.

use std::error::Error;
use std::time::Instant;

use dlfrm::model::{Model, Settings, ValidSettings};
use dlfrm::network::{Pair, Pairs};
use dlfrm::posterior::diagnose::diagnose;
use dlfrm::testing::{Chain, Losses, State, Step, StreamKey};
use rand::RngExt;

const CHAINS: usize = 4;
const PROBES: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, sweeps, costs @ ..] = &arguments[..] else {
        return Err("usage: tempering FILE SWEEPS COST...".into());
    };
    let (sweeps, costs): (usize, Vec<f64>) =
        (sweeps.parse()?, costs.iter().map(|cost| cost.parse()).collect::<Result<_, _>>()?);
    if costs.first() != Some(&1.0) {
        return Err("the first cost must be 1".into());
    }
    let pairs = read(&std::fs::read_to_string(file)?)?;
    println!("{} nodes, {} pairs\n", pairs.nodes(), pairs.len());
    println!(
        "| | seconds | exchanges | K | log-likelihood | logits of {PROBES} pairs |\n|---|---|---|---|---|---|"
    );
    for (name, ladder, sweeps) in
        [("chains", &costs[..1], costs.len() * sweeps), ("ladders", &costs[..], sweeps)]
    {
        let began = Instant::now();
        let runs: Vec<Run> =
            (0..CHAINS).map(|chain| run(&pairs, ladder, sweeps, chain)).collect::<Result<_, _>>()?;
        let seconds = began.elapsed().as_secs_f64();
        let of = |quantity: usize| {
            let chains: Vec<&[f64]> = runs.iter().map(|run| &run.quantities[quantity][..]).collect();
            diagnose(&chains).map(|found| (found.r_hat, found.ess_bulk))
        };
        let shown = |(r_hat, effective): (f64, f64)| {
            format!("{r_hat:.3}, {effective:.0} ({:.1}/s)", effective / seconds)
        };
        let worst = (2..2 + PROBES)
            .filter_map(of)
            .reduce(|one, other| (one.0.max(other.0), one.1.min(other.1)))
            .unwrap_or_default();
        let exchanges = runs.iter().map(|run| run.exchanges).sum::<f64>() / CHAINS as f64;
        let [features, likelihood] = [0, 1].map(|quantity| of(quantity).map_or("-".to_owned(), shown));
        println!("| {name} | {seconds:.1} | {exchanges:.2} | {features} | {likelihood} | {} |", shown(worst));
    }
    Ok(())
}

/// What the second half of a chain at cost 1 went through.
struct Run {
    quantities: Vec<Vec<f64>>,
    exchanges: f64,
}

fn run(pairs: &Pairs, ladder: &[f64], sweeps: usize, number: usize) -> Result<Run, dlfrm::Error> {
    let settings: Vec<ValidSettings> = ladder
        .iter()
        .map(|&cost| {
            let defaults = Settings::features_defaults(Model::usual(pairs.len()), pairs.len());
            Settings { c_pos: cost, c_neg: cost, seed: 1, ..defaults }.check()
        })
        .collect::<Result<_, _>>()?;
    let mut chains: Vec<Chain<'_>> = settings
        .iter()
        .enumerate()
        .map(|(rung, settings)| Chain::new(pairs, settings, 100 * rung + number))
        .collect::<Result<_, _>>()?;
    let mut quantities = vec![vec![]; 2 + PROBES];
    let (mut tried, mut exchanged) = (0, 0);
    for sweep in 0..sweeps {
        for chain in &mut chains {
            chain.begin_sweep();
            Step::SWEEP.iter().filter(|step| **step != Step::Augment).for_each(|&step| chain.step(step));
        }
        // Rates are drawn after the exchange, so that they belong to the costs.
        let likelihood = |state: &State| {
            let Losses { links, non_links } = Losses::of(pairs, state, &settings[0]);
            -links - non_links
        };
        let mut likelihoods: Vec<f64> = chains.iter().map(|chain| likelihood(chain.state())).collect();
        let key = StreamKey { seed: 2, chain: number as u64, sweep: sweep as u64 };
        let mut rng = key.stream(dlfrm::random::Purpose::Features, u64::MAX);
        for rung in (1..ladder.len()).filter(|rung| rung % 2 == sweep % 2) {
            let gain = (ladder[rung - 1] - ladder[rung]) * (likelihoods[rung] - likelihoods[rung - 1]);
            tried += 1;
            if rng.random::<f64>() < gain.exp() {
                let (one, other) = (chains[rung - 1].state().clone(), chains[rung].state().clone());
                chains[rung - 1].set_state(other);
                chains[rung].set_state(one);
                likelihoods.swap(rung - 1, rung);
                exchanged += 1;
            }
        }
        for chain in &mut chains {
            chain.step(Step::Augment);
        }
        if sweep >= sweeps / 2 {
            let state = chains[0].state();
            quantities[0].push(state.features.active() as f64);
            quantities[1].push(likelihoods[0]);
            let every = (pairs.len() / PROBES).max(1);
            for (probe, (pair, ends)) in pairs.iter().enumerate().step_by(every).take(PROBES).enumerate() {
                let latent = state.latent(ends.source as usize, ends.target as usize);
                quantities[2 + probe].push(state.offset(pair) + latent);
            }
        }
    }
    Ok(Run { quantities, exchanges: f64::from(exchanged) / f64::from(tried.max(1)) })
}

fn read(text: &str) -> Result<Pairs, Box<dyn Error>> {
    let mut links = std::collections::BTreeSet::new();
    for line in text.lines() {
        let mut ids = line.split_whitespace().map(str::parse::<u32>);
        let (Some(one), Some(other)) = (ids.next(), ids.next()) else {
            return Err("two ids in a line".into());
        };
        let (one, other) = (one?, other?);
        links.insert((one.min(other), one.max(other)));
    }
    let nodes = links.iter().map(|link| link.1 + 1).max().unwrap_or(0);
    let all = (0..nodes).flat_map(|source| (source + 1..nodes).map(move |target| (source, target)));
    let labelled =
        all.map(|(source, target)| Pair { source, target, link: links.contains(&(source, target)) });
    Ok(Pairs::new(nodes as usize, true, labelled))
}
