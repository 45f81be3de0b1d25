//! Ids, keys and names: kept where they fit, made where they do not.

use std::collections::{HashMap, HashSet};

use domain::Key;
use domain::limits::{MAX_KEY_LENGTH, MAX_NAME_LENGTH};
use serde_json::Value;

/// Ids of the document are below this, so that every JavaScript number holds them, and above 0.
const END_OF_IDS: u64 = 1 << 53;

/// An id of the export: a number, or digits.
pub(crate) fn id_text(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if is_number(text) => Some(text.clone()),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a document can have the id.
pub(crate) fn can_be_kept(id: &str) -> bool {
    !id.starts_with('0') && is_number(id) && id.parse().is_ok_and(|number: u64| number < END_OF_IDS)
}

/// A name as the document takes it: on one line, not longer than a line of the console.
pub(crate) fn name_of(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    line.trim().chars().take(MAX_NAME_LENGTH).collect::<String>().trim_end().to_owned()
}

/// The keys of resources of one kind, each given once.
#[derive(Default)]
pub(crate) struct Keys(HashSet<String>);

impl Keys {
    /// The first of the wanted texts that makes a key, changed as little as needed.
    pub(crate) fn give<'t>(&mut self, wanted: impl IntoIterator<Item = &'t str>) -> String {
        let found = wanted.into_iter().find_map(|text| {
            let is_id_like = is_number(text);
            let key = text.parse().ok().or_else(|| Key::from_name(text))?;
            // A number would be taken for an id where something refers to it.
            Some(if is_id_like { format!("n{key}") } else { key.to_string() })
        });
        let key = found.unwrap_or_else(|| "unnamed".to_owned());
        let key: String = key.chars().take(MAX_KEY_LENGTH).collect();
        let mut free = key.clone();
        let mut number = 1;
        while self.0.contains(&free) {
            number += 1;
            let end = format!("_{number}");
            free = key.chars().take(MAX_KEY_LENGTH - end.len()).collect::<String>() + &end;
        }
        self.0.insert(free.clone());
        free
    }
}

/// What references of the export can name: resources of one kind, by id.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) keys: Keys,
    by_id: HashMap<String, Target>,
    /// Attributes and events are also named by what the export calls their key.
    by_key: HashMap<String, String>,
}

/// What a reference leads to.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// Its key in the document.
    pub(crate) key: String,
    /// Why nothing that relies on it may run.
    pub(crate) flaw: Option<String>,
}

impl Known {
    pub(crate) fn add(&mut self, id: &str, key: &str) {
        self.by_id.insert(id.to_owned(), Target { key: key.to_owned(), flaw: None });
    }

    /// The resource is also known by its key in the export.
    pub(crate) fn also(&mut self, key_there: &str, key: &str) {
        self.by_key.insert(key_there.to_owned(), key.to_owned());
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Target> {
        self.by_id.get(id)
    }

    pub(crate) fn key_of(&self, name: &str) -> Option<&str> {
        let by_id = self.by_id.get(name).map(|target| target.key.as_str());
        by_id.or_else(|| self.by_key.get(name).map(String::as_str))
    }

    /// Nothing that relies on the resource may run.
    pub(crate) fn flaw(&mut self, id: &str, reason: &str) {
        if let Some(target) = self.by_id.get_mut(id) {
            target.flaw.get_or_insert_with(|| reason.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_given_once() {
        let mut keys = Keys::default();
        let long = "a".repeat(80);

        assert_eq!(keys.give(["Home_Page", "Home"]), "home_page");
        assert_eq!(keys.give(["home_page"]), "home_page_2");
        assert_eq!(keys.give(["", "日本", "page 7"]), "page_7");
        assert_eq!(keys.give(["404"]), "n404");
        assert_eq!(keys.give([]), "unnamed");
        assert_eq!(keys.give([long.as_str()]), "a".repeat(64));
        assert_eq!(keys.give([long.as_str()]), format!("{}_2", "a".repeat(62)));
    }

    #[test]
    fn ids_of_the_export_are_numbers_or_digits() {
        assert_eq!(id_text(&Value::from(12)).as_deref(), Some("12"));
        assert_eq!(id_text(&Value::from("12")).as_deref(), Some("12"));
        assert_eq!(id_text(&Value::from("x")), None);
        assert!(can_be_kept("9007199254740991"));
        for id in ["9007199254740992", "1.5", "-1", "007", "1e3", "99999999999999999999999"] {
            assert!(!can_be_kept(id), "{id}");
        }
    }
}
