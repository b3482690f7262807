//! Methods to evaluate, from the names that `--model` has.

use dlfrm::Warning;
use dlfrm::evaluate::{self, Method, MethodOptions};
use dlfrm::fit::Parts;
use dlfrm::model::Settings;

use crate::args::{GlobalArgs, SettingArgs, SideInfoArgs};

pub(crate) fn help() -> String {
    let text = "What to evaluate, by name, separated by commas:";
    format!(
        "{text} default (the model that fit takes by itself), {}; models, baselines (those without fitting) or all for several \
         [default: {}, or none with --fitted]",
        evaluate::names().collect::<Vec<_>>().join(", "),
        usual().join(",")
    )
}

pub(crate) fn usual() -> Vec<String> {
    [evaluate::DEFAULT, "linear", "baselines"].map(str::to_owned).to_vec()
}

/// What was named, each once, in the order of naming.
pub fn named(names: &[String], options: &MethodOptions) -> dlfrm::Result<Vec<Box<dyn Method>>> {
    let mut names = evaluate::expand(names);
    // Covariates alone would see the reverse of each test link on the paper's splits.
    if options.paper && names.len() > 1 {
        names.retain(|name| name != "linear");
    }
    names.iter().map(|name| evaluate::method(name, options)).collect()
}

/// Says which files with side information no method looks at.
pub(crate) fn report_side_info(methods: &[Box<dyn Method>], side_info: &SideInfoArgs, global: &GlobalArgs) {
    let names: Vec<&str> = methods.iter().map(|method| method.name()).collect();
    let attributes = methods.iter().any(|method| method.uses_attributes());
    let covariates = methods.iter().any(|method| method.uses_pair_covariates());
    for (flag, used) in [("--node-attributes", attributes), ("--pair-covariates", covariates)] {
        if !used && side_info.with_flags().any(|(given, _)| given == flag) {
            global.warning(&format!("{flag} has no effect with {}", names.join(", ")));
        }
    }
}

/// Says what the settings have models do, and which of them nothing looks at.
pub fn report_settings(
    methods: &[Box<dyn Method>],
    names: &[String],
    options: &MethodOptions,
    side_info: bool,
    global: &GlobalArgs,
) -> dlfrm::Result<()> {
    let given = &options.settings;
    let models = evaluate::expand(names).into_iter().filter_map(|name| evaluate::model(&name, options));
    let (mut remarks, mut coefficients) = (vec![], side_info);
    for model in models.filter(|_| !options.paper) {
        let parts = Parts::new(model, given, options.pairs, false)?;
        coefficients |= parts.covariates().is_some();
        remarks.extend(parts.one_posterior(given, options.pairs));
    }
    let same = remarks.windows(2).all(|two| two[0] == two[1]);
    match remarks.into_iter().next() {
        Some(Warning::OnePosterior { given, .. }) if !same => {
            let without = Warning::OnePosterior { given, other_defaults: vec![] };
            global.warning(&format!("{without}, with other defaults"));
        }
        Some(warning) => global.warning(&warning.to_string()),
        None => {}
    }
    let fitted = || methods.iter().filter_map(|method| Some((method.name(), &**method.settings()?)));
    let mut names: Vec<&str> = fitted().map(|(name, _)| name).collect();
    if names.is_empty() {
        names = methods.iter().map(|method| method.name()).collect();
    }
    let fits: Vec<&Settings> = fitted().map(|(_, settings)| settings).collect();
    SettingArgs(given.clone()).report_idle(&fits, &names.join(", "), coefficients, global);
    Ok(())
}

/// Each once, in the order of their first appearance.
pub fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list = vec![];
    for item in all {
        if !list.contains(&item) {
            list.push(item);
        }
    }
    list
}
