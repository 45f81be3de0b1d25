//! The first of some signs in a user agent, and its version.

use regex::Regex;

/// Names, each with the sign by which it is known, in the order in which they are looked for.
#[derive(Debug)]
pub(crate) struct Signs(Vec<(&'static str, Regex)>);

impl Signs {
    /// The first group of each sign is the version.
    pub(crate) fn new(signs: &[(&'static str, &str)]) -> Self {
        Self(signs.iter().map(|(name, sign)| (*name, sign_of(sign))).collect())
    }

    /// The meaning of the first sign in the text, with its version; empty without any.
    pub(crate) fn first_in(&self, text: &str) -> String {
        let mut found = self.0.iter().filter_map(|(name, sign)| Some((name, sign.captures(text)?)));
        let Some((name, groups)) = found.next() else { return String::new() };
        let version = groups.get(1).map_or("", |group| group.as_str());
        format!("{name}{}", version.replace('_', "."))
    }
}

/// A pattern of ours.
pub(crate) fn sign_of(pattern: &str) -> Regex {
    Regex::new(pattern).expect("signs are well-formed")
}

/// Whether `actual`, a browser or a system with its whole version, is the one named by `wanted`, which tells as many parts of the
/// version as matter, or none: `gc`, `gc120`, `mac os_10.15`.
pub(crate) fn is_version(actual: &str, wanted: &str) -> bool {
    let name = match actual.split_once('_') {
        Some((name, _)) => name,
        None => actual.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.'),
    };
    let begins = |rest: &str| rest.is_empty() || rest.starts_with('.');
    !wanted.is_empty() && (wanted == name || actual.strip_prefix(wanted).is_some_and(begins))
}
