//! One table of settings: names, help, ranges and defaults come from it, for every front end.

use std::str::FromStr;

use crate::covariates::CovariateSet;
use crate::error::{Error, Result};

use super::{Overrides, Schedule, Settings, Start};

/// What kind of values a setting has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingKind {
    /// On or off.
    Switch,
    /// A real number.
    Number,
    /// A whole number.
    Count,
    /// One of several words.
    Word,
}

/// One setting of a fit: its name, what it means, and how it is read and set by name.
///
/// ```
/// use dlfrm::model::{Overrides, SETTINGS, Settings};
///
/// let draws = SETTINGS.iter().find(|setting| setting.name == "draws").unwrap();
/// let mut overrides = Overrides::default();
/// draws.set(&mut overrides, "200")?;
/// let settings = overrides.over(Settings::default());
/// assert_eq!((settings.draws, draws.value(&settings)), (200, "200".to_owned()));
/// # Ok::<(), dlfrm::Error>(())
/// ```
#[derive(Debug)]
pub struct Setting {
    /// The name that flags and files use.
    pub name: &'static str,
    /// What kind of values it has.
    pub kind: SettingKind,
    /// The words that it accepts, if it is one of several.
    pub words: &'static [&'static str],
    pub(super) help: &'static str,
    pub(super) range: Range,
    pub(super) read: fn(&Settings) -> String,
    pub(super) given: fn(&Overrides) -> bool,
    pub(super) write: fn(&mut Overrides, &str) -> Option<()>,
    pub(super) check: fn(&Settings) -> std::result::Result<(), &'static str>,
}

impl Setting {
    /// What it means, in a few words.
    pub fn help(&self) -> &'static str {
        self.help.trim()
    }

    /// The least and the largest whole number that it accepts, if it is a count with such bounds.
    pub fn bounds(&self) -> Option<(usize, usize)> {
        match self.range {
            Range::Count(least, most, _) => Some((least, most)),
            _ => None,
        }
    }

    /// Its value among some settings, as text.
    pub fn value(&self, settings: &Settings) -> String {
        (self.read)(settings)
    }

    /// Whether it is among some overrides.
    pub(crate) fn given(&self, overrides: &Overrides) -> bool {
        (self.given)(overrides)
    }

    /// Overrides it by a value that is written as text. Whether the value is in range is checked by
    /// [`Settings::check`].
    pub fn set(&self, overrides: &mut Overrides, value: &str) -> Result<()> {
        let expected = match self.kind {
            SettingKind::Switch => "true or false",
            SettingKind::Number => "a number",
            SettingKind::Count => "a whole number",
            SettingKind::Word => {
                let (what, known) = (self.name, self.words.join(", "));
                let unknown = || Error::Unknown { what, name: value.to_owned(), known };
                return (self.write)(overrides, value).ok_or_else(unknown);
            }
        };
        let refused = || Error::Setting { name: self.name, expected, value: value.to_owned() };
        (self.write)(overrides, value).ok_or_else(refused)
    }
}

/// A type of which settings are made.
pub(super) trait Value: Sized {
    const KIND: SettingKind;
    const WORDS: &'static [&'static str] = &[];
    fn parse(text: &str) -> Option<Self>;
    fn text(&self) -> String;
    /// What would have been accepted, if the value is out of range.
    fn check(&self, range: &Range) -> std::result::Result<(), &'static str>;
}

/// The values that are accepted. The bounds are far from anything of use: they refuse what would run for ever or fill the
/// memory.
#[derive(Debug)]
pub(super) enum Range {
    Any,
    Positive(f64, f64, &'static str),
    FromZero(f64, &'static str),
    Count(usize, usize, &'static str),
}

/// A number as text, with an exponent where it would have many digits.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value.is_finite() && size != 0.0 && !(1e-9..1e15).contains(&size) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

impl Value for f64 {
    const KIND: SettingKind = SettingKind::Number;

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn text(&self) -> String {
        number(*self)
    }

    fn check(&self, range: &Range) -> std::result::Result<(), &'static str> {
        match *range {
            Range::Positive(..) if !(*self > 0.0 && self.is_finite()) => Err("a positive number"),
            Range::Positive(least, most, text) if !(least..=most).contains(self) => Err(text),
            Range::FromZero(most, text) if !(0.0..=most).contains(self) => Err(text),
            _ => Ok(()),
        }
    }
}

impl Value for usize {
    const KIND: SettingKind = SettingKind::Count;

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn text(&self) -> String {
        self.to_string()
    }

    fn check(&self, range: &Range) -> std::result::Result<(), &'static str> {
        match *range {
            Range::Count(least, ..) if *self < least => Err("at least 1"),
            Range::Count(_, most, text) if *self > most => Err(text),
            _ => Ok(()),
        }
    }
}

/// Types whose every value is accepted.
macro_rules! unbounded {
    ($($type:ty: $kind:ident $(, $words:expr)?;)*) => {$(
        impl Value for $type {
            const KIND: SettingKind = SettingKind::$kind;
            $(const WORDS: &'static [&'static str] = &$words;)?

            fn parse(text: &str) -> Option<Self> {
                Self::from_str(text).ok()
            }

            fn text(&self) -> String {
                self.to_string()
            }

            fn check(&self, _: &Range) -> std::result::Result<(), &'static str> {
                Ok(())
            }
        }
    )*};
}

unbounded! {
    bool: Switch;
    u64: Count;
    Schedule: Word, [Schedule::Polynomial.name(), Schedule::Adagrad.name()];
    Start: Word, [
        Start::Paper.name(), Start::Prior.name(), Start::Empty.name(), Start::Annealed.name(), Start::Groups.name(),
    ];
    CovariateSet: Word, [CovariateSet::None.name(), CovariateSet::Topology.name()];
}

/// Declares [`Settings`], [`Overrides`] and [`SETTINGS`](super::SETTINGS) from one table.
macro_rules! settings {
    ($(#[doc = $doc:literal] $field:ident: $type:ty, $name:literal, $range:expr;)*) => {
        /// What a user may choose. [`Settings::check`] turns it into settings that can run.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(default, rename_all = "kebab-case")]
        pub struct Settings {
            /// The model.
            pub model: Model,
            $(#[doc = $doc] pub $field: $type,)*
        }

        /// Settings that differ from the defaults: `None` leaves the default, which depends on the model and on the size of
        /// the network.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
        pub struct Overrides {
            $(#[doc = $doc] #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
        }

        impl Overrides {
            /// These settings where they are chosen, `defaults` elsewhere.
            pub fn over(&self, defaults: Settings) -> Settings {
                let step = self.step.or_else(|| self.usual_step(&defaults)).unwrap_or(defaults.step);
                Settings {
                    model: defaults.model,
                    $($field: self.$field.unwrap_or(defaults.$field),)*
                }.with_step(step)
            }

            /// These where they are chosen, `others` elsewhere.
            #[must_use]
            pub fn or(self, others: Self) -> Self {
                Self { $($field: self.$field.or(others.$field),)* }
            }
        }

        impl From<&Settings> for Overrides {
            /// Every setting but the model.
            fn from(settings: &Settings) -> Self {
                Self { $($field: Some(settings.$field),)* }
            }
        }

        /// Every setting but the model, in the order in which they are listed for people.
        pub static SETTINGS: &[Setting] = &[$(Setting {
            name: $name,
            help: $doc,
            range: $range,
            kind: <$type as Value>::KIND,
            words: <$type as Value>::WORDS,
            read: |settings| settings.$field.text(),
            given: |overrides| overrides.$field.is_some(),
            write: |overrides, text| {
                overrides.$field = Some(<$type as Value>::parse(text)?);
                Some(())
            },
            check: |settings| settings.$field.check(&$range),
        },)*];
    };
}

pub(super) use settings;
