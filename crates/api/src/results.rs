//! `GET /v1/projects/{id}/campaigns/{campaign}/results`: who won, from the events that came to this server.

use app::App;
use app::events::lost_days_json;
use app::results::{
    CampaignResultsError, ResultsQuestion, SegmentBy, campaign_results, campaign_text, results_csv,
};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use oauth::Scope;
use serde_json::json;
use web::{Problem, ProblemCode};

use crate::address::{FromQuery, Parameters, Path, Query};
use crate::answers::{NO_STORE, answer};
use crate::editing::{Caller, Refusal, problem, project_id};
use crate::openapi::Operation;
use crate::routes::{Routes, get};

pub(crate) fn routes() -> Routes {
    let read = Operation::new("get_results", "Read the results of a campaign")
        .needs(Scope::ResultsRead, "analyst")
        .query(
            "format",
            &json!({"enum": ["json", "csv", "text"], "default": "json"}),
            "`csv` is a table with a line per metric and variation, `text` what a person reads at a terminal. A generated client that reads each 200 as JSON, as that of openapi-python-client does, reads `json` alone: ask for the others with a plain HTTP request.",
        )
        .query(
            "segment",
            &json!({"enum": SegmentBy::ALL.map(SegmentBy::word)}),
            "Adds the figures of the visitors of each browser or device: intervals without verdicts.",
        )
        .query(
            "revision",
            &json!({"type": "integer", "minimum": 1}),
            "Takes the experiments and metrics of this revision, as of an earlier phase; without it, those of the live one.",
        )
        .answers(200, "campaign_results")
        .answers_as(200, "text/csv", &json!({"type": "string"}))
        .answers_as(200, "text/plain", &json!({"type": "string"}))
        .may_be(&[409]);
    Routes::under("Results")
        .at("/v1/projects/{id}/campaigns/{campaign}/results", [get(show, read).heavy()])
}

async fn show(
    State(app): State<App>,
    Path((id, campaign)): Path<(String, String)>,
    caller: Caller,
    Parameters(ResultsQuery { format, split, revision }): Parameters<ResultsQuery>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ResultsRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let question = ResultsQuestion { campaign: &campaign, split, revision };
    let results = campaign_results(&app, &actor, id, question).await.map_err(problem)?;
    Ok(match format {
        Format::Json => answer(StatusCode::OK, &*results),
        Format::Csv => text("text/csv; charset=utf-8", results_csv(results.found())),
        Format::Text => text("text/plain; charset=utf-8", campaign_text(&results)),
    })
}

fn text(media_type: &'static str, body: String) -> Response {
    let media_type = HeaderValue::from_static(media_type);
    ([(CONTENT_TYPE, media_type), (CACHE_CONTROL, NO_STORE)], body).into_response()
}

/// How results are written.
#[derive(Clone, Copy)]
enum Format {
    Json,
    Csv,
    Text,
}

/// What is asked of results.
struct ResultsQuery {
    format: Format,
    split: Option<SegmentBy>,
    revision: Option<u32>,
}

impl FromQuery for ResultsQuery {
    fn read(query: &Query) -> Result<Self, Problem> {
        let words = [("json", Format::Json), ("csv", Format::Csv), ("text", Format::Text)];
        let format = query.word("format", &words)?.unwrap_or(Format::Json);
        let split = query.word("segment", &SegmentBy::ALL.map(|by| (by.word(), by)))?;
        let revision = query.number("revision", 1..=u32::MAX)?;
        Ok(Self { format, split, revision })
    }
}

impl Refusal for CampaignResultsError {
    fn problem(self) -> Problem {
        match self {
            Self::Role(error) => Problem::from(error),
            Self::NotPublished => Problem::new(ProblemCode::NotPublished, self.to_string()),
            Self::EventsLost(ref days) => Problem::new(ProblemCode::EventsLost, self.to_string())
                .with_member("days", lost_days_json(days)),
            Self::UnknownRevision | Self::UnknownCampaign => Problem::not_found(),
        }
    }
}
