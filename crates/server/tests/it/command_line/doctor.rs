//! `assay doctor`: what would go wrong with a server, and the cure. Behind a proxy: `behind_nginx.rs`.

use std::fs::{Permissions, set_permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;

use rcgen::CertificateParams;
use serde_json::Value;

use super::binary::{Folder, PROJECT, stdout};
use crate::tls::certificates::Authority;

/// The findings about one thing, as their states with what was told.
pub(crate) fn about(output: &Output, check: &str) -> Vec<(String, String)> {
    let findings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text =
        |finding: &Value, field: &str| finding[field].as_str().unwrap_or_default().to_owned();
    let found = findings.as_array().unwrap().iter().filter(|finding| finding["check"] == check);
    found.map(|finding| (text(finding, "state"), text(finding, "message"))).collect()
}

fn states(output: &Output, check: &str) -> Vec<String> {
    about(output, check).into_iter().map(|(state, _)| state).collect()
}

#[test]
fn a_good_server_has_no_faults_and_stays_as_it_is() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let server = folder.serve(&["shop.yaml", "--data", "data"]);

    let looked =
        folder.assay(&["doctor", "--data", "data", "--listen", server.address(), "--json"]);

    assert_eq!(looked.status.code(), Some(0), "{}", stdout(&looked));
    for check in ["data folder", "disk space", "listening", "database", "clock"] {
        assert_eq!(states(&looked, check), ["ok"], "{check}: {}", stdout(&looked));
    }
    assert_eq!(states(&looked, "members"), ["warning"]);
    let people = stdout(&folder.assay(&["doctor", "--data", "data", "--listen", server.address()]));
    assert!(people.contains("-> open the address that `assay serve` prints"), "{people}");
}

#[test]
fn before_the_first_start_nothing_is_made() {
    let folder = Folder::new();

    let looked = folder.assay(&["doctor", "--data", "data"]);

    assert_eq!(looked.status.code(), Some(0), "{}", stdout(&looked));
    assert!(!folder.path("data").exists());
}

#[test]
fn each_fault_is_told_with_its_cure() {
    let folder = Folder::new();
    folder.write("shop.yaml", &PROJECT.replace("project: {", "project: {results: on, "));
    drop(folder.serve(&["shop.yaml", "--data", "data"]));
    set_permissions(folder.path("data"), Permissions::from_mode(0o755)).unwrap();
    let other_program = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other_program.local_addr().unwrap().to_string();
    std::thread::spawn(move || drop(other_program.accept()));
    let authority = Authority::new();
    let mut parameters = CertificateParams::new(["elsewhere.example".to_owned()]).unwrap();
    parameters.not_after = rcgen::date_time_ymd(2020, 1, 1);
    authority.issue_with(&parameters).write(&folder);

    let arguments = ["doctor", "--data", "data", "--json"];
    let plain = folder.assay(&[&arguments[..], &["--listen", &taken]].concat());
    let with_tls = folder.assay(
        &[
            &arguments[..],
            &["--tls-cert", "cert.pem", "--tls-key", "key.pem", "--listen", "127.0.0.1:0"],
        ]
        .concat(),
    );

    assert_eq!(plain.status.code(), Some(1));
    assert_eq!(states(&plain, "data folder"), ["warning"], "{}", stdout(&plain));
    assert_eq!(states(&plain, "listening"), ["error"]);
    assert_eq!(states(&plain, "origins"), ["warning"]);
    let certificate = about(&with_tls, "certificate");
    assert!(
        certificate.iter().any(|(state, told)| state == "error" && told.contains("expired")),
        "{certificate:?}"
    );
    assert!(certificate.iter().any(|(_, told)| told.contains("not for")), "{certificate:?}");
}

#[test]
fn a_public_address_that_does_not_answer_is_a_fault() {
    let folder = Folder::new();

    let looked = folder.assay(&["doctor", "--public-url", "http://127.0.0.1:9", "--json"]);

    assert_eq!(looked.status.code(), Some(1));
    assert_eq!(states(&looked, "public address"), ["error"], "{}", stdout(&looked));
}
