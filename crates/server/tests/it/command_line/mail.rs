//! `assay mail test`, against a mail server that writes down what is said.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection};

use super::binary::{Folder, stderr, stdout};
use crate::tls::certificates::Authority;

const PASSWORD: &str = "the password of the mail server";

/// A mail server for one conversation; its address, and what was said to it.
fn mail_server(recipient_answer: &'static str) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let talk = move || converse(listener.accept().unwrap().0, recipient_answer);
    (address, thread::spawn(talk))
}

fn converse(stream: TcpStream, recipient_answer: &str) -> Vec<String> {
    let mut writer = stream.try_clone().unwrap();
    let mut said = Vec::new();
    let mut is_data = false;
    writer.write_all(b"220 mail.example ESMTP\r\n").unwrap();
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { break };
        said.push(line.clone());
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        let answer = match verb.as_str() {
            _ if is_data && line != "." => continue,
            "." => {
                is_data = false;
                "250 taken"
            }
            "EHLO" => "250-mail.example\r\n250 AUTH PLAIN",
            "AUTH" => "235 welcome",
            "RCPT" => recipient_answer,
            "DATA" => {
                is_data = true;
                "354 go on"
            }
            "QUIT" => "221 bye",
            _ => "250 ok",
        };
        writer.write_all(format!("{answer}\r\n").as_bytes()).unwrap();
    }
    said
}

/// Tries the mail server at this address.
fn send_by(address: &str, folder: &Folder) -> std::process::Output {
    send_where(&[], address, folder)
}

/// The same with variables of the environment.
fn send_where(variables: &[(&str, &str)], address: &str, folder: &Folder) -> std::process::Output {
    folder.write("secret", &format!("{PASSWORD}\n"));
    let arguments = [
        "mail",
        "test",
        "cleo@example.com",
        "--smtp-url",
        &format!("smtp://ada@{address}"),
        "--smtp-password-file",
        "secret",
        "--smtp-from",
        "Assay <assay@shop.example>",
    ];
    folder.assay_where(variables, &arguments)
}

#[test]
fn a_mail_reaches_the_mail_server_as_it_should() {
    let folder = Folder::new();
    let (address, conversation) = mail_server("250 ok");

    let output = send_by(&address, &folder);

    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "sent to cleo@example.com\n");
    let said = conversation.join().unwrap();
    let credentials = STANDARD.encode(format!("\0ada\0{PASSWORD}"));
    assert!(said.contains(&format!("AUTH PLAIN {credentials}")), "{said:?}");
    for line in [
        "EHLO shop.example",
        "MAIL FROM:<assay@shop.example>",
        "RCPT TO:<cleo@example.com>",
        "From: Assay <assay@shop.example>",
        "To: cleo@example.com",
        "Subject: A test of Assay",
        "This mail shows that Assay can send mail.",
    ] {
        assert!(said.iter().any(|said| said.starts_with(line)), "{line} in {said:?}");
    }
    let name = said.iter().find_map(|line| line.strip_prefix("Message-ID: <"));
    let random = name.and_then(|name| name.strip_suffix("@shop.example>"));
    assert_eq!(random.map(str::len), Some(32), "{said:?}");
}

#[test]
fn a_mail_server_that_says_nothing_is_given_up() {
    let folder = Folder::new();
    // Who listens with another protocol accepts the connection, and waits for us to begin.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();

    let output = send_by(&silent.local_addr().unwrap().to_string(), &folder);

    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stderr(&output), "error: the mail server did not answer in time\n");
}

#[test]
fn what_the_mail_server_refuses_is_told_without_its_words_and_our_password() {
    let folder = Folder::new();
    let (address, conversation) = mail_server("550 no cleo@example.com here");

    let output = send_by(&address, &folder);

    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stderr(&output), "error: the mail server answered 550\n");
    conversation.join().unwrap();
}

#[test]
fn a_password_in_the_address_is_refused_and_not_repeated() {
    let folder = Folder::new();
    let address = "smtps://ada:s3cret@mail.example";

    let output = folder.assay(&[
        "mail",
        "test",
        "a@b.example",
        "--smtp-url",
        address,
        "--smtp-from",
        "a@b.example",
    ]);

    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--smtp-password-file"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("s3cret"), "{}", stderr(&output));
}

/// Begins as a mail server that offers these extensions does, up to the answer to the first command after the greeting.
fn greet(stream: &mut TcpStream, extensions: &str) {
    stream.write_all(b"220 mail.example ESMTP\r\n").unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    for answer in [extensions, "220 go ahead\r\n"] {
        if lines.next().is_none_or(|line| line.is_err()) {
            return;
        }
        stream.write_all(answer.as_bytes()).unwrap();
    }
}

/// What is said of a mail server that offers these extensions, and then speaks TLS with the certificate of its company, which it issued to this host,
/// where the authorities in the file `trusted` are.
fn told_of(extensions: &'static str, host: &str, trusted: &str) -> String {
    let (folder, authority) = (Folder::new(), Authority::new());
    let issued = authority.issue(host);
    folder.write("authority.pem", &authority.pem());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    // This machine, by an address that does not say so.
    let address = format!("0.0.0.0:{}", listener.local_addr().unwrap().port());
    let serving = thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        greet(&mut stream, extensions);
        let key = PrivateKeyDer::try_from(issued.key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![issued.certificate.der().clone()], key)
            .unwrap();
        let mut connection = ServerConnection::new(Arc::new(config)).unwrap();
        // It is refused, or nothing comes.
        let _refused = connection.complete_io(&mut stream);
    });
    let output = send_where(&[("SSL_CERT_FILE", trusted)], &address, &folder);
    serving.join().unwrap();
    stderr(&output)
}

#[test]
fn what_is_wrong_with_tls_is_told() {
    const OFFERED: &str = "250-mail.example\r\n250 STARTTLS\r\n";

    let unknown = told_of(OFFERED, "0.0.0.0", "");
    let of_another = told_of(OFFERED, "other.example", "authority.pem");
    let stripped = told_of("250 mail.example\r\n", "0.0.0.0", "authority.pem");

    assert!(unknown.contains("is not trusted: its authority is not known; if an"), "{unknown}");
    assert!(
        of_another.contains("is not trusted: ") && of_another.contains("not valid for name"),
        "{of_another}"
    );
    assert!(stripped.contains("the mail server offers no STARTTLS"), "{stripped}");
}
