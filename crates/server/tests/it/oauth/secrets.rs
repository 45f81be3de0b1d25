//! Secrets are shown once and are nowhere else: not in a log at its most talkative, not in a file.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing_subscriber::fmt::MakeWriter;

use super::pkce::VERIFIER;
use super::token_call::{Tokens, by_basic, by_form, by_query, exchange, refresh, with};
use crate::browser::{Browser, authorize_path};
use crate::site::{Member, Site};

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn no_secret_reaches_a_log_or_a_file() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(log.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);

    let form = browser.open(&authorize_path(&application, &[("state", "secret-state")])).await;
    browser
        .sign_in(&form, &Member { password: "wrong-password".to_owned(), ..member.clone() })
        .await;
    let code = browser.fetch_code(&member, &application, &[("state", "secret-state")]).await;
    let pairs = exchange(&application, &code);
    by_query(&site, &with(&pairs, "client_secret", "wrong-secret")).await;
    by_basic(&site, &application.client_id, "wrong-secret", &pairs).await;
    by_query(&site, &with(&pairs, "code_verifier", VERIFIER)).await;
    let tokens = Tokens::of(&by_query(&site, &pairs).await);
    by_form(&site, &refresh(&application, &tokens.refresh)).await;
    site.get_as("/v1/projects", &tokens.access).await;
    site.get(&format!("/v1/projects%3Faccess_token={}", tokens.access)).await;
    by_query(&site, &pairs).await;

    let mut secrets =
        vec![code, tokens.access, tokens.refresh, application.client_secret, member.password];
    secrets.extend(["wrong-password", "wrong-secret", "secret-state", VERIFIER].map(str::to_owned));
    secrets.extend(browser.cookie_values());
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("answered") && log.contains("/oauth2/token"), "{log}");
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} in the log:\n{log}");
        for file in std::fs::read_dir(site.folder.path()).unwrap() {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let is_found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!is_found, "{secret} in {}", path.display());
        }
    }
}
