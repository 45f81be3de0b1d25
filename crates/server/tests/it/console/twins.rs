//! Nothing that the console does lacks a twin in the REST API: a member walks over all pages by their links and finds the operation of
//! every form.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use app::applications::{NewApplication, add_application};
use app::documents::ResourceKind;
use app::drafts::ExpectedVersion;
use app::events::renew_events_key;
use app::invitations::invite;
use app::previews::{PreviewRequest, PreviewSource, make_preview_link};
use app::projects::create_project_of_document;
use app::resources::change_resource;
use app::results::{ResultsLinkRequest, make_results_link};
use app::revisions::publish_draft;
use app::roles::Actor;
use app::tokens::{Expiry, NewToken, TokenFor, add_api_token};
use app::webhooks::{NewWebhook, add_webhook, send_test};
use oauth::{ClientKind, ScopeSet};
use serde_json::{Value, json};
use storage::{Role, RoleGrant};

use super::owner;
use crate::browser::Browser;
use crate::site::Site;

/// More pages than the shop has; a link that makes ever new ones ends the walk.
const PAGES_AT_MOST: usize = 400;

/// Where a form leads, `{}` standing for names, and the operation that does the same.
const TWINS: &[(&str, &str)] = &[
    ("/account/tokens/make", "POST /v1/tokens"),
    ("/account/tokens/remove", "DELETE /v1/tokens/{id}"),
    ("/account/tokens/withdraw-role", "DELETE /v1/tokens/{id}/roles/{project}"),
    ("/applications/register", "POST /v1/applications"),
    ("/applications/{}/change", "PATCH /v1/applications/{id}"),
    ("/applications/{}/add-secret", "POST /v1/applications/{id}/secrets"),
    ("/applications/{}/remove-secret", "DELETE /v1/applications/{id}/secrets/{secret}"),
    ("/applications/{}/disable", "POST /v1/applications/{id}/actions"),
    ("/applications/{}/remove", "DELETE /v1/applications/{id}"),
    ("/audit", "GET /v1/audit"),
    ("/members/invite", "POST /v1/invitations"),
    ("/members/revoke-invitation", "DELETE /v1/invitations/{id}"),
    ("/members/{}/give-role", "PATCH /v1/members/{id}"),
    ("/members/{}/withdraw-role", "PATCH /v1/members/{id}"),
    ("/members/{}/remove", "DELETE /v1/members/{id}"),
    ("/projects/new/start", "POST /v1/projects"),
    ("/projects/{}/archiving/archive", "POST /v1/projects/{id}/actions"),
    ("/projects/{}/attributes", "GET /v1/projects/{id}/attributes"),
    ("/projects/{}/attributes/new/save", "POST /v1/projects/{id}/attributes"),
    ("/projects/{}/attributes/{}/save", "PATCH /v1/projects/{id}/attributes/{name}"),
    ("/projects/{}/attributes/{}/archive", "POST /v1/projects/{id}/attributes/{name}/actions"),
    ("/projects/{}/audiences", "GET /v1/projects/{id}/audiences"),
    ("/projects/{}/audiences/new/save", "POST /v1/projects/{id}/audiences"),
    ("/projects/{}/audiences/{}/save", "PATCH /v1/projects/{id}/audiences/{name}"),
    ("/projects/{}/audiences/{}/archive", "POST /v1/projects/{id}/audiences/{name}/actions"),
    ("/projects/{}/campaigns", "GET /v1/projects/{id}/campaigns"),
    ("/projects/{}/campaigns/new/save", "POST /v1/projects/{id}/campaigns"),
    ("/projects/{}/pause", "POST /v1/projects/{id}/campaigns/actions"),
    ("/projects/{}/pause/unschedule", "POST /v1/projects/{id}/campaigns/actions"),
    ("/projects/{}/campaigns/{}/act", "POST /v1/projects/{id}/campaigns/{name}/actions"),
    (
        "/projects/{}/campaigns/{}/act-on-variation",
        "POST /v1/projects/{id}/variations/{name}/actions",
    ),
    ("/projects/{}/campaigns/{}/new-phase", "POST /v1/projects/{id}/experiments/{name}/phases"),
    ("/projects/{}/campaigns/{}/duplicate", "POST /v1/projects/{id}/campaigns/{name}/duplicate"),
    ("/projects/{}/campaigns/{}/edit/save", "PATCH /v1/projects/{id}/campaigns/{name}"),
    ("/projects/{}/campaigns/{}/share/make", "POST /v1/projects/{id}/results-links"),
    ("/projects/{}/campaigns/{}/share/revoke", "DELETE /v1/projects/{id}/results-links/{link}"),
    ("/projects/{}/collected-events/delete", "DELETE /v1/projects/{id}/collected-events"),
    ("/projects/{}/collected-events/download", "GET /v1/projects/{id}/visitors/{visitor}"),
    ("/projects/{}/decide", "POST /v1/projects/{id}/decide"),
    ("/projects/{}/discard", "DELETE /v1/projects/{id}/draft"),
    ("/projects/{}/events", "GET /v1/projects/{id}/events"),
    ("/projects/{}/events-key/renew", "POST /v1/projects/{id}/events-key"),
    ("/projects/{}/events-key/remove", "DELETE /v1/projects/{id}/events-key"),
    ("/projects/{}/events/new/save", "POST /v1/projects/{id}/events"),
    ("/projects/{}/events/{}/save", "PATCH /v1/projects/{id}/events/{name}"),
    ("/projects/{}/events/{}/archive", "POST /v1/projects/{id}/events/{name}/actions"),
    ("/projects/{}/groups", "GET /v1/projects/{id}/groups"),
    ("/projects/{}/groups/new/save", "POST /v1/projects/{id}/groups"),
    ("/projects/{}/groups/{}/save", "PATCH /v1/projects/{id}/groups/{name}"),
    ("/projects/{}/groups/{}/archive", "POST /v1/projects/{id}/groups/{name}/actions"),
    ("/projects/{}/history/changes", "GET /v1/projects/{id}/history"),
    ("/projects/{}/history/compare", "GET /v1/projects/{id}/revisions/{range}/diff"),
    ("/projects/{}/history/{}/restore", "POST /v1/projects/{id}/revisions/{number}/restore"),
    ("/projects/{}/length", "GET /v1/experiment-length"),
    ("/projects/{}/metrics", "GET /v1/projects/{id}/metrics"),
    ("/projects/{}/metrics/new/save", "POST /v1/projects/{id}/metrics"),
    ("/projects/{}/metrics/{}/save", "PATCH /v1/projects/{id}/metrics/{name}"),
    ("/projects/{}/metrics/{}/archive", "POST /v1/projects/{id}/metrics/{name}/actions"),
    ("/projects/{}/pages", "GET /v1/projects/{id}/pages"),
    ("/projects/{}/pages/new/save", "POST /v1/projects/{id}/pages"),
    ("/projects/{}/pages/{}/save", "PATCH /v1/projects/{id}/pages/{name}"),
    ("/projects/{}/pages/{}/archive", "POST /v1/projects/{id}/pages/{name}/actions"),
    ("/projects/{}/preview/make", "POST /v1/projects/{id}/preview-links"),
    ("/projects/{}/preview/revoke", "DELETE /v1/projects/{id}/preview-links/{link}"),
    ("/projects/{}/publish", "POST /v1/projects/{id}/revisions"),
    ("/projects/{}/settings/save", "PATCH /v1/projects/{id}"),
    ("/projects/{}/webhooks/add", "POST /v1/projects/{id}/webhooks"),
    ("/projects/{}/webhooks/{}/change", "PATCH /v1/projects/{id}/webhooks/{webhook}"),
    ("/projects/{}/webhooks/{}/renew", "POST /v1/projects/{id}/webhooks/{webhook}/secret"),
    ("/projects/{}/webhooks/{}/test", "POST /v1/projects/{id}/webhooks/{webhook}/test"),
    (
        "/projects/{}/webhooks/{}/redeliver",
        "POST /v1/projects/{id}/webhooks/{webhook}/deliveries/{delivery}/redeliver",
    ),
    ("/projects/{}/webhooks/{}/remove", "DELETE /v1/projects/{id}/webhooks/{webhook}"),
];

/// Forms about the person at this browser, who proves to be there. Programs are told who that is by OAuth 2.0, and never act as them.
const OF_THE_PERSON: &[&str] = &["/sign-out", "/account/change-password"];

/// Buttons that do something else than their form, and the operation that does the same.
const TWINS_OF_BUTTONS: &[(&str, &str)] = &[
    ("/projects/{}/pages/new/save act=try", "POST /v1/projects/{id}/try-page"),
    ("/projects/{}/pages/{}/save act=try", "POST /v1/projects/{id}/try-page"),
    ("/projects/{}/audiences/new/save act=try", "POST /v1/projects/{id}/try-audience"),
    ("/projects/{}/audiences/{}/save act=try", "POST /v1/projects/{id}/try-audience"),
];

/// What buttons do to the form itself, which stores nothing; programs change the JSON that they send.
const OF_THE_FORM: &[&str] =
    &["show", "add", "remove", "up", "down", "copy", "negate", "even", "nest"];

/// A shop with something of every kind: live, changed since, and restorable.
async fn full_shop() -> Site {
    let site = Site::start();
    let document = json!({
        "version": 1,
        "project": {"id": "1000", "key": "shop", "name": "Shop", "snippet": {"preview": true}},
        "attributes": [{"id": "6001", "key": "plan"}],
        "events": [{"id": "8001", "key": "buy"}],
        "metrics": [{"id": "8101", "key": "buyers", "type": "conversion", "event": "buy"}],
        "pages": [{"id": "2001", "key": "home", "conditions": [
            "or", {"type": "url", "match": "simple", "value": "https://shop.example/"},
        ]}],
        "audiences": [{"id": "7001", "key": "gold", "conditions": [
            "and", {"type": "custom_attribute", "name": "plan", "match": "exact", "value": "gold"},
        ]}],
        "campaigns": [{"id": "3001", "key": "hero", "type": "ab_test", "status": "running", "pages": ["home"], "experiments": [
            {"id": "4001", "key": "hero", "variations": [{"id": "5001", "key": "a", "weight": 10_000}]},
        ]}, {"id": "3002", "key": "soon", "type": "ab_test", "schedule": {"start": "2027-02-01T09:00"}, "pages": ["home"], "experiments": [
            {"id": "4002", "key": "soon", "variations": [{"id": "5002", "key": "a", "weight": 10_000}]},
        ]}],
        "groups": [{"id": "9001", "key": "front", "members": [{"campaign": "hero", "weight": 5_000}]}],
    });
    create_project_of_document(&site.app, &Actor::Command, document).await.unwrap();
    let id = "1000".parse().unwrap();
    for name in ["First", "Second", "Draft"] {
        let change = json!({ "name": name }).as_object().unwrap().clone();
        let change = (change, ExpectedVersion::any());
        let page = (ResourceKind::Page, "2001".to_owned());
        change_resource(&site.app, &Actor::Command, id, page, change).await.unwrap();
        if name != "Draft" {
            publish_draft(&site.app, &Actor::Command, id, name.to_owned(), |_| true).await.unwrap();
        }
    }
    let request = PreviewRequest {
        source: PreviewSource::Live,
        url: "https://shop.example/".to_owned(),
        variations: vec!["5001".to_owned()],
        is_switchable: false,
        lifetime: None,
    };
    make_preview_link(&site.app, &Actor::Command, id, &request).await.unwrap();
    let request = ResultsLinkRequest { campaign: "hero".to_owned(), expires_in: None };
    make_results_link(&site.app, &Actor::Command, id, &request).await.unwrap();
    renew_events_key(&site.app, &Actor::Command, id).await.unwrap();
    let [url, description] = ["https://hooks.example/", "Slack"].map(str::to_owned);
    let webhook = NewWebhook { url, description, events: Vec::new() };
    let webhook = add_webhook(&site.app, &Actor::Command, id, webhook).await.unwrap().webhook;
    send_test(&site.app, &Actor::Command, &webhook).await.unwrap();
    let grant = RoleGrant { project: None, role: Role::Viewer, is_code_allowed: false };
    invite(&site.app, &Actor::Command, "new@example.com", grant).await.unwrap();
    let reports = NewApplication {
        name: "Reports".to_owned(),
        redirect_uris: vec!["https://reports.example/cb".to_owned()],
        kind: ClientKind::Confidential,
        scope: None,
    };
    add_application(&site.app, &Actor::Command, reports).await.unwrap();
    let viewer = |project| RoleGrant { project, role: Role::Viewer, is_code_allowed: false };
    let roles = vec![viewer(None), viewer(Some(id))];
    let token = NewToken {
        name: "deploy".to_owned(),
        scope: Some(ScopeSet::LEAST),
        expiry: Expiry::Usual,
        holder: TokenFor::Service(roles),
    };
    add_api_token(&site.app, &Actor::Command, token).await.unwrap();
    site
}

/// The values of an attribute of all such elements.
fn attributes<'h>(html: &'h str, element: &'h str, name: &'h str) -> impl Iterator<Item = &'h str> {
    let starts = html.match_indices(element).map(|(start, _)| &html[start..]);
    starts.filter_map(move |text| {
        let tag = text.split('>').next()?;
        let (_, value) = tag.split_once(&format!(" {name}=\""))?;
        value.split('"').next()
    })
}

/// The address without its query, and with `{}` for the names of what there can be many of.
fn pattern(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap();
    let is_name = |segment: &str| {
        segment.contains(|character: char| {
            character.is_ascii_digit() || character == '@' || character == '%'
        })
    };
    let segments = path.split('/').map(|segment| if is_name(segment) { "{}" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

/// The buttons of a page that say what to do with their form, which may be something else than sending it.
fn acts(html: &str) -> impl Iterator<Item = String> {
    let forms = html.split("<form").skip(1).map(|form| form.split("</form>").next().unwrap());
    forms.flat_map(|form| {
        let action = attributes(form, " ", "action").next().map(pattern).unwrap_or_default();
        let buttons = form.split("<button").skip(1).filter(|tag| tag.contains(" name=\"act\""));
        let words = buttons.filter_map(|tag| {
            let (_, value) = tag.split('>').next()?.split_once(" value=\"")?;
            value.split([' ', '"']).next()
        });
        words.map(|word| format!("{action} act={word}")).collect::<Vec<_>>()
    })
}

/// Every form that is found on a walk over all pages, with the page where it was seen first, and every button that acts in a form.
async fn forms(browser: &Browser<'_>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut known = BTreeSet::from(["/".to_owned()]);
    let mut ahead = VecDeque::from(["/".to_owned()]);
    while let Some(path) = ahead.pop_front() {
        let page = browser.open(&path).await;
        assert_eq!(page.status.as_u16(), 200, "{path}: {}", page.body);
        for action in attributes(&page.body, "<form", "action") {
            found.entry(pattern(action)).or_insert_with(|| path.clone());
        }
        found.extend(acts(&page.body).map(|act| (act, path.clone())));
        for link in attributes(&page.body, "<a", "href") {
            let link = link.split(['?', '#']).next().unwrap().to_owned();
            let is_page = link.starts_with('/')
                && !["/js/", "/v1/"].iter().any(|other| link.starts_with(other));
            if is_page && known.insert(link.clone()) {
                ahead.push_back(link);
            }
        }
        assert!(known.len() < PAGES_AT_MOST, "{known:?}");
    }
    found
}

/// The documented operations, as `POST /v1/projects`.
async fn operations(site: &Site) -> BTreeSet<String> {
    let description = site.get("/v1/openapi.json").await.json();
    let paths = description["paths"].as_object().unwrap().iter();
    let each = |(path, methods): (&String, &Value)| {
        let methods = methods.as_object().unwrap().keys();
        methods.map(|method| format!("{} {path}", method.to_uppercase())).collect::<Vec<_>>()
    };
    paths.flat_map(each).collect()
}

#[tokio::test]
async fn every_form_has_its_operation() {
    let site = full_shop().await;
    let browser = owner(&site).await;

    let twins = || TWINS.iter().chain(TWINS_OF_BUTTONS);
    let forms = forms(&browser).await;
    let operations = operations(&site).await;
    let unknown = forms.iter().filter(|(form, _)| {
        let has_twin = twins().any(|(known, _)| known == form);
        let is_of_form = form.split_once(" act=").is_some_and(|(form, act)| {
            // Saving is what the form is for.
            OF_THE_FORM.contains(&act) || (act == "save" && forms.contains_key(form))
        });
        !has_twin && !is_of_form && !OF_THE_PERSON.contains(&form.as_str())
    });
    let unknown: Vec<_> = unknown.collect();
    let gone: Vec<_> = twins().filter(|(form, _)| !forms.contains_key(*form)).collect();
    let missing: Vec<_> = twins().filter(|(_, twin)| !operations.contains(*twin)).collect();
    assert_eq!(unknown, Vec::<(&String, &String)>::new(), "these forms have no operation");
    assert_eq!(gone, Vec::<&(&str, &str)>::new(), "no page has these forms");
    assert_eq!(missing, Vec::<&(&str, &str)>::new(), "these operations are not described");
}
