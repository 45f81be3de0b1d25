//! Which kind of device a visitor has.

use serde::{Deserialize, Serialize};

/// A kind of device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// A desktop or laptop computer.
    Desktop,
    /// A phone.
    Mobile,
    /// A tablet; iPads that call themselves Macs are desktops.
    Tablet,
    /// Any other, such as a television.
    Other,
}

use Device::{Desktop, Mobile, Other, Tablet};

/// What devices write into the `User-Agent` of their browsers, in lower case. The first sign counts: televisions call themselves Android, too.
const SIGNS: [(&str, Device); 21] = [
    ("smart-tv", Other),
    ("smarttv", Other),
    ("googletv", Other),
    ("appletv", Other),
    ("hbbtv", Other),
    ("android tv", Other),
    ("bravia", Other),
    ("crkey", Other),
    ("playstation", Other),
    ("xbox", Other),
    ("nintendo", Other),
    ("ipad", Tablet),
    ("iphone", Mobile),
    ("ipod", Mobile),
    ("tablet", Tablet),
    ("mobi", Mobile),
    ("android", Tablet),
    ("windows", Desktop),
    ("macintosh", Desktop),
    ("linux", Desktop),
    ("cros", Desktop),
];

/// What other tools call devices.
const NAMES: [(&str, Device); 9] = [
    ("tv", Other),
    ("tablet", Tablet),
    ("ipad", Tablet),
    ("mobile", Mobile),
    ("phone", Mobile),
    ("desktop", Desktop),
    ("laptop", Desktop),
    ("computer", Desktop),
    ("pc", Desktop),
];

impl Device {
    /// All of them.
    pub const ALL: [Self; 4] = [Desktop, Mobile, Tablet, Other];

    /// The device whose browser sends this `User-Agent`; `None` if that is empty.
    #[must_use]
    pub fn of_user_agent(user_agent: &str) -> Option<Self> {
        first_of(&SIGNS, user_agent)
    }

    /// The device that another tool calls so, or whose `User-Agent` it tells; `None` of an empty text.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        if text.contains('/') { Self::of_user_agent(text) } else { first_of(&NAMES, text) }
    }

    /// The one with this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|device| device.word() == word)
    }

    /// The word, for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Desktop => "desktop",
            Mobile => "mobile",
            Tablet => "tablet",
            Other => "other",
        }
    }

    /// The name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Desktop => "Desktops",
            Mobile => "Phones",
            Tablet => "Tablets",
            Other => "Other devices",
        }
    }
}

fn first_of(signs: &[(&str, Device)], text: &str) -> Option<Device> {
    let text = text.trim().to_ascii_lowercase();
    if text.is_empty() {
        return None;
    }
    let found = signs.iter().find(|(sign, _)| text.contains(sign));
    Some(found.map_or(Other, |(_, device)| *device))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Device;

    #[test]
    fn devices_are_read_of_user_agents_and_names() {
        for (text, device) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0.0.0 Safari/537.36",
                Device::Desktop,
            ),
            ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/131.0.0.0", Device::Desktop),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15",
                Device::Desktop,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148",
                Device::Mobile,
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) Chrome/131.0.0.0 Mobile Safari/537.36",
                Device::Mobile,
            ),
            ("Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) Mobile/15E148", Device::Tablet),
            ("Mozilla/5.0 (Linux; Android 10; K) Chrome/131.0.0.0 Safari/537.36", Device::Tablet),
            ("Mozilla/5.0 (Android 14; Tablet; rv:133.0) Firefox/133.0", Device::Tablet),
            (
                "Mozilla/5.0 (Linux; Android 9; BRAVIA 4K) Chrome/131.0.0.0 Safari/537.36",
                Device::Other,
            ),
            ("curl/8.10", Device::Other),
            ("Desktop", Device::Desktop),
            ("smartphone", Device::Mobile),
            ("smart tv", Device::Other),
            ("iPad", Device::Tablet),
            ("7", Device::Other),
        ] {
            assert_eq!(Device::of_text(text), Some(device), "{text}");
        }
        assert_eq!([Device::of_user_agent(""), Device::of_text(" \t")], [None, None]);
        for device in Device::ALL {
            assert_eq!(Device::of_word(device.word()), Some(device));
            assert_eq!(Device::of_text(device.word()), Some(device));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_one_of_the_kinds(text in any::<String>(), times in 0..300_usize) {
            for text in [text.clone(), text.repeat(times)] {
                let is_empty = text.trim().is_empty();
                prop_assert_eq!(Device::of_user_agent(&text).is_none(), is_empty);
                prop_assert_eq!(Device::of_text(&text).is_none(), is_empty);
            }
        }
    }
}
