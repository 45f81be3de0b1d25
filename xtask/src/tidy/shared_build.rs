//! The binary and the tests share one build of all dependencies: what tests turn on in a dependency of the binary is on in the binary's build, too.
//! Otherwise `cargo run --release` and `cargo xtask test` would each build tokio, parquet and oxc, and what depends on them, for themselves.

use super::Finding;
use crate::repository::Repository;

/// The package of the binary, which turns the features on.
const MANIFEST: &str = "crates/server/Cargo.toml";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let builds = &repository.builds;
    let alone = builds.binary.difference(&builds.tests);
    alone
        .map(|built| {
            let package = package_of(built);
            let in_tests = builds.tests.iter().filter(|other| package_of(other) == package);
            let in_tests: Vec<&str> = in_tests.map(|other| features_of(other)).collect();
            let message = format!(
                "the binary has `{}` with the features `{}`, tests have it with `{}`; turn on what is missing below `cfg(true)`",
                package.join(" "),
                features_of(built),
                in_tests.join("` and `")
            );
            Finding::new(MANIFEST, 1, message)
        })
        .collect()
}

/// Name and version.
fn package_of(built: &str) -> Vec<&str> {
    built.split(' ').take(2).collect()
}

fn features_of(built: &str) -> &str {
    built.rsplit(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repository::{Builds, Repository};

    fn messages(binary: &[&str], tests: &[&str]) -> Vec<String> {
        let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let builds = Builds { binary: set(binary), tests: set(tests) };
        let findings = check(&Repository { builds, ..Repository::default() });
        findings.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn differences_of_test_dependencies_are_ignored() {
        assert!(messages(&["url v2.5.0 std"], &["insta v1.0.0 json", "url v2.5.0 std"]).is_empty());
    }

    #[test]
    fn a_feature_of_tests_alone_is_found() {
        let found = messages(
            &["tokio v1.0.0 net", "url v2.5.0 "],
            &["tokio v1.0.0 net,test-util", "url v2.5.0 "],
        );

        assert_eq!(
            found,
            [
                "the binary has `tokio v1.0.0` with the features `net`, tests have it with `net,test-util`; turn on what is missing below `cfg(true)`"
            ]
        );
    }
}
