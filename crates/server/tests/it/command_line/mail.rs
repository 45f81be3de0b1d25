//! `assay mail test`, against a mail server that writes down what is said.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::binary::{Folder, stderr, stdout};

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
    folder.write("secret", &format!("{PASSWORD}\n"));
    folder.assay(&[
        "mail",
        "test",
        "cleo@example.com",
        "--smtp-url",
        &format!("smtp://ada@{address}"),
        "--smtp-password-file",
        "secret",
        "--smtp-from",
        "Assay <assay@shop.example>",
    ])
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
