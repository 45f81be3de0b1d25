//! `/audit`: who did what to whom, when and from where, for those who may read the log. The search is in the address, so that a member can
//! send it to another one.

use app::App;
use app::audit::{AuditSearch, search_audit};
use app::projects::list_readable_projects;
use app::roles::{Actor, Permission, rights_of};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::{ClientId, Moment};
use storage::{ActorKind, AuditEntry, AuditEvent, AuditMember, ListRange, ProjectSummary};
use web::FormTargets;

use crate::caller::PageCaller;
use crate::day;
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::projects::every_project;
use crate::refusal::Refusal;

pub(crate) const PATH: &str = "/audit";

/// As many as people look through.
const PER_PAGE: u32 = 50;

/// More projects than people choose from; the others are found by their id in the address.
const PROJECTS_AT_MOST: u32 = 500;

/// Beyond this a change is told by its beginning. It may be a whole document.
const CHANGE_SHOWN: usize = 4_000;

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    frame: Frame,
    form: SearchForm,
    projects: Vec<Choice>,
    events: Vec<Choice>,
    /// `None` if the visitor may not read the log.
    found: Option<EntryPage>,
}

/// What a person fills in to search, as it stands in the address.
#[derive(Default)]
struct SearchForm {
    project: String,
    person: String,
    event: String,
    /// Days, as `2026-11-23`; empty for any.
    since: String,
    until: String,
    page: u32,
}

struct Choice {
    value: String,
    words: String,
    is_chosen: bool,
}

struct EntryPage {
    total: u64,
    lines: Vec<Line>,
    newer: Option<String>,
    older: Option<String>,
}

struct Line {
    at: Moment,
    event: String,
    by: String,
    /// What it was done to, or more about it.
    about: Option<String>,
    /// The project that it changed, with its name if there still is one.
    project: Option<(String, String)>,
    /// What has changed, as a JSON Patch.
    change: Option<String>,
    application: Option<String>,
    address: Option<String>,
    count: u32,
}

/// `GET /audit`
pub(crate) async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let fields = Fields::read(query.unwrap_or_default().as_bytes()).ok_or(Refusal::NoSuchPage)?;
    let form = SearchForm::read(&fields);
    let rights = rights_of(&app, session.member.id).await?;
    let (found, projects) = if rights.include(None, Permission::ReadAudit) {
        let projects = projects(&app, &actor, &form.project).await?;
        (Some(search(&app, &actor, &form, &projects).await?), projects)
    } else {
        (None, Vec::new())
    };
    let frame = Frame::new(&session, NavigationTab::AuditLog);
    let events = events(&form.event);
    let template = AuditPage { frame, form, projects, events, found };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

async fn search(
    app: &App,
    actor: &Actor,
    form: &SearchForm,
    projects: &[Choice],
) -> Result<EntryPage, Refusal> {
    let page = ListRange { page: form.page, per_page: PER_PAGE };
    let found = search_audit(app, actor, form.to_search(), page).await?;
    let is_more = u64::from(form.page) * u64::from(PER_PAGE) < found.total;
    Ok(EntryPage {
        total: found.total,
        lines: found.entries.iter().map(|entry| line(entry, projects)).collect(),
        newer: form.page.checked_sub(1).filter(|number| *number > 0).map(|at| form.address(at)),
        older: is_more.then(|| form.address(form.page + 1)),
    })
}

async fn projects(app: &App, actor: &Actor, chosen: &str) -> Result<Vec<Choice>, Refusal> {
    let all = ListRange { page: 1, per_page: PROJECTS_AT_MOST };
    let (projects, _) = list_readable_projects(app, actor, &every_project(), all).await?;
    let choice = |project: ProjectSummary| Choice {
        is_chosen: project.id.to_string() == chosen,
        value: project.id.to_string(),
        words: project.name.unwrap_or(project.key),
    };
    Ok(projects.into_iter().map(choice).collect())
}

fn events(chosen: &str) -> Vec<Choice> {
    let choice = |event: &AuditEvent| Choice {
        value: event.as_str().to_owned(),
        words: words(*event),
        is_chosen: event.as_str() == chosen,
    };
    let mut events: Vec<_> = AuditEvent::ALL.iter().map(choice).collect();
    events.sort_by(|one, other| one.words.cmp(&other.words));
    events
}

/// `refresh_token.reused` as people read it.
fn words(event: AuditEvent) -> String {
    let words = event.as_str().replace(['.', '_'], " ");
    let mut characters = words.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}

impl SearchForm {
    fn read(fields: &Fields) -> Self {
        let field = |name| fields.get(name).trim().to_owned();
        Self {
            project: field("project"),
            person: field("person"),
            event: field("event"),
            since: field("since"),
            until: field("until"),
            page: fields.get("page").parse().unwrap_or(1).max(1),
        }
    }

    /// What is empty or cannot be read narrows nothing: an address may have been cut.
    fn to_search(&self) -> AuditSearch {
        let event = AuditEvent::ALL.into_iter().find(|event| event.as_str() == self.event);
        AuditSearch {
            project: self.project.parse().ok(),
            person: Some(self.person.clone()).filter(|person| !person.is_empty()),
            event,
            since: day::beginning(&self.since),
            until: day::end(&self.until),
        }
    }

    fn is_empty(&self) -> bool {
        self.to_search() == AuditSearch::default()
    }

    /// Whether the search says more than whom and what it is about.
    fn is_narrow(&self) -> bool {
        let AuditSearch { event, since, until, .. } = self.to_search();
        event.is_some() || since.is_some() || until.is_some()
    }

    /// The address of another page of what was found.
    fn address(&self, page: u32) -> String {
        let Self { project, person, event, since, until, page: _ } = self;
        let parts = [
            ("project", project),
            ("person", person),
            ("event", event),
            ("since", since),
            ("until", until),
        ];
        let given = parts.into_iter().filter(|(_, value)| !value.is_empty());
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(given).append_pair("page", &page.to_string());
        format!("{PATH}?{}", query.finish())
    }
}

fn line(entry: &AuditEntry, projects: &[Choice]) -> Line {
    let change = entry.project.as_ref();
    let entity = change.map(|change| change.entity.clone());
    let about = [entity, entry.detail.clone()].into_iter().flatten();
    let about = about.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ");
    Line {
        at: Moment::from(entry.at),
        event: words(entry.event),
        by: actor(entry),
        about: Some(about).filter(|about| !about.is_empty()),
        project: change.map(|change| project(&change.id.to_string(), projects)),
        change: change.and_then(|change| beginning(&change.change)),
        application: entry.client_id.as_ref().map(ClientId::to_string),
        address: entry.address.clone(),
        count: entry.count,
    }
}

fn actor(entry: &AuditEntry) -> String {
    let member = entry.member.as_ref().map(|AuditMember { id, email }| {
        email.clone().unwrap_or_else(|| format!("removed member {id}"))
    });
    match entry.by {
        ActorKind::Member => member.unwrap_or_else(|| "a member".to_owned()),
        ActorKind::Client => match member {
            Some(member) => format!("an application of {member}"),
            None => "an application".to_owned(),
        },
        ActorKind::Command => "the operator, at a terminal".to_owned(),
        ActorKind::ProjectFile => "a project file".to_owned(),
        ActorKind::Schedule => "the schedule".to_owned(),
        ActorKind::Unknown => match member {
            Some(member) => format!("a stranger, as {member}"),
            None => "a stranger".to_owned(),
        },
    }
}

fn project(id: &str, projects: &[Choice]) -> (String, String) {
    let known = projects.iter().find(|choice| choice.value == id);
    let name = known.map_or_else(|| format!("project {id}"), |known| known.words.clone());
    (format!("/projects/{id}"), name)
}

fn beginning(change: &str) -> Option<String> {
    let (end, _) = change.char_indices().nth(CHANGE_SHOWN).unwrap_or((change.len(), ' '));
    let shown = change.get(..end).filter(|shown| !shown.is_empty())?;
    Some(if end < change.len() { format!("{shown}…") } else { shown.to_owned() })
}
