//! What is judged, from the names that `--model` has.

use dlfrm::Error;
use dlfrm::baseline::{Baseline, BlockModel};
use dlfrm::model::{Model, Settings};

use crate::args::SettingArgs;
use crate::evaluation::{Contender, LFRM};

/// The help of `--model`.
pub(super) fn help() -> String {
    let names: Vec<_> = Contender::names().collect();
    let text = "What to judge, by name, separated by commas:";
    format!(
        "{text} {}; models, baselines (those without fitting) or all for several [default: {},baselines]",
        names.join(", "),
        Settings::default().model
    )
}

/// What was named, each once, in the order of naming, fitted to so many pairs. On the paper's splits models are the paper's,
/// unless told otherwise.
pub(crate) fn named(
    names: &[String],
    settings: &SettingArgs,
    paper: bool,
    pairs: usize,
) -> dlfrm::Result<Vec<Contender>> {
    let default = [Settings::default().model.name().to_owned(), "baselines".to_owned()];
    let mut contenders: Vec<Contender> = Vec::new();
    for name in expanded(if names.is_empty() { &default } else { names }) {
        if contenders.iter().any(|known| known.name() == name) {
            continue;
        }
        contenders.push(if let Ok(model) = name.parse::<Model>() {
            Contender::Model(Box::new(settings.candidates(model, pairs, paper)?))
        } else if let Ok(baseline) = name.parse::<Baseline>() {
            Contender::Baseline(baseline)
        } else if let Ok(model) = name.parse::<BlockModel>() {
            Contender::Blocks(model)
        } else if name == LFRM {
            let plain = settings.settings(Settings::default().model, pairs, true);
            Contender::Lfrm(Box::new(Settings { c_pos: 1.0, c_neg: 1.0, ..plain }.check()?))
        } else {
            let known = Contender::names().chain(["models", "baselines", "all"]);
            return Err(Error::Unknown { what: "model", name, known: known.collect::<Vec<_>>().join(", ") });
        });
    }
    Ok(contenders)
}

/// The same names with those that stand for several spelled out.
pub(crate) fn expanded(names: &[String]) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    for name in names {
        match name.trim() {
            "all" => wanted.extend(Contender::names().map(str::to_owned)),
            "models" => wanted.extend(Model::ALL.map(|model| model.name().to_owned())),
            "baselines" => wanted.extend(Baseline::ALL.map(|baseline| baseline.name().to_owned())),
            name => wanted.push(name.to_owned()),
        }
    }
    wanted
}
