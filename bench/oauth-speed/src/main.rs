//! How fast the authorization server is beside its ceilings: `cargo xtask measure oauth-speed` runs this and makes a table of it.
//!
//! With `projects` behind the path of the binary it measures what people do with projects instead ([`projects`]).
//!
//! [`contest`] has the real binary and a program that does only what cannot be left out (`bin/`) take the same load in turns, some
//! rounds of it, in the same minutes. The load is a closed loop on connections that stay open, from one thread.

mod assay;
mod cluster;
mod contest;
mod member;
mod projects;
mod sample;
mod server;
mod task;
mod wire;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::json;

use self::contest::Contest;
use self::sample::median;

/// The start is quick, so many of them are affordable.
const STARTS: usize = 11;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let binary = std::env::args().nth(1).context("expected the path of `assay`")?;
    let binary = PathBuf::from(binary);
    let folder = tempfile::tempdir()?;
    if std::env::args().nth(2).is_some_and(|what| what == "projects") {
        projects::on_file(&binary, folder.path()).await?;
        return projects::on_server(&binary, folder.path()).await;
    }
    for row in Contest::on_file(&binary, folder.path()).await?.run().await? {
        print(&row)?;
    }
    for row in Contest::on_server(&binary, folder.path()).await?.run().await? {
        print(&row)?;
    }
    print(&starts(&binary).await?)
}

#[expect(clippy::print_stdout, reason = "this is what the program is for")]
fn print(row: &impl serde::Serialize) -> Result<()> {
    println!("{}", serde_json::to_string(row)?);
    Ok(())
}

async fn starts(binary: &Path) -> Result<serde_json::Value> {
    let (mut milliseconds, mut megabytes) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let (took, holds) = assay::start_empty(binary).await?;
        milliseconds.push(took);
        megabytes.push(holds);
    }
    Ok(json!({"start_milliseconds": median(milliseconds), "idle_megabytes": median(megabytes)}))
}
