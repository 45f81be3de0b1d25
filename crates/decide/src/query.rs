//! The query of a page's address.

/// The value of the first parameter of that name, as it is written: not decoded.
pub(crate) fn query_parameter<'u>(url: &'u str, name: &str) -> Option<&'u str> {
    let address = url.split('#').next().unwrap_or(url);
    let (_, query) = address.split_once('?')?;
    let pair = query.split('&').find(|pair| pair.split('=').next() == Some(name))?;
    Some(pair.get(name.len() + 1..).unwrap_or_default())
}
