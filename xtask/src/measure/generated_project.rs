//! Projects of any size: experiments that differ in ids and names only, on one page.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::repository::root;

const FOLDER: &str = "target/measure";

/// How the files begin: with one page.
pub(super) const HEAD: &str = r#"version: 1
project: {id: "1000", key: bench, name: Bench}
pages:
  - id: "2001"
    key: home
    name: Home
    conditions: ["or", {type: url, match: simple, value: "https://shop.example/"}]
"#;

/// When the page of the experiments is active.
#[derive(Clone, Copy)]
pub(super) enum Activation {
    /// On each page view that is at its address.
    Immediate,
    /// While a single-page app is at its address.
    UrlChanged,
}

impl Activation {
    /// What the page's entry says of it.
    const fn lines(self) -> &'static str {
        match self {
            Self::Immediate => "",
            Self::UrlChanged => "    activation: {type: url_changed}\n    deactivation: true\n",
        }
    }

    /// What the file's name says of it.
    const fn name(self) -> &'static str {
        match self {
            Self::Immediate => "experiments",
            Self::UrlChanged => "experiments-following",
        }
    }
}

/// Writes a project with as many A/B tests, and gives its path.
pub(super) fn write(experiments: u32, activation: Activation) -> Result<PathBuf> {
    put(&format!("{experiments}-{}.yaml", activation.name()), &text(experiments, activation))
}

/// Writes a project of this text, and gives its path.
pub(super) fn put(name: &str, text: &str) -> Result<PathBuf> {
    let folder = root().join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {FOLDER}"))?;
    let path = folder.join(name);
    fs::write(&path, text).with_context(|| format!("cannot write to {FOLDER}"))?;
    Ok(path)
}

fn text(experiments: u32, activation: Activation) -> String {
    let mut text = format!("{HEAD}{}campaigns:\n", activation.lines());
    for number in 0..experiments {
        let [campaign, experiment, original, changed] =
            [10_000, 20_000, 30_000, 40_000].map(|first| first + number);
        let _infallible = write!(
            text,
            r#"  - id: "{campaign}"
    key: test-{number}
    name: Test {number}
    type: ab_test
    status: running
    pages: [home]
    experiments:
      - id: "{experiment}"
        key: test-{number}
        name: Test {number}
        variations:
          - {{id: "{original}", key: original, name: Original, weight: 5000}}
          - {{id: "{changed}", key: changed, name: Changed, weight: 5000}}
"#
        );
    }
    text
}
