//! One of several kinds of links between the same nodes.

use super::Network;

/// The links of one relation. Several relations of a data set have the same nodes.
#[derive(Debug, Clone)]
pub struct Relation {
    /// Its name; `None` if the data set has a single relation.
    pub name: Option<String>,
    /// Its links.
    pub network: Network,
}

impl From<Network> for Relation {
    fn from(network: Network) -> Self {
        Self { name: None, network }
    }
}
