//! Applications that a project file declares.

use app::applications::{DeclaredApplication, declare_application};
use secrecy::SecretString;

use super::token_call::{assert_error, by_form, exchange};
use crate::browser::Browser;
use crate::site::{Application, REDIRECT_URI, Site};

fn declared(secret: &str) -> DeclaredApplication {
    DeclaredApplication {
        client_id: "demo-app".to_owned(),
        name: "Reports".to_owned(),
        redirect_uris: vec![REDIRECT_URI.to_owned()],
        scope: None,
        secret: Some(SecretString::from(secret)),
    }
}

fn application(secret: &str) -> Application {
    Application {
        client_id: "demo-app".to_owned(),
        client_secret: secret.to_owned(),
        redirect_uri: REDIRECT_URI.to_owned(),
    }
}

#[tokio::test]
async fn a_declared_application_has_the_secret_of_the_last_declaration() {
    let site = Site::start();
    let member = site.member().await;
    let (earlier, later) = ("0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210");
    declare_application(&site.app, declared(earlier)).await.unwrap();
    declare_application(&site.app, declared(later)).await.unwrap();
    let code = Browser::new(&site).fetch_code(&member, &application(later), &[]).await;

    let with_earlier = by_form(&site, &exchange(&application(earlier), &code)).await;
    let with_later = by_form(&site, &exchange(&application(later), &code)).await;

    assert_error(&with_earlier, 401, "invalid_client");
    assert_eq!(with_later.status.as_u16(), 200, "{with_later:?}");
}

#[tokio::test]
async fn a_faulty_declaration_changes_nothing() {
    let site = Site::start();
    let spaced = DeclaredApplication { client_id: "demo app".to_owned(), ..declared("x") };
    let misleading = DeclaredApplication { name: "\u{202e}stropeR".to_owned(), ..declared("x") };
    let reserved = DeclaredApplication { client_id: "token.c0ffee".to_owned(), ..declared("x") };

    for faulty in [spaced, misleading, reserved, declared("")] {
        assert!(declare_application(&site.app, faulty).await.is_err());
    }
    let page =
        Browser::new(&site).open(&crate::browser::authorize_path(&application(""), &[])).await;
    assert_eq!(page.status.as_u16(), 400);
}
