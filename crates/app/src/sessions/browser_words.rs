//! Describes a browser from its `User-Agent`: enough for a member to recognise it, and all that we keep.

use events::Browser;

/// No real browser sends more; the rest is ignored.
const LENGTH_AT_MOST: usize = 512;

const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "Chrome OS"),
    ("Mac OS X", "a Mac"),
    ("Linux", "Linux"),
    ("X11", "Linux"),
];

/// `Firefox on Windows`; less if the browser tells less, and empty if it tells nothing.
pub(crate) fn browser_words(user_agent: &str) -> String {
    let end = user_agent.floor_char_boundary(LENGTH_AT_MOST);
    let user_agent = &user_agent[..end];
    let browser = Browser::of_user_agent(user_agent).and_then(Browser::brand);
    let system = SYSTEMS.iter().find(|(sign, _)| user_agent.contains(sign));
    match (browser, system.map(|(_, words)| *words)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) => format!("a browser on {system}"),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::browser_words;

    #[test]
    fn common_browsers_are_recognised() {
        for (user_agent, words) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
                "Firefox on Windows",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                "Chrome on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
                "Safari on an iPhone",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
                "Safari on a Mac",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
        ] {
            assert_eq!(browser_words(user_agent), words, "{user_agent}");
        }
    }

    #[test]
    fn an_unknown_browser_is_described_in_few_words() {
        assert_eq!(browser_words(""), "");
        assert_eq!(browser_words("<script>"), "");
        assert_eq!(browser_words("Something (X11)"), "a browser on Linux");
        assert_eq!(browser_words(&format!("{}Firefox/1", "\u{e9}".repeat(600))), "");
    }
}
