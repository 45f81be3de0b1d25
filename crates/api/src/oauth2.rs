//! The endpoints of the authorization server that programs call. The pages that members see in between are in `console`.

mod answer;
mod call;
mod introspect;
mod revoke;
mod token;

use app::App;
use axum::Router;

pub(crate) use introspect::PATH as INTROSPECTION_PATH;
pub(crate) use revoke::PATH as REVOCATION_PATH;
pub(crate) use token::PATH as TOKEN_PATH;

pub(crate) fn router() -> Router<App> {
    token::router().merge(revoke::router()).merge(introspect::router())
}
