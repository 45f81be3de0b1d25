//! What applications and their members experience with the authorization server.

mod answers;
mod any_request;
mod applications;
mod at_once;
mod audit;
mod bearer;
mod client_authentication;
mod clock;
mod consent;
mod declared;
mod exchange;
mod introspection;
mod malformed_http;
mod metadata;
mod parameters;
mod pkce;
mod random_order;
mod redirect_uris;
mod refresh;
mod requests;
mod revocation;
mod rust_client;
mod secret_rotation;
mod secrets;
mod sign_in;
pub(crate) mod token_call;
mod token_endpoint;
