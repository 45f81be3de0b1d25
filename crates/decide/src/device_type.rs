//! Which kind of device a user agent speaks for.

use std::sync::LazyLock;

use regex::Regex;

use crate::device::device_of;
use crate::first_sign::sign_of;

/// Devices that are neither hand-held nor laptops, whatever else they call themselves.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    sign_of(
        r"TV(?-u:\b)|BRAVIA|CrKey|PlayStation|Xbox|Nintendo|[Bb]ot(?-u:\b)|[Cc]rawl|[Ss]pider|Google(-|Other)|-Google|Lighthouse|BingPreview",
    )
});

const COMPUTERS: [&str; 5] = ["Windows", "Macintosh", "Linux", "X11", "CrOS"];

/// `phone`, `tablet`, `desktop_laptop`, or `other`, such as televisions and robots.
pub(crate) fn device_type_of(user_agent: &str, touch_points: u32) -> &'static str {
    if OTHERS.is_match(user_agent) {
        return "other";
    }
    match device_of(user_agent, touch_points) {
        "tablet" | "ipad" => "tablet",
        "mobile" | "iphone" => "phone",
        _ if COMPUTERS.iter().any(|system| user_agent.contains(system)) => "desktop_laptop",
        _ => "other",
    }
}
