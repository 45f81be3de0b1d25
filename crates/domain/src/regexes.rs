//! Collects every regular expression in a project, for the compiler, which checks them.

use serde_json::Value;

use crate::{Condition, LocatorType, MatchKind, Page, Pointer, Project};

/// A regular expression that the member wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regex<'a> {
    /// Where it stands in the document.
    pub pointer: Pointer,
    /// The expression, without delimiters or flags.
    pub text: &'a str,
}

impl Project {
    /// Every regular expression: those of locators, then those of conditions.
    #[must_use]
    pub fn regexes(&self) -> Vec<Regex<'_>> {
        let locators =
            self.located_pages().flat_map(|(pointer, page)| regexes_of_page(&pointer, page));
        let conditions =
            self.located_conditions().into_iter().filter_map(|(pointer, condition)| {
                let text = regex_of_condition(condition)?;
                Some(Regex { pointer: pointer.field("value"), text })
            });
        locators.chain(conditions).collect()
    }
}

fn regexes_of_page<'a>(pointer: &Pointer, page: &'a Page) -> Vec<Regex<'a>> {
    let tags = page.tags.iter().enumerate();
    let regex = tags.filter_map(|(index, tag)| {
        let text =
            tag.locator.as_deref().filter(|_| tag.locator_type == Some(LocatorType::UrlRegex))?;
        Some(Regex { pointer: pointer.field("tags").element(index).field("locator"), text })
    });
    regex.collect()
}

fn regex_of_condition(condition: &Condition) -> Option<&str> {
    let is_regex = condition.match_kind == Some(MatchKind::Regex);
    condition.value.as_ref().filter(|_| is_regex).and_then(Value::as_str)
}
