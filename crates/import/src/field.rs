//! Reads single fields of the export. Leaves invalid values out, and reports them.

use serde_json::Value;

use crate::export_location::At;
use crate::identity::id_text;
use crate::importer::Importer;

/// Everyone, in basis points.
pub(crate) const ALL: u64 = 10_000;

impl<'e> Importer<'e> {
    /// A text; an empty one counts as none.
    pub(crate) fn text(&mut self, at: &At<'e>, field: &str) -> Option<String> {
        let at = at.field(field)?;
        let Some(text) = at.value.as_str() else {
            self.ledger.left_out(&at, format!("`{field}` is not a text"), "");
            return None;
        };
        self.ledger.settle(&at);
        Some(text.to_owned()).filter(|text| !text.is_empty())
    }

    /// Whether something is so; `false` where it is not said.
    pub(crate) fn flag(&mut self, at: &At<'e>, field: &str) -> bool {
        self.said(at, field).unwrap_or_default()
    }

    /// Whether something is so, if it is said.
    pub(crate) fn said(&mut self, at: &At<'e>, field: &str) -> Option<bool> {
        let at = at.field(field)?;
        if at.value.is_boolean() {
            self.ledger.settle(&at);
        } else {
            self.ledger.left_out(&at, format!("`{field}` is neither `true` nor `false`"), "");
        }
        at.value.as_bool()
    }

    /// A share of visitors, in basis points. `Err` if the field has another value.
    pub(crate) fn share(&mut self, at: &At<'e>, field: &str) -> Result<Option<u64>, ()> {
        let Some(at) = at.field(field) else { return Ok(None) };
        let share = at.value.as_u64().or_else(|| at.value.as_str()?.parse().ok());
        if let Some(share) = share.filter(|share| *share <= ALL) {
            self.ledger.settle(&at);
            return Ok(Some(share));
        }
        let message = format!("`{field}` is not a share, expected basis points from 0 to {ALL}");
        self.ledger.left_out(&at, message, "set it by hand");
        Err(())
    }

    /// One of a few words; `None` where nothing is said. `Err` when the word is not known.
    pub(crate) fn word<'w>(
        &mut self,
        at: &At<'e>,
        field: &str,
        words: &[(&str, &'w str)],
    ) -> Result<Option<&'w str>, ()> {
        let Some(at) = at.field(field) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| at.value.as_str() == Some(word));
        if let Some((_, ours)) = found {
            self.ledger.settle(&at);
            return Ok(Some(ours));
        }
        let given = shown(at.value);
        self.ledger.left_out(&at, format!("`{field}` is {given}, which Assay does not know"), "");
        Err(())
    }

    /// The ids in a list, each with its place. Other values are left out.
    pub(crate) fn ids(&mut self, at: &At<'e>, field: &str) -> Vec<(At<'e>, String)> {
        let mut ids = Vec::new();
        for at in at.list(field) {
            match id_text(at.value) {
                Some(id) => {
                    self.ledger.settle(&at);
                    ids.push((at, id));
                }
                None => self.ledger.left_out(&at, "this is not an id", ""),
            }
        }
        ids
    }

    /// Whether the resource was archived in Optimizely.
    pub(crate) fn archived(&mut self, at: &At<'e>) -> bool {
        self.flag(at, "archived")
    }
}

/// Bytes of a value that a message quotes.
const MAX_SHOWN: usize = 60;

/// A value as a message quotes it.
pub(crate) fn shown(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let short: String = text.chars().take(MAX_SHOWN).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("`{short}{more}`")
}
