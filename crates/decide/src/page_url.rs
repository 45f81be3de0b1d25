//! A page's address in the forms that conditions compare. [`crate::UrlCondition`] says which
//! condition takes which form.

/// Query parameters that steer Assay itself begin with this; conditions never see them.
const RESERVED_PREFIX: &str = "experimentation_";

/// An address as conditions see it, prepared once for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageUrl {
    pub(crate) raw: String,
    pub(crate) without_query: String,
    pub(crate) exact: String,
    pub(crate) with_www: String,
}

impl PageUrl {
    /// Of the whole address, as the browser's `location.href` has it.
    #[must_use]
    pub fn new(href: &str) -> Self {
        let raw = drop_reserved_parameters(href);
        Self {
            without_query: without_query_form(&raw),
            exact: exact_form(&raw),
            with_www: with_www_form(&raw),
            raw,
        }
    }
}

/// Without query, fragment, scheme, `www.`, trailing slash and differences of case.
pub(crate) fn without_query_form(url: &str) -> String {
    exact_form(until(until(url, '?'), '#'))
}

/// Without scheme, `www.`, trailing slash and differences of case; query and fragment stay as they
/// are.
pub(crate) fn exact_form(url: &str) -> String {
    let form = with_www_form(url);
    form.strip_prefix("www.").unwrap_or(&form).to_owned()
}

/// Like [`exact_form`], but `www.` stays, so that a part of an address can be found in it.
pub(crate) fn with_www_form(url: &str) -> String {
    // The trailing slash of the path may stand before the query, too.
    let form = url.replacen("/?", "?", 1).to_lowercase();
    let form = form.trim_end_matches(['/', '&', '?']);
    let form =
        form.strip_prefix("http://").or_else(|| form.strip_prefix("https://")).unwrap_or(form);
    form.to_owned()
}

fn until(text: &str, end: char) -> &str {
    text.split(end).next().unwrap_or(text)
}

/// The fragment, an address without query, and an empty query stay as they are.
fn drop_reserved_parameters(href: &str) -> String {
    let fragment_start = href.find('#').unwrap_or(href.len());
    let (address, fragment) = href.split_at(fragment_start);
    let Some((path, query)) = address.split_once('?') else {
        return href.to_owned();
    };
    // A further question mark belongs to no parameter, so it must not hide one that is reserved.
    let query = query.replace('?', "");
    let kept: Vec<&str> =
        query.split('&').filter(|parameter| !parameter.starts_with(RESERVED_PREFIX)).collect();
    let mark = if kept.is_empty() { "" } else { "?" };
    [path, mark, &kept.join("&"), fragment].concat()
}
