//! `GET /projects/{id}/size`: what the snippet weighs, what each feature and experiment adds to it, and what the draft makes of that.

mod chart;
mod report;

use std::sync::Arc;

use app::App;
use app::revisions::{Bytes, ForPage, Report, Side, snippet_size_for_page};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use web::FormTargets;

use crate::address::Path;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::size::chart::Chart;

pub use self::report::size_report;

#[derive(Template)]
#[template(path = "size.html")]
struct SizePage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    /// Whether something is still being measured.
    is_soon: bool,
    /// Why the draft has no size, if it does not compile.
    refused: Option<String>,
    totals: Vec<Total>,
    charts: [Chart; 2],
}

/// The size of a snippet.
struct Total {
    words: &'static str,
    raw: usize,
    gzip: usize,
    brotli: usize,
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let live = snippet_size_for_page(&app, &actor, id, Side::Live).await?;
    let draft = snippet_size_for_page(&app, &actor, id, Side::Draft).await?;
    let is_soon = matches!(live, ForPage::Soon) || matches!(draft, ForPage::Soon);
    let refused = refused(&live).or(refused(&draft));
    let (live, draft) = (known(&live), known(&draft));
    let template = SizePage {
        frame: Frame::new(&session, NavigationTab::Projects),
        project: ProjectFrame::of(&app, &actor, id, Tab::Size).await?,
        path: path(id),
        is_soon,
        refused,
        totals: totals(live, draft),
        charts: [Chart::of_features(live, draft), Chart::of_experiments(live, draft)],
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

/// The address of the page.
fn path(id: ProjectId) -> String {
    format!("/projects/{id}/size")
}

fn known(size: &ForPage<Arc<Report>>) -> Option<&Report> {
    match size {
        ForPage::Known(report) => Some(report),
        ForPage::Nothing | ForPage::Soon | ForPage::Refused(_) => None,
    }
}

fn refused(size: &ForPage<Arc<Report>>) -> Option<String> {
    match size {
        ForPage::Refused(why) => Some(why.clone()),
        ForPage::Nothing | ForPage::Soon | ForPage::Known(_) => None,
    }
}

fn totals(live: Option<&Report>, draft: Option<&Report>) -> Vec<Total> {
    let total = |words, Bytes { raw, gzip, brotli }| Total { words, raw, gzip, brotli };
    let live = live.map(|report| {
        [total("Live", report.bytes), total("Live, its runtime for any data", report.runtime)]
    });
    let draft = draft.map(|report| {
        [total("Draft", report.bytes), total("Draft, its runtime for any data", report.runtime)]
    });
    live.into_iter().chain(draft).flatten().collect()
}
