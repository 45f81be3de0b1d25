//! `/js/{project}.js?preview=<token>`: what `runtime/src/preview/preview.ts` asks for. The token is in the query because no query is
//! logged, and because a host that serves the snippet as a plain file passes over it.

use app::App;
use app::previews::{FindPreviewError, find_preview};
use app::visual_editor::{find_editor, is_editor_token};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use domain::ProjectId;

use super::wanted::{CROSS_ORIGIN_RESOURCE_POLICY, answer};
use super::{busy, unavailable};

/// It is for one person, and for now.
const NEVER_KEPT: HeaderValue = HeaderValue::from_static("private, no-store");

/// The token in a query. Ours need no decoding; any other is not good in any spelling.
pub(super) fn token(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|parameter| parameter.strip_prefix("preview="))
}

/// The snippet that shows what the token promises, or a script that says why there is none.
pub(super) async fn preview(
    app: &App,
    id: ProjectId,
    token: &str,
    headers: &HeaderMap,
) -> Response {
    let found = if is_editor_token(token) {
        find_editor(app, id, token).await
    } else {
        find_preview(app, id, token).await
    };
    match found {
        Ok(preview) => answer(&preview, headers, NEVER_KEPT),
        Err(error) => match error {
            FindPreviewError::Compile(error) => unavailable(&error),
            FindPreviewError::Overloaded(_) => busy(),
            FindPreviewError::Storage(error) => unavailable(&error),
            FindPreviewError::OtherProject => script(&warning(&error)),
            FindPreviewError::Ended
            | FindPreviewError::NotSigned
            | FindPreviewError::Forgotten
            | FindPreviewError::Revoked
            | FindPreviewError::Expired
            | FindPreviewError::NotTheirs
            | FindPreviewError::SwitchedOff
            | FindPreviewError::Gone => refusal(&error),
        },
    }
}

/// The tab forgets the token, so that it asks once; the snippet that asked goes on as ever when this has run. A link for another project
/// stays in the tab, for the pages of that one.
fn refusal(reason: &FindPreviewError) -> Response {
    let forget = "try{sessionStorage.removeItem(\"experimentation_preview\")}catch(error){}\n";
    script(&(forget.to_owned() + &warning(reason)))
}

fn warning(reason: &FindPreviewError) -> String {
    format!("console.warn(\"experimentation:\",\"no preview: {reason}\");\n")
}

/// Browsers run only what comes with a status of success, and the person has to be told.
fn script(text: &str) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8")),
        (CACHE_CONTROL, NEVER_KEPT),
        (CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin")),
    ];
    (headers, text.to_owned()).into_response()
}
