//! What a person finds by typing a few words.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// A text without what people leave out when they search: capitals and accents.
pub(crate) fn plain(text: &str) -> String {
    let characters = text.nfkd().filter(|one| !is_combining_mark(*one));
    characters.collect::<String>().to_lowercase()
}
