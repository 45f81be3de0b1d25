//! The visitor's device, from the user agent.

/// `desktop`, `mobile`, `tablet`, `iphone` or `ipad`. Robots count as desktops.
pub(crate) fn device_of(user_agent: &str, touch_points: u32) -> &'static str {
    let says = |word: &str| user_agent.contains(word);
    if says("iPad") || is_disguised_ipad(user_agent, touch_points) {
        return "ipad";
    }
    if says("iPhone") || says("iPod") {
        return "iphone";
    }
    let is_mobile = says("Mobi");
    if says("Tablet") || (says("Android") && !is_mobile) {
        return "tablet";
    }
    if is_mobile { "mobile" } else { "desktop" }
}

/// Since iPadOS 13, an iPad calls itself a Macintosh; no Macintosh has a touch screen.
pub(crate) fn is_disguised_ipad(user_agent: &str, touch_points: u32) -> bool {
    user_agent.contains("Macintosh") && touch_points > 1
}
