//! Pythons of our own, so that their packages and the machine's do not meet.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::tools::announce;
use crate::program::Program;
use crate::repository::root;

/// A Python with the packages that a file names.
pub(crate) struct Python {
    folder: &'static str,
    requirements: &'static str,
}

/// Of the stories.
pub(super) const STORIES: Python =
    Python { folder: "target/tools/python", requirements: "e2e/clients/requirements.txt" };

/// Of query engines that read files of events: a gigabyte.
pub(crate) const QUERY_ENGINES: Python = Python {
    folder: "target/tools/query-engines",
    requirements: "e2e/eventFiles/requirements.txt",
};

/// Of the checks of what people install.
pub(crate) const EXAMPLES: Python =
    Python { folder: "target/tools/examples", requirements: "deploy/check/requirements.txt" };

/// Whether the machine's Python can make others; Debian has that in a package of its own.
pub(super) fn can_be_made() -> bool {
    Program::new("python3", ["-c", "import ensurepip, venv"]).works()
}

impl Python {
    /// Installs the packages, unless that was done already. Returns the interpreter.
    pub(crate) fn ready(&self) -> Result<PathBuf> {
        let Self { folder, requirements } = self;
        let interpreter = root().join(folder).join("bin/python");
        let wanted = fs::read(root().join(requirements))
            .with_context(|| format!("cannot read {requirements}"))?;
        let installed = root().join(folder).join("installed-requirements.txt");
        if fs::read(&installed).is_ok_and(|requirements| requirements == wanted) {
            return Ok(interpreter);
        }
        announce(format_args!("Python packages of {requirements} in {folder} (pip install)"));
        Program::new("python3", ["-m", "venv", "--clear", folder]).must_succeed()?;
        let pip = format!("{folder}/bin/pip");
        Program::new(&pip, ["install", "--quiet", "--requirement", requirements]).must_succeed()?;
        fs::write(&installed, wanted).context("cannot note what was installed")?;
        Ok(interpreter)
    }
}
