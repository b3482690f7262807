//! What is judged, from the names that `--model` has.

use anyhow::bail;
use dlfrm::Error;
use dlfrm::baseline::{Baseline, BlockModel, SupportVectorMachine};
use dlfrm::model::{Model, Settings};

use crate::args::SettingArgs;
use crate::evaluation::{Contender, LFRM};

/// The help of `--model`.
pub(super) fn help() -> String {
    let names: Vec<_> = Contender::names().collect();
    let text = "What to judge, by name, separated by commas:";
    format!(
        "{text} {}; models, baselines (those without fitting) or all for several; the last two need --node-attributes \
         [default: {}, or none with --fitted]",
        names.join(", "),
        usual().join(",")
    )
}

/// The names of what is judged, unless told otherwise.
pub(super) fn usual() -> Vec<String> {
    [Settings::default().model.name(), "baselines"].map(str::to_owned).to_vec()
}

/// What was named, each once, in the order of naming, fitted to so many pairs. On the paper's splits models are the paper's,
/// unless told otherwise. What learns from attributes is refused, and no part of `all`, where there are none.
pub(crate) fn named(
    names: &[String],
    settings: &SettingArgs,
    paper: bool,
    pairs: usize,
    attributes: bool,
) -> anyhow::Result<Vec<Contender>> {
    let mut contenders: Vec<Contender> = Vec::new();
    for name in expanded(names, attributes) {
        if contenders.iter().any(|known| known.name() == name) {
            continue;
        }
        contenders.push(if let Ok(model) = name.parse::<Model>() {
            Contender::Model(Box::new(settings.candidates(model, pairs, paper)?))
        } else if let Ok(baseline) = name.parse::<Baseline>() {
            Contender::Baseline(baseline)
        } else if let Ok(model) = name.parse::<BlockModel>() {
            Contender::Blocks(model)
        } else if let Ok(machine) = name.parse::<SupportVectorMachine>() {
            if !attributes {
                bail!("{name} learns from what is known of entities: give it with --node-attributes FILE");
            }
            Contender::Machine(machine)
        } else if name == LFRM {
            let plain = settings.settings(Settings::default().model, pairs, true);
            Contender::Lfrm(Box::new(Settings { c_pos: 1.0, c_neg: 1.0, ..plain }.check()?))
        } else {
            let known = Contender::names().chain(["models", "baselines", "all"]);
            bail!(Error::Unknown { what: "model", name, known: known.collect::<Vec<_>>().join(", ") });
        });
    }
    Ok(contenders)
}

/// The same names with those that stand for several spelled out.
pub(crate) fn expanded(names: &[String], attributes: bool) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    for name in names {
        match name.trim() {
            "all" if attributes => wanted.extend(Contender::names().map(str::to_owned)),
            "all" => wanted.extend(Contender::names_without_attributes().map(str::to_owned)),
            "models" => wanted.extend(Model::ALL.map(|model| model.name().to_owned())),
            "baselines" => wanted.extend(Baseline::ALL.map(|baseline| baseline.name().to_owned())),
            name => wanted.push(name.to_owned()),
        }
    }
    wanted
}
