//! The floor of a request with a bearer token: axum, and an answer of as many bytes that is always the same. Takes the answer as its
//! argument and prints where it listens.

use anyhow::{Context as _, Result};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use tokio::net::TcpListener;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the parent process reads the address")]
async fn main() -> Result<()> {
    let body = std::env::args().nth(1).context("expected the answer")?;
    let body: &'static str = body.leak();
    let answer = async move || ([(CONTENT_TYPE, "application/json")], body);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, Router::new().route("/v1/me", get(answer))).await?)
}
