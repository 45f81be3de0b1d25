//! Some knowledge has one home: HTTP at the edges, SQL in `storage`, the JavaScript compiler in
//! `snippet`, Parquet in `lake`. A crate without the dependency cannot know.

use super::Finding;
use crate::repository::Repository;

/// Crates.io package, and the crates of ours that may use it.
const RESERVED: &[(&str, &[&str])] = &[
    ("axum", EDGES),
    ("hyper", EDGES),
    ("tower-http", EDGES),
    ("reqwest", EDGES),
    ("askama", &["console"]),
    ("rusqlite", DATABASES),
    ("sqlx", DATABASES),
    ("tokio-postgres", DATABASES),
    ("oxc", &["snippet"]),
    ("parquet", &["lake"]),
];
const EDGES: &[&str] = &["web", "api", "console", "server", "testkit", "oauth-speed"];
const DATABASES: &[&str] = &["storage", "oauth-speed"];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let packages = repository.packages.iter();
    let pairs =
        packages.flat_map(|package| package.dependencies.iter().map(move |used| (package, used)));
    pairs
        .filter_map(|(package, used)| {
            let (name, homes) = RESERVED.iter().find(|(name, _)| *name == used.name)?;
            let is_home = homes.contains(&package.name.as_str());
            let message = format!("`{name}` is for `{}` only", homes.join("`, `"));
            (!is_home).then(|| Finding::new(&package.manifest(), 1, message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repository::{Dependency, Package, Repository};

    fn objections(name: &str, used: &str) -> usize {
        let package = Package {
            name: name.to_owned(),
            manifest_path: format!("crates/{name}/Cargo.toml").into(),
            dependencies: vec![Dependency { name: used.to_owned(), kind: None }],
        };
        check(&Repository { packages: vec![package], ..Repository::default() }).len()
    }

    #[test]
    fn each_kind_of_knowledge_has_one_home() {
        assert_eq!(objections("api", "axum"), 0);
        assert_eq!(objections("app", "axum"), 1);
        assert_eq!(objections("storage", "rusqlite"), 0);
        assert_eq!(objections("server", "rusqlite"), 1);
        assert_eq!(objections("snippet", "oxc"), 0);
        assert_eq!(objections("domain", "oxc"), 1);
        assert_eq!(objections("domain", "serde"), 0);
    }
}
