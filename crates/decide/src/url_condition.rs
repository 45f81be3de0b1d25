//! A condition on a page's address, in one of the four ways to match it.

use crate::effort::{Effort, Room};
use crate::page_url::{PageUrl, exact_form, with_www_form, without_query_form};
use crate::pattern::{Pattern, PatternFault};

/// A condition on the address, prepared for many pages.
#[derive(Debug, Clone)]
pub struct UrlCondition(Match);

#[derive(Debug, Clone)]
enum Match {
    Simple(String),
    Exact(String),
    Substring(String),
    Regex(Pattern),
}

impl UrlCondition {
    /// The same page, whatever its query and fragment.
    #[must_use]
    pub fn simple(value: &str) -> Self {
        Self(Match::Simple(without_query_form(value)))
    }

    /// The same address with the same query and fragment.
    #[must_use]
    pub fn exact(value: &str) -> Self {
        Self(Match::Exact(exact_form(value)))
    }

    /// An address with this in it, in whatever case; an empty value is in every address.
    #[must_use]
    pub fn substring(value: &str) -> Self {
        Self(Match::Substring(with_www_form(value)))
    }

    /// An address with a match of this pattern anywhere in it, case and all.
    ///
    /// # Errors
    ///
    /// [`PatternFault`] as [`Pattern::new`].
    pub fn regex(pattern: &str) -> Result<Self, PatternFault> {
        Pattern::new(pattern).map(Match::Regex).map(Self)
    }

    /// The same with a pattern that was checked.
    pub(crate) fn checked_regex(pattern: &str, room: &Room) -> Option<Self> {
        Pattern::checked(pattern, room).map(Match::Regex).map(Self).ok()
    }

    /// Whether the page's address meets the condition.
    #[must_use]
    pub fn is_met_by(&self, url: &PageUrl, effort: &Effort) -> bool {
        match &self.0 {
            Match::Simple(value) => url.without_query == *value,
            Match::Exact(value) => url.exact == *value,
            Match::Substring(value) => url.with_www.contains(value.as_str()),
            Match::Regex(pattern) => pattern.is_in(&url.raw, effort),
        }
    }
}
