//! Unused features leave no byte: which of the runtime's functions are in which snippet.
//!
//! A snippet's source map tells of each piece where it comes from, and a name at the top of a module is the only one of its kind in the
//! runtime. So the map tells which functions are left, those that stand within others included. The projects are those of
//! `bench/snippet-bytes`: each adds one thing to `text.yaml`, or has it in place of the text.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use oxc_sourcemap::SourceMap;
use snippet::Snippet;

use crate::project::compile;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names at the top of the runtime's modules.
fn functions(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("editor") {
            // The visual editor is another program.
            continue;
        }
        if path.is_dir() {
            names.extend(functions(&path));
        } else if !path.ends_with("project/config.ts") {
            let text = fs::read_to_string(&path).unwrap();
            let declared = |line: &str| {
                let line = line.strip_prefix("export ").unwrap_or(line);
                let name = line.strip_prefix("const ")?.split([' ', ':', '=']).next()?;
                Some(name.to_owned())
            };
            names.extend(text.lines().filter_map(declared));
        }
    }
    names
}

/// The snippet of each project in `bench/snippet-bytes/projects`, by the project's name.
fn snippets() -> BTreeMap<String, Snippet> {
    let mut snippets = BTreeMap::new();
    for entry in fs::read_dir(repository().join("bench/snippet-bytes/projects")).unwrap() {
        let path = entry.unwrap().path();
        let snippet = compile(&fs::read_to_string(&path).unwrap());
        snippets.insert(path.file_stem().unwrap().to_str().unwrap().to_owned(), snippet);
    }
    snippets
}

/// The functions that are left in each of them.
fn functions_by_project() -> BTreeMap<String, BTreeSet<String>> {
    let all = functions(&repository().join("runtime/src"));
    let left = |snippet: &Snippet| {
        let map = SourceMap::from_json_string(&snippet.source_map).unwrap();
        let declared = declarations(map.get_source_content(0).unwrap());
        let is_left = |line: u32| declared.range(..=line).next_back().map(|(_, name)| name.clone());
        let names: HashSet<String> =
            map.get_tokens().filter_map(|token| is_left(token.get_src_line())).collect();
        all.intersection(&names.into_iter().collect()).cloned().collect()
    };
    snippets().iter().map(|(project, snippet)| (project.clone(), left(snippet))).collect()
}

/// What is declared at the top of a linked program, by line: an object that became variables under its name, and a statement that
/// declares nothing under none.
fn declarations(program: &str) -> BTreeMap<u32, String> {
    let name = |line: &str| {
        let declaration = line.strip_prefix("const ").or_else(|| line.strip_prefix("let "));
        let name = declaration.map_or("", |it| it.split([' ', '$', ',', ';']).next().unwrap());
        line.starts_with(char::is_alphabetic).then(|| name.to_owned())
    };
    let lines = (0..).zip(program.lines());
    lines.filter_map(|(at, line)| Some((at, name(line)?))).collect()
}

#[test]
fn feature_brings_its_own_functions_and_no_others() {
    let by_project = functions_by_project();
    let text = &by_project["text"];

    let mut table = String::new();
    let line = |names: Vec<&String>| {
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        names.join(" ")
    };
    writeln!(table, "text: {}", line(text.iter().collect())).unwrap();
    for (project, names) in by_project.iter().filter(|(project, _)| *project != "everything") {
        let more = line(names.difference(text).collect());
        let less = line(text.difference(names).collect());
        writeln!(table, "{project}: + {more} - {less}").unwrap();
    }
    insta::assert_snapshot!(table);
}

/// Modules hold code for several kinds of a resource; each kind is told by its word.
#[test]
fn kinds_of_a_thing_that_a_project_does_not_use_are_not_named_in_its_snippet() {
    let snippets = snippets();
    let kinds = [
        "manual polling callback",
        "local_storage",
        "exact substring regex exists range",
        "css_selector url_regex currency",
        "applied",
    ];

    let mut table = String::new();
    for kind in kinds.iter().flat_map(|kinds| kinds.split(' ')) {
        let is_named = |snippet: &Snippet| {
            ['"', '\'', '`']
                .iter()
                .any(|mark| snippet.javascript.contains(&format!("{mark}{kind}{mark}")))
        };
        let named = snippets.iter().filter(|(_, snippet)| is_named(snippet));
        let projects: Vec<&str> = named.map(|(project, _)| project.as_str()).collect();
        writeln!(table, "{kind}: {}", projects.join(" ")).unwrap();
    }
    insta::assert_snapshot!(table);
}

/// What people need who build a project, and what only other tools need, is apart.
#[test]
fn everything_has_every_function_that_a_visitor_may_need() {
    let by_project = functions_by_project();
    let everything = &by_project["everything"];
    let is_apart = |project: &str| project == "explain" || project.starts_with("integration-");
    // The short way where nothing else stands in an element, and another place that the visitor's id may come from.
    let is_in_its_place = |name: &&String| ["setText", "globalText"].contains(&name.as_str());

    for (project, names) in by_project.iter().filter(|(project, _)| !is_apart(project)) {
        let missing: Vec<&String> =
            names.difference(everything).filter(|name| !is_in_its_place(name)).collect();
        assert!(missing.is_empty(), "{project} has {missing:?}, which `everything` lacks");
    }
}
