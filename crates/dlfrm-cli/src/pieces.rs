//! What is finished of an evaluation or a search, kept in a folder: the same command goes on from there.
//!
//! A run of a method or a trial is a piece. Without `--checkpoint`, pieces are kept from time to time in a folder of the working
//! directory whose name says what decides them, and removed when the command has come to its end.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use dlfrm::evaluate::{Method, Outcome};
use dlfrm::fit::{Event, Observer, Trial, TrialKeeper};
use dlfrm::model::Settings;
use dlfrm::warning::{Kept, Warning};
use dlfrm_io::Provenance;
use dlfrm_io::pieces::{Piece, PieceError, Store, checksum};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::args::{GlobalArgs, check_folder, duration};
use crate::interrupt::Stage;

#[derive(Debug, Args)]
pub(crate) struct CheckpointArgs {
    /// Keep what is finished in this folder, and leave it there: the same command goes on from there
    #[arg(long, value_name = "FOLDER", hide_short_help = true, conflicts_with = "checkpoint_every")]
    checkpoint: Option<PathBuf>,
    /// Without --checkpoint: keep what is finished this often in a folder of the working directory, which is removed at the
    /// end, e.g. 60s; 0 keeps nothing. The same command goes on from there if it was ended or killed
    #[arg(long, value_name = "T", value_parser = duration, allow_hyphen_values = true, default_value = "60s", hide_short_help = true)]
    checkpoint_every: Duration,
}

impl CheckpointArgs {
    /// The pieces of a command's work on a network, decided by these arguments and files; none if none are kept.
    pub(crate) fn pieces<'a>(
        &self,
        command: &str,
        network: &str,
        arguments: &Value,
        files: impl Iterator<Item = &'a Path>,
    ) -> anyhow::Result<Option<Pieces>> {
        if self.checkpoint.is_none() && self.checkpoint_every.is_zero() {
            return Ok(None);
        }
        let mut checksums = Map::new();
        for file in files {
            let pipe = file == Path::new("-") || file.exists() && !file.is_file();
            if pipe && self.checkpoint.is_some() {
                bail!(
                    "--checkpoint needs a file, not standard input or a pipe: another call could not read it again"
                );
            } else if pipe {
                return Ok(None);
            }
            // The number of nodes may stand in place of their file.
            if file.is_file() {
                checksums.insert(file.display().to_string(), checksum(file)?.into());
            }
        }
        let made_with = json!({ "arguments": arguments, "files-crc32": checksums });
        let folder = self.checkpoint.clone().unwrap_or_else(|| {
            let decisive = format!("{} {made_with}", env!("DLFRM_VERSION"));
            let key = crc32fast::hash(decisive.as_bytes());
            PathBuf::from(format!("{network}.{command}-{key:08x}"))
        });
        check_folder(&folder)?;
        let every = self.checkpoint.is_none().then_some(self.checkpoint_every);
        let state = State { waiting: vec![], since: Instant::now(), names: HashSet::new() };
        Ok(Some(Pieces { store: Store::new(&folder), folder, made_with, every, state: Mutex::new(state) }))
    }
}

#[derive(Debug)]
pub(crate) struct Pieces {
    store: Store,
    folder: PathBuf,
    made_with: Value,
    /// How often pieces are written if they are removed at the end; if they are not, each is written at once.
    every: Option<Duration>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Pieces that are not yet written.
    waiting: Vec<(String, Piece<Value>)>,
    since: Instant,
    /// Those that are read or written.
    names: HashSet<String>,
}

impl Pieces {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with it")
    }

    /// Everything that decides what a piece has found.
    fn made_with(&self, own: Value) -> Value {
        let mut made_with = self.made_with.clone();
        made_with["piece"] = own;
        made_with
    }

    fn load<F: DeserializeOwned>(&self, name: &str, own: Value) -> Result<Option<F>, PieceError> {
        let piece = self.store.load(name, &self.made_with(own))?;
        if piece.is_some() {
            self.state().names.insert(name.to_owned());
        }
        Ok(piece.map(|piece: Piece<F>| piece.found))
    }

    fn save<F: Serialize>(&self, name: &str, own: Value, found: F) -> Result<(), PieceError> {
        let found = serde_json::to_value(found).expect("what is found is JSON");
        let piece = Piece { made_with: self.made_with(own), made_by: Provenance::this(), found };
        let mut state = self.state();
        state.waiting.push((name.to_owned(), piece));
        let now = self.every.is_none_or(|every| state.since.elapsed() >= every);
        if now { self.write(&mut state) } else { Ok(()) }
    }

    fn write(&self, state: &mut State) -> Result<(), PieceError> {
        state.since = Instant::now();
        // Those that cannot be written are given up: there is a message for each time, not for each piece.
        for (name, piece) in std::mem::take(&mut state.waiting) {
            self.store.save(&name, &piece)?;
            state.names.insert(name);
        }
        Ok(())
    }

    /// Removes what nobody needs any more if the work is complete; otherwise gives the folder where it goes on, if anything is
    /// finished.
    pub(crate) fn finish(&self, complete: bool, global: &GlobalArgs) -> Option<PathBuf> {
        let mut state = self.state();
        let ended = match (complete, self.every) {
            (false, _) => self.write(&mut state),
            (true, Some(_)) => self.store.remove(&state.names),
            (true, None) => Ok(()),
        };
        if let Err(why) = ended {
            global.warning(&why.to_string());
        }
        (!complete && !state.names.is_empty()).then(|| self.folder.clone())
    }

    /// What a method has found in a run, if it is finished. One run alone has intervals, which one of several does without.
    pub(crate) fn outcome(
        &self,
        method: &dyn Method,
        run: usize,
        alone: bool,
    ) -> Result<Option<Outcome>, PieceError> {
        let (name, own) = of_run(method, run);
        let has_all =
            |found: &Outcome| !alone || found.measured.iter().any(|measured| measured.interval.is_some());
        Ok(self.load(&name, own)?.filter(has_all))
    }

    pub(crate) fn keep(&self, method: &dyn Method, run: usize, outcome: &Outcome) -> Result<(), Warning> {
        let (name, own) = of_run(method, run);
        let kept = self.save(&name, own, outcome);
        kept.map_err(|why| Warning::NotKept { what: Kept::Outcome, why: why.to_string() })
    }

    /// Says how many outcomes are finished. A piece that was made with something else is refused.
    pub(crate) fn check(
        &self,
        methods: &[Box<dyn Method>],
        runs: usize,
        global: &GlobalArgs,
    ) -> anyhow::Result<()> {
        let mut finished = 0;
        for method in methods {
            for run in 0..runs {
                finished += usize::from(self.outcome(&**method, run, runs == 1)?.is_some());
            }
        }
        if finished > 0 {
            let all = methods.len() * runs;
            global.warning(&format!("{finished} of {all} pieces are there already and are taken"));
        }
        Ok(())
    }
}

/// The name of the piece of a method in a run, and what decides it.
fn of_run(method: &dyn Method, run: usize) -> (String, Value) {
    let settings = method.settings().map(|settings| &**settings);
    let own = json!({ "method": method.name(), "run": run + 1, "settings": settings });
    (format!("{}-run-{}", method.name(), run + 1), own)
}

/// Keeps the trials of a search, if there are pieces.
pub(crate) struct KeptTrials<'a> {
    pub(crate) pieces: Option<&'a Pieces>,
    pub(crate) observer: &'a dyn Observer,
}

impl KeptTrials<'_> {
    fn warning(&self, warning: &Warning) {
        self.observer.event(&Event::Warning(warning));
    }
}

/// The name of the piece of some settings, which tells all searches apart, and what decides it.
fn of_settings(pieces: &Pieces, settings: &Settings) -> (String, Value) {
    let own = json!({ "settings": settings });
    let text = pieces.made_with(own.clone()).to_string();
    (format!("trial-{:08x}", crc32fast::hash(text.as_bytes())), own)
}

impl TrialKeeper for KeptTrials<'_> {
    fn find(&self, settings: &Settings) -> Option<Trial> {
        let (name, own) = of_settings(self.pieces?, settings);
        self.pieces?.load(&name, own).unwrap_or_else(|why| {
            self.warning(&Warning::NotTaken { why: why.to_string() });
            None
        })
    }

    fn keep(&self, trial: &Trial) {
        // At Ctrl-C it is worth to be waited for.
        Stage::Kept.begins();
        let Some(pieces) = self.pieces else { return };
        let (name, own) = of_settings(pieces, &trial.settings);
        if let Err(why) = pieces.save(&name, own, trial) {
            self.warning(&Warning::NotKept { what: Kept::Trial, why: why.to_string() });
        }
    }
}
