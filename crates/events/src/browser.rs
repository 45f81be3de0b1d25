//! Which browser a visitor has, coarsely: enough to see that an experiment breaks in one of them, and too little to tell visitors apart.

use serde::{Deserialize, Serialize};

/// A family of browsers. Versions are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Browser {
    /// Chrome, Chromium, and what calls itself nothing else.
    Chrome,
    /// Safari.
    Safari,
    /// Firefox.
    Firefox,
    /// Edge.
    Edge,
    /// Samsung Internet.
    SamsungInternet,
    /// Opera.
    Opera,
    /// The browser inside another app, which often keeps no storage and opens links elsewhere.
    InApp,
    /// Any other.
    Other,
}

use Browser::{Chrome, Edge, Firefox, InApp, Opera, Other, Safari, SamsungInternet};

/// What browsers write into their `User-Agent`, in lower case. The first sign counts: most browsers also name those that they want to be taken for.
const SIGNS: [(&str, Browser); 31] = [
    ("; wv)", InApp),
    ("fban/", InApp),
    ("fbav/", InApp),
    ("instagram", InApp),
    ("micromessenger/", InApp),
    ("gsa/", InApp),
    ("samsungbrowser/", SamsungInternet),
    ("edg/", Edge),
    ("edge/", Edge),
    ("edga/", Edge),
    ("edgios/", Edge),
    ("opr/", Opera),
    ("opera", Opera),
    ("opios/", Opera),
    ("opt/", Opera),
    ("ucbrowser", Other),
    ("miuibrowser", Other),
    ("huaweibrowser", Other),
    ("qqbrowser", Other),
    ("yabrowser", Other),
    ("duckduckgo", Other),
    ("ddg/", Other),
    ("vivaldi/", Other),
    ("whale/", Other),
    ("silk/", Other),
    ("firefox/", Firefox),
    ("fxios/", Firefox),
    ("chrome/", Chrome),
    ("chromium/", Chrome),
    ("crios/", Chrome),
    // The browser of old Androids calls itself Safari.
    ("android", Other),
];

/// What other tools call browsers, in lower case without blanks: `Safari (in-app)`, `Android Webview`, `Mobile Safari`.
const NAMES: [(&str, Browser); 9] = [
    ("in-app", InApp),
    ("in_app", InApp),
    ("webview", InApp),
    ("samsung", SamsungInternet),
    ("edge", Edge),
    ("opera", Opera),
    ("firefox", Firefox),
    ("chrom", Chrome),
    ("safari", Safari),
];

impl Browser {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Chrome, Safari, Firefox, Edge, SamsungInternet, Opera, InApp, Other];

    /// The browser that sends this `User-Agent` (RFC 9110 section 10.1.5); `None` if that is empty.
    #[must_use]
    pub fn of_user_agent(user_agent: &str) -> Option<Self> {
        let text = user_agent.trim().to_ascii_lowercase();
        if text.is_empty() {
            return None;
        }
        let sign = SIGNS.iter().find(|(sign, _)| text.contains(sign)).map(|(_, browser)| *browser);
        Some(sign.unwrap_or_else(|| of_apple(&text)))
    }

    /// The browser that another tool calls so, or whose `User-Agent` it tells; `None` of an empty text.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        if text.contains('/') {
            return Self::of_user_agent(text);
        }
        let name = text.trim().to_ascii_lowercase();
        if name.is_empty() {
            return None;
        }
        let known = NAMES.iter().find(|(known, _)| name.contains(known));
        Some(known.map_or(Other, |(_, browser)| *browser))
    }

    /// The one with this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|browser| browser.word() == word)
    }

    /// The word, for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Chrome => "chrome",
            Safari => "safari",
            Firefox => "firefox",
            Edge => "edge",
            SamsungInternet => "samsung_internet",
            Opera => "opera",
            InApp => "in_app",
            Other => "other",
        }
    }

    /// What people call it, if it is one browser.
    #[must_use]
    pub const fn brand(self) -> Option<&'static str> {
        match self {
            InApp | Other => None,
            Chrome | Safari | Firefox | Edge | SamsungInternet | Opera => Some(self.name()),
        }
    }

    /// The name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Chrome => "Chrome",
            Safari => "Safari",
            Firefox => "Firefox",
            Edge => "Edge",
            SamsungInternet => "Samsung Internet",
            Opera => "Opera",
            InApp => "Browsers in apps",
            Other => "Other browsers",
        }
    }
}

/// Safari tells its version; the views of other apps on Apple's devices tell neither it nor, mostly, Safari.
fn of_apple(text: &str) -> Browser {
    if text.contains("safari/") && text.contains("version/") {
        Safari
    } else if text.contains("applewebkit/") && text.contains("mobile/") {
        InApp
    } else {
        Other
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Browser;

    #[test]
    fn browsers_are_read_by_what_they_call_themselves_first() {
        for (user_agent, browser) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
                Browser::Chrome,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1",
                Browser::Chrome,
            ),
            (
                "Mozilla/5.0 (Linux; Android 12; motorola edge 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
                Browser::Chrome,
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
                Browser::Safari,
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1",
                Browser::Safari,
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
                Browser::Firefox,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/133.0 Mobile/15E148 Safari/605.1.15",
                Browser::Firefox,
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
                Browser::Edge,
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
                Browser::SamsungInternet,
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0",
                Browser::Opera,
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.39 Mobile Safari/537.36",
                Browser::InApp,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
                Browser::InApp,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 355.0 (iPhone14,5; en_US)",
                Browser::InApp,
            ),
            (
                "Mozilla/5.0 (Linux; U; Android 4.0.3; en-us) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
                Browser::Other,
            ),
            ("Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko", Browser::Other),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1 Ddg/18.1",
                Browser::Other,
            ),
            ("curl/8.10", Browser::Other),
        ] {
            assert_eq!(Browser::of_user_agent(user_agent), Some(browser), "{user_agent}");
            assert_eq!(Browser::of_text(user_agent), Some(browser), "{user_agent}");
        }
        assert_eq!([Browser::of_user_agent(" "), Browser::of_text("")], [None, None]);
    }

    #[test]
    fn names_of_other_tools_are_read() {
        for (name, browser) in [
            ("Chrome", Browser::Chrome),
            ("Mobile Safari", Browser::Safari),
            ("Safari (in-app)", Browser::InApp),
            ("Android Webview", Browser::InApp),
            ("Samsung Internet", Browser::SamsungInternet),
            ("Microsoft Edge", Browser::Edge),
            ("Internet Explorer", Browser::Other),
            ("7", Browser::Other),
        ] {
            assert_eq!(Browser::of_text(name), Some(browser), "{name}");
        }
        for browser in Browser::ALL {
            assert_eq!(Browser::of_word(browser.word()), Some(browser));
            assert_eq!(Browser::of_text(browser.word()), Some(browser));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_one_of_the_families(
            text in prop_oneof![any::<String>(), "\\PC{0,40}(Safari/|Version/|; wv\\)|edg/|\u{0}){0,4}.{0,9}"],
            times in 0..300_usize,
        ) {
            for text in [text.clone(), text.repeat(times)] {
                let is_empty = text.trim().is_empty();
                prop_assert_eq!(Browser::of_user_agent(&text).is_none(), is_empty);
                prop_assert_eq!(Browser::of_text(&text).is_none(), is_empty);
            }
        }
    }
}
