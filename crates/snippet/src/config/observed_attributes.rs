//! The attributes that the page's observer has to watch for changes to be applied in time: no more, since pages set attributes all the
//! time.

use std::collections::BTreeSet;

use domain::{Campaign, Change, ChangeKind, Project};

use super::running;

/// What the state of an element can be asked for by a pseudo-class, and the attributes that it follows.
const STATES: [(&str, &[&str]); 13] = [
    ("any-link", &["href"]),
    ("checked", &["checked"]),
    ("default", &["checked", "selected"]),
    ("dir", &["dir"]),
    ("disabled", &["disabled"]),
    ("enabled", &["disabled"]),
    ("lang", &["lang"]),
    ("link", &["href"]),
    ("open", &["open"]),
    ("optional", &["required"]),
    ("read-only", &["disabled", "readonly", "contenteditable"]),
    ("read-write", &["disabled", "readonly", "contenteditable"]),
    ("required", &["required"]),
];

/// The names, sorted.
pub(crate) fn names(project: &Project) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for change in running(project).flat_map(all_changes) {
        match &change.kind {
            ChangeKind::Style { .. } => names.insert("style".to_owned()),
            ChangeKind::Class { .. } => names.insert("class".to_owned()),
            // HTML knows the name in lower case alone, SVG as it is written.
            ChangeKind::Attribute { name, .. } => {
                names.insert(name.clone());
                names.insert(name.to_lowercase())
            }
            ChangeKind::Text { .. }
            | ChangeKind::Html { .. }
            | ChangeKind::Insert { .. }
            | ChangeKind::Move { .. }
            | ChangeKind::Remove { .. }
            | ChangeKind::Css { .. }
            | ChangeKind::Javascript { .. }
            | ChangeKind::Redirect { .. } => false,
        };
        names.extend(selectors(&change.kind).into_iter().flat_map(asked_of));
    }
    names
}

fn all_changes(campaign: &Campaign) -> impl Iterator<Item = &Change> {
    let variations = campaign.experiments.iter().flat_map(|experiment| &experiment.variations);
    variations.flat_map(|variation| &variation.changes).chain(&campaign.changes)
}

fn selectors(kind: &ChangeKind) -> Vec<&str> {
    match kind {
        ChangeKind::Text { selector, .. }
        | ChangeKind::Html { selector, .. }
        | ChangeKind::Class { selector, .. }
        | ChangeKind::Style { selector, .. }
        | ChangeKind::Attribute { selector, .. }
        | ChangeKind::Insert { selector, .. }
        | ChangeKind::Remove { selector } => vec![selector],
        ChangeKind::Move { selector, to, .. } => vec![selector, to],
        ChangeKind::Css { .. } | ChangeKind::Javascript { .. } | ChangeKind::Redirect { .. } => {
            Vec::new()
        }
    }
}

/// The attributes that decide what a selector finds. What stands in quotes may look like more of them, which costs little.
fn asked_of(selector: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, sign) in selector.char_indices() {
        let rest = &selector[at + sign.len_utf8()..];
        match sign {
            '.' => names.extend(word(rest).map(|_| "class".to_owned())),
            '#' => names.extend(word(rest).map(|_| "id".to_owned())),
            '[' => names.extend(word(rest.trim_start())),
            ':' => {
                let state = word(rest);
                let known = STATES.iter().find(|(name, _)| state.as_deref() == Some(name));
                names.extend(
                    known.into_iter().flat_map(|(_, names)| *names).map(|&name| name.to_owned()),
                );
            }
            _ => {}
        }
    }
    names
}

/// The name that a text begins with, as HTML writes names.
fn word(text: &str) -> Option<String> {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '\\');
    let end = text.find(|sign| !is_part(sign)).unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::asked_of;

    #[test]
    fn a_selector_asks_for_the_attributes_that_it_names_or_stands_for() {
        for (selector, names) in [
            ("main > h1", ""),
            ("a:hover, li:nth-child(2)", ""),
            ("#hero .title:not([data-state = open])", "class data-state id"),
            ("input:disabled, details:open > p", "disabled open"),
            (r#"[HREF^="/a.b#c"]"#, "class href id"),
            ("*|*::before", ""),
        ] {
            let asked: Vec<String> = asked_of(selector).into_iter().collect();
            assert_eq!(asked.join(" "), names, "{selector}");
        }
    }
}
