//! How much of a quota is left, in the fields `RateLimit` and `RateLimit-Policy` of the HTTP working group's draft, and 429 of RFC 6585.

use app::{App, Quota};
use axum::extract::FromRequestParts as _;
use axum::http::header::RETRY_AFTER;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use oauth::Lifetime;
use storage::AccessGrant;
use web::{Bearer, Problem, ProblemCode};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// What is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    /// What programs call it.
    name: &'static str,
    /// The code of a refusal.
    code: ProblemCode,
    /// What people call what is counted.
    words: &'static str,
}

impl Policy {
    /// Changes.
    pub(crate) const WRITES: Self =
        Self { name: "writes", code: ProblemCode::TooManyWrites, words: "changes" };

    /// Reads that work on a whole document.
    pub(crate) const HEAVY_READS: Self = Self {
        name: "heavy-reads",
        code: ProblemCode::TooManyHeavyReads,
        words: "comparisons and whole documents",
    };

    /// Says in an answer what is left.
    pub(crate) fn tell(self, quota: &Quota, headers: &mut HeaderMap) {
        let Quota { per_minute, remaining, resets_in_seconds } = quota;
        let (name, remaining) = (self.name, remaining.unwrap_or(0));
        headers.insert(RATE_LIMIT_POLICY, plain(&format!("\"{name}\";q={per_minute};w=60")));
        headers
            .insert(RATE_LIMIT, plain(&format!("\"{name}\";r={remaining};t={resets_in_seconds}")));
    }

    /// Nothing is left.
    pub(crate) fn too_many(self, quota: &Quota) -> Problem {
        let detail = format!(
            "there are {} {} a minute for each application and member; try again in {}",
            quota.per_minute,
            self.words,
            Lifetime::from_seconds(quota.resets_in_seconds.into()).words()
        );
        Problem::new(self.code, detail)
            .with_header(RETRY_AFTER, HeaderValue::from(quota.resets_in_seconds))
    }
}

/// What the token of a request allows, whatever that is: its member and application are who is counted.
pub(crate) async fn grant_of(app: &App, parts: &mut Parts) -> Result<AccessGrant, Problem> {
    Bearer::from_request_parts(parts, &()).await?.grant(app).await
}

fn plain(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("numbers and words are plain ASCII")
}
