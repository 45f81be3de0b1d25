//! What visitors can be split by: with what they came. A visitor is of the segment of the first exposure, whatever they come with later.

use events::{Browser, Device, UserAgent};
use serde::Serialize;

/// What visitors are split by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SegmentBy {
    /// The family of the browser.
    Browser,
    /// The kind of device.
    Device,
}

/// Visitors who came with the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    /// For programs.
    pub(super) word: &'static str,
    /// For people.
    pub(super) name: &'static str,
}

/// Visitors of whom it is not known: servers and files need not tell it.
const UNKNOWN: Segment = Segment { word: "unknown", name: "Unknown" };

impl SegmentBy {
    /// All that there are.
    pub const ALL: [Self; 2] = [Self::Browser, Self::Device];

    /// The one with this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.word() == word)
    }

    /// The word, for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Device => "device",
        }
    }

    /// The visitors of the segment with this word, in a phrase: `visitors with Safari`.
    pub(super) fn visitors_of(self, word: &str) -> String {
        let with = match self {
            Self::Browser => Browser::of_word(word)
                .map(|one| one.brand().map_or_else(|| one.name().to_lowercase(), str::to_owned)),
            Self::Device => Device::of_word(word).map(|one| one.name().to_lowercase()),
        };
        with.map_or_else(
            || format!("visitors whose {} is not known", self.word()),
            |with| format!("visitors with {with}"),
        )
    }

    /// All segments, in the order of their places. The last one is of the unknown.
    pub(super) fn segments(self) -> Vec<Segment> {
        let known: Vec<_> = match self {
            Self::Browser => Browser::ALL
                .iter()
                .map(|one| Segment { word: one.word(), name: one.name() })
                .collect(),
            Self::Device => Device::ALL
                .iter()
                .map(|one| Segment { word: one.word(), name: one.name() })
                .collect(),
        };
        known.into_iter().chain([UNKNOWN]).collect()
    }

    /// The place of a visitor's segment.
    pub(super) fn place(self, agent: UserAgent) -> usize {
        match self {
            Self::Browser => place(&Browser::ALL, agent.browser),
            Self::Device => place(&Device::ALL, agent.device),
        }
    }
}

fn place<T: PartialEq + Copy>(all: &[T], one: Option<T>) -> usize {
    all.iter().position(|known| Some(*known) == one).unwrap_or(all.len())
}

#[cfg(test)]
mod tests {
    use events::{Browser, Device, UserAgent};

    use super::SegmentBy;

    #[test]
    fn every_visitor_is_of_one_segment() {
        let all = || Browser::ALL.map(Some).into_iter().chain([None]);
        let mut places: Vec<_> = all()
            .map(|browser| SegmentBy::Browser.place(UserAgent { browser, device: None }))
            .collect();
        places.dedup();
        assert_eq!(places, (0..SegmentBy::Browser.segments().len()).collect::<Vec<_>>());
        let tablet = UserAgent { browser: None, device: Some(Device::Tablet) };
        let segments = SegmentBy::Device.segments();
        assert_eq!(segments[SegmentBy::Device.place(tablet)].word, "tablet");
        assert_eq!(segments[SegmentBy::Device.place(UserAgent::default())].word, "unknown");
        let phrases =
            ["safari", "in_app", "unknown"].map(|word| SegmentBy::Browser.visitors_of(word));
        let expected = ["Safari", "browsers in apps"].map(|with| format!("visitors with {with}"));
        assert_eq!(phrases[..2], expected);
        assert_eq!(phrases[2], "visitors whose browser is not known");
        assert_eq!(SegmentBy::Device.visitors_of("mobile"), "visitors with phones");
        for by in SegmentBy::ALL {
            assert_eq!(SegmentBy::of_word(by.word()), Some(by));
            assert_eq!(serde_json::json!(by), by.word());
        }
    }
}
