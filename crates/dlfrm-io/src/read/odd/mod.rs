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

pub(super) use alike::alike;
pub(super) use around::{comments_behind, marks_around};
pub(super) use bipartite::nearly_bipartite;
pub(super) use lists::lists;
pub(super) use names::{
    colons, is_missing, is_missing_category, kept_quotes, missing, missing_value, rewritten,
};
pub(super) use relations::odd_relations;
pub(super) use suspects::{Seen, Suspects};
