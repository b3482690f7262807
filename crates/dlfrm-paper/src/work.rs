//! The pieces of a reproduction: those that are kept are taken, the others are made and kept.

use dlfrm::covariates::SideInfo;
use dlfrm::network::{Protocol, SplitOptions};
use dlfrm::score::Measure;
use serde_json::{Value, json};

use crate::args::{GlobalArgs, Sharing};
use crate::choice::Choice;
use crate::evaluation::{Contender, Outcome, Plan, Splits, judge_run};
use crate::evaluation_progress::EvaluationProgress;
use crate::failure::Unfinished;
use crate::interrupt;
use crate::reproduce::{Finding, Line, Maker, Piece, Store, Study};

use super::data::Data;
use super::sections::{Entry, Section};

const MEASURES: [Measure; 2] = [Measure::Auc, Measure::AveragePrecision];

/// What is to be done.
pub(super) struct Work<'a> {
    pub(super) study: Study,
    pub(super) data: &'a Data,
    pub(super) sections: &'a [Section],
    pub(super) runs: usize,
    pub(super) seed: u64,
    pub(super) store: &'a Store,
    pub(super) maker: Maker,
    pub(super) common: &'a GlobalArgs,
}

/// A contender in one run: its place, and what is known of it.
struct Task<'a> {
    entry: &'a Entry,
    run: usize,
    name: String,
    made_with: Value,
    piece: Option<Piece>,
}

impl Work<'_> {
    /// Does what is not done yet. Gives the lines of the result, and who made them.
    pub(super) fn finish(&self) -> anyhow::Result<(Vec<Line>, Vec<Maker>)> {
        let given: Vec<SideInfo> =
            self.sections.iter().map(|section| self.data.given(section.attributes)).collect();
        // What cannot be done, or would not fit, is told before hours of work and not after them.
        let mut todo = vec![];
        for (section, given) in self.sections.iter().zip(&given) {
            let plan = self.plan(section.split, given);
            if section.entries.iter().any(|entry| entry.asked.is_some()) {
                plan.check()?;
            }
            todo.push((section, plan, self.tasks(section)?));
        }
        let all = || todo.iter().flat_map(|(_, _, tasks)| tasks).filter(|task| task.entry.asked.is_some());
        let (count, kept) = (all().count(), all().filter(|task| task.piece.is_some()).count());
        if kept > 0 {
            self.common.notice(&format!("{kept} of {count} pieces are there already and are taken"));
        }
        let mut done = kept;
        for (section, plan, tasks) in &mut todo {
            for run in 0..self.runs {
                let missing = tasks.iter_mut().filter(|task| task.run == run && task.piece.is_none());
                let mut missing: Vec<&mut Task<'_>> = missing.collect();
                missing.sort_by_key(|task| task.entry.asked);
                if missing.is_empty() {
                    continue;
                }
                let splits = plan.judged(run)?;
                for task in missing {
                    done += 1;
                    self.common.notice(&format!("[{done} of {count}] {}: {}", section.split, task.told()));
                    let watch = EvaluationProgress::new(self.common, self.runs);
                    let judged = judge_run(plan, &task.entry.contender, run, &splits, &watch);
                    let outcome = judged.map_err(|error| self.told(error, done - 1, count))?;
                    task.piece = Some(self.keep(task, &outcome)?);
                    if interrupt::requested() && done < count {
                        return Err(self.told(Unfinished.into(), done, count));
                    }
                }
            }
        }
        let lines = todo.iter().flat_map(|(section, _, tasks)| {
            section.entries.iter().filter_map(|entry| line(section.split, entry, tasks))
        });
        let lines = lines.collect();
        let mut makers = vec![];
        for piece in todo.iter().flat_map(|(_, _, tasks)| tasks).filter_map(|task| task.piece.as_ref()) {
            if !makers.contains(&piece.made_by) {
                makers.push(piece.made_by.clone());
            }
        }
        Ok((lines, makers))
    }

    fn plan<'b>(&'b self, split: Protocol, given: &'b SideInfo) -> Plan<'b> {
        Plan {
            relations: &self.data.dataset.relations,
            given,
            // As in the paper: each relation has features of its own.
            sharing: Sharing::Separate,
            splits: Splits::Drawn(SplitOptions::new(split)),
            runs: self.runs,
            seed: self.seed,
            measures: &MEASURES,
            // A piece has the same figures however many runs it is one of.
            intervals: false,
        }
    }

    /// Everybody who is asked for in every run, with the pieces that are there, and the pieces of the others.
    fn tasks<'b>(&self, section: &'b Section) -> anyhow::Result<Vec<Task<'b>>> {
        let mut tasks = vec![];
        for entry in &section.entries {
            if entry.asked.is_some() {
                for run in 0..self.runs {
                    tasks.push(self.task(section, entry, run)?);
                }
            } else {
                tasks.extend(self.kept(section, entry));
            }
        }
        Ok(tasks)
    }

    /// All runs of an entry that are there, from the first on. Pieces that were made with other settings are left alone.
    fn kept<'b>(&self, section: &'b Section, entry: &'b Entry) -> Vec<Task<'b>> {
        let mut tasks = vec![];
        loop {
            match self.task(section, entry, tasks.len()) {
                Ok(task) if task.piece.is_some() => tasks.push(task),
                Ok(_) => break,
                Err(error) => {
                    self.common.notice(&format!("not taken: {error:#}"));
                    break;
                }
            }
        }
        tasks
    }

    fn task<'b>(&self, section: &'b Section, entry: &'b Entry, run: usize) -> anyhow::Result<Task<'b>> {
        let name = entry.piece(self.study, section.split, run);
        let made_with = self.made_with(section, entry, run);
        let piece = self.store.load(&name, &made_with)?;
        Ok(Task { entry, run, name, made_with, piece })
    }

    /// Everything that decides what a piece finds, but for the program.
    fn made_with(&self, section: &Section, entry: &Entry, run: usize) -> Value {
        let recipe = SplitOptions::new(section.split);
        let other = match &entry.contender {
            Contender::Model(candidates) => candidates.other.as_ref(),
            _ => None,
        };
        json!({
            "network": self.data.dataset.name,
            "network-crc32": self.data.facts.crc32,
            "attributes-crc32": self.data.attributes_crc32.as_ref().filter(|_| section.attributes),
            "split": section.split.name(),
            "test-fraction": section.split.test_fraction(),
            "negatives": section.split.samples().then_some(recipe.negatives),
            "seed": self.seed,
            "run": run + 1,
            "contender": entry.contender.name(),
            "settings": entry.contender.settings().map(|settings| &**settings),
            "other-settings": other.map(|settings| &**settings),
        })
    }

    fn keep(&self, task: &Task<'_>, outcome: &Outcome) -> anyhow::Result<Piece> {
        let found = Finding {
            auc: outcome.auc,
            average_precision: outcome.measured[1].value,
            features: outcome.features,
            seconds: outcome.seconds,
            choices: outcome.choices.iter().map(Choice::sentence).collect(),
        };
        let piece = Piece { made_with: task.made_with.clone(), made_by: self.maker.clone(), found };
        self.store.save(&task.name, &piece)?;
        Ok(piece)
    }

    /// An interrupted reproduction tells what it keeps, any other error whose it is.
    fn told(&self, error: anyhow::Error, done: usize, count: usize) -> anyhow::Error {
        if error.is::<Unfinished>() {
            self.common
                .notice(&format!("{done} of {count} pieces are kept; the same command goes on from there"));
            return error;
        }
        error.context(self.data.path.display().to_string())
    }
}

impl Task<'_> {
    fn told(&self) -> String {
        let value = self.entry.value.map_or(String::new(), |value| format!(" at {value}"));
        format!("{}{value}", self.entry.label)
    }
}

/// The line of an entry; none of one of whom nothing is there.
fn line(split: Protocol, entry: &Entry, tasks: &[Task<'_>]) -> Option<Line> {
    let own = tasks.iter().filter(|task| std::ptr::eq(task.entry, entry));
    let findings: Vec<Finding> =
        own.filter_map(|task| task.piece.as_ref().map(|piece| piece.found.clone())).collect();
    let settings = entry.contender.settings().map(|settings| settings.clone().into_inner());
    let line = || Line::new(entry.label.clone(), split, entry.value, settings, &findings);
    (!findings.is_empty()).then(line)
}
