//! The first line of a backup: what follows, table by table.

use serde::{Deserialize, Serialize};

/// What the first line of every backup says it is.
pub(crate) const FORMAT: &str = "assay-backup";

/// The format that this code writes. It reads this one only, as there was no other.
pub(crate) const VERSION: u32 = 1;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) format: String,
    pub(crate) version: u32,
    /// How many steps of the schema the database had seen.
    pub(crate) schema: u32,
    /// When the backup was made, for people.
    pub(crate) made_at: String,
    /// In an order in which no row refers to a later one.
    pub(crate) tables: Vec<Table>,
}

/// A table: its rows follow in this number, after those of the tables before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: u64,
    /// The highest id that was ever given, where no id is given twice and the database keeps count.
    pub(crate) last_id: Option<i64>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: ColumnType,
}

/// The type of a column, the same for all databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ColumnType {
    /// A whole number of 64 bits.
    Integer,
    /// Text.
    Text,
    /// Bytes, in base64.
    Bytes,
}

impl ColumnType {
    /// The type that a database calls so.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "bigint" | "integer" => Some(Self::Integer),
            "text" => Some(Self::Text),
            "blob" | "bytea" => Some(Self::Bytes),
            _ => None,
        }
    }
}

impl Header {
    pub(crate) fn new(schema: u32, made_at: String, tables: Vec<Table>) -> Self {
        Self { format: FORMAT.to_owned(), version: VERSION, schema, made_at, tables }
    }

    /// The rows of all tables.
    pub(crate) fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).fold(0, u64::saturating_add)
    }
}

impl Table {
    /// The names of its columns, for a statement.
    pub(crate) fn column_names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        names.join(", ")
    }

    /// Whether this is the table of that name, with the same columns. Rows may differ.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        self.name == other.name && self.columns == other.columns
    }
}
