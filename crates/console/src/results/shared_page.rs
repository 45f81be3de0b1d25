//! `/shared-results`: what people see who have a link to results. They sign in nowhere, and change nothing.

use app::App;
use app::results::{CampaignResults, SharedResultsError, shared_results};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use secrecy::SecretString;
use web::FormTargets;

use super::Content;
use crate::fields::Fields;
use crate::page::page;
use crate::refusal::Refusal;
use crate::results::show::without;
use crate::words::sentence;

/// No search engine keeps what a link shows.
const ROBOTS: (HeaderName, &str) = (HeaderName::from_static("x-robots-tag"), "noindex");

#[derive(Template)]
#[template(path = "results/shared.html")]
struct SharedPage {
    title: String,
    /// Experiments of which there is nothing to compare yet.
    without: Vec<(String, &'static str)>,
    content: String,
}

/// The page of a link that shows nothing.
#[derive(Template)]
#[template(path = "results/shared_over.html")]
struct SharedOverPage {
    why: String,
}

/// `GET /shared-results?token=…`
pub(super) async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let fields = Fields::read(query.unwrap_or_default().as_bytes()).ok_or(Refusal::NoSuchPage)?;
    let token = SecretString::from(fields.get("token").trim());
    let answer = match shared_results(&app, &token).await {
        Ok(results) => page(StatusCode::OK, &shared(&results), FormTargets::OwnPages),
        Err(SharedResultsError::Storage(error)) => return Err(error.into()),
        Err(error @ (SharedResultsError::Gone | SharedResultsError::NotLive)) => {
            let template = SharedOverPage { why: sentence(&error.to_string()) };
            page(StatusCode::GONE, &template, FormTargets::OwnPages)
        }
    };
    Ok(([ROBOTS], answer).into_response())
}

fn shared(results: &CampaignResults) -> SharedPage {
    SharedPage {
        title: results.name.clone(),
        without: without(results),
        content: Content::of(results.found()).render().expect("writing to memory does not fail"),
    }
}
