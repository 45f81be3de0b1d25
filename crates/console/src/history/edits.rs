//! `GET /projects/{id}/history/changes`: who changed what of a project, and who published what of it, newest first. The search is in the
//! address, so that a member can send it to another one.

use app::App;
use app::documents::ResourceKind;
use app::resources::{Edit, Publication, list_edits};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use oauth::Moment;
use storage::{HistoryFilter, ListRange, REVISION};
use web::FormTargets;

use crate::address::Path;
use crate::caller::PageCaller;
use crate::changes::Changes;
use crate::day;
use crate::edit::field::Choice;
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::history::path;
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

/// Entries on a page: what a member can look through.
const PER_PAGE: u32 = 50;

#[derive(Template)]
#[template(path = "history/edits.html")]
struct EditsPage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    form: SearchForm,
    kinds: Vec<Choice>,
    edits: Vec<ShownEdit>,
    total: u64,
    newer: Option<String>,
    older: Option<String>,
}

/// What was done at one time.
struct ShownEdit {
    at: Moment,
    by: String,
    publication: Option<Publication>,
    changes: Changes,
}

/// What a person fills in to search, as it stands in the address.
struct SearchForm {
    resource: String,
    by: String,
    /// Days, as `2026-11-23`; empty for any.
    since: String,
    until: String,
    page: u32,
}

pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let fields = Fields::read(query.unwrap_or_default().as_bytes());
    let form = SearchForm::read(&fields.ok_or(Refusal::UnreadableForm)?);
    let wanted = ListRange { page: form.page, per_page: PER_PAGE };
    let found = list_edits(&app, &actor, id, (form.to_filter(), wanted)).await?;
    let changes = Changes::of_edits(id, &found.edits, &found.document);
    let is_more = u64::from(form.page) * u64::from(PER_PAGE) < found.total;
    let template = EditsPage {
        frame: Frame::new(&session, NavigationTab::Projects),
        project: ProjectFrame::of(&app, &actor, id, Tab::History).await?,
        path: path(id),
        kinds: Choice::chosen(kinds(), [&*form.resource].into()),
        edits: found.edits.into_iter().zip(changes).map(ShownEdit::of).collect(),
        total: found.total,
        newer: (form.page > 1).then(|| form.address(id, form.page - 1)),
        older: is_more.then(|| form.address(id, form.page + 1)),
        form,
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

fn kinds() -> Vec<Choice> {
    let own = [("", "Anything"), (REVISION, "Publications"), ("project", "The project's settings")];
    let own = own.map(|(value, words)| Choice::new(value, words));
    let kinds = ResourceKind::ALL.map(|kind| {
        let (first, rest) = kind.collection().split_at(1);
        Choice::new(kind.word(), format!("{}{rest}", first.to_uppercase()))
    });
    own.into_iter().chain(kinds).collect()
}

impl ShownEdit {
    fn of((edit, changes): (Edit, Changes)) -> Self {
        let Edit { at, by, publication, .. } = edit;
        Self { at: Moment::from(at), by, publication, changes }
    }
}

impl SearchForm {
    fn read(fields: &Fields) -> Self {
        let field = |name| fields.get(name).trim().to_owned();
        Self {
            resource: field("resource"),
            by: field("by"),
            since: field("since"),
            until: field("until"),
            page: fields.get("page").parse().unwrap_or(1).max(1),
        }
    }

    /// What is empty or cannot be read narrows nothing: an address may have been cut.
    fn to_filter(&self) -> HistoryFilter {
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        HistoryFilter {
            resource: given(&self.resource),
            by: given(&self.by),
            since: day::beginning(&self.since),
            until: day::end(&self.until),
            of_itself: false,
        }
    }

    fn is_empty(&self) -> bool {
        self.to_filter() == HistoryFilter::default()
    }

    /// The address of another page of what was found.
    fn address(&self, id: ProjectId, page: u32) -> String {
        let Self { resource, by, since, until, page: _ } = self;
        let parts = [("resource", resource), ("by", by), ("since", since), ("until", until)];
        let given = parts.into_iter().filter(|(_, value)| !value.is_empty());
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(given).append_pair("page", &page.to_string());
        format!("{}/changes?{}", path(id), query.finish())
    }
}
