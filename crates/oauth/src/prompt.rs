//! The `prompt` parameter of an authorization request (OIDC Core section 3.1.2.1).

use crate::error::OAuthError;

/// What the client wants to happen before it gets its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prompt {
    /// Pages as needed.
    #[default]
    AsNeeded,
    /// No page at all: answer at once, with an error if a page would be needed.
    Nothing,
    /// The member signs in even if they are signed in already.
    SignIn,
    /// The member is asked for consent even if they gave it already.
    Consent,
    /// Both.
    SignInAndConsent,
}

impl Prompt {
    pub(crate) fn parse(text: Option<&str>) -> Result<Self, OAuthError> {
        let Some(text) = text else { return Ok(Self::AsNeeded) };
        let values: Vec<&str> = text.split(' ').filter(|value| !value.is_empty()).collect();
        if values == ["none"] {
            return Ok(Self::Nothing);
        }
        // With one account for each browser, choosing an account is signing in again.
        let is_sign_in = |value: &&str| matches!(*value, "login" | "select_account");
        let is_consent = |value: &&str| *value == "consent";
        if !values.iter().all(|value| is_sign_in(value) || is_consent(value)) {
            return Err(UNKNOWN_PROMPT);
        }
        Ok(match (values.iter().any(is_sign_in), values.iter().any(is_consent)) {
            (true, true) => Self::SignInAndConsent,
            (true, false) => Self::SignIn,
            (false, true) => Self::Consent,
            (false, false) => Self::AsNeeded,
        })
    }

    /// Whether the member must sign in although they are signed in.
    #[must_use]
    pub const fn wants_sign_in(self) -> bool {
        matches!(self, Self::SignIn | Self::SignInAndConsent)
    }

    /// Whether the member must be asked although they consented before.
    #[must_use]
    pub const fn wants_consent(self) -> bool {
        matches!(self, Self::Consent | Self::SignInAndConsent)
    }
}

const UNKNOWN_PROMPT: OAuthError = OAuthError::invalid_request(
    "`prompt` must be `none` alone, or `login`, `consent` or `select_account`",
);

#[cfg(test)]
mod tests {
    use super::{Prompt, UNKNOWN_PROMPT};

    #[test]
    fn values_are_combined() {
        for (text, expected) in [
            (None, Prompt::AsNeeded),
            (Some("none"), Prompt::Nothing),
            (Some("login"), Prompt::SignIn),
            (Some("select_account"), Prompt::SignIn),
            (Some("consent"), Prompt::Consent),
            (Some("consent login"), Prompt::SignInAndConsent),
        ] {
            assert_eq!(Prompt::parse(text), Ok(expected));
        }
    }

    #[test]
    fn none_stands_alone_and_other_values_are_unknown() {
        for text in ["none login", "create", "Login", "login,consent"] {
            assert_eq!(Prompt::parse(Some(text)), Err(UNKNOWN_PROMPT), "{text}");
        }
    }
}
