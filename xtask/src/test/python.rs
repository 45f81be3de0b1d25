//! A Python of our own for the client libraries of `e2e/clients/`, so that theirs and the machine's do not meet.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::tools::announce;
use crate::program::Program;
use crate::repository::root;

const FOLDER: &str = "target/tools/python";
const REQUIREMENTS: &str = "e2e/clients/requirements.txt";

/// Whether the machine's Python can make others; Debian has that in a package of its own.
pub(super) fn can_be_made() -> bool {
    Program::new("python3", ["-c", "import ensurepip, venv"]).works()
}

/// Installs the packages of `requirements.txt`, unless that was done already. Returns the interpreter.
pub(super) fn ready() -> Result<PathBuf> {
    let folder = root().join(FOLDER);
    let interpreter = folder.join("bin/python");
    let wanted = fs::read(root().join(REQUIREMENTS))
        .with_context(|| format!("cannot read {REQUIREMENTS}"))?;
    let installed = folder.join("installed-requirements.txt");
    if fs::read(&installed).is_ok_and(|requirements| requirements == wanted) {
        return Ok(interpreter);
    }
    announce(format_args!("Python packages of {REQUIREMENTS} in {FOLDER} (pip install)"));
    Program::new("python3", ["-m", "venv", "--clear", FOLDER]).must_succeed()?;
    let pip = format!("{FOLDER}/bin/pip");
    Program::new(&pip, ["install", "--quiet", "--requirement", REQUIREMENTS]).must_succeed()?;
    fs::write(&installed, wanted).context("cannot note what was installed")?;
    Ok(interpreter)
}
