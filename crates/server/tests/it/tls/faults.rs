//! What is told when something is wrong with certificate, key or address.

use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertificateParams, date_time_ymd};

use super::certificates::{Authority, FLAGS};
use crate::command_line::binary::{Folder, stderr};

/// What `assay serve` says with these files before it ends.
fn refusal(certificate: Option<&str>, key: Option<&str>) -> String {
    let folder = Folder::new();
    for (name, text) in [("cert.pem", certificate), ("key.pem", key)] {
        if let Some(text) = text {
            folder.write(name, text);
        }
    }
    let output = folder.assay(&[&["serve", "--listen", "127.0.0.1:0"], &FLAGS[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    stderr(&output)
}

#[test]
fn each_fault_of_the_files_is_told() {
    let issued = Authority::new().issue("localhost");
    let (certificate, key) = (issued.certificate.pem(), issued.key.serialize_pem());
    let other = Authority::new().issue("localhost").key.serialize_pem();
    let encrypted =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let old = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n";
    let (certificate, key) = (Some(certificate.as_str()), Some(key.as_str()));
    for (certificate, key, told) in [
        (None, key, "cannot read certificate file `cert.pem`: No such file"),
        (certificate, None, "cannot read key file `key.pem`: No such file"),
        (Some(""), key, "there is no certificate in `cert.pem`"),
        (key, key, "there is no certificate in `cert.pem`"),
        (certificate, certificate, "there is no private key in `key.pem`"),
        (
            certificate,
            Some(&other),
            "the key in `key.pem` does not belong to the certificate in `cert.pem`",
        ),
        (certificate, Some(encrypted), "the key in `key.pem` is encrypted"),
        (certificate, Some(old), "the key in `key.pem` is encrypted"),
    ] {
        let refusal = refusal(certificate, key);
        assert!(refusal.starts_with("error: ") && refusal.contains(told), "{told}: {refusal}");
        assert!(!refusal.contains("-----END"), "{refusal}");
    }
}

#[test]
fn keys_may_be_written_in_each_of_the_three_ways() {
    let folder = Folder::new();
    let issued = Authority::new().issue("127.0.0.1");
    let pkcs8 = issued.key.serialize_der();
    // PKCS#8 wraps what SEC1 has in an octet string of 109 bytes (RFC 5208 section 5).
    let start = pkcs8.windows(2).position(|bytes| bytes == [4, 109]).unwrap() + 2;
    let sec1 = STANDARD.encode(&pkcs8[start..]);
    let sec1 = format!("-----BEGIN EC PRIVATE KEY-----\n{sec1}\n-----END EC PRIVATE KEY-----\n");
    let certificate = issued.certificate.pem();
    let pkcs1 = rsa_pair(&folder);
    assert!(pkcs1.1.starts_with("-----BEGIN RSA PRIVATE KEY-----"));
    for (certificate, key) in [
        (certificate.as_str(), issued.key.serialize_pem().as_str()),
        (&certificate, &sec1),
        (&pkcs1.0, &pkcs1.1),
    ] {
        folder.write("cert.pem", certificate);
        folder.write("key.pem", key);
        let server = folder.serve(&FLAGS);
        assert!(server.url("").starts_with("https://127.0.0.1:"));
    }
}

/// A certificate and its key as PKCS#1, which `rcgen` cannot make.
fn rsa_pair(folder: &Folder) -> (String, String) {
    let script = "openssl genrsa -traditional 2048 > rsa.key 2>/dev/null && \
        openssl req -x509 -new -key rsa.key -days 2 -subj /CN=localhost > rsa.pem";
    let mut shell = Command::new("sh");
    let made = shell.args(["-c", script]).current_dir(folder.path("")).status().unwrap();
    assert!(made.success());
    let read = |name| std::fs::read_to_string(folder.path(name)).unwrap();
    (read("rsa.pem"), read("rsa.key"))
}

#[test]
fn a_certificate_that_clients_will_refuse_is_served_with_a_warning() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let mut expired = CertificateParams::new(["localhost".to_owned()]).unwrap();
    expired.not_before = date_time_ymd(2020, 1, 1);
    expired.not_after = date_time_ymd(2021, 2, 3);
    authority.issue_with(&expired).write(&folder);
    let public = ["--public-url", "https://assay.example"];

    let mut server = folder.serve(&[&FLAGS[..], &public].concat());

    let log = server.log_until("not for `assay.example`");
    assert!(log.contains("has expired: it was valid until 2021-02-03T00:00:00Z"), "{log}");
}

#[test]
fn a_certificate_that_is_right_is_served_without_a_word() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("127.0.0.1").write(&folder);

    let mut server = folder.serve(&FLAGS);

    let log = server.log_until("project 1000 is live");
    assert!(!log.contains("WARN"), "{log}");
}

#[test]
fn a_proxy_that_is_not_named_is_asked_for() {
    let folder = Folder::new();
    let public = ["--demo", "--public-url", "https://assay.example"];

    let mut unnamed = folder.serve(&public);
    let mut named = folder.serve(&[&public[..], &["--trusted-proxy", "127.0.0.1"]].concat());

    assert!(unnamed.log_until("is live").contains("--trusted-proxy does not name the proxy"));
    assert!(!named.log_until("is live").contains("WARN"));
}

#[test]
fn the_server_does_not_start_where_others_could_read_secrets() {
    let folder = Folder::new();
    let proxy = ["--trusted-proxy", "10.0.0.0/8"];
    for (arguments, told) in [
        (
            &["--listen", "0.0.0.0:0"][..],
            "hint: --tls-cert and --tls-key serve https; --trusted-proxy names",
        ),
        (&["--listen", "[::]:0"], "others can read plain http on its way there"),
        (&["--listen", "0.0.0.0:0", proxy[0], proxy[1]], "--public-url is missing"),
        (
            &["--public-url", "http://127.0.0.1", "--tls-cert", "c", "--tls-key", "k"],
            "--public-url is http",
        ),
    ] {
        let output = folder.assay(&[&["serve", "--demo"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "no supervisor tries it again: {output:?}");
        assert!(stderr(&output).contains(told), "{output:?}");
    }
    for arguments in [
        &["--public-url", "http://assay.example"][..],
        &["--tls-cert", "cert.pem"],
        &["--tls-key", "key.pem"],
        &["--trusted-proxy", "0.0.0.0/0"],
        &["--trusted-proxy", "10.0.0.0/8,proxy.example"],
    ] {
        let output = folder.assay(&[&["serve", "--demo"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
