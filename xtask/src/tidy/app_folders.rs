//! Inside `app`, a folder uses what stands before it only: no two subjects know each other in a circle.

use super::Finding;
use crate::source_file::{SourceFile, numbered};

const SOURCES: &str = "crates/app/src/";

/// The folders of `app`, each using only those before it. Files beside them serve all and use none.
const ORDER: &[&str] = &[
    "roles",
    "audit",
    "members",
    "sessions",
    "passkeys",
    "identities",
    "applications",
    "grants",
    "connections",
    "tokens",
    "documents",
    "publishing",
    "drafts",
    "resources",
    "revisions",
    "campaigns",
    "projects",
    "invitations",
    "setup",
    "installations",
    "schedules",
    "decisions",
    "events",
    "deleted_projects",
    "results",
    "previews",
    "visual_editor",
    "webhooks",
];

/// These two know everything: they put the crate together.
const TOGETHER: [&str; 2] = ["app", "lib"];

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    let Some(place) = file.path().strip_prefix(SOURCES) else { return Vec::new() };
    let is_inside = place.contains('/');
    let folder = place.split(['/', '.']).next().unwrap_or_default();
    if !file.is_rust() || (!is_inside && TOGETHER.contains(&folder)) {
        return Vec::new();
    }
    let own = ORDER.iter().position(|one| *one == folder);
    if is_inside && own.is_none() {
        let message =
            format!("`{folder}` has no place; give it one in `xtask/src/tidy/app_folders.rs`");
        return vec![Finding::in_file(file, 1, message)];
    }
    let lines = numbered(file.code()).take(file.production_lines());
    lines
        .flat_map(|(number, line)| objections(folder, own, line).map(move |found| (number, found)))
        .map(|(number, message)| Finding::in_file(file, number, message))
        .collect()
}

/// The wrong uses in a line of a file in a folder; a file beside the folders has no place among them.
fn objections<'l>(
    folder: &'l str,
    own: Option<usize>,
    line: &'l str,
) -> impl Iterator<Item = String> + 'l {
    let used = line.split("crate::").skip(1).flat_map(first_names);
    let is_later = move |used: &&str| {
        let place = ORDER.iter().position(|one| one == used);
        place.is_some_and(|place| own.is_none_or(|own| place > own))
    };
    used.filter(is_later).map(move |used| {
        format!(
            "`{folder}` uses `{used}`, which does not come before it; move what it needs to an earlier folder"
        )
    })
}

/// What a path after `crate::` begins with: one name, or several in braces.
fn first_names(path: &str) -> impl Iterator<Item = &str> {
    let list = path.strip_prefix('{');
    let paths = list.unwrap_or(path).split(',').take(if list.is_some() { usize::MAX } else { 1 });
    paths.filter_map(|path| path.trim_start().split(|character| !is_of_name(character)).next())
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn a_folder_uses_those_before_it() {
        let text = "use crate::App;\nuse crate::drafts::Draft;\nuse crate::projects::list;\n";

        assert_eq!(lines(check, "crates/app/src/projects/list.rs", text), NONE);
        assert_eq!(lines(check, "crates/app/src/resources/list.rs", text), [3]);
        assert_eq!(lines(check, "crates/app/src/drafts.rs", text), [3]);
        assert_eq!(lines(check, "crates/app/src/documents/check.rs", text), [2, 3]);
        assert_eq!(lines(check, "crates/api/src/resources/list.rs", text), NONE);
    }

    #[test]
    fn names_in_braces_are_uses_too() {
        let text = "use crate::{App, projects::list};\nuse crate::roles::{Actor, drafts};\n";

        assert_eq!(lines(check, "crates/app/src/resources/list.rs", text), [1]);
    }

    #[test]
    fn files_beside_the_folders_use_none_of_them() {
        let text = "use crate::drafts::Draft;\n";

        assert_eq!(lines(check, "crates/app/src/quota.rs", text), [1]);
        assert_eq!(lines(check, "crates/app/src/app.rs", text), NONE);
    }

    #[test]
    fn comments_and_tests_may_name_what_comes_later() {
        let text = "/// See `crate::previews`.\n#[cfg(test)]\nmod tests {\n    use crate::previews::a;\n}\n";

        assert_eq!(lines(check, "crates/app/src/roles/rights.rs", text), NONE);
    }

    #[test]
    fn a_new_folder_needs_a_place() {
        assert_eq!(lines(check, "crates/app/src/novelty/a.rs", "use crate::App;\n"), [1]);
    }
}
