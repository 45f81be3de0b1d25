//! Decodes selectors, and warns of those with which nothing would happen.

use super::reader::{At, Decoded, Reader};
use super::scalars::line;
use crate::Fault;
use crate::selector::{SelectorFinding, examine_selector};

/// A CSS selector.
pub(super) fn selector(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let selector = line(reader, at)?;
    warn_if_it_fails(reader, at, &selector);
    Ok(selector)
}

/// It is not an error, because the rest of the project works: the change or the click is passed over. What cannot run may say what it likes.
pub(super) fn warn_if_it_fails(reader: &mut Reader<'_>, at: &At<'_>, selector: &str) {
    if reader.is_idle {
        return;
    }
    let Some(SelectorFinding { code, message, hint }) = examine_selector(selector) else { return };
    reader.report(at, Fault { hint, ..at.warning(code, message) });
}
