//! What strangers can make the server hold in memory, measured from outside: the real binary, and requests sent in the most expensive way.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, mpsc};
use std::thread;

use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};

use crate::command_line::binary::{Folder, Server};
use crate::tls::certificates::{Authority, FLAGS};

/// Bytes of a body that are sent one by one: few enough that a busy machine sends them before the server has waited for too long.
const BYTES: usize = 1_000;

/// They take some tenth of a second.
const PROBES: usize = 500;

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

const ADDRESSES: [&str; 3] = ["/oauth2/token", "/oauth2/authorize", "/sign-in"];

fn head(path: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nHost: a\r\n{FORM}\r\nContent-Length: 60000\r\n\r\n")
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// By how many kilobytes the server grows while this is done with these connections.
fn growth<S>(server: &Server, open: impl FnOnce() -> Vec<S>, send: impl FnOnce(&mut [S])) -> usize {
    let before = settled(server);
    let mut connections = open();
    send(&mut connections);
    // Asked on another connection, so that it has taken what was sent before.
    probe(server);
    server.own_kilobytes().saturating_sub(before)
}

/// What it holds once it has prepared what it does not wait for when it starts, such as compressed snippets.
fn settled(server: &Server) -> usize {
    loop {
        let before = server.own_kilobytes();
        for _ in 0..PROBES {
            probe(server);
        }
        if server.own_kilobytes() <= before {
            return before;
        }
    }
}

fn probe(server: &Server) {
    let mut answer = Vec::new();
    if let Ok(mut stream) = TcpStream::connect(server.address()) {
        let _may_speak_tls = stream.write_all(b"GET /healthz HTTP/1.0\r\n\r\n");
        let _answered = stream.read_to_end(&mut answer);
    }
}

/// Sends bodies byte by byte, in turn, so that the server reads each byte by itself.
fn trickle<S: std::io::Write>(connections: &mut [S]) {
    for (connection, path) in connections.iter_mut().zip(ADDRESSES.iter().cycle()) {
        connection.write_all(head(path).as_bytes()).unwrap();
        connection.flush().unwrap();
    }
    for _ in 0..BYTES {
        for connection in &mut *connections {
            connection.write_all(b"a").unwrap();
            connection.flush().unwrap();
        }
    }
}

#[test]
fn bodies_that_come_byte_by_byte_cost_what_they_hold() {
    let folder = Folder::new();
    let server = folder.serve(&["--demo"]);

    let open = || (0..64).map(|_| connect(&server)).collect();
    let grown = growth(&server, open, trickle);

    assert!(grown < 10_000, "{grown} kB");
}

#[test]
fn bodies_that_come_byte_by_byte_over_tls_cost_what_they_hold() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("localhost").write(&folder);
    let server = folder.serve(&FLAGS);
    let client = authority.client_for(&["http/1.1"]);

    let open = || {
        let connections = (0..64).map(|_| {
            let name = ServerName::try_from("localhost").unwrap();
            let session = ClientConnection::new(Arc::clone(&client), name).unwrap();
            StreamOwned::new(session, connect(&server))
        });
        connections.collect()
    };
    let grown = growth(&server, open, trickle);

    assert!(grown < 10_000, "{grown} kB");
}

#[test]
fn large_bodies_that_never_end_fill_a_small_room_and_short_ones_find_theirs() {
    const EVENTS: &str = "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n";
    let folder = Folder::new();
    let server = folder.serve(&["--demo"]);
    let head = format!("{EVENTS}Content-Length: 1000000\r\n\r\n");
    let unfinished = head + &" ".repeat(999_999);
    let short = r#"{"project": "1000", "visitor": "ada", "events": []}"#;
    let short = format!("{EVENTS}Content-Length: {}\r\n\r\n{short}", short.len());

    // Two hundred megabytes.
    let open = || (0..200).map(|_| connect(&server)).collect();
    let grown = growth(&server, open, |connections: &mut [TcpStream]| {
        for connection in &mut *connections {
            let _refused_meanwhile = connection.write_all(unfinished.as_bytes());
        }
        // Eight at most find room: which of them, depends on the order in which the server reads.
        let answers = answers_on(connections);
        for refused in answers.iter().take(192) {
            assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
            assert!(refused.contains("retry-after: 1\r\n"), "{refused}");
        }
        let mut visitor = connect(&server);
        visitor.write_all(short.as_bytes()).unwrap();
        assert!(heard(&mut visitor).starts_with("HTTP/1.1 202"));
    });

    assert!(grown < 60_000, "{grown} kB");
}

/// The answers on these connections, as they come.
fn answers_on(connections: &[TcpStream]) -> mpsc::Receiver<String> {
    let (answers, receiver) = mpsc::channel();
    for connection in connections {
        let (mut connection, answers) = (connection.try_clone().unwrap(), answers.clone());
        thread::spawn(move || answers.send(heard(&mut connection)));
    }
    receiver
}

/// The head of an answer, or the beginning of it; empty if the connection broke.
fn heard(connection: &mut TcpStream) -> String {
    let mut heard = [0; 2_048];
    let length = connection.read(&mut heard).unwrap_or_default();
    String::from_utf8_lossy(&heard[..length]).into_owned()
}

#[test]
fn heads_that_never_end_are_cut_off_at_32_kilobytes() {
    let folder = Folder::new();
    let server = folder.serve(&["--demo"]);
    let half = format!("GET / HTTP/1.1\r\nHost: a\r\nCookie: {}", "a".repeat(31_000));
    let endless = format!("GET / HTTP/1.1\r\nHost: a\r\nCookie: {}", "a".repeat(400_000));

    let open = || (0..800).map(|_| connect(&server)).collect();
    let grown = growth(&server, open, |connections: &mut [TcpStream]| {
        for connection in connections {
            connection.write_all(half.as_bytes()).unwrap();
        }
    });

    assert!(grown < 60_000, "{grown} kB");
    let mut connection = connect(&server);
    let _refused_meanwhile = connection.write_all(endless.as_bytes());
    let mut heard = [0; 12];
    connection.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"HTTP/1.1 431");
}
