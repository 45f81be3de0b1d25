//! Which browser a user agent speaks for.

use std::sync::LazyLock;

use crate::first_sign::Signs;

/// In this order, since most browsers also name those they want to be taken for. Old Operas have their version at the end.
static BROWSERS: LazyLock<Signs> = LazyLock::new(|| {
    Signs::new(&[
        ("ucbrowser", r"UC ?Browser/?([0-9.]*)"),
        ("opera", r"Opera.*Version/([0-9.]+)"),
        ("opera", r"(?:OPR|OPT|OPX|OPiOS|Opera|Opera Mini)[/ ]([0-9.]+)"),
        ("edge", r"Edg(?:e|A|iOS)?/([0-9.]+)"),
        ("ie", r"(?:MSIE |Trident.*rv:)([0-9.]+)"),
        (
            "unknown",
            r"Headless|(?:Samsung|Miui|Huawei|QQ|Ya)Browser|DuckDuckGo|Vivaldi|Whale|Silk|SeaMonkey",
        ),
        ("gc", r"(?:Chrome|Chromium|CriOS)/([0-9.]+)"),
        ("ff", r"(?:Firefox|FxiOS)/([0-9.]+)"),
        // The browser of old Androids calls itself Safari.
        ("unknown", r"Android"),
        ("safari", r"Version/([0-9.]+).* Safari/"),
        ("unknown", r"WebKit|Gecko/"),
    ])
});

/// The browser with its version, such as `gc120.0.6099.110`. `unknown` for one that is none of those we tell apart; empty where the
/// user agent names none.
pub(crate) fn browser_of(user_agent: &str) -> String {
    BROWSERS.first_in(user_agent)
}
