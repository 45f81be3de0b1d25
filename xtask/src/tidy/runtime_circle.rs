//! In the runtime, imports go one way: neither folders nor files import each other in a circle. Types count: a file that knows a
//! type knows where it comes from.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use crate::repository::Repository;
use crate::source_file::{SourceFile, numbered};

const FOLDER: &str = "runtime/src/";

/// Which folder imports which, with file and line of one such import.
type Graph<'r> = BTreeMap<String, BTreeMap<String, (&'r SourceFile, usize)>>;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut files = Graph::new();
    let mut folders = Graph::new();
    for file in repository.files.iter().filter(|file| file.path().starts_with(FOLDER)) {
        for (line, code) in numbered(file.code()) {
            let Some(path) = imported(file.path(), code) else { continue };
            add(&mut files, (file.path(), &path), (file, line));
            add(&mut folders, (folder_of(file.path()), folder_of(&path)), (file, line));
        }
    }
    let mut findings = circles(&folders, "folder");
    findings.extend(circles(&files, "file"));
    findings
}

fn add<'r>(graph: &mut Graph<'r>, (from, to): (&str, &str), place: (&'r SourceFile, usize)) {
    if from != to {
        graph.entry(from.to_owned()).or_default().entry(to.to_owned()).or_insert(place);
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The path that the end of an import statement names, from the root of the repository.
fn imported(importer: &str, code: &str) -> Option<String> {
    let is_import = code.starts_with("import ") || code.starts_with("} from ");
    let (_, rest) = code.split_once('"').filter(|_| is_import)?;
    let name = rest.strip_suffix("\";")?;
    let mut parts: Vec<&str> = folder_of(importer).split('/').collect();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    path.starts_with(FOLDER).then(|| format!("{path}.ts"))
}

/// One finding for each import that closes a circle: from its end there is a way back.
fn circles(graph: &Graph<'_>, what: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (from, imports) in graph {
        for (to, (file, line)) in imports {
            if reaches(graph, to, from) {
                let message = format!(
                    "the {what} `{to}` already uses `{from}`, directly or through others; move what both need further down"
                );
                findings.push(Finding::in_file(file, *line, message));
            }
        }
    }
    findings
}

fn reaches(graph: &Graph<'_>, start: &str, end: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut next = vec![start];
    while let Some(place) = next.pop() {
        if place == end {
            return true;
        }
        if seen.insert(place) {
            next.extend(graph.get(place).into_iter().flat_map(BTreeMap::keys).map(String::as_str));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repository::Repository;
    use crate::source_file::SourceFile;

    fn paths(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| SourceFile::new(path, *text)).collect();
        let findings = check(&Repository { files, ..Repository::default() });
        findings.into_iter().map(|finding| finding.path).collect()
    }

    const STATE: (&str, &str) = (
        "runtime/src/state/a.ts",
        "import { b } from \"../visitor/b\";\nimport { c } from \"./c\";\n",
    );

    #[test]
    fn imports_that_go_one_way_are_fine() {
        let visitor =
            ("runtime/src/visitor/b.ts", "import { attempt } from \"../browser/attempt\";\n");
        assert!(paths(&[STATE, visitor, ("runtime/src/state/c.ts", "")]).is_empty());
    }

    #[test]
    fn folders_know_each_other_in_no_circle() {
        let visitor = ("runtime/src/visitor/b.ts", "import type {\n  D,\n} from \"../state/d\";\n");
        let found = paths(&[STATE, visitor]);

        assert_eq!(found, ["runtime/src/state/a.ts", "runtime/src/visitor/b.ts"]);
    }

    #[test]
    fn files_know_each_other_in_no_circle() {
        let back = ("runtime/src/state/c.ts", "import { a } from \"./a\";\n");
        let found = paths(&[STATE, back]);

        assert_eq!(found, ["runtime/src/state/a.ts", "runtime/src/state/c.ts"]);
    }

    #[test]
    fn other_folders_are_free() {
        let one = ("e2e/a.mjs", "import { b } from \"./b.mjs\";\n");
        let other = ("e2e/b.mjs", "import { a } from \"./a.mjs\";\n");
        assert!(paths(&[one, other]).is_empty());
    }
}
