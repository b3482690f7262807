//! What is read as it stands and is often meant in another way: remarks about names, relations, first rows and whole lists.

mod alike;
mod around;
mod bipartite;
mod first_row;
mod lists;
mod lone_rows;
mod names;
mod relations;
mod suspects;

pub use alike::{alike_name, alike_names};
pub use first_row::first_row_remark;

pub(crate) use alike::alike;
pub(crate) use around::{comments_behind, marks_around};
pub(crate) use bipartite::nearly_bipartite;
pub(crate) use lists::lists;
pub(crate) use names::{
    colons, is_missing, is_missing_category, kept_quotes, missing, missing_value, rewritten,
};
pub(crate) use relations::odd_relations;
pub(crate) use suspects::{Seen, Suspects};
