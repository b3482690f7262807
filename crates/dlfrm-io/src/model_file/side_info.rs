//! Side information as arrays: attributes of nodes, covariates of pairs.

use std::sync::Arc;

use dlfrm::covariates::{Attributes, Field, FieldValues, PairColumn, PairTable, PairValues, SideInfo};
use serde::{Deserialize, Serialize};

use super::ModelFileError;
use super::arrays::{ArrayReader, ArrayWriter};

/// The side information of a fit in the manifest.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct SideInfoEntry {
    attributes: Vec<ColumnEntry>,
    covariates: Vec<ColumnEntry>,
}

/// One attribute or covariate.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ColumnEntry {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Numbers,
    Words,
    Categories,
}

/// The most cells of the table of pairs for each byte of the file: some 3000 categories.
const MOST_CELLS_A_BYTE: usize = 256;
/// Marks a category that is not known.
const UNKNOWN: u32 = u32::MAX;

pub(super) fn write(side_info: &SideInfo, arrays: &mut ArrayWriter) -> SideInfoEntry {
    let mut entry = SideInfoEntry::default();
    let fields = side_info.nodes.as_deref().map_or(&[][..], Attributes::fields);
    for (number, Field { name, values }) in fields.iter().enumerate() {
        let array = |what: &str| format!("attributes.{number}.{what}");
        let kind = match values {
            FieldValues::Numbers(numbers) => {
                arrays.f64s(&array("values"), numbers.iter().map(|number| number.unwrap_or(f64::NAN)));
                Kind::Numbers
            }
            FieldValues::Words { words, lists } => {
                arrays.names(&array("words"), words);
                arrays.u32s(&array("lengths"), lists.iter().map(|list| list.len() as u32));
                arrays.u32s(&array("items"), lists.iter().flatten().map(|&(word, _)| word));
                arrays.f64s(&array("counts"), lists.iter().flatten().map(|&(_, count)| count));
                Kind::Words
            }
        };
        entry.attributes.push(ColumnEntry { name: name.clone(), kind });
    }
    if let Some(table) = &side_info.pairs {
        arrays.u32s("covariates.pairs", table.pairs().iter().flat_map(|&(i, j)| [i, j]));
        for (number, PairColumn { name, values }) in table.columns().iter().enumerate() {
            let array = |what: &str| format!("covariates.{number}.{what}");
            let kind = match values {
                PairValues::Numbers(numbers) => {
                    arrays.f64s(&array("values"), numbers.iter().map(|number| number.unwrap_or(f64::NAN)));
                    Kind::Numbers
                }
                PairValues::Categories { names, chosen } => {
                    arrays.names(&array("names"), names);
                    arrays.u32s(&array("chosen"), chosen.iter().map(|one| one.unwrap_or(UNKNOWN)));
                    Kind::Categories
                }
            };
            entry.covariates.push(ColumnEntry { name: name.clone(), kind });
        }
    }
    entry
}

pub(super) fn read(
    entry: &SideInfoEntry,
    nodes: usize,
    directed: bool,
    arrays: &ArrayReader<'_>,
) -> Result<SideInfo, ModelFileError> {
    let fields = entry.attributes.iter().enumerate();
    let fields: Vec<Field> =
        fields.map(|(number, column)| read_field(number, column, nodes, arrays)).collect::<Result<_, _>>()?;
    let refused = |error: dlfrm::Error| arrays.broken(error.to_string());
    let attributes = if fields.is_empty() {
        None
    } else {
        Some(Arc::new(Attributes::new(nodes, fields).map_err(refused)?))
    };
    if entry.covariates.is_empty() {
        return Ok(SideInfo { nodes: attributes, pairs: None });
    }
    let pairs = arrays.u32s("covariates.pairs")?;
    let pairs: Vec<(u32, u32)> = pairs.as_chunks().0.iter().map(|&[i, j]| (i, j)).collect();
    let wrong = |&(i, j): &(u32, u32)| i.max(j) as usize >= nodes || (!directed && i > j);
    if pairs.iter().any(wrong) || pairs.windows(2).any(|two| two[0] >= two[1]) {
        return Err(arrays.broken("the pairs with covariates are not in order"));
    }
    let columns = entry.covariates.iter().enumerate();
    let columns: Vec<PairColumn> = columns
        .map(|(number, column)| read_column(number, column, pairs.len(), arrays))
        .collect::<Result<_, _>>()?;
    // Every category is a column of the table in memory: a small file must not make a huge table.
    let width = columns.iter().map(|column| match &column.values {
        PairValues::Numbers(_) => 1,
        PairValues::Categories { names, .. } => names.len(),
    });
    if width.sum::<usize>().saturating_mul(pairs.len()) > MOST_CELLS_A_BYTE * arrays.len() {
        return Err(arrays.broken("the covariates of pairs have too many categories"));
    }
    let table = PairTable::new(nodes, !directed, &pairs, &columns).map_err(refused)?;
    Ok(SideInfo { nodes: attributes, pairs: Some(Arc::new(table)) })
}

fn read_field(
    number: usize,
    ColumnEntry { name, kind }: &ColumnEntry,
    nodes: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Field, ModelFileError> {
    let array = |what: &str| format!("attributes.{number}.{what}");
    let wrong = || arrays.broken(format!("the attribute '{name}' cannot be read"));
    let values = match kind {
        Kind::Numbers => FieldValues::Numbers(numbers(&array("values"), nodes, arrays)?.ok_or_else(wrong)?),
        Kind::Words => {
            let words: Vec<String> = arrays.names(&array("words"))?.into_iter().map(str::to_owned).collect();
            let (lengths, items) = (arrays.u32s(&array("lengths"))?, arrays.u32s(&array("items"))?);
            let counts = arrays.f64s(&array("counts"))?;
            let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
            let whole = lengths.len() == nodes && total == items.len() as u64;
            if !whole || items.len() != counts.len() || items.iter().any(|&word| word as usize >= words.len())
            {
                return Err(wrong());
            }
            let mut entries = items.into_iter().zip(counts);
            let lists = lengths.iter().map(|&length| entries.by_ref().take(length as usize).collect());
            FieldValues::Words { words, lists: lists.collect() }
        }
        Kind::Categories => return Err(wrong()),
    };
    Ok(Field { name: name.clone(), values })
}

fn read_column(
    number: usize,
    ColumnEntry { name, kind }: &ColumnEntry,
    pairs: usize,
    arrays: &ArrayReader<'_>,
) -> Result<PairColumn, ModelFileError> {
    let array = |what: &str| format!("covariates.{number}.{what}");
    let wrong = || arrays.broken(format!("the covariate '{name}' cannot be read"));
    let values = match kind {
        Kind::Numbers => PairValues::Numbers(numbers(&array("values"), pairs, arrays)?.ok_or_else(wrong)?),
        Kind::Categories => {
            let names: Vec<String> = arrays.names(&array("names"))?.into_iter().map(str::to_owned).collect();
            let chosen = arrays.u32s(&array("chosen"))?;
            let known = |&one: &u32| one == UNKNOWN || (one as usize) < names.len();
            if chosen.len() != pairs || !chosen.iter().all(known) {
                return Err(wrong());
            }
            let chosen = chosen.into_iter().map(|one| (one != UNKNOWN).then_some(one)).collect();
            PairValues::Categories { names, chosen }
        }
        Kind::Words => return Err(wrong()),
    };
    Ok(PairColumn { name: name.clone(), values })
}

/// So many numbers, those that are none being unknown; `None` if there are more or fewer.
fn numbers(
    array: &str,
    count: usize,
    arrays: &ArrayReader<'_>,
) -> Result<Option<Vec<Option<f64>>>, ModelFileError> {
    let values = arrays.f64s(array)?;
    let known = |value: f64| (!value.is_nan()).then_some(value);
    Ok((values.len() == count).then(|| values.into_iter().map(known).collect()))
}
