//! What every page tells the browser: run no script but those that we name, load nothing from elsewhere, show it in no frame, send no
//! `Referer`.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};

/// Where the forms of a page may lead. Chromium applies `form-action` to every redirect that follows
/// a form, also to those that the client's own site makes afterwards, so a page that ends at a client
/// can only name schemes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormTargets {
    /// Forms stay on this server.
    OwnPages,
    /// A form may end at an OAuth client on the web.
    Client,
    /// A form may end at an OAuth client on the person's own machine.
    LoopbackClient,
    /// A form may end at an OAuth client that has this scheme for itself.
    NativeClient(String),
}

/// Which scripts a page may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scripts<'a> {
    /// None at all.
    None,
    /// These of this server, which may talk to it alone. What members write is served from the same origin (`/js/1000.js`), so
    /// the origin is not enough to tell.
    Ours {
        /// How the outside world reaches this server.
        origin: &'a str,
        /// The paths of the scripts.
        paths: &'a [&'a str],
    },
}

/// Which pictures a page may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageSources {
    /// Those that are written in its style sheets.
    DataUrls,
    /// These, and files of this server.
    DataUrlsAndServer,
}

/// Puts the headers of a page into its answer.
pub fn protect_page(
    headers: &mut HeaderMap,
    targets: FormTargets,
    scripts: Scripts<'_>,
    images: ImageSources,
) {
    let policy = content_security_policy(targets, scripts, images);
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

fn content_security_policy(
    targets: FormTargets,
    scripts: Scripts<'_>,
    images: ImageSources,
) -> HeaderValue {
    let image_sources = match images {
        ImageSources::DataUrls => "data:",
        ImageSources::DataUrlsAndServer => "data: 'self'",
    };
    let script_sources = match scripts {
        Scripts::None => String::new(),
        Scripts::Ours { origin, paths } => {
            let sources = paths.iter().map(|path| format!(" {origin}{path}"));
            format!("; script-src{}; connect-src 'self'", sources.collect::<String>())
        }
    };
    let form_action = match targets {
        FormTargets::OwnPages => "'self'".to_owned(),
        FormTargets::Client => "'self' https:".to_owned(),
        FormTargets::LoopbackClient => "'self' https: http:".to_owned(),
        FormTargets::NativeClient(scheme) => format!("'self' {scheme}:"),
    };
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src {image_sources}; form-action {form_action}; \
         frame-ancestors 'none'; base-uri 'none'{script_sources}"
    );
    HeaderValue::from_str(&policy).expect("the policy is plain ASCII")
}
