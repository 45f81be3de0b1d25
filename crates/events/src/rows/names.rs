//! What the columns of files are called.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::rows::row::Row;

/// What the columns of a file are called, where that is not the field's own name: `visitor` may be `user_id`. A field `properties.plan` asks
/// for the property `plan`, which each file may have a column for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnNames {
    /// The column of each field.
    columns: BTreeMap<String, String>,
    /// The fields that say the same in each row, and what.
    constants: BTreeMap<String, String>,
    /// The properties that are numbers, so that they are read as `value` is.
    numbers: BTreeSet<String>,
    /// The properties that are true or false, however a tool writes that.
    booleans: BTreeSet<String>,
}

/// The properties that are wanted of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileProperties {
    /// All of them.
    pub names: BTreeSet<String>,
    /// Those that are numbers.
    pub numbers: BTreeSet<String>,
    /// Those that are true or false, and nothing else.
    pub booleans: BTreeSet<String>,
}

/// The field of an event's id. Columns called `id` or `event_id` have anything, kinds of events too, so the name of the column is always told.
pub(super) const EVENT_ID: &str = "id of the event";

/// The field of whether a visitor is held back, as requests call it.
pub(super) const HOLDBACK: &str = "holdback";

/// Whether a field tells visitors or events apart, so that of two ids that look the same, one may not be another that was rounded.
#[must_use]
pub fn is_id(field: &str) -> bool {
    field == "visitor" || field == EVENT_ID
}

/// What the field of a property begins with.
const PROPERTY: &str = "properties.";

/// A property that each event has a place for.
const REVENUE: &str = "revenue";

/// The fields that a column can be named for, beside those of properties.
const FIELDS: [&str; 12] = [
    "visitor",
    "time",
    "variation",
    "experiment",
    "browser",
    "device",
    "page",
    HOLDBACK,
    "name",
    "value",
    REVENUE,
    "id",
];

/// A column was named for what no row has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no column is for `{0}`; fields are {known} and `{PROPERTY}…`", known = FIELDS.map(|field| format!("`{field}`")).join(", "))]
pub struct UnknownField(pub String);

/// The columns that people named, each with its field before it; or, behind another `=`, what a field says in each row: files of orders have no
/// column that says they are orders.
///
/// # Errors
/// If there is no such field.
pub fn named_columns(
    named: impl IntoIterator<Item = (String, String)>,
) -> Result<ColumnNames, UnknownField> {
    let mut known = ColumnNames::default();
    for (field, column) in named {
        let field = match (field.as_str(), column.strip_prefix('=')) {
            ("id", _) => EVENT_ID.to_owned(),
            (REVENUE, _) => format!("{PROPERTY}{REVENUE}"),
            (name, Some(text)) if FIELDS.contains(&name) => {
                known.constants.insert(field, text.to_owned());
                continue;
            }
            (name, _) if FIELDS.contains(&name) || name.starts_with(PROPERTY) => field,
            _ => return Err(UnknownField(field)),
        };
        known.columns.insert(field, column);
    }
    Ok(known)
}

impl ColumnNames {
    /// The same with properties, which are in columns of their names unless something else is said.
    #[must_use]
    pub fn with_properties(mut self, properties: FileProperties) -> Self {
        let FileProperties { names, numbers, booleans } = properties;
        for property in names {
            self.columns.entry(format!("{PROPERTY}{property}")).or_insert(property);
        }
        Self { numbers, booleans, ..self }
    }

    /// What the column of a field is called.
    #[must_use]
    pub fn column<'n>(&'n self, field: &'n str) -> &'n str {
        self.columns.get(field).map_or(field, String::as_str)
    }

    /// Whether a column was named for this field, so that a file has to have it.
    #[must_use]
    pub fn names(&self, field: &str) -> bool {
        self.columns.contains_key(field)
    }

    /// What a field says in each row, whatever its column says.
    #[must_use]
    pub fn constant(&self, field: &str) -> Option<&str> {
        self.constants.get(field).map(String::as_str)
    }

    /// The column of a field in a file that lacks the one that was named for it: that of the field's own name, unless that is another field's.
    #[must_use]
    pub fn own_column<'f>(&self, field: &'f str) -> Option<&'f str> {
        let is_taken = self.columns.values().any(|column| column == field);
        (self.names(field) && field != EVENT_ID && !is_taken).then_some(field)
    }

    /// Whether this is the field or the property of a number.
    pub(super) fn is_number(&self, name: &str) -> bool {
        name == "value" || name == REVENUE || self.numbers.contains(name)
    }
}

/// The texts by which tools write that a number is missing: databases `\N`, data frames `NaN` and `None`.
const NO_NUMBER: [&str; 4] = ["null", "\\n", "nan", "none"];

/// Whether a text says that a number is missing.
pub(super) fn is_missing_number(text: &str) -> bool {
    NO_NUMBER.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The texts of true and false. PostgreSQL writes `t` and `f`, other databases `1` and `0`, a data frame with gaps `1.0` and `0.0`.
const BOOLEANS: [(bool, [&str; 4]); 2] =
    [(true, ["true", "t", "1", "1.0"]), (false, ["false", "f", "0", "0.0"])];

/// What a text says that is of true or false.
pub(super) fn boolean(text: &str) -> Option<bool> {
    let is = |word: &&'static str| text.eq_ignore_ascii_case(word);
    BOOLEANS.iter().find(|(_, words)| words.iter().any(is)).map(|(truth, _)| *truth)
}

impl ColumnNames {
    /// What a text of a property says; nothing, if it says that a number is missing.
    pub(super) fn said<'t>(&self, name: &str, text: &'t str) -> Option<&'t str> {
        if self.is_number(name) {
            return (!is_missing_number(text)).then_some(text);
        }
        if self.booleans.contains(name) {
            return Some(boolean(text).map_or(text, |truth| if truth { "true" } else { "false" }));
        }
        Some(text)
    }
}

/// The place of the column of this name among others; without it, of the only one whose name differs in capital letters alone.
///
/// # Errors
/// Two have the name: it is unknown which is meant.
pub fn column_place<'c>(
    columns: impl Iterator<Item = &'c str> + Clone,
    wanted: &str,
) -> Result<Option<usize>, ColumnTwice> {
    match only(columns.clone(), |column| column == wanted) {
        (Some(_), true) => Err(ColumnTwice(wanted.to_owned())),
        (Some(place), false) => Ok(Some(place)),
        (None, _) => match only(columns, |column| column.eq_ignore_ascii_case(wanted)) {
            (place, false) => Ok(place),
            (_, true) => Ok(None),
        },
    }
}

/// The place of the first column that is so, and whether another one is.
fn only<'c>(
    columns: impl Iterator<Item = &'c str>,
    is: impl Fn(&str) -> bool,
) -> (Option<usize>, bool) {
    let mut found = columns.enumerate().filter(|(_, column)| is(column));
    let place = found.next().map(|(place, _)| place);
    (place, found.next().is_some())
}

/// Two columns have one name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there are two columns `{0}`; hint: rename one, or name another with `column`")]
pub struct ColumnTwice(String);

/// The columns that a file of events of Assay has and that no file of rows needs.
const OF_EXPORTS: [&str; 3] = ["kind", "event_id", "is_held_back"];

/// Refuses what Assay exported: it has exposures and events in one file, under names of its own, and marks of what does not count.
///
/// # Errors
/// What to do instead.
pub fn refuse_export(has: impl Fn(&str) -> bool) -> Result<(), &'static str> {
    if OF_EXPORTS.iter().all(|column| has(column)) {
        return Err(
            "these are events that Assay exported, with exposures and events in one file; hint: split them by `kind`, as docs/your-files.md says (An export of Assay)",
        );
    }
    Ok(())
}

/// The properties that are asked for, each with its column.
#[must_use]
pub fn wanted_properties<R: Row>(names: &ColumnNames) -> Vec<(&str, &str)> {
    let wanted = names.columns.iter().filter(|_| R::HAS_PROPERTIES);
    let wanted =
        wanted.filter_map(|(field, column)| Some((field.strip_prefix(PROPERTY)?, column.as_str())));
    wanted.collect()
}

/// The columns that the importer named (`--column`), so that they have to be there. Of properties, only those that are called otherwise: metrics
/// ask for the others, which a file may lack.
#[must_use]
pub fn columns_named<R: Row>(names: &ColumnNames) -> BTreeSet<String> {
    let fields = R::FIELDS.iter().filter_map(|(field, _)| names.columns.get(*field));
    let properties = wanted_properties::<R>(names).into_iter();
    let others = properties.filter(|(property, column)| property != column);
    fields.cloned().chain(others.map(|(_, column)| column.to_owned())).collect()
}
