//! Who is judged on which split, with which settings.

use dlfrm::model::{Model, Settings};
use dlfrm::network::Protocol;

use crate::args::{Lengths, SettingArgs};
use crate::choice::Candidates;
use crate::commands::evaluate::contenders;
use crate::evaluation::Contender;
use crate::reproduce::{Kind, Part, Study};

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
}

impl Wanted<'_> {
    /// All sections; `pairs` tells how many pairs are learned from on a split, which the defaults go by.
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

    /// Whether some of them are told what is known of the entities.
    pub(super) fn attributes(&self) -> bool {
        self.study.kind == Kind::Table
            && self.study.subject.parts.iter().any(|part| part.attributes && !self.names_of(part).is_empty())
    }

    fn lengths(&self, usual: Lengths) -> SettingArgs {
        let quick = if self.quick { self.study.subject.quick_lengths } else { Lengths::default() };
        self.settings.or_lengths(quick).or_lengths(usual)
    }

    fn table(&self, pairs: impl Fn(Protocol) -> usize) -> anyhow::Result<Vec<Section>> {
        let parts = self.study.subject.parts;
        let mut sections = vec![];
        for part in parts {
            let names = self.names_of(part);
            if names.is_empty() {
                continue;
            }
            let settings = self.lengths(Lengths { chains: part.chains, ..Lengths::default() });
            let (ordered, pairs) = (part.split.ordered(), pairs(part.split));
            let contenders = contenders::named(&names, &settings, ordered, pairs, part.attributes)?;
            let entry = |contender: Contender| {
                // The name alone is enough for those who are judged with attributes only.
                let both = parts.iter().any(|other| !other.attributes && other.has(contender.name()));
                let told = if part.attributes && both { " with attributes" } else { "" };
                Entry { label: format!("{}{told}", contender.name()), value: None, contender }
            };
            let entries = contenders.into_iter().map(entry).collect();
            sections.push(Section { split: part.split, attributes: part.attributes, entries });
        }
        Ok(sections)
    }

    /// Who is judged in a part of the table. Names that a split does not have are added to its first part.
    fn names_of(&self, part: &Part) -> Vec<String> {
        let subject = self.study.subject;
        if self.names.is_empty() {
            let kept = |name: &&str| !self.quick || subject.quick.concat().contains(name);
            return part.names.concat().into_iter().filter(kept).map(str::to_owned).collect();
        }
        let same = || subject.parts.iter().filter(|other| other.split == part.split);
        let first = same().next().is_some_and(|other| std::ptr::eq(other, part));
        let wanted = |name: &String| part.has(name) || first && !same().any(|other| other.has(name));
        contenders::expanded(self.names, same().any(|other| other.attributes))
            .into_iter()
            .filter(wanted)
            .collect()
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
        let kept = |name: &&str| !self.quick || subject.quick.concat().contains(name);
        let names = if self.names.is_empty() {
            usual.iter().copied().filter(kept).map(str::to_owned).collect()
        } else {
            contenders::expanded(self.names, false)
        };
        let models: Vec<Model> = names.iter().map(|name| name.parse()).collect::<dlfrm::Result<_>>()?;
        let section = |split| {
            let mut all = vec![];
            for &model in &models {
                let entry = |(value, candidates)| Entry {
                    label: model.to_string(),
                    value,
                    contender: Contender::Model(Box::new(candidates)),
                };
                all.extend(entries(split, model)?.into_iter().map(entry));
            }
            Ok(Section { split, attributes: false, entries: all })
        };
        subject.both_splits().into_iter().map(section).collect()
    }
}

impl Entry {
    /// Its part of the name of a file. What nothing is varied of is the same in every study, and so are its pieces.
    pub(super) fn key(&self, kind: Kind) -> String {
        let name = self.label.replace(' ', "-");
        match (kind.word(), self.value) {
            (Some(word), Some(value)) => format!("{name}-{word}-{value}"),
            _ => name,
        }
    }
}
