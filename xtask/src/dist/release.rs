//! What all parts of a release share: its version, its platform, its moment and its folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::{binary, made};
use crate::program::Program;
use crate::repository::{output_of, root};

/// Where everything is made, from the root of the repository.
const FOLDER: &str = "target/dist";

/// A release, as far as it is known before anything is built.
pub(super) struct Release {
    pub(super) version: &'static str,
    pub(super) target: String,
    /// Seconds since 1970 of the last commit: everything in the archives is from then.
    pub(super) time: u64,
    pub(super) folder: PathBuf,
    /// A binary to pack that was built elsewhere.
    own_binary: Option<PathBuf>,
}

impl Release {
    pub(super) fn of_this_commit(target: Option<String>, binary: Option<PathBuf>) -> Result<Self> {
        let target = match target {
            Some(target) => target,
            None => own_target()?,
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            target,
            time: moment()?,
            folder: root().join(FOLDER),
            own_binary: binary,
        })
    }

    /// `x86_64` or `aarch64`.
    pub(super) fn processor(&self) -> &str {
        self.target.split('-').next().unwrap_or_default()
    }

    /// What files for one platform are called.
    pub(super) fn name(&self) -> String {
        format!("assay-{}-{}", self.version, self.target)
    }

    /// The binary to pack.
    pub(super) fn binary(&self) -> PathBuf {
        self.own_binary.clone().unwrap_or_else(|| self.folder.join(self.name()))
    }

    /// Whether the binary was built elsewhere.
    pub(super) fn has_own_binary(&self) -> bool {
        self.own_binary.is_some()
    }

    pub(super) fn binary_bytes(&self) -> Result<Vec<u8>> {
        let path = self.binary();
        fs::read(&path).with_context(|| {
            format!("cannot read {}; `cargo xtask dist binary` builds it", path.display())
        })
    }

    /// What the binary prints. Cargo's setting for tests of another platform says what runs it, such as `qemu-aarch64`.
    pub(super) fn answer_of_binary<const N: usize>(&self, arguments: [&str; N]) -> Result<String> {
        let path = self.binary();
        let variable = runner_variable(&self.target);
        let runner = std::env::var_os(&variable).unwrap_or_default();
        let runner = runner.to_string_lossy();
        let binary = path.to_string_lossy();
        let mut words = runner.split_whitespace().chain([&*binary]);
        let program = Program::new(words.next().unwrap_or(&binary), []).and(words).and(arguments);
        program.answer().with_context(|| {
            format!(
                "{} does not run here; make archives and packages on a machine of their platform, or name what runs it in `{variable}`",
                path.display()
            )
        })
    }

    /// Puts a result into the folder.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        made(name, bytes.len());
        Ok(())
    }
}

/// The variable by which cargo is told what runs programs of a platform.
fn runner_variable(target: &str) -> String {
    format!("CARGO_TARGET_{}_RUNNER", target.to_uppercase().replace('-', "_"))
}

/// A file of the repository.
pub(super) fn source(path: &str) -> Result<Vec<u8>> {
    fs::read(root().join(path)).with_context(|| format!("cannot read {path}"))
}

/// A text of the repository.
pub(super) fn source_text(path: &str) -> Result<String> {
    fs::read_to_string(root().join(path)).with_context(|| format!("cannot read {path}"))
}

#[expect(clippy::disallowed_methods, reason = "the convention of reproducible builds")]
fn moment() -> Result<u64> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => output_of("git", &["log", "-1", "--format=%ct"])?,
    };
    text.trim().parse().context("SOURCE_DATE_EPOCH: expected seconds since 1970")
}

/// With musl, if its standard library is there: it needs nothing of the machine for names of users and hosts.
fn own_target() -> Result<String> {
    if std::env::consts::OS != "linux" {
        bail!("releases are made on Linux");
    }
    let processor = std::env::consts::ARCH;
    let sysroot = output_of("rustc", &["--print", "sysroot"])?;
    let libraries = Path::new(sysroot.trim()).join("lib/rustlib");
    let musl = format!("{processor}-unknown-linux-musl");
    let is_there = libraries.join(&musl).join("lib").exists();
    Ok(if is_there { musl } else { binary::glibc_of(processor) })
}

#[cfg(test)]
mod tests {
    use super::runner_variable;

    #[test]
    fn the_runner_is_the_one_of_cargo() {
        let variable = runner_variable("aarch64-unknown-linux-gnu");
        assert_eq!(variable, "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER");
    }
}
