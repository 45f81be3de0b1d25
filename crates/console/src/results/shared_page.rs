//! `/shared-results`: what people see who have a link to results. They sign in nowhere, and change nothing.

use app::App;
use app::results::{CampaignResults, SegmentBy, SharedResultsError, shared_results};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use domain::CampaignStatus;
use secrecy::{ExposeSecret as _, SecretString};
use web::FormTargets;

use super::Content;
use crate::fields::Fields;
use crate::page::page;
use crate::refusal::Refusal;
use crate::results::query::split;
use crate::results::segments::choices;
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
    title: &'static str,
    why: String,
}

/// `GET /shared-results?token=…`, which is split by `segment`.
pub(super) async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let fields = Fields::read(query.unwrap_or_default().as_bytes()).ok_or(Refusal::NoSuchPage)?;
    let token = SecretString::from(fields.get("token").trim());
    let split = split(&fields)?;
    let answer = match shared_results(&app, &token, split).await {
        Ok(results) => {
            page(StatusCode::OK, &shared(&results, &token, split), FormTargets::OwnPages)
        }
        Err(SharedResultsError::Storage(error)) => return Err(error.into()),
        Err(error @ SharedResultsError::EventsLost(_)) => {
            let title = "This link shows nothing at the moment";
            let template = SharedOverPage { title, why: sentence(&error.to_string()) };
            page(StatusCode::SERVICE_UNAVAILABLE, &template, FormTargets::OwnPages)
        }
        Err(error @ (SharedResultsError::Gone | SharedResultsError::NotLive)) => {
            let title = "This link shows nothing any more";
            let template = SharedOverPage { title, why: sentence(&error.to_string()) };
            page(StatusCode::GONE, &template, FormTargets::OwnPages)
        }
    };
    Ok(([ROBOTS], answer).into_response())
}

fn shared(results: &CampaignResults, token: &SecretString, split: Option<SegmentBy>) -> SharedPage {
    let address = |by: Option<SegmentBy>| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("token", token.expose_secret());
        query.extend_pairs(by.map(|by| ("segment", by.word())));
        format!("/shared-results?{}", query.finish())
    };
    let end = match results.status {
        CampaignStatus::Concluded => Some("The experiment is concluded.".to_owned()),
        CampaignStatus::Archived => Some("The experiment is over.".to_owned()),
        CampaignStatus::NotStarted | CampaignStatus::Running | CampaignStatus::Paused => None,
    };
    let choices = choices(split, address);
    let content = Content { end, choices, ..Content::of(results.found()) };
    SharedPage {
        title: results.name.clone(),
        without: without(results),
        content: content.render().expect("writing to memory does not fail"),
    }
}
