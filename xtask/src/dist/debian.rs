//! The Debian package: the binary with its service, its manual and its terms. The files are in `deploy/debian/` and `deploy/systemd/`.
//!
//! Written here rather than by `dpkg-deb`, so that it is the same bytes everywhere: an `ar` archive of two others, see deb(5).

use anyhow::{Context as _, Result, bail};

use super::archive::{Tree, gzip};
use super::release::{Release, source, source_text};
use super::{license, manual};

/// Files that an upgrade leaves as the administrator has changed them.
const CONFFILES: &str = "/etc/assay/assay.env\n";

/// What dpkg runs.
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];

pub(super) fn file(release: &Release) -> Result<String> {
    Ok(format!("assay_{}_{}.deb", release.version, architecture(release)?))
}

pub(super) fn make(release: &Release) -> Result<()> {
    let data = data(release)?;
    let control = control(release, &data)?;
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gzip(&control.tar("./", release.time)?)?),
        ("data.tar.gz", gzip(&data.tar("./", release.time)?)?),
    ];
    release.write(&file(release)?, &ar(&members, release.time)?)
}

/// Debian's word for the processor.
fn architecture(release: &Release) -> Result<&'static str> {
    Ok(match release.processor() {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => bail!("Debian's word for `{other}` is missing in xtask/src/dist/debian.rs"),
    })
}

fn data(release: &Release) -> Result<Tree> {
    let mut tree = Tree::default();
    manual::add_manual(release, &mut tree)?;
    let mut tree = tree.below("usr");
    tree.program("usr/bin/assay", release.binary_bytes()?);
    tree.file("usr/lib/systemd/system/assay.service", source("deploy/systemd/assay.service")?);
    tree.file_of("etc/assay/assay.env", source("deploy/systemd/assay.env")?, 0o640);
    tree.file("usr/share/doc/assay/copyright", source("deploy/debian/copyright")?);
    tree.file("usr/share/doc/assay/NOTICE", source("NOTICE")?);
    tree.file("usr/share/doc/assay/CHANGELOG.md.gz", gzip(&source("CHANGELOG.md")?)?);
    let terms = gzip(license::text(release)?.as_bytes())?;
    tree.file("usr/share/doc/assay/THIRD-PARTY-LICENSES.txt.gz", terms);
    tree.file("usr/share/lintian/overrides/assay", source("deploy/debian/lintian-overrides")?);
    Ok(tree)
}

fn control(release: &Release, data: &Tree) -> Result<Tree> {
    let kilobytes = data.size().div_ceil(1024).to_string();
    let text = source_text("deploy/debian/control")?
        .replace("@VERSION@", release.version)
        .replace("@ARCHITECTURE@", architecture(release)?)
        .replace("@KILOBYTES@", &kilobytes);
    let mut tree = Tree::default();
    tree.file("control", text);
    tree.file("conffiles", CONFFILES);
    for name in SCRIPTS {
        tree.program(name, source(&format!("deploy/debian/{name}"))?);
    }
    Ok(tree)
}

/// The format of `ar`: a header of 60 bytes before each member, which begins at an even place.
fn ar(members: &[(&str, Vec<u8>)], time: u64) -> Result<Vec<u8>> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, content) in members {
        let header =
            format!("{name:<16}{time:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 100_644, content.len());
        let header = Some(header).filter(|header| header.len() == 60);
        bytes.extend(header.with_context(|| format!("`{name}` is too long for `ar`"))?.as_bytes());
        bytes.extend(content);
        if content.len() % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::ar;

    #[test]
    fn members_begin_at_even_places() {
        let bytes = ar(&[("a", b"odd".to_vec()), ("b", b"even".to_vec())], 7).unwrap();
        assert_eq!(bytes.len(), 8 + 60 + 4 + 60 + 4);
        assert_eq!(&bytes[72..73], b"b");
        assert!(bytes.starts_with(b"!<arch>\na               7           0     0     100644  3"));
    }
}
