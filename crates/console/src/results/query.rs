//! The query of a results page: how it is read and written.

use app::results::SegmentBy;

use crate::fields::Fields;
use crate::refusal::Refusal;

/// The query of a results page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ResultsQuery {
    /// By what the page is to be split.
    pub(super) split: Option<SegmentBy>,
    /// The revision whose experiments are asked for, if not the live one.
    pub(super) revision: Option<u32>,
}

impl ResultsQuery {
    /// Reads a query; `Err` if it says what is none.
    pub(super) fn read(query: Option<&str>) -> Result<Self, Refusal> {
        let fields = Fields::read(query.unwrap_or_default().as_bytes());
        let fields = fields.ok_or(Refusal::NoSuchPage)?;
        let revision = match fields.get("revision") {
            "" => None,
            number => Some(number.parse().map_err(|_| Refusal::NoSuchPage)?),
        };
        Ok(Self { split: split(&fields)?, revision })
    }

    /// The query of a page, and of its files, that is asked for the same.
    pub(super) fn to_query_string(self) -> String {
        let mut query = form_urlencoded::Serializer::for_suffix(String::from("?"), 1);
        query.extend_pairs(self.revision.map(|number| ("revision", number.to_string())));
        query.extend_pairs(self.split.map(|by| ("segment", by.word())));
        let query = query.finish();
        if query == "?" { String::new() } else { query }
    }
}

/// By what a page is to be split; `Err` if its query says what is none.
pub(super) fn split(fields: &Fields) -> Result<Option<SegmentBy>, Refusal> {
    match fields.get("segment") {
        "" => Ok(None),
        word => SegmentBy::of_word(word).map(Some).ok_or(Refusal::NoSuchPage),
    }
}
