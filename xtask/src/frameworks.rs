//! `cargo xtask frameworks`: apps of Next.js, Nuxt, `SvelteKit` and Astro, made of the blocks of their guides, show variations in Chromium and hydrate without a
//! complaint. It installs 700 MB, so no change has to wait for it.

use std::process::ExitCode;

use anyhow::Result;

use crate::program::Program;

const FOLDER: &str = "e2e/frameworks";

pub(crate) fn run() -> Result<ExitCode> {
    Program::new("cargo", ["build", "--release", "--package", "server"]).must_succeed()?;
    let install = ["ci", "--no-audit", "--no-fund"];
    for folder in ["e2e", FOLDER] {
        Program::new("npm", install).within(folder).must_succeed()?;
    }
    let stories = Program::new("npm", ["run", "--silent", "test"]).within(FOLDER);
    stories.must_succeed()?;
    Ok(ExitCode::SUCCESS)
}
