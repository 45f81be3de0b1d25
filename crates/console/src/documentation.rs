//! `/docs`: the documentation of this very version, made from the documents in `docs/` that mdBook makes a site of, too.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "few of the many things that Markdown has matter here"
)]

mod contents;
mod markdown;

use std::collections::HashMap;
use std::sync::LazyLock;

use app::App;
use askama::Template;
use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use include_dir::{Dir, File, include_dir};

use self::contents::{Chapter, contents};
use self::markdown::Rendered;
use crate::address::Path;
use crate::design;
use crate::page::illustrated_page;
use crate::refusal::Refusal;
use crate::results::example;

pub(crate) const PATH: &str = "/docs";

static DOCUMENTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../docs");

/// The document of [`PATH`] itself.
const FIRST: &str = "index";

/// The document that lists all others.
const SUMMARY: &str = "SUMMARY.md";

/// The page is the same for every caller.
const PUBLIC: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Every document, by its path without ending. They are rendered once, when the first one is read.
static PAGES: LazyLock<HashMap<String, Rendered>> = LazyLock::new(|| {
    let mut pages = HashMap::new();
    collect(&DOCUMENTS, &mut pages);
    pages
});

static CONTENTS: LazyLock<Vec<Chapter>> = LazyLock::new(|| {
    let summary = DOCUMENTS.get_file(SUMMARY).and_then(include_dir::File::contents_utf8);
    contents(summary.unwrap_or_default())
});

#[derive(Template)]
#[template(path = "documentation.html")]
struct Documentation<'a> {
    title: &'a str,
    html: &'a str,
    chapters: &'a [Chapter],
    /// The address of this page.
    current: String,
}

/// The documents, and the pages that show by example what they tell of.
pub(crate) fn routes() -> Router<App> {
    let show_first = async || show(FIRST);
    let show_named = async |Path(name): Path<String>| show(&name);
    Router::new()
        .route(PATH, get(show_first))
        .route("/docs/", get(async || Redirect::permanent(PATH)))
        .route("/docs/{*name}", get(show_named))
        .route(design::PATH, get(design::show))
        .route(example::PATH, get(example::show))
}

/// The address of a document.
fn address_of(name: &str) -> String {
    if name == FIRST { PATH.to_owned() } else { format!("{PATH}/{name}") }
}

fn show(name: &str) -> Response {
    let Some(found) = PAGES.get(name) else { return show_other(name) };
    let template = Documentation {
        title: &found.title,
        html: &found.html,
        chapters: &CONTENTS,
        current: address_of(name),
    };
    let mut response = illustrated_page(&template);
    response.headers_mut().insert(CACHE_CONTROL, PUBLIC);
    response
}

/// What is no document: a file of SQL to which one links, to be copied, a picture of one, or the address of one with a slash at its end.
fn show_other(name: &str) -> Response {
    if let Some(document) = name.strip_suffix('/').filter(|name| PAGES.contains_key(*name)) {
        return Redirect::permanent(&address_of(document)).into_response();
    }
    let found = DOCUMENTS.get_file(name);
    let Some((file, media_type)) = found.and_then(|file| Some((file, media_type(file)?))) else {
        return Refusal::NoSuchPage.into_response();
    };
    let headers = [
        (CACHE_CONTROL, PUBLIC),
        (CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (headers, file.contents()).into_response()
}

/// What a file beside the documents is. `None` if readers have no use of it.
fn media_type(file: &File<'_>) -> Option<&'static str> {
    match file.path().extension()?.to_str()? {
        "sql" => Some("text/plain; charset=utf-8"),
        "png" => Some("image/png"),
        _ => None,
    }
}

fn collect(folder: &Dir<'_>, pages: &mut HashMap<String, Rendered>) {
    for file in folder.files().filter(|file| !file.path().ends_with(SUMMARY)) {
        let path = file.path().to_string_lossy();
        if let (Some(name), Some(text)) = (path.strip_suffix(".md"), file.contents_utf8()) {
            pages.insert(name.to_owned(), Rendered::of(name, text));
        }
    }
    folder.dirs().for_each(|folder| collect(folder, pages));
}
