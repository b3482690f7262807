//! Who is judged on which split, with which settings.

use dlfrm::model::{Model, Settings};
use dlfrm::network::Protocol;

use crate::args::{Lengths, SettingArgs};
use crate::choice::Candidates;
use crate::commands::evaluate::contenders;
use crate::evaluation::Contender;
use crate::reproduce::{Kind, Part, Store, Study};

/// How long a fit is whose burn-in is varied: it is the burn-in that counts.
const VARIED_SMALL: Lengths = Lengths { chains: Some(2), burn_in: None, draws: Some(20) };
const VARIED_LARGE: Lengths = Lengths { chains: Some(1), burn_in: None, draws: Some(5) };

/// What the user asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) study: Study,
    /// Other contenders than the study's, by name.
    pub(super) names: &'a [String],
    pub(super) quick: bool,
    pub(super) settings: &'a SettingArgs,
    /// What is there already.
    pub(super) store: &'a Store,
}

/// Some contenders on one split.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) split: Protocol,
    /// Whether they are told what is known of the entities.
    pub(super) attributes: bool,
    pub(super) entries: Vec<Entry>,
}

/// A line of the result.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) label: String,
    /// Of what the study varies.
    pub(super) value: Option<u32>,
    pub(super) contender: Contender,
    /// Its place among those that the user asked for, who are judged in that order; none of one that is shown because it
    /// was asked for before.
    pub(super) asked: Option<usize>,
}

impl Wanted<'_> {
    /// All sections, of those who are asked for and of those of the study who are kept from before; `pairs` tells how many
    /// pairs are learned from on a split, which the defaults go by.
    pub(super) fn sections(&self, pairs: impl Fn(Protocol) -> usize) -> anyhow::Result<Vec<Section>> {
        match self.study.kind {
            Kind::Table => self.table(pairs),
            Kind::Dimension | Kind::Time => self.variants(|split, model| {
                let settings = self.lengths(Lengths::default());
                let candidates = settings.candidates(model, pairs(split), split.ordered())?;
                Ok(vec![(None, candidates)])
            }),
            Kind::BurnIn => {
                let usual = if self.study.subject.large { VARIED_LARGE } else { VARIED_SMALL };
                self.varied(pairs, usual, None, |settings, value| settings.burn_in = value as usize)
            }
            // The paper's first point has both costs at 1.
            Kind::Imbalance => self.varied(pairs, Lengths::default(), Some(1.0), |settings, value| {
                settings.c_pos = f64::from(value) * settings.c_neg;
            }),
        }
    }

    fn lengths(&self, usual: Lengths) -> SettingArgs {
        let quick = if self.quick { self.study.subject.quick_lengths } else { Lengths::default() };
        self.settings.or_lengths(quick).or_lengths(usual)
    }

    fn table(&self, pairs: impl Fn(Protocol) -> usize) -> anyhow::Result<Vec<Section>> {
        let parts = self.study.subject.parts;
        let mut sections = vec![];
        for part in parts {
            let (usual, asked) = (part.names.concat(), self.asked(part));
            let names = together(&usual, &asked);
            let settings = self.lengths(Lengths { chains: part.chains, ..Lengths::default() });
            let (ordered, pairs) = (part.split.ordered(), pairs(part.split));
            let contenders = contenders::named(&names, &settings, ordered, pairs, part.attributes)?;
            let entry = |contender: Contender| {
                // The name alone is enough for those who are judged with attributes only.
                let both = parts.iter().any(|other| !other.attributes && other.has(contender.name()));
                let told = if part.attributes && both { " with attributes" } else { "" };
                let label = format!("{}{told}", contender.name());
                Entry {
                    label,
                    value: None,
                    asked: asked.iter().position(|name| name == contender.name()),
                    contender,
                }
            };
            let entries = contenders.into_iter().map(entry).collect();
            sections.extend(self.section(part.split, part.attributes, entries));
        }
        Ok(sections)
    }

    /// Those who are asked for, and those who are there; none if nobody is left.
    fn section(&self, split: Protocol, attributes: bool, mut entries: Vec<Entry>) -> Option<Section> {
        entries.retain(|entry| entry.asked.is_some() || self.store.has(&entry.piece(self.study, split, 0)));
        (!entries.is_empty()).then_some(Section { split, attributes, entries })
    }

    /// Who is asked for in a part of the table. Names that a split does not have are added to its first part.
    fn asked(&self, part: &Part) -> Vec<String> {
        let subject = self.study.subject;
        if self.names.is_empty() {
            return self.feasible(&part.names.concat());
        }
        let same = || subject.parts.iter().filter(|other| other.split == part.split);
        let first = same().next().is_some_and(|other| std::ptr::eq(other, part));
        let wanted = |name: &String| part.has(name) || first && !same().any(|other| other.has(name));
        contenders::expanded(self.names, same().any(|other| other.attributes))
            .into_iter()
            .filter(wanted)
            .collect()
    }

    /// Those of some names who have the time under `--quick`.
    fn feasible(&self, names: &[&str]) -> Vec<String> {
        let kept = |name: &&&str| !self.quick || self.study.subject.quick.concat().contains(*name);
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
    ) -> anyhow::Result<Vec<Section>> {
        self.variants(|split, model| {
            let defaults = if split.ordered() { Settings::plain } else { Settings::for_pairs };
            let defaults = defaults(model, pairs(split));
            let c_neg = c_neg.unwrap_or(defaults.c_neg);
            let settings = self.lengths(usual).settings_over(&Settings { c_neg, ..defaults });
            let one = |&value: &u32| {
                let mut settings = settings.clone();
                vary(&mut settings, value);
                Ok((Some(value), Candidates::settled(settings.check()?)))
            };
            self.study.values(self.quick).iter().map(one).collect()
        })
    }

    fn variants(
        &self,
        entries: impl Fn(Protocol, Model) -> dlfrm::Result<Vec<(Option<u32>, Candidates)>>,
    ) -> anyhow::Result<Vec<Section>> {
        let subject = self.study.subject;
        let usual = if self.study.kind == Kind::Imbalance { &[subject.imbalance] } else { subject.variants };
        let asked = if self.names.is_empty() {
            self.feasible(usual)
        } else {
            contenders::expanded(self.names, false)
        };
        let names = together(usual, &asked);
        let models: Vec<Model> = names.iter().map(|name| name.parse()).collect::<dlfrm::Result<_>>()?;
        let section = |split| {
            let mut all = vec![];
            for &model in &models {
                let entry = |(value, candidates)| Entry {
                    label: model.to_string(),
                    value,
                    asked: asked.iter().position(|name| name == model.name()),
                    contender: Contender::Model(Box::new(candidates)),
                };
                all.extend(entries(split, model)?.into_iter().map(entry));
            }
            Ok(self.section(split, false, all))
        };
        subject.both_splits().into_iter().filter_map(|split| section(split).transpose()).collect()
    }
}

/// The usual names and those that are asked for, each once.
fn together(usual: &[&str], asked: &[String]) -> Vec<String> {
    let others = asked.iter().filter(|name| !usual.contains(&name.as_str()));
    usual.iter().map(|&name| name.to_owned()).chain(others.cloned()).collect()
}

impl Entry {
    /// The name of its piece of a run. What nothing is varied of is the same in every study, and so are its pieces.
    pub(super) fn piece(&self, study: Study, split: Protocol, run: usize) -> String {
        let (network, name) = (study.subject.dataset().name, self.label.replace(' ', "-"));
        let varied = match (study.kind.word(), self.value) {
            (Some(word), Some(value)) => format!("-{word}-{value}"),
            _ => String::new(),
        };
        format!("{network}-{split}-{name}{varied}-run-{}", run + 1)
    }
}
