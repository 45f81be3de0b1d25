//! `/js/{project}.js` and `/js/{project}/{hash}.js`: snippets, prepared at publish and sent from memory. With a preview link's token in
//! the query, its preview instead: see `snippets/preview.rs`. Browsers that have an earlier one get what is new: see `snippets/dictionary.rs`.

mod dictionary;
mod preview;
mod visitor_cookie;
mod wanted;

use std::error::Error;
use std::sync::Arc;

use app::App;
use app::installations::{PageHeaders, note_load};
use app::publishing::{
    DeliveredSnippet, delivered_snippet, find_snippet, live_snippet, page_deadline, read_snippet,
    was_project_deleted,
};
use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ORIGIN, REFERER, RETRY_AFTER, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use domain::ProjectId;
use storage::{SnippetLengths, StorageError};
use web::RETRY_AFTER_SECONDS;

use self::wanted::{Sent, answer, wanted_whole};

/// A minute old at most, and never a wait: a browser shows what it has and asks behind the visitor's back.
const LIVE: HeaderValue =
    HeaderValue::from_static("public, max-age=60, stale-while-revalidate=86400");

/// The same of an answer that may carry one visitor's cookie: no cache between us and the browser may give it to another, nor keep the
/// next visitor's request from us.
const PERSONAL: HeaderValue =
    HeaderValue::from_static("private, max-age=60, stale-while-revalidate=86400");

/// The address names the content.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The delivery routes.
pub(crate) fn router() -> Router<App> {
    Router::new().route("/js/{file}", get(live)).route("/js/{project}/{file}", get(immutable))
}

async fn live(
    State(app): State<App>,
    Path(file): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let Some(id) = file.strip_suffix(".js").and_then(project_id) else { return not_found() };
    let deadline = page_deadline();
    if was_project_deleted(&app, id, deadline).await {
        return gone();
    }
    if let Some(token) = preview::token(query.as_deref()) {
        return preview::preview(&app, id, token, &headers).await;
    }
    match live_snippet(&app, id, deadline).await {
        Ok(Some(snippet)) => {
            note(&app, id, &headers);
            let Some(cookie) = &snippet.visitor_cookie else {
                return dictionary::offer(id, answer(&snippet, &headers, LIVE));
            };
            let mut response = dictionary::offer(id, answer(&snippet, &headers, PERSONAL));
            let renewal = visitor_cookie::renewal(&app, cookie, &headers);
            response.headers_mut().extend(renewal.map(|value| (SET_COOKIE, value)));
            response
        }
        Ok(None) => not_found(),
        Err(error) => unavailable(&error),
    }
}

async fn immutable(
    State(app): State<App>,
    Path((project, file)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let Some((id, hash)) = project_id(&project).zip(file.strip_suffix(".js")) else {
        return not_found();
    };
    if was_project_deleted(&app, id, page_deadline()).await {
        return gone();
    }
    // A page that names one revision for ever can be previewed as well; the preview is of the live one.
    if let Some(token) = preview::token(query.as_deref()) {
        return preview::preview(&app, id, token, &headers).await;
    }
    let answered = match live_of_hash(&app, (id, hash), &headers).await {
        Some(live) => Ok(Some(answer(&live, &headers, IMMUTABLE))),
        None => stored(&app, (id, hash), &method, &headers).await,
    };
    // Its address does not tell that it is live: it keeps no cookie.
    match answered {
        Ok(Some(response)) => {
            note(&app, id, &headers);
            dictionary::offer(id, response)
        }
        Ok(None) => not_found(),
        Err(error) => unavailable(&error),
    }
}

/// The snippet with this hash if it is the live one, and in memory. Browsers that have an earlier one are worth reading it: it has deltas.
async fn live_of_hash(
    app: &App,
    (id, hash): (ProjectId, &str),
    headers: &HeaderMap,
) -> Option<Arc<DeliveredSnippet>> {
    let live = match dictionary::available(headers) {
        Some(_) => live_snippet(app, id, page_deadline()).await.ok().flatten(),
        None => delivered_snippet(app, id),
    };
    live.filter(|live| live.hash == hash)
}

/// A snippet that is not in memory as the live one.
async fn stored(
    app: &App,
    (id, hash): (ProjectId, &str),
    method: &Method,
    headers: &HeaderMap,
) -> Result<Option<Response>, StorageError> {
    let (encoding, wanted) = wanted_whole(headers, hash);
    let sent = if wanted.is_known || method == Method::HEAD {
        let lengths = find_snippet(app, id, hash).await?;
        let length = |lengths: SnippetLengths| Sent::Length(lengths.of(encoding));
        lengths.map(|lengths| if wanted.is_known { Sent::Nothing } else { length(lengths) })
    } else {
        read_snippet(app, id, hash, encoding).await?.map(Sent::Body)
    };
    Ok(sent.map(|sent| wanted.answered(sent, IMMUTABLE)))
}

/// Remembers that a page asked for the snippet, for the installed check.
fn note(app: &App, id: ProjectId, headers: &HeaderMap) {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let (origin, referer) = (text(ORIGIN), text(REFERER));
    note_load(app, id, PageHeaders { origin, referer, destination: text(SEC_FETCH_DEST) });
}

fn project_id(text: &str) -> Option<ProjectId> {
    text.parse().ok()
}

/// A script that is not there must not be kept by any cache: the project may be published a second later.
fn not_found() -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::NOT_FOUND, headers, "/* no such snippet */\n").into_response()
}

/// The project was deleted, and no other one gets its id, so a cache may keep that for a while: pages that still load it ask less often.
fn gone() -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("public, max-age=60")),
    ];
    (StatusCode::GONE, headers, "/* this project was deleted */\n").into_response()
}

/// More is asked for than can be done soon.
fn busy() -> Response {
    let headers =
        [(CACHE_CONTROL, HeaderValue::from_static("no-store")), (RETRY_AFTER, RETRY_AFTER_SECONDS)];
    (StatusCode::SERVICE_UNAVAILABLE, headers).into_response()
}

fn unavailable(error: &(dyn Error + 'static)) -> Response {
    if !error.downcast_ref().is_some_and(StorageError::is_logged) {
        tracing::error!("snippet: {error}");
    }
    busy()
}
