//! Methods to evaluate, from the names that `--model` has.

use anyhow::bail;
use dlfrm::baseline::SupportVectorMachine;
use dlfrm::evaluate::{self, Method, MethodOptions};
use dlfrm::model::Settings;

/// The help of `--model`.
pub(super) fn help() -> String {
    let text = "What to evaluate, by name, separated by commas:";
    format!(
        "{text} {}; models, baselines (those without fitting) or all for several; the last two need --node-attributes \
         [default: {}, or none with --fitted]",
        evaluate::names().chain(on_attributes()).collect::<Vec<_>>().join(", "),
        usual().join(",")
    )
}

/// What is evaluated by default.
pub(super) fn usual() -> Vec<String> {
    [Settings::default().model.name(), "baselines"].map(str::to_owned).to_vec()
}

/// The methods that learn from attributes of entities.
fn on_attributes() -> impl Iterator<Item = &'static str> {
    SupportVectorMachine::ALL.map(SupportVectorMachine::name).into_iter()
}

/// What was named, each once, in the order of naming. What learns from attributes is refused, and no part of `all`, where
/// there are none.
pub(super) fn named(
    names: &[String],
    options: &MethodOptions,
    attributes: bool,
) -> anyhow::Result<Vec<Box<dyn Method>>> {
    let mut expanded = evaluate::expand(names);
    if attributes && names.iter().any(|name| name.trim() == "all") {
        expanded.extend(on_attributes().map(str::to_owned));
    }
    let mut methods: Vec<Box<dyn Method>> = Vec::new();
    for name in expanded {
        if let Ok(machine) = name.parse::<SupportVectorMachine>() {
            if !attributes {
                bail!("{name} learns from attributes of entities: add --node-attributes FILE");
            }
            methods.push(Box::new(machine));
        } else {
            methods.push(evaluate::method(&name, options)?);
        }
    }
    Ok(methods)
}
