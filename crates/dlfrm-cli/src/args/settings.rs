//! The settings of a fit as arguments: names, help and defaults are those of the library's table.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use dlfrm::model::{Model, Overrides, SETTINGS, Setting, SettingKind, Settings};
use dlfrm::warning::Warning;

use super::GlobalArgs;
use crate::words;

/// The settings that a user chooses; the library has defaults for the others.
#[derive(Debug, Clone, Default)]
pub struct SettingArgs(pub Overrides);

impl SettingArgs {
    /// Says which of the settings no fit with one of these settings looks at. `names` are those of what is fitted, and
    /// `coefficients` says whether there are any beside those of a fit's own covariates.
    pub fn report_idle(&self, fits: &[&Settings], names: &str, coefficients: bool, global: &GlobalArgs) {
        for (setting, why) in self.0.without_effect(fits, names, coefficients) {
            global.warning(&words::warning(&Warning::SettingWithoutEffect { setting, why }));
        }
    }
}

impl Args for SettingArgs {
    fn augment_args(command: Command) -> Command {
        SETTINGS.iter().fold(command.next_help_heading("Settings"), |command, setting| {
            if setting.kind == SettingKind::Switch {
                let on = Arg::new(setting.name).long(setting.name).action(ArgAction::SetTrue);
                let off = off(setting);
                let no = Arg::new(off).long(off).action(ArgAction::SetTrue);
                let undo = format!("Turn --{} off", setting.name);
                return command
                    .arg(on.help(help(setting)).conflicts_with(off).hide_short_help(true))
                    .arg(no.help(undo).hide_short_help(true));
            }
            let value = match setting.kind {
                SettingKind::Number => "X",
                SettingKind::Count => "N",
                _ => "WORD",
            };
            // Whether it is in range is checked with all settings.
            let parser = |text: &str| setting.set(&mut Overrides::default(), text).map(|()| text.to_owned());
            let argument = Arg::new(setting.name).long(setting.name).value_name(value).value_parser(parser);
            let usual = ["chains", "burn-in", "draws", "seed"].contains(&setting.name);
            command.arg(argument.help(help(setting)).hide_short_help(!usual))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut overrides = Overrides::default();
        for setting in SETTINGS {
            let value = if setting.kind == SettingKind::Switch {
                let (on, off) = (matches.get_flag(setting.name), matches.get_flag(off(setting)));
                (on || off).then(|| on.to_string())
            } else {
                let raw = matches.get_raw(setting.name).and_then(Iterator::last);
                raw.map(|raw| raw.to_string_lossy().into_owned())
            };
            if let Some(value) = value {
                let refused = |error| clap::Error::raw(clap::error::ErrorKind::InvalidValue, error);
                setting.set(&mut overrides, &value).map_err(refused)?;
            }
        }
        Ok(Self(overrides))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn off(setting: &Setting) -> &'static str {
    // Arguments are built once or twice in a run of the program.
    format!("no-{}", setting.name).leak()
}

/// The help of a setting, with its default: one, or those of the models where they differ.
fn help(setting: &Setting) -> String {
    let at = |pairs: usize| by_model(|model| setting.value(&Settings::features_defaults(model, pairs)));
    let mut defaults = at(0);
    if defaults != at(Settings::LARGE) {
        "depends on the number of pairs, see dlfrm settings".clone_into(&mut defaults);
    }
    if setting.name == "covariates" {
        "topology, in a posterior that the one of the features is combined with".clone_into(&mut defaults);
    }
    let words =
        if setting.words.is_empty() { String::new() } else { format!(": {}", setting.words.join(", ")) };
    let joint = match setting.name {
        "c-pos" | "c-neg" => {
            "; without --covariates, covariates and features then have one joint posterior, with other defaults"
        }
        "max-new" => "; covariates are then fitted alone, with other defaults",
        "covariates" => "; topology has covariates and features in one joint posterior, with other defaults",
        _ => "",
    };
    format!("{}{words}{joint} [default: {defaults}]", setting.help())
}

fn by_model(value: impl Fn(Model) -> String) -> String {
    let values = Model::ALL.map(value);
    let same = values.iter().all(|one| *one == values[0]);
    if same { values[0].clone() } else { "depends on the model, see dlfrm settings".to_owned() }
}

pub(crate) fn model_help(text: &str) -> String {
    let [few, many] = [0, usize::MAX].map(Model::usual);
    let names = Model::ALL.map(Model::name).join(", ");
    format!("{text}: {names} [default: {few}, beyond {} pairs {many}]", Model::MOST_OF_FULL)
}
