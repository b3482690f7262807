//! The nodes of a network and their names.

use std::collections::HashMap;

use crate::error::{Error, Result};

/// Names of the nodes, numbered from 0 in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub struct Nodes {
    names: Vec<String>,
    index: HashMap<String, u32>,
}

impl Nodes {
    /// Nodes named `0`, `1`, ..., `n - 1`.
    pub fn numbered(n: usize) -> Self {
        (0..n).map(|i| i.to_string()).collect()
    }

    /// The id of `name`, which is added if it is new.
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.index.get(name) {
            return id;
        }
        let id = u32::try_from(self.names.len()).expect("more than 2^32 nodes");
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), id);
        id
    }

    /// The id of `name`, if it is there.
    pub fn get(&self, name: &str) -> Option<u32> {
        self.index.get(name).copied()
    }

    /// The id of `name`, or an error that carries the name.
    pub fn id(&self, name: &str) -> Result<u32> {
        self.get(name).ok_or_else(|| Error::Node(format!("'{name}'")))
    }

    /// The name of node `id`.
    pub fn name(&self, id: u32) -> &str {
        &self.names[id as usize]
    }

    /// All names in the order of their ids.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl<S: AsRef<str>> FromIterator<S> for Nodes {
    fn from_iter<I: IntoIterator<Item = S>>(iter: I) -> Self {
        let mut nodes = Self::default();
        for name in iter {
            nodes.intern(name.as_ref());
        }
        nodes
    }
}
