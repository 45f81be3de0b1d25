//! The container image: the binary, the authorities of browsers, and nothing else, as an archive of the OCI image layout.
//!
//! No daemon and no base image: `skopeo copy oci-archive:…`, `podman load` and `docker load` take the file as it is.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use super::archive::{Tree, gzip};
use super::checksums::digest;
use super::license;
use super::release::{Release, source};
use super::{attribution, bill};
use crate::repository::output_of;

/// The user whom images without a shell have by custom.
const USER: u64 = 65_532;
/// What must outlive the container.
const DATA: &str = "data";
const PORT: u16 = 8080;
const AUTHORITIES: &str = "etc/ssl/certs/ca-certificates.crt";

pub(super) fn file(release: &Release) -> String {
    format!("{}.oci.tar", release.name())
}

pub(super) fn make(release: &Release) -> Result<()> {
    let plain = root(release)?.tar("", release.time)?;
    let layer = gzip(&plain)?;
    let created = bill::moment(release.time)?;
    let config = config(release, &created, &digest(&plain))?.to_string().into_bytes();
    let manifest = manifest(&config, &layer).to_string().into_bytes();
    let index = index(release, &manifest, &created)?.to_string();
    let mut tree = Tree::default();
    tree.file("oci-layout", r#"{"imageLayoutVersion":"1.0.0"}"#);
    tree.file("index.json", index);
    // `docker load` before version 25 reads this instead.
    tree.file("manifest.json", docker_manifest(release, &config, &layer).to_string());
    for blob in [config, manifest, layer] {
        tree.file(&blob_path(&blob), blob);
    }
    release.write(&file(release), &tree.tar("", release.time)?)
}

/// The root file system.
fn root(release: &Release) -> Result<Tree> {
    let mut tree = Tree::default();
    tree.program("usr/bin/assay", release.binary_bytes()?);
    tree.file(AUTHORITIES, authorities()?);
    tree.file(
        "etc/passwd",
        format!(
            "root:x:0:0:root:/:/sbin/nologin\nassay:x:{USER}:{USER}:assay:/{DATA}:/sbin/nologin\n"
        ),
    );
    tree.file("etc/group", format!("root:x:0:\nassay:x:{USER}:\n"));
    tree.file("etc/nsswitch.conf", "hosts: files dns\n");
    tree.file("usr/share/doc/assay/LICENSE", source("LICENSE")?);
    tree.file("usr/share/doc/assay/NOTICE", source("NOTICE")?);
    tree.file(&format!("usr/share/doc/assay/{}", attribution::FILE), license::text(release)?);
    // A new volume takes its owner from here.
    tree.folder(DATA, 0o700, USER);
    tree.folder("tmp", 0o1777, 0);
    // Engines mount something there, and cannot make folders on a root that is read-only.
    for mounted in ["dev", "proc", "run", "sys"] {
        tree.folder(mounted, 0o755, 0);
    }
    Ok(tree)
}

/// The authorities that Firefox trusts, of the version that the lock file names.
fn authorities() -> Result<String> {
    let mut text = String::new();
    for certificate in TLS_SERVER_ROOT_CERTS {
        let encoded = STANDARD.encode(certificate.as_ref());
        text += "-----BEGIN CERTIFICATE-----\n";
        for line in encoded.as_bytes().chunks(64) {
            writeln!(text, "{}", str::from_utf8(line)?)?;
        }
        text += "-----END CERTIFICATE-----\n";
    }
    Ok(text)
}

fn architecture(release: &Release) -> Result<&'static str> {
    Ok(match release.processor() {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => bail!("the word of Go for `{other}` is missing in xtask/src/dist/image.rs"),
    })
}

fn config(release: &Release, created: &str, layer_digest: &str) -> Result<Value> {
    Ok(json!({
        "created": created,
        "architecture": architecture(release)?,
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "ExposedPorts": {format!("{PORT}/tcp"): {}},
            // An address other than this machine's own takes a certificate or a proxy, which `assay serve` asks for.
            "Env": [
                format!("ASSAY_LISTEN=0.0.0.0:{PORT}"),
                format!("SSL_CERT_FILE=/{AUTHORITIES}"),
            ],
            "Entrypoint": ["/usr/bin/assay"],
            "Cmd": ["serve"],
            "Volumes": {format!("/{DATA}"): {}},
            "WorkingDir": format!("/{DATA}"),
            "Labels": labels(release, created)?,
            "StopSignal": "SIGTERM",
            // Docker's own; nanoseconds. Other engines leave it to the person who runs the container.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/assay", "ready"],
                "Interval": 30_000_000_000_u64,
                "Timeout": 11_000_000_000_u64,
                "StartPeriod": 10_000_000_000_u64,
                "Retries": 3,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{layer_digest}")]},
        "history": [{"created": created, "created_by": "cargo xtask dist image"}],
    }))
}

fn labels(release: &Release, created: &str) -> Result<Value> {
    let commit = output_of("git", &["rev-parse", "HEAD"])?;
    Ok(json!({
        "org.opencontainers.image.title": "Assay",
        "org.opencontainers.image.description": "Web experimentation that you run yourself",
        "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.revision": commit.trim(),
        "org.opencontainers.image.created": created,
    }))
}

fn manifest(config: &[u8], layer: &[u8]) -> Value {
    json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": descriptor("application/vnd.oci.image.config.v1+json", config),
        "layers": [descriptor("application/vnd.oci.image.layer.v1.tar+gzip", layer)],
    })
}

fn index(release: &Release, manifest: &[u8], created: &str) -> Result<Value> {
    let mut one = descriptor("application/vnd.oci.image.manifest.v1+json", manifest);
    one["platform"] = json!({"architecture": architecture(release)?, "os": "linux"});
    one["annotations"] = json!({
        "io.containerd.image.name": format!("docker.io/library/{}", tag(release)),
        "org.opencontainers.image.ref.name": release.version,
        "org.opencontainers.image.created": created,
    });
    Ok(json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [one],
    }))
}

fn docker_manifest(release: &Release, config: &[u8], layer: &[u8]) -> Value {
    json!([{
        "Config": blob_path(config),
        "RepoTags": [tag(release)],
        "Layers": [blob_path(layer)],
    }])
}

fn tag(release: &Release) -> String {
    format!("assay:{}", release.version)
}

fn descriptor(kind: &str, content: &[u8]) -> Value {
    json!({
        "mediaType": kind,
        "digest": format!("sha256:{}", digest(content)),
        "size": content.len(),
    })
}

fn blob_path(content: &[u8]) -> String {
    format!("blobs/sha256/{}", digest(content))
}

#[cfg(test)]
mod tests {
    use super::authorities;

    #[test]
    fn the_authorities_are_a_file_of_certificates() {
        let text = authorities().unwrap();
        assert!(text.matches("-----BEGIN CERTIFICATE-----\nMII").count() > 100);
        assert!(text.lines().all(|line| line.len() <= 64));
    }
}
