//! `GET /projects/{id}/decide`: a member describes a visit, and reads what the visitor gets and why.

mod answer;
mod fields;
pub(crate) mod visit_form;

use std::sync::Arc;

use app::App;
use app::decisions::{DecideError, PreparedProject, decide_in_turn, live_decider};
use askama::Template;
use axum::extract::{OriginalUri, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use domain::{ActivationKind, ProjectId};
use web::FormTargets;

use crate::address::Path;
use crate::caller::PageCaller;
use crate::decide::answer::ShownAnswer;
use crate::decide::fields::{Control, Field, judged, needed, optional};
use crate::decide::visit_form::{FieldError, VisitForm};
use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::words::sentence;

#[derive(Template)]
#[template(path = "decide.html")]
struct DecidePage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: &'a str,
    needed: Vec<Field<'a>>,
    optional: Vec<Field<'a>>,
    is_more_open: bool,
    is_refused: bool,
    /// The faults in fields that are not shown.
    elsewhere: Vec<&'a str>,
    site_pages: Vec<SitePage<'a>>,
    answer: Option<ShownAnswer>,
}

/// What the page is before the first publication.
#[derive(Template)]
#[template(path = "decide_nothing.html")]
struct NothingLive {
    frame: Frame,
    project: ProjectFrame,
}

/// A page that only the site can activate.
struct SitePage<'a> {
    key: &'a str,
    title: &'a str,
    is_checked: bool,
}

/// What came of a form.
enum Outcome {
    Blank,
    Refused(Vec<FieldError>),
    Answered(ShownAnswer),
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    OriginalUri(uri): OriginalUri,
    (headers, PageCaller { session, actor }): (HeaderMap, PageCaller),
) -> Result<Response, Refusal> {
    let around = (
        Frame::new(&session, NavigationTab::Projects),
        ProjectFrame::of(&app, &actor, id, Tab::Decide).await?,
    );
    let Some(project) = live_decider(&app, &actor, id).await? else {
        let (frame, project) = around;
        let template = NothingLive { frame, project };
        return Ok(page(StatusCode::OK, &template, FormTargets::OwnPages));
    };
    let query = query.filter(|query| !query.is_empty());
    let (form, outcome) = match query {
        None => (VisitForm::blank(&headers), Outcome::Blank),
        Some(query) => {
            let form = VisitForm::read(&query);
            let outcome = explain(&app, &project, &form).await?;
            (form, outcome)
        }
    };
    Ok(answer(around, &project, uri.path(), &form, outcome))
}

async fn explain(
    app: &App,
    project: &Arc<PreparedProject>,
    form: &VisitForm,
) -> Result<Outcome, Refusal> {
    let understood = form.written().and_then(|written| {
        let visit = project.understand(&written);
        visit.map_err(|faults| faults.into_iter().map(FieldError::from).collect())
    });
    let visit = match understood {
        Ok(visit) => visit,
        Err(errors) => return Ok(Outcome::Refused(errors)),
    };
    match decide_in_turn(app, Arc::clone(project), visit).await {
        Ok(answer) => Ok(Outcome::Answered(ShownAnswer::from(answer))),
        Err(DecideError::TooCostly(error)) => {
            let words = sentence(&error.to_string());
            Ok(Outcome::Refused(vec![FieldError { field: String::new(), words }]))
        }
        Err(DecideError::Overloaded(_)) => Err(Refusal::Busy),
        Err(DecideError::Storage(error)) => Err(error.into()),
    }
}

fn answer(
    (frame, project): (Frame, ProjectFrame),
    prepared: &PreparedProject,
    path: &str,
    form: &VisitForm,
    outcome: Outcome,
) -> Response {
    let (status, errors, answer) = match outcome {
        Outcome::Blank => (StatusCode::OK, Vec::new(), None),
        Outcome::Refused(errors) => (StatusCode::UNPROCESSABLE_ENTITY, errors, None),
        Outcome::Answered(answer) => (StatusCode::OK, Vec::new(), Some(answer)),
    };
    let names = prepared.names();
    let needed = judged(needed(form), &errors);
    let optional = judged(optional(form, names), &errors);
    let is_shown = |name: &str| needed.iter().chain(&optional).any(|field| field.name == name);
    let elsewhere = errors.iter().filter(|error| !is_shown(&error.field));
    let elsewhere = elsewhere.map(|error| error.words.as_str()).collect();
    let template = DecidePage {
        frame,
        project,
        path,
        needed,
        is_more_open: optional.iter().any(Field::is_wrong),
        optional,
        site_pages: site_pages(prepared, form),
        is_refused: !errors.is_empty(),
        elsewhere,
        answer,
    };
    page(status, &template, FormTargets::OwnPages)
}

/// The pages that no address activates.
fn site_pages<'a>(project: &'a PreparedProject, form: &VisitForm) -> Vec<SitePage<'a>> {
    let pages = project.names().pages.iter().filter(|page| match page.activation {
        ActivationKind::Manual | ActivationKind::Polling | ActivationKind::Callback => true,
        ActivationKind::Immediate | ActivationKind::DomChanged | ActivationKind::UrlChanged => {
            false
        }
    });
    let pages = pages.map(|page| SitePage {
        key: &page.named.key,
        title: &page.title,
        is_checked: form.pages.contains(&page.named.key),
    });
    pages.collect()
}
