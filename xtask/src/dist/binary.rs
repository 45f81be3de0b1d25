//! The binary: static, stripped, and without a trace of the machine that built it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::release::Release;
use crate::output;
use crate::program::Program;
use crate::repository::root;

/// Apart from what developers build: other flags would let each build everything anew for the other.
const FOLDER: &str = "target/dist-build";

/// What a binary may have: it must be a matter of seconds to fetch.
const BYTES_AT_MOST: usize = 25 * 1000 * 1000;

/// Pointers to places of the binary itself, which it corrects as it starts, as a bitmap: a list has 24 bytes for each. Linkers that cannot
/// do it for a platform say so and write the list.
const PACKED: &str = "-Clink-arg=-Wl,-z,pack-relative-relocs";

/// C has no panics that could unwind: nothing reads its tables.
const WITHOUT_TABLES: &str = "-fno-unwind-tables -fno-asynchronous-unwind-tables";

/// The platform with glibc, whose static library Debian has in `libc6-dev`.
pub(super) fn glibc_of(processor: &str) -> String {
    format!("{processor}-unknown-linux-gnu")
}

pub(super) fn make(release: &Release) -> Result<()> {
    if !release.has_own_binary() {
        build(release)?;
    }
    let bytes = release.binary_bytes()?;
    ensure!(is_static(&bytes)?, "{} needs libraries of the machine", release.binary().display());
    if !release.has_own_binary() {
        if bytes.len() > BYTES_AT_MOST {
            let size = bytes.len();
            output::complain(format_args!(
                "warning: the binary has {size} bytes; the budget is {BYTES_AT_MOST}"
            ));
        }
        for folder in own_folders()? {
            let told = folder.display();
            ensure!(!contains(&bytes, &told.to_string()), "the binary tells that {told} built it");
        }
    }
    Ok(())
}

fn build(release: &Release) -> Result<()> {
    let target = &release.target;
    if target.ends_with("-gnu") {
        output::complain(format_args!(
            "note: {target}: glibc is linked statically; releases have musl, whose standard library `rustup target add` installs"
        ));
    }
    let arguments = ["build", "--locked", "--profile", "dist", "--package", "server"];
    Program::new("cargo", arguments)
        .and(["--bin", "assay", "--target", target, "--target-dir", FOLDER])
        .set("RUSTFLAGS", rust_flags()?)
        .set(&c_flags_variable(target), c_flags()?)
        .set("SOURCE_DATE_EPOCH", release.time.to_string())
        .must_succeed()?;
    let built = root().join(FOLDER).join(target).join("dist/assay");
    let bytes = fs::read(&built).with_context(|| format!("cannot read {}", built.display()))?;
    release.write(&release.name(), &bytes)?;
    make_executable(&release.binary())
}

fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", path.display()))
}

/// Names of files stay in messages of panics, but not those of this machine's folders. To strip is said here: cargo forgets it for
/// a package with settings of its own.
fn rust_flags() -> Result<String> {
    let mut flags = format!("-Ctarget-feature=+crt-static -Cstrip=symbols {PACKED}");
    for (folder, shown) in renamed_folders()? {
        write!(flags, " --remap-path-prefix={}={shown}", folder.display())?;
    }
    Ok(flags)
}

/// The same for what is written in C.
fn c_flags() -> Result<String> {
    let renamed = renamed_folders()?;
    let flags = renamed
        .iter()
        .map(|(folder, shown)| format!("-ffile-prefix-map={}={shown}", folder.display()));
    Ok(flags.fold(WITHOUT_TABLES.to_owned(), |all, flag| all + " " + &flag))
}

/// What the crate `cc` reads for this platform. It reads `TARGET_CFLAGS` only where the machine's own platform is another one.
fn c_flags_variable(target: &str) -> String {
    format!("CFLAGS_{}", target.replace('-', "_"))
}

/// Folders of this machine, and what they are called in the binary.
fn renamed_folders() -> Result<Vec<(PathBuf, &'static str)>> {
    let sources = cargo_home()?.join("registry/src");
    let registries = fs::read_dir(&sources)
        .with_context(|| format!("cannot read {}; `cargo fetch` makes it", sources.display()))?;
    let mut folders =
        registries.map(|entry| Ok((entry?.path(), "/cargo"))).collect::<Result<Vec<_>>>()?;
    folders.sort();
    folders.push((root().to_owned(), "/assay"));
    Ok(folders)
}

/// Those that a binary would tell of. The root alone can be a name that others have in their paths, such as `/src`.
fn own_folders() -> Result<[PathBuf; 3]> {
    Ok([root().join("crates"), root().join("target"), cargo_home()?])
}

/// Where cargo itself looks.
fn cargo_home() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("CARGO_HOME").filter(|folder| !folder.is_empty()) {
        return Ok(folder.into());
    }
    let home = std::env::var_os("HOME").context("HOME and CARGO_HOME are not set")?;
    Ok(Path::new(&home).join(".cargo"))
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Whether an ELF file asks for no program that would load libraries for it (`PT_INTERP`).
fn is_static(bytes: &[u8]) -> Result<bool> {
    const INTERPRETER: u64 = 3;
    ensure!(bytes.starts_with(b"\x7fELF\x02\x01"), "not a 64-bit program of Linux");
    let (table, size, count) =
        (number(bytes, 0x20, 8)?, number(bytes, 0x36, 2)?, number(bytes, 0x38, 2)?);
    for entry in 0..count {
        if number(bytes, table + entry * size, 4)? == INTERPRETER {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A little-endian number of at most eight bytes.
fn number(bytes: &[u8], place: u64, width: usize) -> Result<u64> {
    let place = usize::try_from(place)?;
    let field = bytes.get(place..place + width).context("the program is cut")?;
    Ok(field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::{contains, is_static};

    fn program(kinds: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 64 + 56 * kinds.len()];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (bytes[0x20], bytes[0x36], bytes[0x38]) = (64, 56, kinds.len().try_into().unwrap());
        for (place, kind) in kinds.iter().enumerate() {
            bytes[64 + 56 * place] = *kind;
        }
        bytes
    }

    #[test]
    fn a_program_that_asks_for_a_loader_is_not_static() {
        assert!(is_static(&program(&[1, 2, 6])).unwrap());
        assert!(!is_static(&program(&[6, 3, 1])).unwrap());
        assert!(!is_static(&std::fs::read("/bin/sh").unwrap()).unwrap());
        assert!(is_static(b"#!/bin/sh").is_err());
    }

    #[test]
    fn a_folder_is_found_anywhere() {
        assert!(contains(b"abc/d/e", "/d"));
        assert!(!contains(b"abc/d/e", "/e/"));
    }
}
