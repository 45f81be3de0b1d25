//! Assay and its ceilings, the same load for each, in turns.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;

use crate::assay::{Assay, Tokens};
use crate::cluster::Cluster;
use crate::member::Application;
use crate::sample::{Sample, median};
use crate::server::Server;
use crate::task::{BEARER_PATH, Task};
use crate::wire::Wire;

/// Odd, so that one is in the middle.
const ROUNDS: usize = 5;
const RUN: Duration = Duration::from_millis(1_500);
const MANY: usize = 64;
/// What 64 connections exchange in about a second, and one alone.
const CODES_FOR_MANY: usize = 6_400;
const CODES_FOR_ONE: usize = 800;

pub(crate) struct Contest {
    store: &'static str,
    assay: Assay,
    ceiling: Server,
    /// Only where there is something new to learn from it: a bearer check does not ask the database.
    hello: Option<Server>,
    loads: &'static [Load],
}

/// What is asked, by how many connections at once.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Load {
    ExchangeByOne,
    Exchange,
    Refresh,
    Rotate,
    Bearer,
}

/// What came of it.
#[derive(Serialize)]
pub(crate) struct Row {
    load: &'static str,
    store: &'static str,
    connections: usize,
    assay: Sample,
    ceiling: Sample,
    /// The middle of the rounds' ratios.
    times_per_second: f64,
    times_per_cpu_second: f64,
}

impl Contest {
    pub(crate) async fn on_file(binary: &Path, folder: &Path) -> Result<Self> {
        let data = folder.join("data");
        let assay = Assay::start(binary, folder, ["--data", &data.to_string_lossy()]).await?;
        let file = folder.join("ceiling.db");
        let [token] = &assay.tokens(&assay.confidential, 1).await?[..] else {
            anyhow::bail!("no token")
        };
        let bearer = format!("Authorization: Bearer {}\r\n", token.access);
        let answer = Wire::open(&assay.server.url).await?.get(BEARER_PATH, &bearer).await?;
        Ok(Self {
            store: "SQLite",
            ceiling: Server::start(beside("ceiling")?.arg(file))?,
            hello: Some(Server::start(beside("hello")?.arg(answer.body))?),
            loads: &[
                Load::ExchangeByOne,
                Load::Exchange,
                Load::Refresh,
                Load::Rotate,
                Load::Bearer,
            ],
            assay,
        })
    }

    pub(crate) async fn on_server(binary: &Path, folder: &Path) -> Result<Self> {
        let cluster = Cluster::start(folder)?;
        let database = cluster.database("assay_speed").await?;
        let mut assay = Assay::start(binary, folder, ["--database", &database]).await?;
        assay.server = assay.server.helped_by(cluster.process);
        let database = cluster.database("ceiling").await?;
        let ceiling = Server::start(beside("ceiling")?.arg(database))?;
        Ok(Self {
            store: "PostgreSQL",
            ceiling: ceiling.helped_by(cluster.process),
            hello: None,
            loads: &[Load::Exchange, Load::Refresh, Load::Rotate],
            assay,
        })
    }

    /// Takes all rounds, and the middle of them.
    pub(crate) async fn run(&self) -> Result<Vec<Row>> {
        let mut samples = vec![(Vec::new(), Vec::new()); self.loads.len()];
        for _ in 0..ROUNDS {
            for (load, (ours, theirs)) in self.loads.iter().zip(&mut samples) {
                let (application, tasks) = self.prepare(*load).await?;
                self.tell_ceiling(&tasks).await?;
                let hello = self.hello.as_ref().filter(|_| *load == Load::Bearer);
                let floor = hello.unwrap_or(&self.ceiling);
                theirs.push(Sample::take(floor, application, tasks.clone(), RUN).await?);
                ours.push(Sample::take(&self.assay.server, application, tasks, RUN).await?);
            }
        }
        let rows = self.loads.iter().zip(&samples);
        Ok(rows.map(|(load, (ours, theirs))| self.row(*load, ours, theirs)).collect())
    }

    fn row(&self, load: Load, ours: &[Sample], theirs: &[Sample]) -> Row {
        let times = |of: fn(&Sample) -> f64| {
            median(ours.iter().zip(theirs).map(|(ours, theirs)| of(ours) / of(theirs)).collect())
        };
        Row {
            load: load.name(),
            store: self.store,
            connections: load.connections(),
            assay: Sample::median(ours),
            ceiling: Sample::median(theirs),
            times_per_second: times(|sample| sample.per_second),
            times_per_cpu_second: times(|sample| sample.per_cpu_second),
        }
    }

    /// A task for each connection, and whose it is.
    async fn prepare(&self, load: Load) -> Result<(&Application, Vec<Task>)> {
        let (assay, many) = (&self.assay, load.connections());
        let application = if load == Load::Rotate { &assay.public } else { &assay.confidential };
        let tasks = match load {
            Load::ExchangeByOne => {
                vec![Task::Exchange(assay.member.codes(application, CODES_FOR_ONE).await?)]
            }
            Load::Exchange => {
                self.codes_for_many().await?.into_iter().map(Task::Exchange).collect()
            }
            Load::Refresh => {
                self.each(application, many, |tokens| Task::Refresh(tokens.refresh)).await?
            }
            Load::Rotate => {
                self.each(application, many, |tokens| Task::Rotate(tokens.refresh)).await?
            }
            Load::Bearer => self.each(application, many, |tokens| Task::Use(tokens.access)).await?,
        };
        Ok((application, tasks))
    }

    /// Lets the ceiling know what will be shown to it.
    async fn tell_ceiling(&self, tasks: &[Task]) -> Result<()> {
        let shown: Vec<&str> = tasks.iter().flat_map(Task::shows).collect();
        let mut wire = Wire::open(&self.ceiling.url).await?;
        let answer = wire.post("/known", "", &shown.join("\n")).await?;
        ensure!(answer.status == 200, "the ceiling takes no credentials");
        Ok(())
    }

    async fn each(
        &self,
        application: &Application,
        many: usize,
        task: fn(Tokens) -> Task,
    ) -> Result<Vec<Task>> {
        Ok(self.assay.tokens(application, many).await?.into_iter().map(task).collect())
    }

    /// Asked for by many at once, too: a code lives for a minute only.
    async fn codes_for_many(&self) -> Result<Vec<Vec<String>>> {
        let mut asking = tokio::task::JoinSet::new();
        for _ in 0..MANY {
            let (member, application) =
                (self.assay.member.clone(), self.assay.confidential.clone());
            asking.spawn(async move { member.codes(&application, CODES_FOR_MANY / MANY).await });
        }
        asking.join_all().await.into_iter().collect()
    }
}

impl Load {
    fn name(self) -> &'static str {
        match self {
            Self::ExchangeByOne | Self::Exchange => "exchange",
            Self::Refresh => "refresh, kept",
            Self::Rotate => "refresh, rotating",
            Self::Bearer => "bearer",
        }
    }

    fn connections(self) -> usize {
        match self {
            Self::ExchangeByOne => 1,
            Self::Exchange | Self::Refresh | Self::Rotate | Self::Bearer => MANY,
        }
    }
}

/// A program that was built together with this one.
fn beside(name: &str) -> Result<Command> {
    let own = std::env::current_exe()?;
    Ok(Command::new(own.parent().context("no folder")?.join(name)))
}
