//! A PostgreSQL cluster of our own that flushes what it commits. The script that starts it for the tests starts this one, too.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use tokio_postgres::NoTls;

pub(crate) struct Cluster {
    address: String,
    /// The process whose children serve the connections.
    pub(crate) process: u32,
}

impl Cluster {
    /// It goes away when this process ends.
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        let told = folder.join("cluster.env");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.config/postgres.sh");
        let status =
            Command::new(script).env("NEXTEST_ENV", &told).env("DURABLE", "on").status()?;
        ensure!(status.success(), "PostgreSQL does not start");
        let told = fs::read_to_string(told)?;
        let tell = |name: &str| {
            let mut lines = told.lines().filter_map(|line| line.split_once('='));
            let found = lines.find(|(found, _)| *found == name);
            Ok::<_, anyhow::Error>(found.with_context(|| format!("no {name}"))?.1)
        };
        let data =
            Path::new(tell("ASSAY_TEST_POSTGRES_CERTIFICATE")?).with_file_name("postmaster.pid");
        let process = fs::read_to_string(data)?.lines().next().context("no process")?.parse()?;
        Ok(Self { address: tell("ASSAY_TEST_POSTGRES")?.to_owned(), process })
    }

    /// The address of a new database.
    pub(crate) async fn database(&self, name: &str) -> Result<String> {
        let address = format!("{}/postgres", self.address);
        let (client, connection) = tokio_postgres::connect(&address, NoTls).await?;
        tokio::spawn(connection);
        client.batch_execute(&format!("CREATE DATABASE {name}")).await?;
        Ok(format!("{}/{name}", self.address))
    }
}
