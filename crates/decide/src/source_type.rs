//! What kind of source brought the visitor.

use crate::query::query_parameter;

const CAMPAIGN_PARAMETERS: [&str; 3] = ["utm_source", "gclid", "otm_source"];

const SEARCH_ENGINES: [&str; 4] = ["google", "bing", "yahoo", "baidu"];

/// `campaign`, `search`, `referral` or `direct`.
pub(crate) fn source_type(url: &str, referrer: &str) -> &'static str {
    let host = host_of(referrer);
    if CAMPAIGN_PARAMETERS.iter().any(|name| query_parameter(url, name).is_some()) {
        "campaign"
    } else if is_search_engine(host) {
        "search"
    } else if !host.is_empty() && host != host_of(url) {
        "referral"
    } else {
        "direct"
    }
}

/// Whether one of the host's labels, but for the last, is the name of one.
fn is_search_engine(host: &str) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    labels
        .split_last()
        .is_some_and(|(_, labels)| labels.iter().any(|label| SEARCH_ENGINES.contains(label)))
}

/// With its port, without a leading `www.`; empty for no address of a page.
fn host_of(address: &str) -> &str {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let host = rest.unwrap_or_default().split(['/', '?', '#']).next().unwrap_or_default();
    match host.strip_prefix("www.") {
        Some(without) if !without.is_empty() => without,
        Some(_) | None => host,
    }
}
