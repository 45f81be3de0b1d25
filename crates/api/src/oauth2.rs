//! The endpoints of the authorization server that programs call. The pages that members see in between are in `console`.

mod token;
mod token_answer;

use app::App;
use axum::Router;

pub(crate) use token::PATH as TOKEN_PATH;

pub(crate) fn router() -> Router<App> {
    token::router()
}
