//! The document as a whole, with the settings and resources that need no file of their own.

use serde_json::{Value, json};

use super::super::integrations::INTEGRATION_TYPES;
use super::super::project::VERSION;
use super::parts::{Definition, about, entity, list_of, object, reference_to, switch, with, word};
use crate::limits::{MAX_ENTITIES, MAX_EVENT_PROPERTIES, MAX_SHORT_LIST};
use crate::{
    Consent, CookieRenewal, EventCategory, EventKind, EventPropertyKind, VisitorIdSourceKind,
};

const ARCHIVED: &str =
    "Whether it is archived: it stays in the document, but is not in the snippet.";

/// The document.
pub(super) fn document() -> Value {
    let list =
        |name: &str, description: &str| with(list_of(name, MAX_ENTITIES), description, json!([]));
    let fields = [
        ("version", json!({"description": "The version of this schema.", "const": VERSION})),
        ("project", reference_to("project")),
        ("attributes", list("attribute", "Custom attributes of visitors.")),
        ("pages", list("page", "Where campaigns run.")),
        ("events", list("event", "What visitors do that is counted.")),
        ("audiences", list("audience", "Whom experiments are for.")),
        ("campaigns", list("campaign", "What runs.")),
        ("groups", list("group", "Campaigns of which a visitor sees one at most.")),
        ("applications", list("application", "OAuth clients that come with the project.")),
        (
            "integrations",
            with(
                list_of("integration", MAX_SHORT_LIST),
                "Analytics tools that are told of every decision.",
                json!([]),
            ),
        ),
    ];
    object("A project: everything that a snippet is made of.", fields, &["version", "project"])
}

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    let integrations: Vec<Value> =
        INTEGRATION_TYPES.iter().map(|(kind, _)| integration(kind)).collect();
    vec![
        ("project", project()),
        ("snippet", snippet()),
        ("visitor_id", visitor_id()),
        (
            "attribute",
            entity("A custom attribute of visitors.", [("archived", switch(ARCHIVED))], &[]),
        ),
        ("event", event()),
        (
            "event_property",
            object(
                "Something that may be told with an event.",
                [("name", reference_to("name")), ("type", word::<EventPropertyKind>())],
                &["name", "type"],
            ),
        ),
        (
            "group",
            entity(
                "Campaigns of which a visitor sees one at most.",
                [
                    ("members", list_of("group_member", MAX_ENTITIES)),
                    ("archived", switch(ARCHIVED)),
                ],
                &["members"],
            ),
        ),
        (
            "group_member",
            object(
                "A campaign of a group, and its share of the visitors.",
                [("campaign", reference_to("reference")), ("weight", reference_to("share"))],
                &["campaign", "weight"],
            ),
        ),
        ("application", application()),
        (
            "integration",
            json!({"description": "An analytics tool that is told of every decision.", "oneOf": integrations}),
        ),
    ]
}

fn project() -> Value {
    let fields = [
        (
            "holdback",
            with(
                reference_to("share"),
                "Share of visitors who are shown nothing by any campaign.",
                json!(0),
            ),
        ),
        ("archived", switch("Whether it is archived: its snippet has no campaigns.")),
        ("snippet", reference_to("snippet")),
    ];
    entity("What the document says of the project itself.", fields, &[])
}

fn snippet() -> Value {
    let on = |description: &str| with(json!({"type": "boolean"}), description, json!(true));
    let line = |description: &str| about(reference_to("line"), description);
    let fields = [
        (
            "global_aliases",
            with(
                list_of("line", MAX_SHORT_LIST),
                "Further global names of the in-page API.",
                json!([]),
            ),
        ),
        ("exclude_names", switch("Keeps all names out of the snippet.")),
        (
            "cookie_domain",
            line("Domain of the visitor id's cookie; found in the page if it is left out."),
        ),
        ("visitor_id", reference_to("visitor_id")),
        ("explain", switch("Lets the page ask why a decision came out.")),
        ("data", on("Lets the page ask what the snippet was compiled from.")),
        ("utils", on("Gives the page's code what it needs to wait for elements.")),
        ("allow_force", on("Lets a query parameter choose the visitor's variations.")),
        ("preview", switch("Lets whoever has a signed preview link see what it shows.")),
        (
            "respect_gpc",
            on("Keeps nothing of visitors whose browser sends Global Privacy Control."),
        ),
        ("respect_dnt", switch("Keeps nothing of visitors whose browser sends Do Not Track.")),
        (
            "consent",
            with(
                word::<Consent>(),
                "Whether the visitor must agree before anything is stored.",
                json!(Consent::None),
            ),
        ),
        (
            "javascript",
            about(reference_to("text"), "A function body that runs before anything is decided."),
        ),
    ];
    object("How the snippet behaves on the visitor's page.", fields, &[])
}

fn visitor_id() -> Value {
    let fields = [
        (
            "source",
            with(
                word::<VisitorIdSourceKind>(),
                "The kind of place.",
                json!(VisitorIdSourceKind::Cookie),
            ),
        ),
        (
            "name",
            about(
                reference_to("line"),
                "Name of the cookie, query parameter, storage key or global variable.",
            ),
        ),
        (
            "renewed_by",
            with(
                word::<CookieRenewal>(),
                "Who keeps our own cookie from running out.",
                json!(CookieRenewal::Page),
            ),
        ),
    ];
    object("Where the visitor's id comes from.", fields, &[])
}

fn event() -> Value {
    let fields = [
        ("type", with(word::<EventKind>(), "How it comes to be known.", json!(EventKind::Custom))),
        (
            "category",
            with(
                word::<EventCategory>(),
                "What it means to the site.",
                json!(EventCategory::Other),
            ),
        ),
        (
            "page",
            about(
                reference_to("reference"),
                "The one page where it counts; for clicks and page views.",
            ),
        ),
        ("selector", about(reference_to("line"), "What is clicked; for clicks.")),
        (
            "properties",
            with(
                list_of("event_property", MAX_EVENT_PROPERTIES),
                "What may be told with it.",
                json!([]),
            ),
        ),
        ("archived", switch(ARCHIVED)),
    ];
    entity("Something that visitors do.", fields, &[])
}

fn application() -> Value {
    let mut addresses = list_of("line", MAX_SHORT_LIST);
    addresses["minItems"] = json!(1);
    let fields = [
        ("client_id", reference_to("line")),
        ("name", reference_to("name")),
        ("redirect_uris", about(addresses, "Where codes may be sent.")),
        (
            "scope",
            about(
                reference_to("line"),
                "What it asks for when a request names no scope, and beyond which it may not ask: `config:read publish`, or `all`.",
            ),
        ),
        (
            "secret_env",
            about(
                reference_to("line"),
                "Environment variable with the client's secret; a public client has none.",
            ),
        ),
    ];
    object(
        "An OAuth client that comes with the project.",
        fields,
        &["client_id", "name", "redirect_uris"],
    )
}

fn integration(kind: &str) -> Value {
    let tool = ("type", json!({"const": kind}));
    let data_layer = (
        "data_layer",
        with(
            reference_to("line"),
            "The global array that takes what the tool is told.",
            json!("dataLayer"),
        ),
    );
    let send_to = (
        "send_to",
        about(reference_to("line"), "The one measurement id, or group of them, that is told."),
    );
    match kind {
        "ga4_gtag" => {
            object("Google Analytics 4 by its own tag.", [tool, data_layer, send_to], &["type"])
        }
        "ga4_gtm" => object("Google Tag Manager.", [tool, data_layer], &["type"]),
        "callback" => object(
            "The member's own code.",
            [tool, ("code", reference_to("text"))],
            &["type", "code"],
        ),
        _ => object("A tool that needs no options.", [tool], &["type"]),
    }
}
