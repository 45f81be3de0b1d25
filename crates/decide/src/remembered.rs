//! The visitor's data that the page keeps as first seen.

use serde::Deserialize;

/// The data of the visitor's earlier page views. It takes precedence over this page view; missing fields do not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Remembered {
    /// The first `utm_campaign`.
    pub campaign: Option<String>,
    /// The first address that the visitor came from.
    pub referrer: Option<String>,
    /// The last kind of source that was not `direct`, or `direct`. It gives way to any other kind but `direct`.
    pub source_type: Option<String>,
    /// The first `desktop`, `mobile`, `tablet`, `iphone` or `ipad`.
    pub device: Option<String>,
    /// The first `phone`, `tablet`, `desktop_laptop` or `other`.
    pub device_type: Option<String>,
    /// The first browser with its version, such as `gc120.0.6099.110`.
    pub browser_version: Option<String>,
}

/// The first-seen value, or else the present one; an empty text is none.
pub(crate) fn first_seen<'v>(
    remembered: Option<&'v String>,
    now: impl FnOnce() -> Option<&'v str>,
) -> Option<&'v str> {
    let earlier = remembered.map(String::as_str).filter(|text| !text.is_empty());
    earlier.or_else(now).filter(|text| !text.is_empty())
}
