//! Whom Assay trusts where it speaks https itself: the same authorities wherever it does.

use serde_json::Value;

use super::certificates::{Authority, FLAGS};
use crate::command_line::binary::{Folder, Server, stdout};
use crate::command_line::doctor::about;

/// A server that a company's own authority certifies. It stands for all that Assay asks.
struct Elsewhere {
    _folder: Folder,
    server: Server,
    authority: Authority,
}

impl Elsewhere {
    fn start() -> Self {
        let (folder, authority) = (Folder::new(), Authority::new());
        authority.issue("localhost").write(&folder);
        let server = folder.serve(&FLAGS);
        Self { _folder: folder, server, authority }
    }

    fn address(&self) -> String {
        let (_, port) = self.server.address().rsplit_once(':').unwrap();
        format!("https://localhost:{port}")
    }
}

const CHECKS: [&str; 3] = ["sink", "object storage", "public address"];

/// What doctor says about each of them.
fn examined(elsewhere: &Elsewhere, certificates: &str) -> (Value, [String; 3]) {
    let folder = Folder::new();
    folder.write("authority.pem", &elsewhere.authority.pem());
    let address = elsewhere.address();
    let sink = format!("{address}/in");
    let variables = [
        ("SSL_CERT_FILE", certificates),
        ("AWS_ENDPOINT_URL", &address),
        ("AWS_ACCESS_KEY_ID", "a"),
        ("AWS_SECRET_ACCESS_KEY", "b"),
    ];
    let arguments = ["doctor", "--json", "--data", "data", "--public-url", &address];
    let elsewhere =
        ["--sink", &sink, "--copy-events", "s3://events/copies", "--listen", "127.0.0.1:0"];
    let looked = folder.assay_where(&variables, &[&arguments[..], &elsewhere].concat());
    let told = CHECKS.map(|check| about(&looked, check)[0].1.clone());
    (serde_json::from_str(&stdout(&looked)).unwrap(), told)
}

#[test]
fn a_sink_object_storage_and_the_public_address_may_be_of_an_authority_of_ones_own() {
    let elsewhere = Elsewhere::start();

    let (findings, unknown) = examined(&elsewhere, "");
    let (_, known) = examined(&elsewhere, "authority.pem");

    for (unknown, known) in unknown.iter().zip(&known) {
        assert!(unknown.contains("UnknownIssuer"), "{unknown}");
        assert!(!known.contains("UnknownIssuer"), "{known}");
    }
    for check in CHECKS {
        let finding = findings.as_array().unwrap().iter().find(|one| one["check"] == check);
        let cure = finding.unwrap()["cure"].as_str().unwrap();
        assert!(cure.contains("`SSL_CERT_FILE`"), "{check}: {cure}");
    }
}

#[tokio::test]
async fn a_provider_may_be_of_an_authority_of_ones_own() {
    let elsewhere = Elsewhere::start();
    let address = elsewhere.address();
    for (certificates, is_known) in [("", false), ("authority.pem", true)] {
        let folder = Folder::with_variables(&[("SSL_CERT_FILE", certificates)]);
        folder.write("authority.pem", &elsewhere.authority.pem());
        let flags = ["--demo", "--oidc-issuer", &address, "--oidc-client-id", "assay"];
        let server = folder.serve_logging("warn", &flags);

        let begun = reqwest::get(server.url("/sign-in/provider")).await.unwrap();

        // What answers there is no provider.
        assert!(begun.text().await.unwrap().contains("does not answer"));
        let log = folder.log_of(server);
        assert!(log.contains("the provider does not answer"), "{log}");
        assert_eq!(log.contains("UnknownIssuer"), !is_known, "{log}");
        assert_eq!(log.contains("`SSL_CERT_FILE`"), !is_known, "{log}");
    }
}
