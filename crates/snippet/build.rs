//! Lists the runtime's modules for `src/runtime.rs`, so that a new file in `runtime/src` is in the next build without being named
//! anywhere. It only writes `include_str!` lines: linking here would compile oxc a second time, for the host.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = manifest.join("../../runtime/src");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut paths = Vec::new();
    collect(&root, &mut paths)?;
    paths.sort();
    let mut list = String::from("&[\n");
    for path in &paths {
        let name = text(path.strip_prefix(&root).expect("collected below the root"))?;
        let file = fs::canonicalize(path)?;
        let file = text(&file)?;
        writeln!(list, "    ({name:?}, include_str!({file:?})),").expect("writing to a string");
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("modules.rs"), list)
}

fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::other("a path that is not UTF-8 cannot be embedded"))
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "ts") {
            paths.push(path);
        }
    }
    Ok(())
}
