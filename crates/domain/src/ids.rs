//! Ids: decimal numbers from 1 to below 2^53, one type for each kind of resource, so that code cannot take a page's id for an audience's.
//!
//! Documents write them as strings, because JSON readers in other languages may round large numbers. [`crate::derive_id`] makes the ids
//! that a document leaves out.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Ids are below 2^53, the range in which a JavaScript number is exact. In the page, 0 is none.
const END: u64 = 1 << 53;

/// A text that is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is a decimal number from 1 to below 2^53")]
pub struct UnreadableId;

/// What all kinds of ids have in common, so that one decoder reads them all.
pub(crate) trait Id: Copy + Ord + std::hash::Hash + fmt::Display {
    fn from_number(number: u64) -> Option<Self>;
    fn number(self) -> u64;
}

/// Digits only: no sign, no space, no leading zero, so that each id has one spelling.
pub(crate) fn read_number(text: &str) -> Option<u64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    (is_decimal && !text.starts_with('0')).then(|| text.parse().ok()).flatten()
}

macro_rules! id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            /// The id with this number; `None` for 0, and for 2^53 or more.
            #[must_use]
            pub fn new(number: u64) -> Option<Self> {
                (1..END).contains(&number).then_some(Self(number))
            }

            /// The id as a number, below 2^53.
            #[must_use]
            pub fn get(self) -> u64 {
                self.0
            }
        }

        impl Id for $name {
            fn from_number(number: u64) -> Option<Self> {
                Self::new(number)
            }

            fn number(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl FromStr for $name {
            type Err = UnreadableId;

            fn from_str(text: &str) -> Result<Self, UnreadableId> {
                read_number(text).and_then(Self::new).ok_or(UnreadableId)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    };
}

id! {
    /// Names a project, and with it the address of its snippet.
    ProjectId
}
id! {
    /// Names a page.
    PageId
}
id! {
    /// Names an audience.
    AudienceId
}
id! {
    /// Names an event.
    EventId
}
id! {
    /// Names a metric.
    MetricId
}
id! {
    /// Names a custom attribute of visitors.
    AttributeId
}
id! {
    /// Names a campaign; holdback and mutual exclusion depend on it.
    CampaignId
}
id! {
    /// Names an experiment; bucketing into variations depends on it. Unique in the project.
    ExperimentId
}
id! {
    /// Names a variation. Unique in the project.
    VariationId
}
id! {
    /// Names a group of campaigns that exclude each other.
    GroupId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_spelling() {
        assert_eq!("1".parse::<PageId>(), Ok(PageId(1)));
        assert_eq!("9007199254740991".parse::<PageId>(), Ok(PageId(END - 1)));
        for text in [
            "",
            "0",
            "-1",
            "+1",
            "01",
            " 1",
            "1.0",
            "9007199254740992",
            "99999999999999999999999",
            "١",
        ] {
            assert_eq!(text.parse::<PageId>(), Err(UnreadableId), "{text}");
        }
    }
}
