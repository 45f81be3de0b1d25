//! Which browsers, platforms and versions conditions can name.

const BROWSERS: &[&str] = &["gc", "ff", "safari", "ie", "edge", "opera", "ucbrowser"];

const PLATFORMS: &[&str] = &[
    "ios",
    "android",
    "mac os",
    "windows",
    "windows phone",
    "chrome os",
    "blackberry",
    "tizen",
    "webos",
];

/// `gc`, `gc120`, `safari17.1`; a browser that the runtime does not recognize has no version.
pub(super) fn is_browser_version(value: &str) -> bool {
    let name = value.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.');
    let version = value.strip_prefix(name).unwrap_or_default();
    value == "unknown" || BROWSERS.contains(&name) && (version.is_empty() || is_version(version))
}

/// `ios`, `ios_17`, `windows_vista`; Linux reports no version.
pub(super) fn is_platform(value: &str) -> bool {
    let Some((name, version)) = value.split_once('_') else {
        return value == "linux" || PLATFORMS.contains(&value);
    };
    // An empty version means a platform that reports none.
    let is_named = name == "windows" && ["xp", "vista"].contains(&version);
    let is_known = version.is_empty() || is_version(version) || is_named;
    PLATFORMS.contains(&name) && is_known || value == "linux_"
}

fn is_version(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split('.').all(is_number)
}
