//! The names in the path of an address, each read as what it names.

use axum::extract::{self, FromRequestParts};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// The names in the path. Where one of them cannot be read, there is no such page.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    /// Nothing is called by what is no text, or holds a NUL, which PostgreSQL keeps in none.
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        if parts.uri.path().contains("%00") {
            return Err(Refusal::NoSuchPage);
        }
        let names = extract::Path::<T>::from_request_parts(parts, state).await;
        names.map(|extract::Path(names)| Self(names)).map_err(|_| Refusal::NoSuchPage)
    }
}
