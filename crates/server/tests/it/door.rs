//! Where requests go in: the routers in memory ([`Site`]), or the real binary over a real connection ([`Running`]).

use std::process::Output;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use reqwest::redirect::Policy;

use crate::command_line::binary::{Folder, Server};
use crate::site::{Answer, Application, Member, Site};

/// Takes requests and answers them.
pub(crate) trait Door {
    async fn send(&self, request: Request<Body>) -> Answer;
}

impl Door for Site {
    async fn send(&self, request: Request<Body>) -> Answer {
        Site::send(self, request).await
    }
}

/// One that several hold.
impl<D: Door> Door for Arc<D> {
    async fn send(&self, request: Request<Body>) -> Answer {
        D::send(self, request).await
    }
}

/// The real binary, serving its demo.
pub(crate) struct Running {
    server: Server,
    folder: Folder,
    client: reqwest::Client,
}

impl Running {
    /// Serves on a data directory that may have been written to before.
    pub(crate) fn start_in(folder: Folder) -> Self {
        let server = folder.serve(&["--demo", "--data", DATA]);
        let client = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        Self { server, folder, client }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The demo's member.
    pub(crate) fn member(&self) -> Member {
        let text = |name: &str| self.server.ready["member"][name].as_str().unwrap().to_owned();
        Member { email: text("email"), password: text("password") }
    }

    /// Runs a command on its data.
    pub(crate) fn assay(&self, arguments: &[&str]) -> Output {
        self.folder.assay(&[arguments, &["--data", DATA]].concat())
    }

    /// Registers an application at the terminal.
    pub(crate) fn register(&self, redirect_uri: &str, more: &[&str]) -> Application {
        let flags = ["application", "add", "Client", "--data", DATA, "--json", "--redirect-uri"];
        let output = self.folder.assay(&[&flags[..], &[redirect_uri], more].concat());
        let added: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |name: &str| added[name].as_str().unwrap_or_default().to_owned();
        Application {
            client_id: text("client_id"),
            client_secret: text("client_secret"),
            redirect_uri: redirect_uri.to_owned(),
        }
    }
}

/// The data directory within the folder.
pub(crate) const DATA: &str = "data";

impl Door for Running {
    async fn send(&self, request: Request<Body>) -> Answer {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let url = self.url(&parts.uri.to_string());
        let request = self.client.request(parts.method, url).headers(parts.headers).body(body);
        let response = request.send().await.unwrap();
        Answer {
            status: response.status(),
            headers: response.headers().clone(),
            body: response.text().await.unwrap(),
        }
    }
}
