//! Things that commands and files call by a name.

/// Prints a thing by its name and finds it by its name; the error for an unknown name lists those that would
/// have been accepted. `$all` lists the things, each of which has a method `name`.
macro_rules! named {
    ($thing:ty, $what:literal, $all:expr) => {
        impl std::fmt::Display for $thing {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $thing {
            type Err = $crate::Error;

            fn from_str(name: &str) -> $crate::Result<Self> {
                $all.into_iter().find(|thing| thing.name() == name).ok_or_else(|| $crate::Error::Unknown {
                    what: $what,
                    name: name.to_owned(),
                    known: $all.map(Self::name).join(", "),
                })
            }
        }
    };
}

pub(crate) use named;
