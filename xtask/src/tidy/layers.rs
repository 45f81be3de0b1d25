//! A crate uses crates on lower lines of the layout only, never sideways or up.

use super::Finding;
use crate::repository::{Dependency, Package, Repository};

/// The layout of `docs/ARCHITECTURE.md`, lowest line first.
const LAYERS: &[&[&str]] = &[
    &["domain", "stats"],
    &["oauth", "decide", "import", "events"],
    &["storage", "snippet", "lake"],
    &["app"],
    &["web"],
    &["api", "console"],
    &["server"],
];

/// What tests may use wherever they are.
const TEST_CRATE: &str = "testkit";
/// Packages outside the layers, which use none of them.
const BESIDE: &[&str] = &["xtask", "oauth-speed", TEST_CRATE];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    repository.packages.iter().flat_map(check_package).collect()
}

fn check_package(package: &Package) -> Vec<Finding> {
    let finding = |message| Finding::new(&package.manifest(), 1, message);
    let name = package.name.as_str();
    if package.folder() != Some(name) {
        return vec![finding(format!("package `{name}` lies in another folder; name both alike"))];
    }
    if layer_of(name).is_none() && !BESIDE.contains(&name) {
        let message = format!("`{name}` has no layer; give it one in `xtask/src/tidy/layers.rs`");
        return vec![finding(message)];
    }
    let dependencies = package.dependencies.iter();
    dependencies.filter_map(|dependency| objection(name, dependency)).map(finding).collect()
}

fn objection(name: &str, dependency: &Dependency) -> Option<String> {
    let used = dependency.name.as_str();
    if used == TEST_CRATE {
        let is_for_tests = dependency.kind.as_deref() == Some("dev");
        return (!is_for_tests).then(|| format!("`{TEST_CRATE}` is for tests only"));
    }
    let used_layer = layer_of(used)?;
    let is_lower = layer_of(name).is_some_and(|own_layer| used_layer < own_layer);
    (!is_lower && name != TEST_CRATE).then(|| {
        format!("`{name}` uses `{used}`, which is not on a lower line; move what it needs down")
    })
}

fn layer_of(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repository::{Dependency, Package, Repository};

    fn objections(name: &str, used: &str, kind: Option<&str>) -> usize {
        let dependency = Dependency { name: used.to_owned(), kind: kind.map(str::to_owned) };
        let package = Package {
            name: name.to_owned(),
            manifest_path: format!("crates/{name}/Cargo.toml").into(),
            dependencies: vec![dependency],
        };
        check(&Repository { packages: vec![package], ..Repository::default() }).len()
    }

    #[test]
    fn a_crate_uses_lower_lines_only() {
        assert_eq!(objections("api", "web", None), 0);
        assert_eq!(objections("api", "console", None), 1);
        assert_eq!(objections("storage", "app", None), 1);
        assert_eq!(objections("storage", "app", Some("dev")), 1);
        assert_eq!(objections("domain", "serde", None), 0);
    }

    #[test]
    fn testkit_is_for_tests() {
        assert_eq!(objections("app", "testkit", Some("dev")), 0);
        assert_eq!(objections("app", "testkit", None), 1);
        assert_eq!(objections("testkit", "app", None), 0);
        assert_eq!(objections("xtask", "app", None), 1);
    }

    #[test]
    fn a_new_crate_needs_a_line() {
        assert_eq!(objections("novelty", "serde", None), 1);
    }

    #[test]
    fn a_folder_is_named_like_its_package() {
        let package = Package {
            name: "domain".to_owned(),
            manifest_path: "crates/assay-domain/Cargo.toml".into(),
            dependencies: Vec::new(),
        };
        let repository = Repository { packages: vec![package], ..Repository::default() };
        assert_eq!(check(&repository).len(), 1);
    }
}
