//! The document as a whole, with the settings and resources that have no file of their own here.

use serde_json::{Value, json};

use super::super::integrations::INTEGRATION_TYPES;
use super::super::project::VERSION;
use super::parts::{Definition, about, entity, list_of, object, reference_to, switch, with, word};
use crate::limits::{MAX_ENTITIES, MAX_EVENT_PROPERTIES, MAX_ORIGINS, MAX_SHORT_LIST};
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
        ("events", list("event", "Visitors' actions that the site counts.")),
        ("metrics", list("metric", "What results compare between variations.")),
        ("audiences", list("audience", "Groups of visitors that experiments target.")),
        ("campaigns", list("campaign", "Containers of experiments.")),
        ("groups", list("group", "Campaigns of which a visitor sees at most one.")),
        ("applications", list("application", "OAuth clients that the document declares.")),
        (
            "integrations",
            with(
                list_of("integration", MAX_SHORT_LIST),
                "Analytics tools to which the snippet reports every decision.",
                json!([]),
            ),
        ),
    ];
    object("A project: everything that goes into a snippet.", fields, &["version", "project"])
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
                "A value that the site may report with an event.",
                [("name", reference_to("name")), ("type", word::<EventPropertyKind>())],
                &["name", "type"],
            ),
        ),
        (
            "group",
            entity(
                "Campaigns of which a visitor sees at most one.",
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
            json!({"description": "An analytics tool to which the snippet reports every decision.", "oneOf": integrations}),
        ),
    ]
}

fn project() -> Value {
    let fields = [
        (
            "holdback",
            with(
                reference_to("share"),
                "Share of visitors to whom no campaign shows anything.",
                json!(0),
            ),
        ),
        ("archived", switch("Whether it is archived: its snippet has no campaigns.")),
        ("results", results()),
        (
            "origins",
            with(
                list_of("line", MAX_ORIGINS),
                "Whose pages may send events, such as `https://www.shop.example` or `https://*.shop.example`; pages of any site, if there are none.",
                json!([]),
            ),
        ),
        ("snippet", reference_to("snippet")),
    ];
    entity("What the document says about the project itself.", fields, &[])
}

fn results() -> Value {
    json!({
        "description": "Whether the snippet tells this server what visitors see and do, so that results are counted here.",
        // YAML's older readers make `true` of `on`. A list of both kinds is beyond some generators of clients.
        "anyOf": [{"enum": ["on", "off"]}, {"type": "boolean"}],
        "default": "off",
    })
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
            line(
                "Domain of the visitor id's cookie; if left out, the runtime finds it in the page.",
            ),
        ),
        ("visitor_id", reference_to("visitor_id")),
        ("explain", switch("Lets the page ask for the reason of a decision.")),
        ("data", on("Lets the page ask what the snippet was compiled from.")),
        ("utils", on("Gives the page's code what it needs to wait for elements.")),
        ("allow_force", on("Lets a query parameter choose the visitor's variations.")),
        ("preview", switch("Lets a visitor with a signed preview link see the preview.")),
        ("landings", switch("Tells of redirects of other projects that lead to this one's pages.")),
        (
            "respect_gpc",
            on("Stores nothing about visitors whose browser sends Global Privacy Control."),
        ),
        ("respect_dnt", switch("Stores nothing about visitors whose browser sends Do Not Track.")),
        (
            "consent",
            with(
                word::<Consent>(),
                "Whether the visitor must agree before the runtime stores anything.",
                json!(Consent::None),
            ),
        ),
        (
            "javascript",
            about(
                reference_to("text"),
                "A function body that runs before the runtime decides anything.",
            ),
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
                "Who renews our own cookie before it expires.",
                json!(CookieRenewal::Page),
            ),
        ),
    ];
    object("Where the visitor's id comes from.", fields, &[])
}

fn event() -> Value {
    let fields = [
        (
            "type",
            with(word::<EventKind>(), "How the runtime learns of it.", json!(EventKind::Custom)),
        ),
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
        ("selector", about(reference_to("line"), "What the visitor clicks; for clicks.")),
        (
            "properties",
            with(
                list_of("event_property", MAX_EVENT_PROPERTIES),
                "What the site may report with it.",
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
        ("redirect_uris", about(addresses, "Where the server may send codes.")),
        (
            "scope",
            about(
                reference_to("line"),
                "The default scope of its requests, and the most they may ask for: `config:read publish`, or `all`.",
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
        "An OAuth client that the document declares.",
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
            "The global array that receives the reports.",
            json!("dataLayer"),
        ),
    );
    let send_to = (
        "send_to",
        about(reference_to("line"), "The one measurement id, or group of ids, to report to."),
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
