//! `GET /projects/{id}/preview`: a member chooses what a link shows, and sees the links that there are. `preview/acts.rs` has what the page
//! does. The address may fill in the form (`?variations=5002`), or name the link to show (`?link=ID`).

mod acts;
mod preview_form;
mod shown_links;

use app::App;
use app::previews::{PreviewChoices, list_preview_links, preview_choices};
use app::roles::Actor;
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use domain::{Campaign, Condition, ConditionTree, Fault, MatchKind, Project, ProjectId};
use web::{FormTargets, Session};

use crate::address::Path;
use crate::assets::copy_script;
use crate::caller::PageCaller;
use crate::folded::Folded;
use crate::frame::{Frame, NavigationTab};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::preview::preview_form::{PreviewForm, ShownExperiment, ShownLifetime};
use crate::preview::shown_links::{LinkLine, ShownLink};
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::words::fault_words;

const MESSAGES: Messages = Messages {
    done: &[
        ("revoked", "The link is revoked. It shows what visitors see from now on."),
        ("switched-on", "Previews are on in the draft. Publish it to make links."),
    ],
    problems: &[
        ("unknown-link", "The project has no such link any more."),
        ("managed", "A project file manages this project. Write snippet: {preview: true} there."),
    ],
};

#[derive(Template)]
#[template(path = "preview.html")]
struct PreviewPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    choices: &'a PreviewChoices,
    form: &'a PreviewForm,
    /// The faults in the address.
    url_errors: Vec<String>,
    /// What else is wrong.
    errors: Vec<String>,
    experiments: Folded<ShownExperiment<'a>>,
    lifetimes: Vec<ShownLifetime>,
    link: Option<ShownLink>,
    links: Vec<LinkLine>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/preview", get(show))
        .route("/projects/{id}/preview/make", post(acts::submit_make))
        .route("/projects/{id}/preview/revoke", post(acts::submit_revoke))
        .route("/projects/{id}/preview/switch-on", post(acts::submit_switch_on))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    caller: PageCaller,
) -> Result<Response, Refusal> {
    let looked_at =
        PreviewContext { app: &app, actor: &caller.actor, session: &caller.session, id };
    let choices = looked_at.choices().await?;
    let query = query.unwrap_or_default();
    let form = PreviewForm::of_query(&query, &choices);
    let linked = query.strip_prefix("link=");
    let message = MESSAGES.named(Some(&query));
    looked_at.answer(&choices, &form, Feedback { message, linked, faults: &[] }).await
}

/// The address of the form, filled in for a campaign: a page on which it runs, and the last variation of each experiment, since the first
/// one usually changes nothing.
pub(crate) fn path_for(project: &Project, campaign: &Campaign) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let pages = project.pages.iter().filter(|page| campaign.pages.contains(&page.id));
    let mut pages = pages.filter(|page| !page.archived);
    if let Some(address) = pages.find_map(|page| address_in(&page.conditions.tree)) {
        query.append_pair("url", &address);
    }
    for experiment in campaign.experiments.iter().filter(|one| !one.archived) {
        let shown = experiment.variations.iter().rfind(|one| !one.archived);
        if let Some(variation) = shown {
            query.append_pair("variations", &variation.id.to_string());
        }
    }
    format!("/projects/{}/preview?{}", project.id, query.finish())
}

/// The first address that the conditions of a page ask for; none that they exclude.
fn address_in(tree: &ConditionTree) -> Option<String> {
    match tree {
        ConditionTree::And(operands) | ConditionTree::Or(operands) => {
            operands.iter().find_map(address_in)
        }
        ConditionTree::Leaf(condition) => address_of(condition),
        ConditionTree::Not(_) | ConditionTree::Empty => None,
    }
}

/// The address that a condition names, if it names one whole.
fn address_of(condition: &Condition) -> Option<String> {
    let is_whole = matches!(condition.match_kind, Some(MatchKind::Simple | MatchKind::Exact));
    let address = condition.value.as_ref()?.as_str().filter(|_| is_whole)?.trim();
    let has_scheme = ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme));
    let is_address = has_scheme || (!address.starts_with('/') && address.contains('.'));
    let scheme = if has_scheme { "" } else { "https://" };
    is_address.then(|| format!("{scheme}{address}"))
}

/// Who looks at which project.
struct PreviewContext<'a> {
    app: &'a App,
    actor: &'a Actor,
    session: &'a Session,
    id: ProjectId,
}

/// What the answer to a form adds to the page.
struct Feedback<'a> {
    message: Option<Message>,
    /// The id of the link to show.
    linked: Option<&'a str>,
    /// What is wrong with the form.
    faults: &'a [Fault],
}

impl PreviewContext<'_> {
    async fn choices(&self) -> Result<PreviewChoices, Refusal> {
        preview_choices(self.app, self.actor, self.id).await?.ok_or(Refusal::NoSuchPage)
    }

    async fn answer(
        &self,
        choices: &PreviewChoices,
        form: &PreviewForm,
        feedback: Feedback<'_>,
    ) -> Result<Response, Refusal> {
        let links = list_preview_links(self.app, self.actor, self.id).await?;
        let links = links.ok_or(Refusal::NoSuchPage)?;
        let linked = links.iter().find(|link| Some(link.kept.id.as_str()) == feedback.linked);
        let is_of_url = |fault: &&Fault| fault.pointer.tokens().next().as_deref() == Some("url");
        let (of_url, others): (Vec<_>, Vec<_>) = feedback.faults.iter().partition(is_of_url);
        let status = match feedback.faults {
            [] => StatusCode::OK,
            [..] => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let template = PreviewPage {
            frame: Frame::new(self.session, NavigationTab::Projects).with_message(feedback.message),
            project: ProjectFrame::of(self.app, self.actor, self.id, Tab::Preview).await?,
            choices,
            form,
            url_errors: of_url.into_iter().map(fault_words).collect(),
            errors: others.into_iter().map(fault_words).collect(),
            experiments: form.experiments(choices),
            lifetimes: form.lifetimes(),
            link: linked.map(|link| ShownLink::of(link, choices)),
            links: links.iter().map(|link| LinkLine::of(link, choices)).collect(),
        };
        let scripts = copy_script(self.app);
        Ok(page_with(status, &template, FormTargets::OwnPages, scripts))
    }
}
