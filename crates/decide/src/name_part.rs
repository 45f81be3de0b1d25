//! The name part of a decision string: cleaned if asked for, then cut. Lengths are UTF-16 units, as
//! in the visitor's page.

use crate::decision::{Cleaning, DecisionFormat, Label};

/// The name as this format wants it, whole; empty for a nameless entity.
pub(crate) fn name_part(label: Label<'_>, format: DecisionFormat) -> String {
    let name = label.name.unwrap_or_default();
    match format.cleaning {
        Cleaning::Keep => name.to_owned(),
        Cleaning::Clean => clean(name),
    }
}

/// The id part: never cleaned, never cut.
pub(crate) fn id_part(label: Label<'_>) -> String {
    format!("({})", label.id)
}

/// Length in UTF-16 units.
pub(crate) fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The longest beginning of `text` that has at most `max_units` and ends with a whole character.
pub(crate) fn cut(text: &str, max_units: usize) -> &str {
    let mut units = 0;
    let end = text.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units > max_units
    });
    end.map_or(text, |(index, _)| &text[..index])
}

/// Every run of characters that analytics tools may trip over becomes one underscore.
fn clean(name: &str) -> String {
    let mut cleaned = String::with_capacity(name.len());
    for character in name.chars() {
        if is_clean(character) {
            cleaned.push(character);
        } else if !cleaned.ends_with('_') {
            // An underscore here always stands for a run, because underscores themselves are
            // replaced.
            cleaned.push('_');
        }
    }
    cleaned
}

fn is_clean(character: char) -> bool {
    character.is_ascii_alphanumeric() || ".~!*()'".contains(character)
}
