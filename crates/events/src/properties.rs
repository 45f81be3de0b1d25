//! What else a site tells of an event.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Texts by their names, in the order of these. Most events have one or none, and millions are in memory: this takes what its texts take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties(Box<[(Box<str>, Box<str>)]>);

impl Properties {
    /// The text of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, text)| text)
    }

    /// Names and texts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (&**name, &**text))
    }
}

impl From<BTreeMap<String, String>> for Properties {
    fn from(texts: BTreeMap<String, String>) -> Self {
        let each = texts.into_iter();
        Self(each.map(|(name, text)| (name.into_boxed_str(), text.into_boxed_str())).collect())
    }
}

/// Of a name that comes twice, the last text stays.
impl FromIterator<(Box<str>, Box<str>)> for Properties {
    fn from_iter<I: IntoIterator<Item = (Box<str>, Box<str>)>>(texts: I) -> Self {
        let mut texts: Vec<_> = texts.into_iter().collect();
        if !texts.is_sorted_by(|one, other| one.0 < other.0) {
            texts.reverse();
            texts.sort_by(|one, other| one.0.cmp(&other.0));
            texts.dedup_by(|one, other| one.0 == other.0);
        }
        Self(texts.into())
    }
}

impl Serialize for Properties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Texts)
    }
}

struct Texts;

impl<'de> Visitor<'de> for Texts {
    type Value = Properties;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of texts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
        let each = std::iter::from_fn(|| map.next_entry().transpose());
        each.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::Properties;

    proptest! {
        #[test]
        fn they_are_those_of_a_map(told in prop::collection::vec(("[a-c]{0,2}", "[x-z]?"), 0..6)) {
            let texts = told.iter().map(|(name, text)| (name.as_str().into(), text.as_str().into()));
            let map = BTreeMap::from_iter(told.clone());
            let json = serde_json::to_string(&map).unwrap();

            let properties: Properties = texts.collect();

            prop_assert_eq!(&properties, &Properties::from(map.clone()));
            prop_assert_eq!(&serde_json::to_string(&properties).unwrap(), &json);
            prop_assert_eq!(&serde_json::from_str::<Properties>(&json).unwrap(), &properties);
            for name in ["", "a", "b", "ab"] {
                prop_assert_eq!(properties.get(name), map.get(name).map(String::as_str));
            }
        }
    }
}
