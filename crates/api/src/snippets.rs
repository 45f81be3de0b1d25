//! `/js/{project}.js` and `/js/{project}/{hash}.js`: snippets, prepared at publish and sent from memory. With a preview link's token in
//! the query, its preview instead: see `snippets/preview.rs`.

mod preview;

use app::App;
use app::installations::{PageHeaders, note_load};
use app::publishing::{DeliveredSnippet, find_snippet, live_snippet, read_snippet};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, ORIGIN, REFERER, RETRY_AFTER, SET_COOKIE, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use domain::ProjectId;
use storage::{SnippetEncoding, SnippetLengths};
use web::RETRY_AFTER_SECONDS;

mod visitor_cookie;

/// A minute old at most, and never a wait: a browser shows what it has and asks behind the visitor's back.
const LIVE: HeaderValue =
    HeaderValue::from_static("public, max-age=60, stale-while-revalidate=86400");

/// The same of an answer that may carry one visitor's cookie: no cache between us and the browser may give it to another, nor keep the
/// next visitor's request from us.
const PERSONAL: HeaderValue =
    HeaderValue::from_static("private, max-age=60, stale-while-revalidate=86400");

/// The address names the content.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

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
    if let Some(token) = preview::token(query.as_deref()) {
        return preview::preview(&app, id, token, &headers).await;
    }
    match live_snippet(&app, id).await {
        Ok(Some(snippet)) => {
            note(&app, id, &headers);
            let Some(cookie) = &snippet.visitor_cookie else {
                return answer(&snippet, &headers, LIVE);
            };
            let mut response = answer(&snippet, &headers, PERSONAL);
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
    // A page that names one revision for ever can be previewed as well; the preview is of the live one.
    if let Some(token) = preview::token(query.as_deref()) {
        return preview::preview(&app, id, token, &headers).await;
    }
    let wanted = Wanted::by(&headers, hash);
    let what = match (wanted.is_known, method == Method::HEAD) {
        (false, false) => {
            let read = read_snippet(&app, id, hash, wanted.encoding).await;
            read.map(|body| body.map(Sent::Body))
        }
        (is_known, _) => find_snippet(&app, id, hash).await.map(|lengths| {
            let length = |lengths: SnippetLengths| Sent::Length(lengths.of(wanted.encoding));
            lengths.map(|lengths| if is_known { Sent::Nothing } else { length(lengths) })
        }),
    };
    // Its address does not tell that it is live: it keeps no cookie.
    match what {
        Ok(Some(sent)) => {
            note(&app, id, &headers);
            wanted.answered(sent, IMMUTABLE)
        }
        Ok(None) => not_found(),
        Err(error) => unavailable(&error),
    }
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

/// What a browser wants of a snippet.
struct Wanted {
    encoding: SnippetEncoding,
    etag: String,
    /// Whether it has exactly these bytes already.
    is_known: bool,
}

/// What is sent of a snippet.
enum Sent {
    Body(Bytes),
    /// To a `HEAD` request, how long the body would be.
    Length(u32),
    /// To a browser that has it.
    Nothing,
}

fn answer(snippet: &DeliveredSnippet, request: &HeaderMap, cache: HeaderValue) -> Response {
    let wanted = Wanted::by(request, &snippet.hash);
    let body = || Sent::Body(snippet.body(wanted.encoding));
    let sent = if wanted.is_known { Sent::Nothing } else { body() };
    wanted.answered(sent, cache)
}

impl Wanted {
    /// What this request wants of the snippet with this hash.
    fn by(request: &HeaderMap, hash: &str) -> Self {
        let encoding = encoding(request);
        // Each encoding is other bytes, so a strong validator must differ (RFC 9110 section 8.8.3.3).
        let suffix = match encoding {
            SnippetEncoding::Brotli => "-br",
            SnippetEncoding::Gzip => "-gz",
            SnippetEncoding::Identity => "",
        };
        let etag = format!("\"{hash}{suffix}\"");
        Self { encoding, is_known: knows(request, &etag), etag }
    }

    fn answered(&self, sent: Sent, cache: HeaderValue) -> Response {
        let mut response = match sent {
            Sent::Nothing => StatusCode::NOT_MODIFIED.into_response(),
            Sent::Body(body) => body.into_response(),
            Sent::Length(length) => ([(CONTENT_LENGTH, length)], Body::empty()).into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(ETAG, HeaderValue::from_str(&self.etag).expect("a hash is ASCII"));
        headers.insert(CACHE_CONTROL, cache);
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        // Any page may load it, also with `crossorigin` and subresource integrity, and under cross-origin isolation.
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
        if self.is_known {
            return response;
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
        let content_encoding = match self.encoding {
            SnippetEncoding::Brotli => "br",
            SnippetEncoding::Gzip => "gzip",
            SnippetEncoding::Identity => return response,
        };
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(content_encoding));
        response
    }
}

/// The best encoding that the browser takes.
fn encoding(request: &HeaderMap) -> SnippetEncoding {
    let accepted = request.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let accepted: Vec<&str> =
        accepted.flat_map(|value| value.split(',')).filter_map(accepted_coding).collect();
    let takes = |name: &str| accepted.iter().any(|coding| coding.eq_ignore_ascii_case(name));
    if takes("br") {
        SnippetEncoding::Brotli
    } else if takes("gzip") {
        SnippetEncoding::Gzip
    } else {
        SnippetEncoding::Identity
    }
}

/// The coding's name, unless its weight is zero (RFC 9110 section 12.5.3).
fn accepted_coding(item: &str) -> Option<&str> {
    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
    let weight =
        parameters.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
    (weight != Some(0.0)).then_some(name.trim())
}

/// Whether the browser has exactly these bytes (RFC 9110 section 13.1.2).
fn knows(request: &HeaderMap, etag: &str) -> bool {
    let known = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|value| value.split(','));
    known.any(|candidate| {
        matches!(candidate.trim(), "*") || candidate.trim().trim_start_matches("W/") == etag
    })
}

/// A script that is not there must not be kept by any cache: the project may be published a second later.
fn not_found() -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::NOT_FOUND, headers, "/* no such snippet */\n").into_response()
}

/// More previews are asked for than can be made soon.
fn overloaded() -> Response {
    let headers =
        [(CACHE_CONTROL, HeaderValue::from_static("no-store")), (RETRY_AFTER, RETRY_AFTER_SECONDS)];
    (StatusCode::SERVICE_UNAVAILABLE, headers).into_response()
}

fn unavailable(error: &dyn std::error::Error) -> Response {
    tracing::error!("snippet: {error}");
    (StatusCode::SERVICE_UNAVAILABLE, [(CACHE_CONTROL, "no-store")]).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[test]
    fn browser_gets_the_best_encoding_it_takes() {
        assert_eq!(encoding(&accepting("gzip, deflate, br, zstd")), SnippetEncoding::Brotli);
        assert_eq!(encoding(&accepting("gzip;q=1.0, br;q=0")), SnippetEncoding::Gzip);
        assert_eq!(encoding(&accepting("identity")), SnippetEncoding::Identity);
        assert_eq!(encoding(&HeaderMap::new()), SnippetEncoding::Identity);
    }

    #[test]
    fn known_validator_is_found_among_several() {
        let request =
            HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static("\"a\", W/\"b-br\""))]);

        assert!(knows(&request, "\"b-br\""));
        assert!(!knows(&request, "\"b\""));
    }
}
