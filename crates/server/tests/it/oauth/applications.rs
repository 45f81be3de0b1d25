//! Applications are disabled, changed and removed by commands, in a process of their own; the site sees it at its next request.

use app::applications::{DeclaredApplication, declare_application};
use oauth::{ClientKind, RedirectUri};
use secrecy::SecretString;
use serde_json::json;
use storage::{Act, ActorKind, ChangeClient};

use super::pkce::{CHALLENGE, VERIFIER};
use super::token_call::{assert_error, by_form, exchange, fetch_tokens, refresh, with};
use crate::browser::{Browser, authorize_path};
use crate::site::{Application, Site};

/// What the answer to an unknown client looks like.
async fn answer_to_unknown(site: &Site) -> String {
    let nobody = Application {
        client_id: "nobody".to_owned(),
        client_secret: "x".to_owned(),
        redirect_uri: String::new(),
    };
    by_form(site, &refresh(&nobody, "x")).await.body
}

#[tokio::test]
async fn a_disabled_application_stops_at_the_next_request_and_goes_on_when_enabled() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "config:read").await;
    let opens = async || site.get_as("/v1/projects", &tokens.access).await.status.as_u16();
    assert_eq!(opens().await, 200);

    site.command_that_ends(&["application", "disable", &application.client_id]);

    assert_eq!(opens().await, 401);
    let refused = by_form(&site, &refresh(&application, &tokens.refresh)).await;
    assert_error(&refused, 401, "invalid_client");
    assert_eq!(refused.body, answer_to_unknown(&site).await);
    let page = Browser::new(&site).open(&authorize_path(&application, &[])).await;
    assert_eq!((page.status.as_u16(), page.header("location")), (400, ""));

    site.command_json(&["application", "enable", &application.client_id]);
    let refreshed = by_form(&site, &refresh(&application, &tokens.refresh)).await;
    assert_eq!((opens().await, refreshed.status.as_u16()), (200, 200));
}

#[tokio::test]
async fn a_disabled_public_application_stops_too() {
    let site = Site::start();
    let application = site.register("Tool", ClientKind::Public).await;
    let member = site.member().await;
    let challenge = [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];
    let browser = Browser::new(&site);
    let code = browser.fetch_code(&member, &application, &challenge).await;
    let pairs = with(&exchange(&application, &code), "code_verifier", VERIFIER);
    let tokens = by_form(&site, &pairs).await.json();
    let access = tokens["access_token"].as_str().unwrap();
    assert_eq!(site.get_as("/v1/projects", access).await.status.as_u16(), 200);

    site.command_that_ends(&["application", "disable", &application.client_id]);

    assert_eq!(site.get_as("/v1/projects", access).await.status.as_u16(), 401);
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    let refused = by_form(&site, &refresh(&application, refresh_token)).await;
    assert_error(&refused, 401, "invalid_client");
}

#[tokio::test]
async fn a_removed_application_is_gone_with_its_codes_and_tokens() {
    let site = Site::start();
    let application = site.application().await;
    let member = site.member().await;
    let browser = Browser::new(&site);
    let code = browser.fetch_code(&member, &application, &[]).await;
    let tokens = by_form(&site, &exchange(&application, &code)).await.json();
    let access = tokens["access_token"].as_str().unwrap();
    let open = browser.open(&authorize_path(&application, &[])).await.returned("code").unwrap();

    site.command_that_ends(&["application", "remove", &application.client_id]);

    assert_eq!(site.get_as("/v1/projects", access).await.status.as_u16(), 401);
    let refused = by_form(&site, &exchange(&application, &open)).await;
    assert_error(&refused, 401, "invalid_client");
    assert_eq!(refused.body, answer_to_unknown(&site).await);
    let again = site.command(&["application", "remove", &application.client_id]);
    assert_eq!(again.status.code(), Some(1));
}

#[tokio::test]
async fn changed_redirect_uris_hold_from_the_next_request_on() {
    let site = Site::start();
    let application = site.application().await;
    let new = "https://new.example/callback";
    let moved = Application { redirect_uri: new.to_owned(), ..application.clone() };

    let id = application.client_id.as_str();
    let arguments = ["application", "set", id, "--name", "New reports", "--redirect-uri", new];
    let shown = site.command_json(&arguments);

    assert_eq!(shown["redirect_uris"], json!([new]));
    assert_eq!(shown["name"], "New reports");
    let browser = Browser::new(&site);
    assert_eq!(browser.open(&authorize_path(&application, &[])).await.status.as_u16(), 400);
    let page = browser.open(&authorize_path(&moved, &[])).await;
    assert!(page.body.contains("New reports"), "{}", page.body);
}

#[tokio::test]
async fn setting_the_same_name_again_is_not_in_the_audit_log() {
    let site = Site::start();
    let application = site.application().await;
    let set = ["application", "set", &application.client_id, "--name"];
    let [same, renamed] = ["Reports", "New reports"].map(|name| {
        assert!(site.command(&[&set[..], &[name]].concat()).status.success(), "{name}");
        String::from_utf8(site.command(&["audit", "--limit", "1", "--json"]).stdout).unwrap()
    });

    assert!(same.contains("application.added"), "{same}");
    assert!(renamed.contains("\"application.changed\""), "{renamed}");
    assert!(renamed.contains("\"detail\":\"name\""), "{renamed}");
}

/// `code` in an address is refused of new ones.
#[tokio::test]
async fn addresses_of_earlier_rules_stay_when_a_form_sends_all_again_with_a_new_name() {
    let site = Site::start();
    let application = site.application().await;
    let (id, earlier) = (&application.client_id, "https://reports.example/callback?code=1");
    let client = site.app.store().lookup_client(&id.parse().unwrap()).await.unwrap().unwrap();
    let change = ChangeClient {
        client_id: client.client_id.clone(),
        name_before: client.name.clone(),
        redirect_uris_before: client.redirect_uris.clone(),
        scope_before: client.scope,
        name: None,
        redirect_uris: Some(vec![RedirectUri::registered(earlier.to_owned())]),
        scope: None,
    };
    let act = Act {
        by: ActorKind::Command,
        member: None,
        address: None,
        at: client.secrets[0].created_at,
    };
    assert!(site.app.store().change_client(change, act).await.unwrap());

    let all = ["application", "set", id, "--name", "New reports", "--redirect-uri", earlier];
    let renamed = site.command_json(&all);
    let with_another =
        site.command(&[&all[..], &["--redirect-uri", "https://a.example/?code=2"]].concat());

    assert_eq!(
        (&renamed["name"], &renamed["redirect_uris"][0]),
        (&json!("New reports"), &json!(earlier))
    );
    let told = String::from_utf8(with_another.stderr).unwrap();
    assert!(told.contains("parameter `code`"), "{told}");
}

/// Addresses that no way of registering takes, and a word of the reason.
const UNSAFE: [(&str, &str); 8] = [
    ("https://reports.example/callback#fragment", "fragment"),
    ("https://user@reports.example/callback", "user name"),
    ("https://*.reports.example/callback", "wildcard"),
    ("javascript:alert(1)", "https"),
    ("data:text/html,hello", "https"),
    ("http://reports.example/callback", "https"),
    ("/callback", "absolute"),
    ("https://reports.example/a/../callback", "https://reports.example/callback"),
];

#[tokio::test]
async fn every_way_in_refuses_unsafe_redirect_uris() {
    let site = Site::start();
    let application = site.application().await;
    let before = site.command_json(&["application", "list"]);

    for (uri, reason) in UNSAFE {
        let add = ["application", "add", "Evil", "--redirect-uri", uri];
        let set = ["application", "set", &application.client_id, "--redirect-uri", uri];
        for arguments in [&add[..], &set[..]] {
            let output = site.command(arguments);
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{uri}: {told}");
            assert!(told.contains(reason), "{uri}: {told}");
        }
        let declared = DeclaredApplication {
            client_id: "declared".to_owned(),
            name: "Evil".to_owned(),
            redirect_uris: vec![uri.to_owned()],
            scope: None,
            secret: Some(SecretString::from("0123456789abcdef0123456789abcdef")),
        };
        let refused = declare_application(&site.app, declared).await.unwrap_err().to_string();
        assert!(refused.contains(reason), "{uri}: {refused}");
    }

    assert_eq!(site.command_json(&["application", "list"]), before);
}

#[tokio::test]
async fn names_that_mislead_are_refused_and_others_are_shown_as_text_beside_the_host() {
    let site = Site::start();
    let long = "a".repeat(10_000);
    for name in ["", " ", "Re\u{202e}stropeR", "Re\u{200b}ports", "a\nb", "a\u{1b}[2Jb", &long] {
        let uri = "https://reports.example/callback";
        let output = site.command(&["application", "add", name, "--redirect-uri", uri]);
        assert_eq!(output.status.code(), Some(1), "{name:?}");
    }
    let name = "Optimizely official \u{2713} <script>alert(1)</script>";
    let (member, application) =
        (site.member().await, site.register(name, ClientKind::Confidential).await);

    let consent = Browser::new(&site).go_to_consent(&member, &application, &[]).await;

    let shown = "<bdi>Optimizely official \u{2713} &#60;script&#62;alert(1)&#60;/script&#62;</bdi>";
    assert!(consent.body.contains(shown), "{}", consent.body);
    assert!(consent.body.contains("<dd>reports.example</dd>"), "{}", consent.body);
}

#[tokio::test]
async fn an_application_of_a_project_file_is_changed_in_that_file() {
    let site = Site::start();
    let declared = || DeclaredApplication {
        client_id: "declared".to_owned(),
        name: "Reports".to_owned(),
        redirect_uris: vec!["https://reports.example/callback".to_owned()],
        scope: None,
        secret: Some(SecretString::from("0123456789abcdef0123456789abcdef")),
    };
    declare_application(&site.app, declared()).await.unwrap();
    let shown = site.command_json(&["application", "show", "declared"]);
    let secret = shown["secrets"][0]["id"].as_str().unwrap();

    for arguments in [
        &["application", "set", "declared", "--name", "Other"][..],
        &["application", "add-secret", "declared"],
        &["application", "remove-secret", "declared", secret],
    ] {
        let output = site.command(arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("declared in a project file"), "{told}");
    }
    site.command_that_ends(&["application", "disable", "declared"]);
    declare_application(&site.app, declared()).await.unwrap();
    let disabled = site.command_json(&["application", "show", "declared"]);
    assert!(disabled["disabled_at"].is_string(), "it stays disabled: {disabled}");
    assert_eq!(disabled["secrets"], shown["secrets"]);
}
