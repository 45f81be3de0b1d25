//! What it costs to list, open, edit and publish projects, in processor time for each request: `cargo xtask measure projects` makes a
//! table of it. The real binary answers over HTTP, with a thousand small projects and the largest that there can be.

mod console_page;
mod large_project;
mod operation;

use std::path::Path;

use anyhow::{Result, ensure};
use serde::Serialize;
use serde_json::{Value, json};

use self::console_page::ConsolePage;
use self::large_project::Shape;
use self::operation::{Operation, small_projects};
use crate::assay::Assay;
use crate::cluster::Cluster;
use crate::print;
use crate::server::cpu_seconds_of;
use crate::wire::{Answer, Wire};

/// How many projects there are beside the large ones.
const SMALL_PROJECTS: u32 = 1_000;

/// The least of these is the one that was disturbed least.
const SAMPLES: u32 = 7;

/// Enough of them to see milliseconds where the system counts in ten.
const COMPARISONS: u32 = 10;

/// How often a page is opened for one sample.
const VIEWS: u32 = 5;

/// What one operation costs.
#[derive(Serialize)]
struct Row {
    operation: &'static str,
    project: &'static str,
    store: &'static str,
    cpu_milliseconds: f64,
}

/// What the server holds in the end.
#[derive(Serialize)]
struct Memory {
    store: &'static str,
    idle_megabytes: f64,
    held_megabytes: f64,
}

/// A member's program that works on projects.
struct Editor {
    store: &'static str,
    assay: Assay,
    wire: Wire,
    token: String,
}

/// Prints a row for each operation, and what the server holds in the end, with SQLite.
pub(crate) async fn on_file(binary: &Path, folder: &Path) -> Result<()> {
    let data = folder.join("data");
    let assay = Assay::start(binary, folder, ["--data", &data.to_string_lossy()]).await?;
    Editor::new("SQLite", assay).await?.measure().await
}

/// The same with PostgreSQL, whose processor time counts.
pub(crate) async fn on_server(binary: &Path, folder: &Path) -> Result<()> {
    let cluster = Cluster::start(folder)?;
    let database = cluster.database("projects").await?;
    let mut assay = Assay::start(binary, folder, ["--database", &database]).await?;
    assay.server = assay.server.helped_by(cluster.process);
    Editor::new("PostgreSQL", assay).await?.measure().await
}

impl Editor {
    async fn new(store: &'static str, assay: Assay) -> Result<Self> {
        let [tokens] = &assay.tokens(&assay.confidential, 1).await?[..] else {
            anyhow::bail!("no token")
        };
        let token = tokens.access.clone();
        let wire = Wire::open(&assay.server.url).await?;
        Ok(Self { store, assay, wire, token })
    }

    async fn measure(mut self) -> Result<()> {
        let idle_megabytes = self.assay.server.resident_megabytes()?;
        for id in small_projects(SMALL_PROJECTS) {
            let (key, name) = (format!("project-{id}"), format!("Project {id}"));
            let project = json!({"id": id.to_string(), "key": key, "name": name});
            self.ask("POST", "/v1/projects", &project).await?;
        }
        for shape in Shape::ALL {
            self.add_large(shape).await?;
            let (project, store) = (shape.name(), self.store);
            let row =
                |operation, cpu_milliseconds| Row { operation, project, store, cpu_milliseconds };
            for operation in Operation::ALL {
                print(&row(operation.name(), self.cost_of(operation, shape).await?))?;
            }
            let changed = Operation::ChangeVariation.request(shape, u32::MAX);
            self.ask(changed.0, &changed.1, &changed.2).await?;
            for page in ConsolePage::ALL {
                print(&row(page.name(), self.cost_of_page(page, shape).await?))?;
            }
            print(&row("to compare: read and write its JSON", cost_of_json(shape)?))?;
        }
        let held_megabytes = self.assay.server.resident_megabytes()?;
        print(&Memory { store: self.store, idle_megabytes, held_megabytes })
    }

    async fn add_large(&mut self, shape: Shape) -> Result<()> {
        let address = format!("/v1/projects/{}", shape.id());
        let (path, document) = (format!("{address}/document"), shape.document());
        let begun = self.send("PUT", &path, "If-None-Match: *", &document).await?;
        ensure!(begun.status == 201, "the large project is not taken: {}", begun.body);
        self.ask("POST", &format!("{address}/revisions"), &json!({})).await?;
        Ok(())
    }

    /// Processor milliseconds for one request, of the sample that took the least.
    async fn cost_of(&mut self, operation: Operation, shape: Shape) -> Result<f64> {
        let mut least = f64::INFINITY;
        for sample in 0..SAMPLES {
            let mut seconds = 0.0;
            for round in 0..operation.rounds() {
                let number = sample * operation.rounds() + round;
                seconds += self.cost_of_one(operation, shape, number).await?;
            }
            least = least.min(seconds * 1_000.0 / f64::from(operation.rounds()));
        }
        Ok(least)
    }

    /// Processor seconds for the request, not for what has to be done before it.
    async fn cost_of_one(
        &mut self,
        operation: Operation,
        shape: Shape,
        number: u32,
    ) -> Result<f64> {
        for (method, path, body) in operation.preparations(shape, number) {
            self.ask(method, &path, &body).await?;
        }
        let (method, path, body) = operation.request(shape, number);
        let before = self.assay.server.cpu_seconds()?;
        self.ask(method, &path, &body).await?;
        Ok(self.assay.server.cpu_seconds()? - before)
    }

    /// The same for a page that a member opens in the browser.
    async fn cost_of_page(&mut self, page: ConsolePage, shape: Shape) -> Result<f64> {
        let (path, cookies) = (page.path(shape), self.assay.member.cookie());
        let mut least = f64::INFINITY;
        for _ in 0..SAMPLES {
            let before = self.assay.server.cpu_seconds()?;
            for _ in 0..VIEWS {
                let answer = self.wire.get(&path, &cookies).await?;
                ensure!(answer.status == 200, "{path}: {}", answer.body);
            }
            let seconds = self.assay.server.cpu_seconds()? - before;
            least = least.min(seconds * 1_000.0 / f64::from(VIEWS));
        }
        Ok(least)
    }

    async fn ask(&mut self, method: &str, path: &str, body: &Value) -> Result<Answer> {
        let answer = self.send(method, path, "If-Match: *", body).await?;
        ensure!((200..300).contains(&answer.status), "{method} {path}: {}", answer.body);
        Ok(answer)
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        condition: &str,
        body: &Value,
    ) -> Result<Answer> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let condition = if method == "GET" { "" } else { condition };
        let kind =
            if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        let separator = if condition.is_empty() { "" } else { "\r\n" };
        let headers = format!(
            "Authorization: Bearer {}\r\nContent-Type: {kind}\r\n{condition}{separator}",
            self.token
        );
        self.wire.send(method, path, &headers, &body).await
    }
}

/// Processor milliseconds that this machine takes, in this minute, to read the project's JSON and to write it again.
fn cost_of_json(shape: Shape) -> Result<f64> {
    let text = shape.document().to_string();
    let mut least = f64::INFINITY;
    for _ in 0..SAMPLES {
        let before = cpu_seconds_of(std::process::id())?;
        for _ in 0..COMPARISONS {
            let document: Value = serde_json::from_str(&text)?;
            ensure!(
                serde_json::to_string(&document)?.len() == text.len(),
                "it is another document"
            );
        }
        let seconds = cpu_seconds_of(std::process::id())? - before;
        least = least.min(seconds * 1_000.0 / f64::from(COMPARISONS));
    }
    Ok(least)
}
