//! How a client proves who it is at the token endpoint (RFC 6749 section 2.3.1): by HTTP Basic or by parameters, whichever it
//! likes, but not by both.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};

use crate::client::{Client, ClientId, ClientKind};
use crate::client_secret::ClientSecret;
use crate::error::OAuthError;
use crate::parameters::{Parameters, form_decode};

/// What a client says about itself, not checked yet: [`authenticate`] does that.
#[derive(Debug)]
pub struct ClientCredentials {
    /// Who it says it is; to be looked up.
    pub client_id: ClientId,
    secret: Option<SecretString>,
}

/// Longer than any id and secret together; nothing that long is decoded.
const HEADER_LENGTH_AT_MOST: usize = 2_048;

impl ClientCredentials {
    /// Reads the credentials from the `Authorization` header, if there is one, and the parameters.
    ///
    /// # Errors
    /// `invalid_client` when there are none that can be used, `invalid_request` when header and parameters do not go together.
    pub fn read(authorization: Option<&[u8]>, parameters: &Parameters) -> Result<Self, OAuthError> {
        // A client that signs an assertion must not be taken for a public one.
        if parameters.find("client_assertion").is_some() {
            return Err(UNSUPPORTED_METHOD);
        }
        let client_id = parameters.find("client_id");
        let secret = parameters.find("client_secret");
        let Some(authorization) = authorization else {
            let client_id = client_id.ok_or(NO_CREDENTIALS)?;
            return Self::new(client_id, secret.map(SecretString::from));
        };
        let (basic_id, basic_secret) = read_basic(authorization)?;
        if secret.is_some() {
            return Err(TWO_METHODS);
        }
        if client_id.is_some_and(|client_id| client_id != basic_id) {
            return Err(TWO_CLIENTS);
        }
        Self::new(&basic_id, Some(basic_secret).filter(|secret| !secret.expose_secret().is_empty()))
    }

    fn new(client_id: &str, secret: Option<SecretString>) -> Result<Self, OAuthError> {
        let client_id = client_id.parse().map_err(|_| WRONG_CREDENTIALS)?;
        Ok(Self { client_id, secret })
    }
}

/// A client that has proved who it is.
#[derive(Debug, PartialEq, Eq)]
pub struct ProvenClient {
    /// The client.
    pub client: Client,
    /// What it used for that; a public client has nothing.
    pub secret: Option<ClientSecret>,
}

/// Checks credentials against the client that was looked up by their id. Unknown clients, disabled ones and wrong secrets get the
/// same answer.
///
/// # Errors
/// `invalid_client` unless a confidential client sent a secret of its own, or a public one sent none.
pub fn authenticate(
    credentials: &ClientCredentials,
    client: Option<Client>,
) -> Result<ProvenClient, OAuthError> {
    let client = client
        .filter(|client| client.client_id == credentials.client_id && client.is_enabled())
        .ok_or(WRONG_CREDENTIALS)?;
    let secret = match (client.kind, &credentials.secret) {
        (ClientKind::Confidential, Some(secret)) => {
            let secret = client.find_secret(secret.expose_secret()).ok_or(WRONG_CREDENTIALS)?;
            Some(secret.clone())
        }
        (ClientKind::Confidential, None) | (ClientKind::Public, Some(_)) => {
            return Err(WRONG_CREDENTIALS);
        }
        (ClientKind::Public, None) => None,
    };
    Ok(ProvenClient { client, secret })
}

/// Id and secret are form-encoded before they are joined and encoded once more (RFC 6749 section 2.3.1). The scheme's case does
/// not matter (RFC 9110 section 11.1).
fn read_basic(authorization: &[u8]) -> Result<(String, SecretString), OAuthError> {
    if authorization.len() > HEADER_LENGTH_AT_MOST {
        return Err(MALFORMED_HEADER);
    }
    let text = str::from_utf8(authorization).map_err(|_| MALFORMED_HEADER)?;
    let (scheme, encoded) = text.split_once(' ').ok_or(MALFORMED_HEADER)?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return Err(UNSUPPORTED_METHOD);
    }
    let pair = STANDARD.decode(encoded.trim()).map_err(|_| MALFORMED_HEADER)?;
    let colon = pair.iter().position(|byte| *byte == b':').ok_or(MALFORMED_HEADER)?;
    let client_id = form_decode(&pair[..colon]).ok_or(MALFORMED_HEADER)?;
    let secret = form_decode(&pair[colon + 1..]).ok_or(MALFORMED_HEADER)?;
    Ok((client_id, SecretString::from(secret)))
}

const NO_CREDENTIALS: OAuthError = OAuthError::invalid_client("the client did not identify itself");
const WRONG_CREDENTIALS: OAuthError =
    OAuthError::invalid_client("the client is unknown, or its secret is missing or wrong");
const MALFORMED_HEADER: OAuthError = OAuthError::invalid_client(
    "the `Authorization` header must be `Basic` with the base64 of `client_id:client_secret`",
);
const UNSUPPORTED_METHOD: OAuthError = OAuthError::invalid_client(
    "clients authenticate by HTTP Basic, or by `client_id` and `client_secret`",
);
const TWO_METHODS: OAuthError = OAuthError::invalid_request(
    "the client secret was sent in the header and in the parameters; send it once",
);
const TWO_CLIENTS: OAuthError =
    OAuthError::invalid_request("the header and the parameter `client_id` name different clients");

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
    use proptest::prelude::*;
    use secrecy::ExposeSecret as _;

    use super::{ClientCredentials, HEADER_LENGTH_AT_MOST, authenticate};
    use crate::client::{Client, ClientKind, ClientOrigin};
    use crate::client_secret::secret;
    use crate::error::{ErrorCode, OAuthError};
    use crate::parameters::Parameters;
    use crate::time::Timestamp;

    fn basic(pair: &str) -> String {
        format!("Basic {}", STANDARD.encode(pair))
    }

    fn read(header: Option<&str>, query: &str) -> Result<ClientCredentials, OAuthError> {
        let parameters = Parameters::from_query(query).ok().unwrap();
        ClientCredentials::read(header.map(str::as_bytes), &parameters)
    }

    /// The named client and its secret.
    fn named(header: Option<&str>, query: &str) -> (String, Option<String>) {
        let credentials = read(header, query).unwrap();
        let secret = credentials.secret.map(|secret| secret.expose_secret().to_owned());
        (credentials.client_id.to_string(), secret)
    }

    fn refused(header: Option<&str>, query: &str) -> ErrorCode {
        read(header, query).unwrap_err().code
    }

    fn reports(secret: Option<&str>) -> (String, Option<String>) {
        ("reports".to_owned(), secret.map(str::to_owned))
    }

    #[test]
    fn parameters_and_header_say_the_same() {
        assert_eq!(named(None, "client_id=reports&client_secret=s"), reports(Some("s")));
        assert_eq!(named(Some(&basic("reports:s")), ""), reports(Some("s")));
        assert_eq!(named(Some(&basic("reports:s")), "client_id=reports"), reports(Some("s")));
    }

    #[test]
    fn a_public_client_sends_its_id_alone() {
        assert_eq!(named(None, "client_id=reports"), reports(None));
        assert_eq!(named(None, "client_id=reports&client_secret="), reports(None));
        assert_eq!(named(Some(&basic("reports:")), ""), reports(None));
    }

    #[test]
    fn the_scheme_may_be_written_in_any_case() {
        for scheme in ["Basic", "basic", "BASIC"] {
            let header = basic("reports:s").replace("Basic", scheme);
            assert_eq!(named(Some(&header), ""), reports(Some("s")));
        }
    }

    #[test]
    fn the_halves_of_the_header_are_form_encoded() {
        assert_eq!(named(Some(&basic("rep%6Frts:a+b%3A%25:c")), ""), reports(Some("a b:%:c")));
    }

    #[test]
    fn a_header_that_cannot_be_read_proves_nothing() {
        let long = basic(&format!("reports:{}", "s".repeat(HEADER_LENGTH_AT_MOST)));
        for header in [
            "",
            "Basic",
            "Basic ",
            "Basic !!!",
            &basic("reports"),
            &basic("reports:%zz"),
            &basic(":s"),
            "Bearer abc",
            "Digest username=reports",
            &long,
        ] {
            assert_eq!(refused(Some(header), ""), ErrorCode::InvalidClient, "{header}");
        }
        let not_utf8 = format!("Basic {}", STANDARD.encode(b"reports:\xff\xfe"));
        assert_eq!(refused(Some(&not_utf8), ""), ErrorCode::InvalidClient);
    }

    #[test]
    fn no_client_at_all_is_an_invalid_client() {
        for query in ["", "client_secret=s", "client_id=&client_secret=s", "client_id=<b>"] {
            assert_eq!(refused(None, query), ErrorCode::InvalidClient, "{query}");
        }
    }

    #[test]
    fn an_assertion_is_not_ignored() {
        let query = "client_id=reports&client_assertion=ey";

        assert_eq!(refused(None, query), ErrorCode::InvalidClient);
        assert_eq!(refused(Some(&basic("reports:s")), query), ErrorCode::InvalidClient);
    }

    #[test]
    fn two_ways_at_once_are_an_invalid_request() {
        for query in ["client_id=reports&client_secret=s", "client_secret=other", "client_id=other"]
        {
            assert_eq!(refused(Some(&basic("reports:s")), query), ErrorCode::InvalidRequest);
        }
    }

    fn client(kind: ClientKind, secrets: &[&str]) -> Client {
        Client {
            client_id: "reports".parse().unwrap(),
            name: "Reports".to_owned(),
            kind,
            redirect_uris: vec![],
            secrets: secrets.iter().copied().map(secret).collect(),
            scope: None,
            origin: ClientOrigin::Command,
            disabled_at: None,
        }
    }

    fn outcome(query: &str, client: Option<Client>) -> Result<(), OAuthError> {
        authenticate(&read(None, query).unwrap(), client).map(|_| ())
    }

    #[test]
    fn only_the_right_secret_opens_a_confidential_client() {
        let confidential = || Some(client(ClientKind::Confidential, &["secret"]));
        assert_eq!(outcome("client_id=reports&client_secret=secret", confidential()), Ok(()));

        let unknown = outcome("client_id=reports&client_secret=secret", None);
        for query in [
            "client_id=reports&client_secret=secre",
            "client_id=reports&client_secret=secret1",
            "client_id=reports",
            "client_id=other&client_secret=secret",
        ] {
            let refused = outcome(query, confidential());
            assert_eq!(refused.unwrap_err().code, ErrorCode::InvalidClient, "{query}");
            assert_eq!(refused, unknown, "an unknown client gets the same answer");
        }
    }

    #[test]
    fn the_secret_that_was_used_is_told() {
        let moving = client(ClientKind::Confidential, &["old", "new"]);
        let credentials = read(None, "client_id=reports&client_secret=new").unwrap();

        assert_eq!(authenticate(&credentials, Some(moving)).unwrap().secret, Some(secret("new")));
    }

    #[test]
    fn a_disabled_client_gets_the_answer_of_an_unknown_one() {
        for (kind, query) in [
            (ClientKind::Confidential, "client_id=reports&client_secret=secret"),
            (ClientKind::Public, "client_id=reports"),
        ] {
            let disabled_at = Some(Timestamp::from_milliseconds(0));
            let disabled = Client { disabled_at, ..client(kind, &["secret"]) };
            assert_eq!(outcome(query, Some(disabled)), outcome(query, None));
        }
    }

    #[test]
    fn a_public_client_has_no_secret_to_send() {
        let public = || Some(client(ClientKind::Public, &[]));

        assert_eq!(outcome("client_id=reports", public()), Ok(()));
        assert!(outcome("client_id=reports&client_secret=any", public()).is_err());
    }

    proptest! {
        #[test]
        fn reading_a_header_never_panics(header: Vec<u8>) {
            let _either = ClientCredentials::read(Some(&header), &Parameters::from_query("").ok().unwrap());
        }

        #[test]
        fn every_secret_arrives_unchanged(secret in "\\PC{1,40}") {
            let encoded = utf8_percent_encode(&secret, NON_ALPHANUMERIC);

            prop_assert_eq!(named(Some(&basic(&format!("reports:{encoded}"))), ""), reports(Some(&secret)));
        }
    }
}
