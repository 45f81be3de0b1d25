//! Projects to compile.

use domain::{NoFiles, Project, Source};
use snippet::Snippet;

/// A project with nothing in it.
pub(crate) const EMPTY: &str = "version: 1\nproject: {id: \"1000\", key: shop}\n";

/// An A/B test with these changes in its second variation (a YAML list).
pub(crate) fn ab_test(changes: &str) -> String {
    format!(
        r#"{EMPTY}pages:
  - {{id: "2001", key: home, conditions: ["or", {{type: url, match: simple, value: "https://shop.example/"}}]}}
campaigns:
  - id: "3001"
    key: hero
    name: Hero text
    type: ab_test
    status: running
    pages: [home]
    experiments:
      - id: "4001"
        key: hero
        name: Hero text
        variations:
          - {{id: "5001", key: original, name: Original, weight: 5000}}
          - {{id: "5002", key: short, name: Short, weight: 5000, changes: {changes}}}
"#
    )
}

pub(crate) fn parse(document: &str) -> Project {
    match domain::parse(&Source { name: "test.yaml", text: document, files: &NoFiles }) {
        Ok(parsed) => parsed.project,
        Err(faults) => {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            panic!("{}", faults.join("\n"))
        }
    }
}

pub(crate) fn compile(document: &str) -> Snippet {
    snippet::compile(&parse(document)).unwrap()
}
