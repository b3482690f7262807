//! The methods of the library and the paper's support vector machines, by their names.

use dlfrm::evaluate::{self, GROUPS, Method, MethodOptions};
use dlfrm::model::Overrides;
use dlfrm::{Error, Result};

use crate::svm::SupportVectorMachine;

/// How long a fit is, where a study says so.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lengths {
    pub(crate) chains: Option<usize>,
    pub(crate) burn_in: Option<usize>,
    pub(crate) draws: Option<usize>,
}

impl Lengths {
    /// The same as settings.
    pub(crate) fn overrides(self) -> Overrides {
        let Self { chains, burn_in, draws } = self;
        Overrides { chains, burn_in, draws, ..Overrides::default() }
    }
}

/// All names: those of the library, then those of the machines, which need attributes of nodes.
pub fn names() -> impl Iterator<Item = &'static str> {
    evaluate::names().chain(SupportVectorMachine::ALL.map(SupportVectorMachine::name))
}

/// The names with those that stand for several replaced by these, each once, in the order of naming. The machines belong to
/// `all` where there are attributes of nodes.
pub fn expand<S: AsRef<str>>(names: &[S], attributes: bool) -> Vec<String> {
    let mut expanded = evaluate::expand(names);
    if attributes && names.iter().any(|name| name.as_ref().trim() == "all") {
        for machine in SupportVectorMachine::ALL {
            if !expanded.iter().any(|name| name == machine.name()) {
                expanded.push(machine.name().to_owned());
            }
        }
    }
    expanded
}

/// The method of a name; the machines are refused where there are no attributes of nodes.
pub fn method(name: &str, options: &MethodOptions, attributes: bool) -> Result<Box<dyn Method>> {
    if let Some(machine) = SupportVectorMachine::ALL.into_iter().find(|machine| machine.name() == name) {
        return if attributes { Ok(Box::new(machine)) } else { Err(machine.needs_attributes()) };
    }
    evaluate::method(name, options).map_err(|error| match error {
        Error::Unknown { what, name, .. } => {
            let known = names().chain(GROUPS).collect::<Vec<_>>().join(", ");
            Error::Unknown { what, name, known }
        }
        error => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_method() {
        let options = MethodOptions::default();
        for name in names() {
            assert_eq!(method(name, &options, true).unwrap().name(), name);
        }
        let refused = |name, attributes| method(name, &options, attributes).err().unwrap().to_string();
        assert!(refused("svm-rbf", false).starts_with("svm-rbf learns from attributes of nodes"));
        assert!(
            refused("lfm", true).starts_with("unknown model 'lfm'")
                && refused("lfm", true).contains("svm-rbf")
        );
    }

    #[test]
    fn all_has_the_machines_where_there_are_attributes() {
        let (all, without) = (expand(&["all"], true), expand(&["all"], false));
        assert_eq!(all, names().collect::<Vec<_>>());
        assert_eq!(all.len(), without.len() + 2);
        assert_eq!(expand(&["svm-rbf", "all"], true).len(), all.len());
        assert_eq!(expand(&["cn"], true), ["cn"]);
    }
}
