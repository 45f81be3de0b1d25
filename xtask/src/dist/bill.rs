//! The software bill of materials: each crate in the binary, with its licence, its checksum and what it uses, as `CycloneDX` 1.6.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::crates::{Crate, in_binary};
use super::license::parse;
use super::release::Release;
use crate::repository::output_of;

pub(super) fn file(release: &Release) -> String {
    format!("{}.cdx.json", release.name())
}

pub(super) fn make(release: &Release) -> Result<()> {
    let crates = in_binary(release)?;
    let bill = bill(release, &moment(release.time)?, &crates)?;
    let text = serde_json::to_string_pretty(&bill).context("cannot write the bill")?;
    release.write(&file(release), (text + "\n").as_bytes())
}

/// As RFC 3339 has it.
pub(super) fn moment(time: u64) -> Result<String> {
    let text = output_of("date", &["-u", &format!("--date=@{time}"), "+%Y-%m-%dT%H:%M:%SZ"])?;
    Ok(text.trim().to_owned())
}

fn bill(release: &Release, moment: &str, crates: &[Crate]) -> Result<Value> {
    let (binary, parts): (Vec<&Crate>, Vec<&Crate>) =
        crates.iter().partition(|one| one.name == "server" && one.is_ours());
    let root = format!("pkg:generic/assay@{}?arch={}", release.version, release.processor());
    let reference = |name: &str, version: &str| {
        let one = crates.iter().find(|one| one.name == name && one.version == version);
        one.map_or_else(String::new, |one| reference(one, &root))
    };
    let dependencies = crates.iter().map(|one| {
        let used = one.uses.iter().map(|(name, version)| reference(name, version));
        json!({"ref": reference(&one.name, &one.version), "dependsOn": used.collect::<Vec<_>>()})
    });
    let components = parts.iter().map(|one| component(one, &root)).collect::<Result<Vec<_>>>()?;
    let description = binary.first().and_then(|one| one.description.clone());
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": moment,
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "assay",
                "version": release.version,
                "description": description,
                "purl": root,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": components,
        "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

fn reference(one: &Crate, root: &str) -> String {
    match (one.is_ours(), one.name.as_str()) {
        (true, "server") => root.to_owned(),
        (true, name) => format!("assay:{name}"),
        (false, name) => format!("pkg:cargo/{name}@{}", one.version),
    }
}

fn component(one: &Crate, root: &str) -> Result<Value> {
    let license = parse(one).with_context(|| format!("{} {}", one.name, one.version))?;
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(one, root),
        "name": one.name,
        "version": one.version,
        "licenses": [{"expression": license.to_string()}],
    });
    if let Some(description) = &one.description {
        component["description"] =
            json!(description.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    if !one.is_ours() {
        component["purl"] = json!(reference(one, root));
    }
    if let Some(checksum) = &one.checksum {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    if let Some(repository) = &one.repository {
        component["externalReferences"] = json!([{"type": "vcs", "url": repository}]);
    }
    Ok(component)
}
