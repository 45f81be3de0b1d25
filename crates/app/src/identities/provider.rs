//! The provider that knows who members are: what we ask it and what it answers (OpenID Connect Core section 3.1).

use async_trait::async_trait;
use oauth::SigningKey;
use secrecy::SecretString;
use storage::Identity;
use thiserror::Error;

/// An OpenID Connect provider that the operator has configured.
#[async_trait]
pub trait IdentityProvider: Send + Sync + 'static {
    /// What people call it.
    fn name(&self) -> &str;

    /// How it names itself, in its answers and tokens.
    fn issuer(&self) -> &str;

    /// The address at which the provider asks who the person in the browser is.
    async fn address_for(&self, question: &ProviderQuestion) -> Result<String, ProviderError>;

    /// Who the person is, by the code that the provider gave their browser.
    async fn identify(
        &self,
        code: SecretString,
        question: &ProviderQuestion,
    ) -> Result<ProviderAnswer, ProviderError>;
}

/// A question to the provider.
pub struct ProviderQuestion {
    /// The browser brings it back with the answer.
    pub state: String,
    /// The provider puts it into the answer, which it ties to this question.
    pub nonce: String,
    /// Proves that the question and the exchange of the code come from one server (RFC 7636).
    pub verifier: SecretString,
}

/// What the provider says about a person, after its signature was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderAnswer {
    /// Who it is.
    pub identity: Identity,
    /// Their e-mail address, if the provider vouches for it.
    pub verified_email: Option<String>,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum ProviderError {
    /// The provider could not be reached, or answered with something else.
    #[error("the provider does not answer: {0}")]
    Unavailable(String),
    /// The provider did not accept the code, or its answer is not for this question.
    #[error("the provider's answer is not valid: {0}")]
    NotValid(String),
}

impl ProviderQuestion {
    /// The question of this state. Nonce and verifier are made from it with our key: nothing is stored, and who sees the state, as the
    /// provider does, knows neither.
    pub(super) fn of(state: &str, key: &SigningKey) -> Self {
        Self {
            state: state.to_owned(),
            nonce: key.sign(&format!("assay provider nonce\0{state}")),
            verifier: key.sign(&format!("assay provider verifier\0{state}")).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use oauth::SigningKey;
    use secrecy::ExposeSecret as _;

    use super::ProviderQuestion;

    #[test]
    fn each_question_has_its_own_nonce_and_verifier() {
        let key = SigningKey::from_bytes([7; 32]);
        let [one, same, other] = ["a", "a", "b"].map(|state| ProviderQuestion::of(state, &key));

        assert_eq!(one.verifier.expose_secret(), same.verifier.expose_secret());
        assert_eq!(one.nonce, same.nonce);
        assert_ne!(one.verifier.expose_secret(), other.verifier.expose_secret());
        assert_ne!(one.nonce, other.nonce);
        assert_ne!(one.verifier.expose_secret(), &one.nonce);
        // RFC 7636 section 4.1: 43 to 128 unreserved characters.
        assert_eq!(one.verifier.expose_secret().len(), 43);
    }
}
