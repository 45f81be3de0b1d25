//! What `assay serve` prints once it is ready: the addresses, and with `--demo` the credentials.

use secrecy::ExposeSecret as _;

use crate::demo::{ApplicationCredentials, Credentials};
use crate::ready_file::Ready;

/// The greeting of a ready server.
pub(crate) fn text(ready: &Ready) -> String {
    let Ready { url, demo_url, console_url, setup_url, credentials, project_id, .. } = ready;
    let mut lines = vec![format!("Assay is ready at {url}"), String::new()];
    if let Some(demo_url) = demo_url {
        lines.push(format!("  demo shop     {demo_url}"));
    }
    if let Some(console_url) = console_url {
        lines.push(format!("  console       {console_url}"));
    } else {
        lines.push(
            "  This process delivers snippets and takes events; another has the console."
                .to_owned(),
        );
    }
    if let Some(setup_url) = setup_url {
        lines.push(format!("  set up        {setup_url}"));
    }
    if let Some(id) = project_id {
        lines.push(format!("  snippet       <script src=\"{url}/js/{id}.js\"></script>"));
    }
    if let Some(credentials) = credentials {
        lines.extend(doors(url, credentials));
    } else if demo_url.is_some() {
        lines.push(ALREADY_SHOWN.to_owned());
    }
    lines.push(String::new());
    lines.join("\n")
}

const ALREADY_SHOWN: &str = "
  The member and the application were made when this data was new, and shown then.
  `assay member add` and `assay application add` make others.";

fn doors(url: &str, Credentials { member, application }: &Credentials) -> Vec<String> {
    let ApplicationCredentials { client_id, client_secret, redirect_uri } = application;
    let secret = client_secret.expose_secret();
    let parameters = form_urlencoded::Serializer::new(String::new())
        .append_pair("response_type", "code")
        .append_pair("client_id", client_id)
        .append_pair("redirect_uri", redirect_uri)
        .append_pair("state", "demo")
        .finish();
    vec![
        format!("  member        {}  password {}", member.email, member.password.expose_secret()),
        format!("  application   {client_id}  secret {secret}"),
        String::new(),
        "To exchange a code for a token, open this address, sign in and allow:".to_owned(),
        String::new(),
        format!("  {url}/oauth2/authorize?{parameters}"),
        String::new(),
        "then run this command and paste the code from the page when it asks (the code is valid for a minute):".to_owned(),
        String::new(),
        format!(
            "  printf 'code: ' && read -r CODE && curl -sS '{url}/oauth2/token' -d grant_type=authorization_code \
             -d 'client_id={client_id}' -d 'client_secret={secret}' -d 'redirect_uri={redirect_uri}' -d \"code=$CODE\""
        ),
    ]
}
