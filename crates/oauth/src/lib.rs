//! The rules of OAuth 2.0 as Assay applies them: no input, output, clock or randomness of their own.
//!
//! An authorization request starts at [`AuthorizationRequest`], a token request at [`ClientCredentials`] and then
//! [`TokenRequest`]. Both read their [`Parameters`] first. What must be remembered between requests is the business of the
//! `storage` crate.

mod authorization_request;
mod authorization_response;
mod client;
mod client_authentication;
mod client_secret;
mod credential;
mod error;
mod introspection_response;
mod moment;
mod parameters;
mod pkce;
mod prompt;
mod redirect_uri;
mod scope;
mod signing_key;
mod steadiness;
mod time;
mod token_query;
mod token_request;
mod token_response;
mod webhook_secret;

pub use authorization_request::{AuthorizationRequest, RequestError, UnansweredRequest};
pub use authorization_response::ReplyTo;
pub use client::{Client, ClientId, ClientKind, ClientOrigin, UnusableClientId};
pub use client_authentication::{ClientCredentials, ProvenClient, authenticate};
pub use client_secret::{ClientSecret, SECRET_USE_NOTED_AFTER, SECRETS_AT_MOST};
pub use credential::{CredentialHash, CredentialKind, hash, is_events_key, mint};
pub use error::{ErrorCode, OAuthError};
pub use introspection_response::{ActiveToken, IntrospectionResponse};
pub use moment::Moment;
pub use parameters::Parameters;
pub use pkce::{CodeChallenge, code_challenge_of};
pub use prompt::Prompt;
pub use redirect_uri::{RedirectUri, RedirectUriError};
pub use scope::{Scope, ScopeSet, UnknownScope};
pub use signing_key::SigningKey;
pub use steadiness::Steadiness;
pub use time::{
    ACCESS_TOKEN, AUTHORIZATION_CODE, CLOCK_AHEAD, Lifetime, REFRESH_ABSOLUTE, REFRESH_IDLE,
    SESSION_ABSOLUTE, SESSION_IDLE, Timestamp,
};
pub use token_query::token_in_question;
pub use token_request::TokenRequest;
pub use token_response::TokenResponse;
pub use webhook_secret::WebhookSecret;
