//! What is said of a column that was read: its kind, and what a user may not expect of it.

use super::super::old::columns::Column as Meaning;
use super::super::old::header::meaning;
use super::super::old::odd::{alike, is_missing_category, missing_value};
use super::cells::Cells;
use super::codes::code_among_words;
use super::column::{Between, Column, Values};

/// Fewer rows may be in the order of a covariate.
const FEW_ROWS: usize = 5;

/// Fewer categories say little of the others.
const FEW: usize = 3;

/// So many columns are described.
const DESCRIBED: usize = 12;

/// What is said of all columns that were read: how their cells were understood.
pub(super) fn described(file: &str, columns: &[Column]) -> String {
    let mut all: Vec<String> = columns.iter().take(DESCRIBED).map(Column::described).collect();
    if columns.len() > DESCRIBED {
        all.push(format!("and {} more", columns.len() - DESCRIBED));
    }
    format!("{file}: read as {}", all.join(", "))
}

impl Column {
    /// A warning of a title with a colon that may be meant to have a kind behind it.
    pub(super) fn colon_warning(&self, file: &str) -> Option<String> {
        let name = &self.name;
        self.colon.then(|| {
            format!(
                "{file}: '{name}' is a title as a whole: the kinds of columns are :number, :category and :words"
            )
        })
    }

    /// A warning of how many rows have no value, if there are such.
    pub(super) fn missing_warning(&self, file: &str) -> Option<String> {
        let missing = match &self.values {
            Values::Numbers(numbers) => numbers.iter().filter(|number| number.is_none()).count(),
            Values::Categories { chosen, .. } => chosen.iter().filter(|one| one.is_none()).count(),
            Values::Words { lists, .. } => lists.iter().filter(|list| list.is_empty()).count(),
        };
        let name = &self.name;
        match missing {
            0 => None,
            1 => Some(format!("{file}: 1 value of '{name}' is missing")),
            _ => Some(format!("{file}: {missing} values of '{name}' are missing")),
        }
    }

    /// A warning of codes with zeros in front of them, which are read as numbers though nothing says that they are.
    pub(super) fn zeros_warning(&self, cells: &Cells) -> Option<String> {
        let Values::Numbers(_) = &self.values else { return None };
        let said = cells.titles.as_ref()?.get(self.position) != Some(&self.name);
        let mut known =
            cells.rows.iter().map(|(_, row)| row[self.position].as_str()).filter(|cell| !missing_value(cell));
        let digits = |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit());
        if said || !known.clone().all(digits) {
            return None;
        }
        let code = known.find(|cell| cell.len() > 1 && cell.starts_with('0'))?;
        let (file, name) = (&cells.file, &self.name);
        let number: f64 = code.parse().ok()?;
        Some(format!(
            "{file}: '{name}' has {code}, which is read as the number {number}: if these are codes, call the column \
             '{name}:category'"
        ))
    }

    /// A warning of numbers with a point before three digits, all of them below the whole numbers beside them: the point may
    /// separate thousands.
    pub(super) fn thousands_warning(&self, cells: &Cells) -> Option<String> {
        let Values::Numbers(numbers) = &self.values else { return None };
        let cell = |row: usize| cells.rows[row].1[self.position].trim_start_matches(['-', '+']);
        let known = || numbers.iter().enumerate().filter_map(|(row, number)| Some((row, (*number)?.abs())));
        let (points, whole): (Vec<_>, Vec<_>) = known().partition(|&(row, _)| cell(row).contains('.'));
        let thousands = |&(row, _): &(usize, f64)| {
            cell(row).split_once('.').is_some_and(|(before, behind)| {
                let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                (1..=3).contains(&before.len())
                    && !before.starts_with('0')
                    && behind.len() == 3
                    && digits(behind)
            })
        };
        let largest = points.iter().map(|&(_, number)| number).fold(0.0, f64::max);
        let above = |&(_, number): &(usize, f64)| number > largest && number < 1000.0;
        if points.len() < FEW || whole.is_empty() || !points.iter().all(thousands) || !whole.iter().all(above)
        {
            return None;
        }
        let (row, number) = points[0];
        Some(format!(
            "{}: '{}' is {}, which is read as {number}, below all whole numbers of the column: if the point separates thousands, \
             write {}",
            cells.row_location(row),
            self.name,
            cell(row),
            cell(row).replace('.', "")
        ))
    }

    /// A warning of a covariate of pairs that numbers the rows, or that is called as labels and weights are.
    pub(super) fn no_covariate_warning(&self, file: &str) -> Option<String> {
        let Values::Numbers(numbers) = &self.values else { return self.link_warning(file) };
        let from = |first: usize| {
            let numbered = |(at, number): (usize, &Option<f64>)| *number == Some((at + first) as f64);
            numbers.iter().enumerate().all(numbered)
        };
        let name = &self.name;
        if numbers.len() >= FEW_ROWS && (from(0) || from(1)) {
            return Some(format!(
                "{file}: '{name}' numbers the rows and is read as a covariate: if it says nothing of the pairs, take the column \
                 out"
            ));
        }
        self.link_warning(file)
    }

    fn link_warning(&self, file: &str) -> Option<String> {
        let name = &self.name;
        let says = match meaning(name)? {
            Meaning::Label => "says whether a pair is a link",
            Meaning::Weight => "is the weight of a link",
            _ => return None,
        };
        Some(format!("{file}: '{name}' is read as a covariate: if it {says}, take the column out"))
    }

    /// A warning of a category whose name says that the value is not known.
    pub(super) fn unknown_warning(&self, file: &str) -> Option<String> {
        let Values::Categories { names, .. } = &self.values else { return None };
        let missing = |name: &&String| is_missing_category(name, names) || code_among_words(name, names);
        let unknown = names.iter().find(missing)?;
        Some(format!(
            "{file}: '{unknown}' is a category of '{}' like any other: if it stands for a missing value, leave its cells empty",
            self.name
        ))
    }

    /// A warning of categories that no two rows share, as dates are: nothing can be learned from them.
    pub(super) fn own_categories_warning(&self, file: &str) -> Option<String> {
        let Values::Categories { names, chosen } = &self.values else { return None };
        let own = names.len() >= FEW && names.len() == chosen.iter().flatten().count();
        own.then(|| {
            format!(
                "{file}: every value of '{}' is a category of its own ('{}'), so no two nodes share one; dates and other \
                 quantities must be plain numbers",
                self.name, names[0]
            )
        })
    }

    /// What the column is, for a list of all: its kind, and how many categories or words it has.
    pub(super) fn described(&self) -> String {
        let name = &self.name;
        let counted = |count: usize, one: &str, many: &str| {
            if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
        };
        match &self.values {
            Values::Numbers(_) => format!("{name} (number)"),
            Values::Categories { names, .. } => {
                format!("{name} ({})", counted(names.len(), "category", "categories"))
            }
            Values::Words { words, between, .. } => {
                let at = match between {
                    Between::Spaces => "",
                    Between::Sign(',') => " between commas",
                    Between::Sign(_) => " between semicolons",
                };
                format!("{name} ({}{at})", counted(words.len(), "word", "words"))
            }
        }
    }

    /// A warning of categories or words that may be one.
    pub(super) fn alike_warning(&self, file: &str) -> Option<String> {
        let (names, what) = match &self.values {
            Values::Numbers(_) => return None,
            Values::Categories { names, .. } => (names, "categories"),
            Values::Words { words, .. } => (words, "words"),
        };
        let remark = alike(names, &format!("{what} of '{}'", self.name))?;
        Some(format!("{file}: {remark}"))
    }

    /// A warning of commas or semicolons in cells whose words are separated by spaces.
    pub(super) fn sign_warning(&self, file: &str) -> Option<String> {
        let Values::Words { words, between: Between::Spaces, cut, .. } = &self.values else { return None };
        let name = &self.name;
        let separated = format!("{file}: words of '{name}' are separated by spaces");
        if let Some(word) = words.iter().find(|word| word.trim_matches(',').contains(',')) {
            return Some(format!("{separated}, so that '{word}' is one of them"));
        }
        cut.as_ref().map(|cut| {
            format!(
                "{separated}, as in '{cut}', and are without the commas and semicolons behind them: if what is between these is \
                 one word, write it without spaces (green_tea)"
            )
        })
    }
}
