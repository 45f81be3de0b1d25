//! What a connection asks again and again.

use anyhow::{Context as _, Result, ensure};

use crate::member::{Application, VERIFIER, encode};
use crate::wire::{Answer, Wire};

/// The path of every answer that is compared with `hello`.
pub(crate) const BEARER_PATH: &str = "/v1/me";

#[derive(Clone)]
pub(crate) enum Task {
    /// One code after the other, until there is none.
    Exchange(Vec<String>),
    /// The same refresh token again and again.
    Refresh(String),
    /// Each time the token that the last answer gave.
    Rotate(String),
    /// An access token.
    Use(String),
}

impl Task {
    /// The credentials that it comes with.
    pub(crate) fn shows(&self) -> Vec<&str> {
        match self {
            Self::Exchange(codes) => codes.iter().map(String::as_str).collect(),
            Self::Refresh(token) | Self::Rotate(token) | Self::Use(token) => vec![token],
        }
    }

    /// Asks once. False when there is nothing more to ask for.
    pub(crate) async fn ask(&mut self, wire: &mut Wire, application: &Application) -> Result<bool> {
        let answer = match self {
            Self::Exchange(codes) => {
                let Some(code) = codes.pop() else { return Ok(false) };
                let fields = [
                    ("grant_type", "authorization_code"),
                    ("code", &*code),
                    ("redirect_uri", &*application.redirect_uri),
                    ("code_verifier", VERIFIER),
                ];
                ask_for_tokens(wire, application, &fields).await?
            }
            Self::Refresh(token) | Self::Rotate(token) => {
                let fields = [("grant_type", "refresh_token"), ("refresh_token", &**token)];
                ask_for_tokens(wire, application, &fields).await?
            }
            Self::Use(token) => {
                wire.get(BEARER_PATH, &format!("Authorization: Bearer {token}\r\n")).await?
            }
        };
        ensure!(answer.status == 200, "{} {}", answer.status, answer.body);
        if let Self::Rotate(token) = self {
            answer.text("refresh_token").context("no refresh token")?.clone_into(token);
        }
        Ok(true)
    }
}

/// A request to the token endpoint, the client's credentials in the form.
pub(crate) async fn ask_for_tokens(
    wire: &mut Wire,
    application: &Application,
    fields: &[(&str, &str)],
) -> Result<Answer> {
    let mut fields = [&[("client_id", &*application.client_id)], fields].concat();
    if let Some(secret) = &application.client_secret {
        fields.push(("client_secret", secret));
    }
    wire.post("/oauth2/token", "", &encode(&fields)).await
}
