//! Which licences a library in the binary may have. One that is not in the list fails the build until a developer has read it.

use anyhow::{Context as _, Result, ensure};
use spdx::{Expression, LicenseReq, ParseMode};

use super::attribution;
use super::crates::{Crate, in_binary};
use super::release::Release;

/// Licences that ask for nothing but their text. MPL-2.0 asks for changes to its own files, of which we make none.
const ACCEPTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

pub(super) fn make(release: &Release) -> Result<()> {
    release.write(attribution::FILE, text(release)?.as_bytes())
}

/// The terms of all libraries in the binary.
pub(super) fn text(release: &Release) -> Result<String> {
    let crates = in_binary(release)?;
    let objections: Vec<String> = crates.iter().filter_map(objection).collect();
    ensure!(
        objections.is_empty(),
        "read these licences, and add them to `ACCEPTED` in xtask/src/dist/license.rs or do without the crate:\n{}",
        objections.join("\n")
    );
    attribution::text(release, &crates)
}

fn objection(one: &Crate) -> Option<String> {
    let told = one.license.as_deref().unwrap_or("no licence");
    let is_accepted = parse(one).is_ok_and(|expression| expression.evaluate(is_accepted));
    (!is_accepted).then(|| format!("{} {}: {told}", one.name, one.version))
}

pub(super) fn is_accepted(requirement: &LicenseReq) -> bool {
    let id = requirement.license.id();
    id.is_some_and(|id| ACCEPTED.contains(&id.name))
}

/// What the crate says, with the `/` that old crates have for `OR`.
pub(super) fn parse(one: &Crate) -> Result<Expression> {
    let text = one.license.as_deref().context("no licence")?;
    Expression::parse_mode(text, ParseMode::LAX).context("not an SPDX expression")
}

#[cfg(test)]
mod tests {
    use spdx::{Expression, ParseMode};

    use super::is_accepted;

    fn accepts(text: &str) -> bool {
        Expression::parse_mode(text, ParseMode::LAX).unwrap().evaluate(is_accepted)
    }

    #[test]
    fn one_accepted_choice_is_enough() {
        assert!(accepts("MIT"));
        assert!(accepts("MIT/Apache-2.0"));
        assert!(accepts("GPL-3.0-only OR MIT"));
        assert!(accepts("Apache-2.0 WITH LLVM-exception"));
    }

    #[test]
    fn a_licence_that_asks_for_more_is_refused() {
        assert!(!accepts("GPL-3.0-only"));
        assert!(!accepts("MIT AND AGPL-3.0-only"));
        assert!(!accepts("SSPL-1.0"));
    }
}
