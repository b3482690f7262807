//! Methods to evaluate, from the names that `--model` has.

use dlfrm::evaluate::{Method, MethodOptions};
use dlfrm::model::Model;
use dlfrm_paper::methods;

/// The help of `--model`.
pub(super) fn help() -> String {
    let text = "What to evaluate, by name, separated by commas:";
    format!(
        "{text} {}; models, baselines (those without fitting) or all for several; the last two need --node-attributes \
         [default: {}, or none with --fitted]",
        methods::names().collect::<Vec<_>>().join(", "),
        usual().join(",")
    )
}

/// What is evaluated by default.
pub(super) fn usual() -> Vec<String> {
    [Model::DEFAULT.name(), "linear", "baselines"].map(str::to_owned).to_vec()
}

/// What was named, each once, in the order of naming. What learns from attributes is refused, and no part of `all`, where
/// there are none.
pub(super) fn named(
    names: &[String],
    options: &MethodOptions,
    attributes: bool,
) -> dlfrm::Result<Vec<Box<dyn Method>>> {
    let mut names = methods::expand(names, attributes);
    // Covariates alone would see the reverse of each test link on the paper's splits.
    if options.paper && names.len() > 1 {
        names.retain(|name| name != "linear");
    }
    names.iter().map(|name| methods::method(name, options, attributes)).collect()
}

/// The models among what was named.
pub(super) fn models(names: &[String]) -> Vec<Model> {
    methods::expand(names, false).iter().filter_map(|name| name.parse().ok()).collect()
}
