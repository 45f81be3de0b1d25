//! Selectors: Optimizely asks jQuery for elements where a page has it, Assay asks the browser.

use domain::{examine_selector, standard_selector};
use serde_json::{Map, Value};

use crate::export_location::At;
use crate::importer::Importer;

impl<'e> Importer<'e> {
    /// The selector in a field, as browsers read it if it can be written so.
    pub(crate) fn selector(&mut self, at: &At<'e>, field: &str) -> Option<String> {
        let selector = self.text(at, field)?;
        let Some(standard) = standard_selector(&selector) else { return Some(selector) };
        if let Some(at) = at.field(field) {
            let message = format!("the selector `{selector}` is `{standard}` in Assay");
            self.ledger.changed(&at, message, "");
        }
        Some(standard)
    }
}

/// Why a change would do nothing, if no browser reads one of its selectors. The check of the document says more of it.
pub(crate) fn flaw(change: &Map<String, Value>) -> Option<String> {
    let selectors = ["selector", "to"].into_iter().filter_map(|field| change.get(field)?.as_str());
    let is_refused = |selector: &&str| {
        examine_selector(selector).is_some_and(|finding| finding.is_refused_by_browsers())
    };
    let refused = selectors.into_iter().find(is_refused)?;
    Some(format!("no browser reads the selector `{refused}` of a change"))
}
