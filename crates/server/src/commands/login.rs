//! `assay login` and `assay logout`: a member lets commands act for them, in their browser (RFC 8252).

mod callback;

use std::borrow::Cow;
use std::io::{self, IsTerminal as _};

use oauth2::{CsrfToken, PkceCodeChallenge, RedirectUrl, Scope};

use self::callback::Callback;
use crate::cli::{LoginArguments, LogoutArguments};
use crate::credentials::{self, Authorization};
use crate::failure::Failure;
use crate::{interruption, output, remote};

/// Asks the member in the browser, and keeps the tokens.
pub(crate) fn login(arguments: &LoginArguments) -> Result<(), Failure> {
    let server = remote::address_of(&arguments.server)?;
    credentials::check()?;
    let _nothing = interruption::end_cleanly()?;
    let authorization = Authorization::of(&server)?;
    let issuer = authorization.issuer()?;
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    let callback = runtime.block_on(Callback::listen())?;
    let redirect_url = RedirectUrl::new(callback.address()).map_err(Failure::environment)?;
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let scopes = arguments.scope.split_whitespace().map(|scope| Scope::new(scope.to_owned()));
    let (page, state) = authorization
        .client()
        .authorize_url(CsrfToken::new_random)
        .set_redirect_uri(Cow::Borrowed(&redirect_url))
        .add_scopes(scopes)
        .set_pkce_challenge(challenge)
        .url();
    output::print(format_args!("Sign in and allow it in the browser:\n{page}"));
    if !arguments.no_browser && io::stdout().is_terminal() {
        // Where there is none, the address is on the terminal.
        let _no_browser = open::that_detached(page.as_str());
    }
    let code = runtime.block_on(callback.answer(state, issuer))?;
    let tokens = authorization.exchange(code, verifier, &redirect_url)?;
    let kept = credentials::keep(&server, &tokens);
    let kept = kept.inspect_err(|_| {
        // No command can use or end these.
        let _silent = authorization.revoke(&tokens.refresh);
    })?;
    if let Some(before) = kept {
        // It could be ended in the console only.
        let _was_ended_already = authorization.revoke(&before);
    }
    output::print(format_args!(
        "Signed in to {server}: commands act for you until `assay logout`."
    ));
    Ok(())
}

/// Ends the tokens at the server, and forgets them in any case.
pub(crate) fn logout(arguments: &LogoutArguments) -> Result<(), Failure> {
    let server = match &arguments.server {
        Some(server) => Some(server.clone()),
        None => credentials::last_server()?,
    };
    let forgotten = match &server {
        Some(server) => credentials::forget(&remote::address_of(server)?)?,
        None => None,
    };
    let (Some(server), Some(refresh_token)) = (server, forgotten) else {
        output::print("You were not signed in.");
        return Ok(());
    };
    Authorization::of(&remote::address_of(&server)?)?.revoke(&refresh_token).map_err(|_| {
        Failure::environment(format_args!(
            "the tokens are forgotten here, but {server} does not answer and knows them still\n  \
             hint: *Account* in its console ends them"
        ))
    })?;
    output::print(format_args!("Signed out of {server}."));
    Ok(())
}
