//! The sign-in form, alone or in the middle of an authorization request.

use app::App;
use app::TooManyFailures;
use app::grants::{Requester, find_requester};
use app::identities::provider_name;
use app::passkeys::knows_passkeys;
use askama::Template;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse as _, Response};
use storage::StorageError;
use web::{FormTargets, PreAuthSession};

use crate::assets::allowed_scripts;
use crate::page::page_with;
use crate::return_address::ReturnAddress;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInTemplate<'a> {
    client_name: Option<&'a str>,
    alert: Option<&'a str>,
    email: &'a str,
    form_token: &'a str,
    return_to: &'a str,
    knows_passkeys: bool,
    /// What the button to the provider calls it, with its address.
    provider: Option<(&'a str, String)>,
}

/// Why the form is shown once more.
#[derive(Debug, Clone)]
pub(crate) enum Trouble {
    WrongCredentials,
    TooManyFailures(TooManyFailures),
    /// The question that the passkey answered is not open any more.
    PasskeyTooLate,
    UnknownPasskey,
    /// The form for a new password is not good any more.
    FormTooLate,
    /// The member sent a form, and their session has ended.
    SessionEnded,
    /// The same of a form that their browser keeps.
    FormKept,
    /// The provider does not answer us.
    ProviderUnavailable,
    /// The provider let the person go without an answer that we can use.
    ProviderRefused,
    /// The question that the provider answered is not open any more.
    ProviderTooLate,
    NoVerifiedEmail,
    /// Names the person's address.
    NotAMember(String),
    /// Names the member's address.
    OtherPerson(String),
}

/// A sign-in form with its message and destination.
pub(crate) struct SignInPage<'a> {
    return_to: &'a ReturnAddress,
    email: &'a str,
    requester: Option<Requester>,
    trouble: Option<Trouble>,
}

impl<'a> SignInPage<'a> {
    /// A form that leads to a page of ours.
    pub(crate) fn new(return_to: &'a ReturnAddress) -> Self {
        Self { return_to, email: "", requester: None, trouble: None }
    }

    /// The same for a member whose session ended before they sent a form.
    pub(crate) fn after_session(return_to: &'a ReturnAddress, trouble: Trouble) -> Self {
        Self { trouble: Some(trouble), ..Self::new(return_to) }
    }

    /// A form on the way to an OAuth client, which may have named the member it expects.
    pub(crate) fn to_continue(
        return_to: &'a ReturnAddress,
        requester: Requester,
        email: &'a str,
    ) -> Self {
        Self { return_to, email, requester: Some(requester), trouble: None }
    }

    /// The same form after a try that failed.
    pub(crate) async fn again(
        app: &App,
        return_to: &'a ReturnAddress,
        email: &'a str,
        trouble: Trouble,
    ) -> Result<Self, StorageError> {
        let requester = match return_to.authorization_query() {
            Some(query) => find_requester(app, query).await?,
            None => None,
        };
        Ok(Self { return_to, email, requester, trouble: Some(trouble) })
    }

    /// The form as a page, bound to this browser.
    pub(crate) fn answer(&self, app: &App, headers: &HeaderMap) -> Response {
        let pre_auth_session = PreAuthSession::of(app, headers);
        let token = pre_auth_session.form_token().shown();
        let alert = self.trouble.as_ref().map(Trouble::words);
        let template = SignInTemplate {
            client_name: self.requester.as_ref().map(|requester| requester.name.as_str()),
            alert: alert.as_deref(),
            email: self.email,
            form_token: token.as_str(),
            return_to: self.return_to.as_str(),
            knows_passkeys: knows_passkeys(app),
            provider: provider_name(app).map(|name| (name, self.return_to.at_provider())),
        };
        let scripts = allowed_scripts(app);
        let status = self.trouble.as_ref().map_or(StatusCode::OK, Trouble::status);
        let answer = page_with(status, &template, self.targets(), scripts);
        let mut response = (AppendHeaders([pre_auth_session.keep(app)]), answer).into_response();
        if let Some(Trouble::TooManyFailures(failures)) = &self.trouble {
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from(failures.retry_after_seconds));
        }
        response
    }

    /// After sign-in a remembered consent may lead straight to the client.
    fn targets(&self) -> FormTargets {
        self.requester.as_ref().map_or(FormTargets::OwnPages, form_targets)
    }
}

/// Where the forms of a page lead that ends at the client.
pub(crate) fn form_targets(requester: &Requester) -> FormTargets {
    match requester.native_scheme() {
        Some(scheme) => FormTargets::NativeClient(scheme.to_owned()),
        None if requester.is_local() => FormTargets::LoopbackClient,
        None => FormTargets::Client,
    }
}

impl Trouble {
    /// 403, not 401: there is no HTTP authentication that a browser could offer instead.
    fn status(&self) -> StatusCode {
        match self {
            Self::WrongCredentials
            | Self::PasskeyTooLate
            | Self::UnknownPasskey
            | Self::FormTooLate
            | Self::SessionEnded
            | Self::FormKept
            | Self::ProviderRefused
            | Self::ProviderTooLate
            | Self::NoVerifiedEmail
            | Self::NotAMember(_)
            | Self::OtherPerson(_) => StatusCode::FORBIDDEN,
            Self::ProviderUnavailable => StatusCode::BAD_GATEWAY,
            Self::TooManyFailures(_) => StatusCode::TOO_MANY_REQUESTS,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::WrongCredentials => "The e-mail address or the password is wrong.".to_owned(),
            Self::TooManyFailures(failures) => {
                format!("Too many attempts. Try again in {}.", failures.wait())
            }
            Self::PasskeyTooLate => {
                "That took too long, or was already answered. Try again.".to_owned()
            }
            Self::FormTooLate => {
                "That took too long, or your password has changed since. Sign in again.".to_owned()
            }
            Self::SessionEnded => {
                "Your session has ended, so nothing was changed. Sign in to go on.".to_owned()
            }
            Self::FormKept => {
                "Your session has ended, so nothing was changed. Sign in to go on. This browser keeps what you typed into the form, unless it runs no JavaScript.".to_owned()
            }
            Self::ProviderUnavailable => {
                "The provider does not answer. Try again, or use your password.".to_owned()
            }
            Self::ProviderRefused => {
                "The provider did not sign you in. Try again, or use your password.".to_owned()
            }
            Self::ProviderTooLate => {
                "That took too long, or began in another browser. Try again.".to_owned()
            }
            Self::NoVerifiedEmail => {
                "The provider does not vouch for your e-mail address, so that we do not know which member you are."
                    .to_owned()
            }
            Self::NotAMember(email) => {
                format!("No member of this server has the address {email}. An admin can add you.")
            }
            Self::OtherPerson(email) => {
                format!(
                    "This sign-in was used before, or {email} belongs to another account at the provider. Try again; if it stays so, an admin can reset your password, which also forgets that account."
                )
            }
            Self::UnknownPasskey => {
                "This passkey is not valid on this server. Use another one, or your password."
                    .to_owned()
            }
        }
    }
}
