//! Unused features leave no byte: which of the runtime's modules are in which snippet.
//!
//! A snippet's source map keeps the names that were shortened, and each module of the runtime is named after what it exports. So the
//! map tells which modules are left. The projects are those of `bench/snippet-bytes`: each adds one thing to `text.yaml`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::project::compile;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of the runtime's modules.
fn modules(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names.extend(modules(&path));
        } else {
            names.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    names
}

/// The modules that are left in the snippet of each project in `bench/snippet-bytes/projects`, by the project's name.
fn modules_by_project() -> BTreeMap<String, BTreeSet<String>> {
    let all = modules(&repository().join("runtime/src"));
    let mut by_project = BTreeMap::new();
    for entry in fs::read_dir(repository().join("bench/snippet-bytes/projects")).unwrap() {
        let path = entry.unwrap().path();
        let map = compile(&fs::read_to_string(&path).unwrap()).source_map;
        let map: Value = serde_json::from_str(&map).unwrap();
        let names: HashSet<&str> =
            map["names"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let left = all.iter().filter(|name| names.contains(name.as_str())).cloned().collect();
        by_project.insert(path.file_stem().unwrap().to_str().unwrap().to_owned(), left);
    }
    by_project
}

#[test]
fn feature_brings_its_own_modules_and_no_others() {
    let by_project = modules_by_project();
    let text = &by_project["text"];

    let mut table = String::new();
    let line = |names: Vec<&String>| {
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        names.join(" ")
    };
    writeln!(table, "text: {}", line(text.iter().collect())).unwrap();
    for (project, modules) in by_project.iter().filter(|(project, _)| *project != "everything") {
        let more = line(modules.difference(text).collect());
        let less = line(text.difference(modules).collect());
        writeln!(table, "{project}: + {more} - {less}").unwrap();
    }
    insta::assert_snapshot!(table);
}

/// What people need who build a project, and what only other tools need, is apart.
#[test]
fn everything_has_every_module_that_a_visitor_may_need() {
    let by_project = modules_by_project();
    let everything = &by_project["everything"];
    let is_apart = |project: &str| project == "explain" || project.starts_with("integration-");
    // The short way where nothing else stands in an element.
    let is_short = |module: &&String| *module == "setText";

    for (project, modules) in by_project.iter().filter(|(project, _)| !is_apart(project)) {
        let missing: Vec<&String> =
            modules.difference(everything).filter(|module| !is_short(module)).collect();
        assert!(missing.is_empty(), "{project} has {missing:?}, which `everything` lacks");
    }
}
