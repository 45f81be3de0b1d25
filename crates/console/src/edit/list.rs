//! `GET /projects/{id}/{collection}`: the resources of a kind, a hundred at a time: what each does, what uses it, and whether it is live.

use std::collections::HashMap;
use std::fmt::Display;

use app::App;
use app::documents::ResourceKind;
use app::resources::{find_live_resources, list_resources};
use askama::Template;
use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Project, ProjectId, listed};
use serde_json::Value;
use web::FormTargets;

use crate::address::Path;
use crate::caller::PageCaller;
use crate::edit::Editor;
use crate::edit::context::EditContext;
use crate::edit::edited::TOLD;
use crate::frame::{Frame, NavigationTab};
use crate::list_query::{ListQuery, Picked};
use crate::page::page;
use crate::project_frame::ProjectFrame;
use crate::refusal::Refusal;

/// Names of users that a line shows; the others are counted.
const USERS_SHOWN: usize = 2;

/// What a list says about the resources of a kind.
pub(crate) struct Listing {
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    /// What a resource does, in a sentence.
    pub(crate) sentence: fn(&Value, &Project) -> String,
    /// What uses each resource; `None` where nothing needs to.
    pub(crate) users: Option<fn(&Project) -> Users>,
}

/// The users of resources, by the resource's id.
#[derive(Default)]
pub(crate) struct Users(HashMap<String, Vec<String>>);

impl Users {
    pub(crate) fn add(&mut self, id: impl Display, user: impl Into<String>) {
        let (users, user) = (self.0.entry(format!("{id}")).or_default(), user.into());
        if users.last() != Some(&user) {
            users.push(user);
        }
    }

    /// Adds a user of each of these.
    pub(crate) fn add_all(&mut self, ids: impl IntoIterator<Item = impl Display>, user: &str) {
        for id in ids {
            self.add(id, user);
        }
    }

    /// The users of a resource in words; empty if it has none.
    fn words(&self, id: &str) -> String {
        let users = self.0.get(id).map_or(&[][..], Vec::as_slice);
        listed(users, USERS_SHOWN)
    }
}

#[derive(Template)]
#[template(path = "edit/list.html")]
struct ListPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    listing: &'a Listing,
    word: &'static str,
    path: String,
    query: &'a ListQuery,
    /// Of campaigns.
    statuses: Vec<Picked>,
    orders: Vec<Picked>,
    only_reads: Option<&'static str>,
    lines: Vec<Line>,
    total: u64,
    earlier: Option<String>,
    later: Option<String>,
}

struct Line {
    path: String,
    title: String,
    key: String,
    sentence: String,
    /// What uses it, where something has to.
    users: Option<String>,
    /// How it differs from what is live.
    state: &'static str,
}

pub(super) async fn show(
    State(app): State<App>,
    Extension(editor): Extension<&'static Editor>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let listing = editor.listing.as_ref().ok_or(Refusal::NoSuchPage)?;
    let context = EditContext::open(&app, &session, &actor, id).await?;
    let query = ListQuery::read(&query.unwrap_or_default()).ok_or(Refusal::UnreadableForm)?;
    let wanted = (query.filter(), query.page());
    let listed = list_resources(&app, &actor, context.id, editor.kind, wanted).await?;
    let ids: Vec<_> = listed.resources.iter().map(id_of).collect();
    let live = find_live_resources(&app, &actor, context.id, (editor.kind, &ids)).await?;
    let path = format!("/projects/{}/{}", context.id, editor.kind.collection());
    let project = &context.draft.project;
    let users = listing.users.map(|users| users(project));
    let lines = listed.resources.iter().zip(&live).map(|(resource, live)| {
        let id = id_of(resource);
        let key = resource["key"].as_str().unwrap_or_default();
        Line {
            path: editor.path(context.id, id),
            title: resource["name"].as_str().unwrap_or(key).to_owned(),
            key: key.to_owned(),
            sentence: (listing.sentence)(resource, project),
            users: users.as_ref().map(|users| users.words(id)),
            state: state(resource, live.as_ref()),
        }
    });
    let lines = lines.collect();
    let beside = query.beside(listed.total);
    let [earlier, later] = beside.map(|query| query.map(|query| format!("{path}?{query}")));
    let has_statuses = editor.kind == ResourceKind::Campaign && !query.is_archive;
    let template = ListPage {
        frame: Frame::new(&session, NavigationTab::Projects),
        project: context.frame(&app, &actor, editor).await?,
        listing,
        word: editor.kind.word(),
        statuses: if has_statuses { query.statuses() } else { Vec::new() },
        orders: query.orders(),
        only_reads: context.only_reads,
        lines,
        total: listed.total,
        earlier,
        later,
        path: path.clone(),
        query: &query,
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

fn id_of(resource: &Value) -> &str {
    resource["id"].as_str().unwrap_or_default()
}

fn state(resource: &Value, live: Option<&Value>) -> &'static str {
    let is_same = |live: &Value| {
        let fields = resource.as_object().into_iter().flatten();
        let mut fields = fields.filter(|(name, _)| !TOLD.contains(&name.as_str()));
        fields.all(|(name, value)| live[name] == *value)
    };
    match live {
        None => "added",
        Some(live) if is_same(live) => "published",
        Some(_) => "changed",
    }
}
