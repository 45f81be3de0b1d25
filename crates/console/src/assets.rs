//! The one style sheet of all pages and the scripts of some, embedded in the binary.

use std::sync::LazyLock;

use app::App;
use app::passkeys::knows_passkeys;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};
use web::Scripts;

const STYLE_SHEET: &str = concat!(
    include_str!("../assets/tokens.css"),
    include_str!("../assets/elements.css"),
    include_str!("../assets/frame.css"),
    include_str!("../assets/components.css"),
    include_str!("../assets/card.css"),
    include_str!("../assets/decide.css"),
    include_str!("../assets/edit.css"),
    include_str!("../assets/code_field.css"),
    include_str!("../assets/changes.css"),
    include_str!("../assets/campaign.css"),
    include_str!("../assets/first_steps.css"),
    include_str!("../assets/preview.css"),
    include_str!("../assets/size.css"),
    include_str!("../assets/charts.css"),
    include_str!("../assets/results.css"),
    include_str!("../assets/members.css"),
    include_str!("../assets/visual.css"),
    include_str!("../assets/api_reference.css"),
    include_str!("../assets/documentation.css"),
    include_str!("../assets/print.css")
);

const CODE_FIELD_SCRIPT: &str = include_str!("../assets/code_field.js");
const COPY_SCRIPT: &str = include_str!("../assets/copy.js");
const INSTALL_SCRIPT: &str = include_str!("../assets/install.js");
const PASSKEYS_SCRIPT: &str = include_str!("../assets/passkeys.js");
const TRIAL_SCRIPT: &str = include_str!("../assets/trial.js");
const VISUAL_SCRIPT: &str = include_str!("../assets/visual.js");
const WEIGHTS_SCRIPT: &str = include_str!("../assets/weights.js");
const UNSAVED_SCRIPT: &str = include_str!("../assets/unsaved.js");

static STYLE_SHEET_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(STYLE_SHEET));
static CODE_FIELD_SCRIPT_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(CODE_FIELD_SCRIPT));
static COPY_SCRIPT_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(COPY_SCRIPT));
static INSTALL_SCRIPT_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(INSTALL_SCRIPT));
static PASSKEYS_SCRIPT_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(PASSKEYS_SCRIPT));
static TRIAL_SCRIPT_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(TRIAL_SCRIPT));
static VISUAL_SCRIPT_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(VISUAL_SCRIPT));
static WEIGHTS_SCRIPT_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(WEIGHTS_SCRIPT));
static UNSAVED_SCRIPT_TAG: LazyLock<HeaderValue> = LazyLock::new(|| tag(UNSAVED_SCRIPT));

pub(crate) const CODE_FIELD_SCRIPT_PATH: &str = "/assets/code_field.js";
pub(crate) const COPY_SCRIPT_PATH: &str = "/assets/copy.js";
pub(crate) const INSTALL_SCRIPT_PATH: &str = "/assets/install.js";
pub(crate) const PASSKEYS_SCRIPT_PATH: &str = "/assets/passkeys.js";
pub(crate) const TRIAL_SCRIPT_PATH: &str = "/assets/trial.js";
pub(crate) const VISUAL_SCRIPT_PATH: &str = "/assets/visual.js";
pub(crate) const WEIGHTS_SCRIPT_PATH: &str = "/assets/weights.js";
pub(crate) const UNSAVED_SCRIPT_PATH: &str = "/assets/unsaved.js";

/// What a page may run that lets devices answer, where they can.
pub(crate) fn allowed_scripts(app: &App) -> Scripts<'_> {
    if !knows_passkeys(app) {
        return Scripts::None;
    }
    Scripts::Ours { origin: app.public_url().as_str(), paths: &[PASSKEYS_SCRIPT_PATH] }
}

/// What a page may run that has texts to copy.
pub(crate) fn copy_script(app: &App) -> Scripts<'_> {
    Scripts::Ours { origin: app.public_url().as_str(), paths: &[COPY_SCRIPT_PATH] }
}

/// What the page with the installed check may run.
pub(crate) fn install_scripts(app: &App) -> Scripts<'_> {
    let paths = &[COPY_SCRIPT_PATH, INSTALL_SCRIPT_PATH];
    Scripts::Ours { origin: app.public_url().as_str(), paths }
}

/// What a page with a form over a resource may run.
pub(crate) fn form_scripts(app: &App) -> Scripts<'_> {
    let paths =
        &[UNSAVED_SCRIPT_PATH, CODE_FIELD_SCRIPT_PATH, WEIGHTS_SCRIPT_PATH, TRIAL_SCRIPT_PATH];
    Scripts::Ours { origin: app.public_url().as_str(), paths }
}

/// What a page may run that a form leads to once it is saved.
pub(crate) fn saved_scripts(app: &App) -> Scripts<'_> {
    Scripts::Ours { origin: app.public_url().as_str(), paths: &[UNSAVED_SCRIPT_PATH] }
}

pub(crate) async fn style_sheet(request: Request) -> Response {
    asset(&request, &STYLE_SHEET_TAG, "text/css; charset=utf-8", STYLE_SHEET)
}

pub(crate) async fn passkeys_script(request: Request) -> Response {
    asset(&request, &PASSKEYS_SCRIPT_TAG, "text/javascript; charset=utf-8", PASSKEYS_SCRIPT)
}

pub(crate) async fn serve_code_field_script(request: Request) -> Response {
    asset(&request, &CODE_FIELD_SCRIPT_TAG, "text/javascript; charset=utf-8", CODE_FIELD_SCRIPT)
}

pub(crate) async fn serve_copy_script(request: Request) -> Response {
    asset(&request, &COPY_SCRIPT_TAG, "text/javascript; charset=utf-8", COPY_SCRIPT)
}

pub(crate) async fn serve_trial_script(request: Request) -> Response {
    asset(&request, &TRIAL_SCRIPT_TAG, "text/javascript; charset=utf-8", TRIAL_SCRIPT)
}

pub(crate) async fn visual_script(request: Request) -> Response {
    asset(&request, &VISUAL_SCRIPT_TAG, "text/javascript; charset=utf-8", VISUAL_SCRIPT)
}

pub(crate) async fn serve_install_script(request: Request) -> Response {
    asset(&request, &INSTALL_SCRIPT_TAG, "text/javascript; charset=utf-8", INSTALL_SCRIPT)
}

pub(crate) async fn serve_weights_script(request: Request) -> Response {
    asset(&request, &WEIGHTS_SCRIPT_TAG, "text/javascript; charset=utf-8", WEIGHTS_SCRIPT)
}

pub(crate) async fn unsaved_script(request: Request) -> Response {
    asset(&request, &UNSAVED_SCRIPT_TAG, "text/javascript; charset=utf-8", UNSAVED_SCRIPT)
}

fn asset(
    request: &Request,
    tag: &HeaderValue,
    content_type: &'static str,
    text: &'static str,
) -> Response {
    let headers = [
        (ETAG, tag.clone()),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    if request.headers().get(IF_NONE_MATCH) == Some(tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, [(CONTENT_TYPE, content_type)], text).into_response()
}

/// The hash of a text: it changes with the binary, and then at once, because browsers ask each time.
fn tag(text: &str) -> HeaderValue {
    let digest = Sha256::digest(text);
    let start = u64::from_be_bytes(digest[..8].try_into().expect("a digest has 32 bytes"));
    HeaderValue::from_str(&format!("\"{start:016x}\"")).expect("hexadecimal digits in quotes")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// What the console may send of its own scripts, in bytes: they are under it even before they are compressed.
    const SCRIPT_BYTES_AT_MOST: u64 = 60_000;

    #[test]
    fn all_scripts_together_stay_small() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let files = fs::read_dir(folder).unwrap().map(Result::unwrap);
        let scripts = files.filter(|file| file.path().extension().is_some_and(|end| end == "js"));
        let bytes: Vec<_> = scripts.map(|script| script.metadata().unwrap().len()).collect();

        assert!(bytes.len() > 1 && bytes.iter().sum::<u64>() < SCRIPT_BYTES_AT_MOST, "{bytes:?}");
    }
}
