//! `cargo xtask dist`: what people install, in `target/dist/`. Each part is a file in `dist/`; the same commit yields the same bytes.
//!
//! [`check`] installs and starts the results, as `cargo xtask dist --check`.

mod archive;
mod attribution;
mod bill;
mod binary;
mod check;
mod checksums;
mod crates;
mod debian;
mod image;
mod license;
mod manual;
mod package;
mod release;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};

use self::release::Release;
use crate::output;

/// What to make.
#[derive(Args)]
pub(crate) struct DistArguments {
    /// What to make; all of it if nothing is named.
    pub(crate) parts: Vec<Part>,
    /// The platform. [default: this machine's, with musl if its standard library is installed, else with glibc]
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Pack this binary instead of building one: to try the packaging.
    #[arg(long, value_name = "FILE")]
    pub(crate) binary: Option<PathBuf>,
    /// Then install and start what was made. Needs root, and programs of Debian that it names.
    #[arg(long)]
    pub(crate) check: bool,
}

/// Something to install, or what comes with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Part {
    /// The static binary.
    Binary,
    /// The licences of all libraries in it.
    Licenses,
    /// The software bill of materials.
    Sbom,
    /// The binary with its manual, licences and examples.
    Archive,
    /// The Debian package.
    Debian,
    /// The container image.
    Image,
    /// The npm package with the types of the in-page API.
    Npm,
}

pub(crate) fn run(arguments: DistArguments) -> Result<ExitCode> {
    let DistArguments { mut parts, target, binary, check } = arguments;
    if parts.is_empty() {
        parts = Part::value_variants().to_vec();
    }
    parts.sort_unstable();
    let release = Release::of_this_commit(target, binary)?;
    fs::create_dir_all(&release.folder)
        .with_context(|| format!("cannot create {}", release.folder.display()))?;
    for part in &parts {
        part.make(&release)?;
    }
    checksums::write(&release)?;
    if check {
        return check::run(&release, &parts);
    }
    Ok(ExitCode::SUCCESS)
}

impl Part {
    fn make(self, release: &Release) -> Result<()> {
        match self {
            Self::Binary => binary::make(release),
            Self::Licenses => license::make(release),
            Self::Sbom => bill::make(release),
            Self::Archive => manual::make_archive(release),
            Self::Debian => debian::make(release),
            Self::Image => image::make(release),
            Self::Npm => package::make(release),
        }
    }
}

/// Says what was made.
fn made(name: &str, bytes: usize) {
    output::say(format_args!("{:>9} kB  {name}", bytes.div_ceil(1000)));
}
