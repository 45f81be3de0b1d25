//! A member edits a project in the console, as a browser without JavaScript.

mod applications;
mod archiving;
mod audit;
mod campaign_form;
mod campaigns;
mod collected_events;
mod counting;
mod documentation;
mod editing;
mod filled_form;
mod first_steps;
mod forgotten;
mod form_coverage;
mod frame;
mod history;
mod home;
mod invitations;
mod length;
mod lists;
mod members;
mod metrics;
mod phases;
mod projects;
mod schedule;
mod settings;
mod shared_results;
mod size;
mod tokens;
mod trees;
mod trials;
mod twins;
mod unreadable;
mod warnings;
mod webhooks;

use app::members::add_member;
use app::projects::create_project_of_document;
use app::roles::Actor;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use storage::{Role, RoleGrant};

use crate::browser::Browser;
use crate::site::{Member, Site};

/// A shop that its members edit: nothing of it is live.
async fn shop() -> Site {
    with_shop(Site::start()).await
}

async fn with_shop(site: Site) -> Site {
    let document = json!({
        "version": 1,
        "project": {"id": "1000", "key": "shop", "name": "Shop"},
        "attributes": [{"id": "6001", "key": "plan", "name": "Plan <b>"}],
        "pages": [{"id": "2001", "key": "home", "name": "Home", "metadata": {"shelf": 3, "open": true}, "conditions": [
            "or", {"type": "url", "match": "simple", "value": "https://shop.example/"},
        ]}],
        "audiences": [{"id": "7001", "key": "gold", "name": "Gold", "conditions": [
            "and", {"type": "custom_attribute", "name": "plan", "match": "exact", "value": "gold"},
        ]}],
        "campaigns": [
            {"id": "3001", "key": "hero", "type": "ab_test", "pages": ["home"], "experiments": [
                {"id": "4001", "key": "hero", "variations": [{"id": "5001", "key": "a", "weight": 10_000}]},
            ]},
            {"id": "3002", "key": "cart", "type": "ab_test", "pages": ["home"], "experiments": [
                {"id": "4002", "key": "cart", "variations": [{"id": "5002", "key": "a", "weight": 10_000}]},
            ]},
        ],
    });
    create_project_of_document(&site.app, &Actor::Command, document).await.unwrap();
    site
}

/// The browser of a new member with this role.
pub(crate) async fn browser_of<'s>(site: &'s Site, name: &str, role: Role) -> Browser<'s> {
    let grant = RoleGrant {
        project: Some("1000".parse().unwrap()),
        role,
        is_code_allowed: role >= Role::Admin,
    };
    let email = format!("{name}@example.com");
    let added = add_member(&site.app, &Actor::Command, &email, grant).await.unwrap();
    let member = Member { email: added.email, password: added.password.expose_secret().to_owned() };
    let browser = Browser::new(site);
    browser.sign_in_at_home(&member).await;
    browser
}

/// The browser of a new owner of the server.
async fn owner(site: &Site) -> Browser<'_> {
    let added =
        add_member(&site.app, &Actor::Command, "olga@example.com", RoleGrant::OWNER).await.unwrap();
    let member = Member { email: added.email, password: added.password.expose_secret().to_owned() };
    let browser = Browser::new(site);
    browser.sign_in_at_home(&member).await;
    browser
}

/// A resource of the draft.
async fn resource(site: &Site, kind: app::documents::ResourceKind, name: &str) -> Value {
    let project = "1000".parse().unwrap();
    app::resources::find_resource(&site.app, &Actor::Command, project, kind, name).await.unwrap()
}
