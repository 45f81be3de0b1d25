//! A server that may open few files.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::command_line::binary::{Folder, Server};

/// As many as a browser and a few others have.
const CONNECTIONS: usize = 16;

fn ask(connection: &mut TcpStream) -> bool {
    let asked = connection.write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let mut answer = [0; 12];
    let answered = asked.and_then(|()| connection.read_exact(&mut answer));
    answered.is_ok() && answer == *b"HTTP/1.1 200"
}

fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address()).unwrap()
}

#[test]
fn a_server_that_may_open_few_files_serves_some_connections_at_once_and_says_so() {
    let folder = Folder::new();
    let server = folder.serve_with_files(64, &["--data", "data"]);
    let mut connections: Vec<TcpStream> = (0..CONNECTIONS).map(|_| connect(&server)).collect();

    let first = connections.iter_mut().filter_map(|connection| ask(connection).then_some(()));
    assert_eq!(first.count(), CONNECTIONS);
    let mut rest = String::new();
    for mut connection in connections {
        let closing = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        connection.write_all(closing).unwrap();
        connection.read_to_string(&mut rest).unwrap();
    }
    let log = folder.log_of(server);

    assert_eq!(rest.matches("HTTP/1.1 200").count(), CONNECTIONS, "{rest}");
    assert!(log.contains("may open 64 files, which leaves 22 connections"), "{log}");
    assert!(log.contains("LimitNOFILE="), "{log}");
}
