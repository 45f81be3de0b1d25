//! The fields of the settings.

use askama::Template;

use crate::edit::form::Form;
use crate::edit::shape::{Shape, Shapes};
use crate::project_frame::ProjectFrame;

pub(super) const SHAPES: Shapes = &[
    ("/name", Shape::Line),
    ("/key", Shape::Line),
    ("/holdback", Shape::Percent),
    ("/results", Shape::Line),
    ("/origins", Shape::Lines),
    ("/snippet/consent", Shape::Line),
    ("/snippet/respect_gpc", Shape::YesNo),
    ("/snippet/respect_dnt", Shape::YesNo),
    ("/snippet/cookie_domain", Shape::Line),
    ("/snippet/visitor_id/source", Shape::Line),
    ("/snippet/visitor_id/name", Shape::Line),
    ("/snippet/visitor_id/renewed_by", Shape::Line),
    ("/snippet/preview", Shape::YesNo),
    ("/snippet/allow_force", Shape::YesNo),
    ("/snippet/landings", Shape::YesNo),
    ("/snippet/explain", Shape::YesNo),
    ("/snippet/data", Shape::YesNo),
    ("/snippet/utils", Shape::YesNo),
    ("/snippet/exclude_names", Shape::YesNo),
    ("/snippet/global_aliases", Shape::Lines),
    ("/snippet/javascript", Shape::Text),
];

const RESULTS: &[(&str, &str)] = &[
    ("off", "Nowhere, or in other tools"),
    ("on", "Here: the snippet sends what visitors see and do"),
];

const CONSENTS: &[(&str, &str)] = &[
    ("none", "At once: visitors are not asked"),
    ("required", "Only after the page says that the visitor agreed"),
];

const SOURCES: &[(&str, &str)] = &[
    ("cookie", "A cookie"),
    ("query", "A query parameter"),
    ("local_storage", "An entry of the local storage"),
    ("javascript", "A global JavaScript variable"),
];

const RENEWALS: &[(&str, &str)] =
    &[("page", "The snippet, in the page"), ("server", "The server, with the snippet")];

#[derive(Template)]
#[template(path = "edit/settings.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    project: &'a ProjectFrame,
    collected_events: Option<String>,
}

/// The fields, with the way to the page of collected events for who may see it.
pub(super) fn content(
    form: &Form<'_>,
    project: &ProjectFrame,
    collected_events: Option<String>,
) -> String {
    Content { form, project, collected_events }.render().expect("writing to memory does not fail")
}
