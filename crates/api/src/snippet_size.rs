//! `GET /v1/projects/{id}/snippet-size`: what a snippet weighs, and what each feature and experiment adds to it.

use app::App;
use app::revisions::{Bytes, Report, Share, Side, snippet_size};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use serde_json::json;
use web::{Problem, ProblemCode};

use crate::address::{FromQuery, Parameters, Path, Query};
use crate::answers::answer;
use crate::editing::{Caller, problem, project_id};
use crate::openapi::Operation;
use crate::revisions::side;
use crate::routes::{Routes, get};

app::dto! {
    /// What a snippet weighs.
    pub(crate) struct SnippetSizeDto: "snippet_size" {
        /// The snippet's hash.
        snippet_hash: String,
        /// The whole snippet.
        bytes: BytesDto,
        /// Its runtime, without the project's data.
        runtime: BytesDto,
        /// How many campaigns it has: those that visitors get.
        campaigns: usize,
        /// How many experiments these have.
        experiments: usize,
        /// What each feature adds to the runtime, the largest first.
        by_feature: Vec<ShareDto>,
        /// What each experiment adds to the snippet, the largest first; of more than 20 those whose documents are the longest.
        by_experiment: Vec<ShareDto>,
    }

    /// The size of a script, in bytes.
    pub(crate) struct BytesDto: "script_bytes" {
        /// As it is.
        raw: usize,
        /// Compressed with gzip.
        gzip: usize,
        /// Compressed with brotli, as most browsers receive it.
        brotli: usize,
    }

    /// The bytes that go if this part alone is left out. Brotli may find a longer text shorter, so it can be less than zero.
    pub(crate) struct ShareDto: "size_share" {
        /// The name of a feature, or the keys of a campaign and its experiment: `hero/hero`.
        of: String,
        /// As they are.
        raw: i64,
        /// Compressed with brotli.
        brotli: i64,
    }
}

pub(crate) fn routes() -> Routes {
    let schema =
        json!({"type": "string", "pattern": "^(draft|live|[1-9][0-9]*)$", "default": "live"});
    let show_size = Operation::new("get_snippet_size", "Weigh the snippet of a state")
        .needs(Scope::ConfigRead, "viewer")
        .query("revision", &schema, "The live revision, the draft as if it were published, or the revision with this number.")
        .answers_dto::<SnippetSizeDto>(200)
        .may_be(&[409, 422]);
    Routes::under("Revisions").at("/v1/projects/{id}/snippet-size", [get(show, show_size)])
}

/// The state that a query names.
struct Weighed(Side);

impl FromQuery for Weighed {
    fn read(query: &Query) -> Result<Self, Problem> {
        let Some(named) = query.text("revision") else { return Ok(Self(Side::Live)) };
        let detail = "`revision` is `live`, `draft` or the number of a revision";
        side(named).map(Self).ok_or_else(|| Problem::new(ProblemCode::InvalidParameter, detail))
    }
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Parameters(Weighed(side)): Parameters<Weighed>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let report = snippet_size(&app, &actor, id, side).await.map_err(problem)?;
    Ok(answer(StatusCode::OK, SnippetSizeDto::from(&*report)))
}

impl From<&Report> for SnippetSizeDto {
    fn from(report: &Report) -> Self {
        let shares = |shares: &[Share]| shares.iter().map(ShareDto::from).collect();
        Self {
            snippet_hash: report.snippet_hash.clone(),
            bytes: report.bytes.into(),
            runtime: report.runtime.into(),
            campaigns: report.campaigns,
            experiments: report.experiments,
            by_feature: shares(&report.by_feature),
            by_experiment: shares(&report.by_experiment),
        }
    }
}

impl From<Bytes> for BytesDto {
    fn from(Bytes { raw, gzip, brotli }: Bytes) -> Self {
        Self { raw, gzip, brotli }
    }
}

impl From<&Share> for ShareDto {
    fn from(Share { of, raw, brotli }: &Share) -> Self {
        Self { of: of.clone(), raw: *raw, brotli: *brotli }
    }
}
