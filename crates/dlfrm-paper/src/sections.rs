//! Which methods are evaluated on which split, with which settings.

use dlfrm::Result;
use dlfrm::evaluate::{Method, MethodOptions, ModelMethod};
use dlfrm::fit::{Parts, Sharing};
use dlfrm::model::{Model, Overrides, Settings};
use dlfrm::split::Protocol;

use crate::benchmark::MethodGroup;
use crate::methods::{self, Lengths};
use crate::study::{Kind, Study};
use dlfrm_io::pieces::Store;

/// How long a fit is whose burn-in is varied: it is the burn-in that counts.
const VARIED_SMALL: Lengths = Lengths { chains: Some(2), burn_in: None, draws: Some(20) };
const VARIED_LARGE: Lengths = Lengths { chains: Some(1), burn_in: None, draws: Some(5) };

/// What the user asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) study: Study,
    /// Methods in place of the study's, by name.
    pub(crate) names: &'a [String],
    pub(crate) quick: bool,
    pub(crate) settings: &'a Overrides,
    /// The finished pieces.
    pub(crate) store: &'a Store,
}

/// Some methods on one split.
pub(crate) struct Section {
    pub(crate) split: Protocol,
    /// Whether they use the attributes of the nodes.
    pub(crate) attributes: bool,
    pub(crate) entries: Vec<Entry>,
}

/// A line of the result.
pub(crate) struct Entry {
    pub(crate) label: String,
    /// The value of the setting that the study varies.
    pub(crate) value: Option<u32>,
    pub(crate) method: Box<dyn Method>,
    /// The settings of covariates alone that the method's are combined with.
    pub(crate) alternative: Option<Settings>,
    /// Its position among those that the user asked for, which are evaluated in that order; `None` if it is shown because
    /// it was asked for before.
    pub(crate) asked: Option<usize>,
}

impl Wanted<'_> {
    /// All sections: the methods that are asked for, and those of the study with finished pieces. `pairs` is the number of
    /// pairs to learn from on a split, which the defaults depend on.
    pub(crate) fn sections(&self, pairs: impl Fn(Protocol) -> usize) -> Result<Vec<Section>> {
        match self.study.kind {
            Kind::Table => self.table(pairs),
            Kind::Dimension | Kind::Time => self.variants(|split, model| {
                let settings = self.lengths(Lengths::default());
                Ok(vec![(None, Parts::new(model, &settings, pairs(split), split.ordered())?)])
            }),
            Kind::BurnIn => {
                let usual = if self.study.benchmark.large { VARIED_LARGE } else { VARIED_SMALL };
                self.varied(pairs, usual, None, |settings, value| settings.burn_in = value as usize)
            }
            // The paper's first point has both costs at 1.
            Kind::Imbalance => self.varied(pairs, Lengths::default(), Some(1.0), |settings, value| {
                settings.c_pos = f64::from(value) * settings.c_neg;
            }),
        }
    }

    /// The user's settings, then those of a quick run, then the usual lengths of the study.
    fn lengths(&self, usual: Lengths) -> Overrides {
        let quick = if self.quick { self.study.benchmark.quick_lengths } else { Lengths::default() };
        self.settings.clone().or(quick.overrides()).or(usual.overrides())
    }

    fn table(&self, pairs: impl Fn(Protocol) -> usize) -> Result<Vec<Section>> {
        let groups = self.study.benchmark.groups;
        let mut sections = vec![];
        for group in groups {
            let (usual, asked) = (group.names.concat(), self.asked(group));
            let options = MethodOptions {
                settings: self.lengths(Lengths { chains: group.chains, ..Lengths::default() }),
                pairs: pairs(group.split),
                all_pairs: pairs(group.split),
                paper: group.split.ordered(),
                // As in the paper: each relation has features of its own.
                sharing: Sharing::Separate,
            };
            let entry = |name: String| {
                // The name alone is enough for a method that is evaluated with attributes only.
                let both = groups.iter().any(|other| !other.attributes && other.has(&name));
                let label =
                    if group.attributes && both { format!("{name} with attributes") } else { name.clone() };
                let asked = asked.iter().position(|asked| *asked == name);
                if let Ok(model) = name.parse::<Model>() {
                    let parts = Parts::new(model, &options.settings, options.pairs, options.paper)?;
                    return Ok(Entry::of_model(parts, label, None, asked));
                }
                let method = methods::method(&name, &options, group.attributes)?;
                Ok(Entry { label, value: None, method, alternative: None, asked })
            };
            let entries = together(&usual, &asked).into_iter().map(entry).collect::<Result<_>>()?;
            sections.extend(self.section(group.split, group.attributes, entries));
        }
        Ok(sections)
    }

    /// The methods that are asked for, and those with finished pieces; `None` without any.
    fn section(&self, split: Protocol, attributes: bool, mut entries: Vec<Entry>) -> Option<Section> {
        entries.retain(|entry| entry.asked.is_some() || self.store.has(&entry.piece(self.study, split, 0)));
        (!entries.is_empty()).then_some(Section { split, attributes, entries })
    }

    /// The methods of a group that are asked for. Names that no group of a split has are added to its first.
    fn asked(&self, group: &MethodGroup) -> Vec<String> {
        if self.names.is_empty() {
            return self.feasible(&group.names.concat());
        }
        let same = || self.study.benchmark.groups.iter().filter(|other| other.split == group.split);
        let first = same().next().is_some_and(|other| std::ptr::eq(other, group));
        let wanted = |name: &String| group.has(name) || first && !same().any(|other| other.has(name));
        let mut asked = methods::expand(self.names, same().any(|other| other.attributes));
        asked.retain(wanted);
        asked
    }

    /// Those of some names that a quick run has time for.
    fn feasible(&self, names: &[&str]) -> Vec<String> {
        let kept = |name: &&&str| !self.quick || self.study.benchmark.quick.concat().contains(*name);
        names.iter().filter(kept).map(|&name| name.to_owned()).collect()
    }

    /// Models with values of what is varied, on the paper's split and on one that leaks nothing. Where the user says
    /// nothing lengths and c- are the usual ones of the study, if it has any.
    fn varied(
        &self,
        pairs: impl Fn(Protocol) -> usize,
        usual: Lengths,
        c_neg: Option<f64>,
        vary: impl Fn(&mut Settings, u32),
    ) -> Result<Vec<Section>> {
        self.variants(|split, model| {
            let defaults = if split.ordered() { Settings::paper_defaults } else { Settings::defaults };
            let defaults = defaults(model, pairs(split));
            let c_neg = c_neg.unwrap_or(defaults.c_neg);
            let settings = self.lengths(usual).over(Settings { c_neg, ..defaults });
            let one = |&value: &u32| {
                let mut settings = settings.clone();
                vary(&mut settings, value);
                Ok((Some(value), Parts::fixed(settings.check()?)))
            };
            self.study.values(self.quick).iter().map(one).collect()
        })
    }

    fn variants(
        &self,
        entries: impl Fn(Protocol, Model) -> Result<Vec<(Option<u32>, Parts)>>,
    ) -> Result<Vec<Section>> {
        let benchmark = self.study.benchmark;
        let usual =
            if self.study.kind == Kind::Imbalance { &[benchmark.imbalance] } else { benchmark.variants };
        let asked =
            if self.names.is_empty() { self.feasible(usual) } else { methods::expand(self.names, false) };
        let names = together(usual, &asked);
        let models: Vec<Model> = names.iter().map(|name| name.parse()).collect::<Result<_>>()?;
        let section = |split| {
            let mut all = vec![];
            for &model in &models {
                let asked = asked.iter().position(|name| name == model.name());
                let entry = |(value, parts)| Entry::of_model(parts, model.to_string(), value, asked);
                all.extend(entries(split, model)?.into_iter().map(entry));
            }
            Ok(self.section(split, false, all))
        };
        benchmark.both_splits().into_iter().filter_map(|split| section(split).transpose()).collect()
    }
}

/// The usual names and those that are asked for, each once.
fn together(usual: &[&str], asked: &[String]) -> Vec<String> {
    let others = asked.iter().filter(|name| !usual.contains(&name.as_str()));
    usual.iter().map(|&name| name.to_owned()).chain(others.cloned()).collect()
}

impl Entry {
    fn of_model(parts: Parts, label: String, value: Option<u32>, asked: Option<usize>) -> Self {
        let alternative = parts.covariates().map(|part| part.settings.clone().into_inner());
        let method = Box::new(ModelMethod::new(parts, Sharing::Separate));
        Self { label, value, method, alternative, asked }
    }

    /// The name of its piece of a run. Studies that vary nothing have the same pieces.
    pub(crate) fn piece(&self, study: Study, split: Protocol, run: usize) -> String {
        let (network, name) = (study.benchmark.dataset().name, self.label.replace(' ', "-"));
        let varied = match (study.kind.word(), self.value) {
            (Some(word), Some(value)) => format!("-{word}-{value}"),
            _ => String::new(),
        };
        format!("{network}-{split}-{name}{varied}-run-{}", run + 1)
    }
}
