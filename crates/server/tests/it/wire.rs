//! Bytes sent to the real binary as they are, and what comes back: for requests that no well-behaved client sends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::command_line::binary::{Folder, Server};

/// Longer than any answer takes; a connection that says nothing for so long is open.
const PATIENCE: Duration = Duration::from_secs(10);

/// A demo server to talk to.
pub(crate) struct Listener {
    pub(crate) server: Server,
    _folder: Folder,
}

/// What a server said to one request.
#[derive(Debug)]
pub(crate) struct RawResponse {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// One connection to it.
pub(crate) struct Wire(BufReader<TcpStream>);

impl Listener {
    pub(crate) fn start() -> Self {
        let folder = Folder::new();
        Self { server: folder.serve(&["--demo"]), _folder: folder }
    }

    pub(crate) fn connect(&self) -> Wire {
        Wire::connect(self.server.address())
    }

    /// Sends a request on a connection of its own and reads the answer.
    pub(crate) fn ask(&self, request: impl AsRef<[u8]>) -> RawResponse {
        let mut wire = self.connect();
        wire.send(request);
        wire.hear()
    }
}

impl Wire {
    pub(crate) fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(BufReader::new(stream))
    }

    /// A server that has answered already may have stopped listening; what it said counts.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _may_be_closed = self.0.get_mut().write_all(bytes.as_ref());
    }

    /// The server takes all of this, or the story fails.
    pub(crate) fn send_all(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.get_mut().write_all(bytes.as_ref()).unwrap();
    }

    pub(crate) fn hear(&mut self) -> RawResponse {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.0.read_line(&mut head).unwrap(), 0, "closed after: {head}");
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let head = head.to_ascii_lowercase();
        let length = head.split_once("content-length: ").unwrap().1;
        let length = length.split_once("\r\n").unwrap().0.parse().unwrap();
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        RawResponse { status, head, body: String::from_utf8(body).unwrap() }
    }

    /// Whether it is told to go on and send the body.
    pub(crate) fn hears_continue(&mut self) -> bool {
        let mut line = String::new();
        for _ in 0..2 {
            self.0.read_line(&mut line).unwrap();
        }
        line == "HTTP/1.1 100 Continue\r\n\r\n"
    }

    /// Whatever else comes until the connection ends.
    pub(crate) fn hear_all(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        let _may_be_broken_off = self.0.read_to_end(&mut rest);
        rest
    }

    /// Whether the server hangs up without another word.
    pub(crate) fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        self.0.read_to_end(&mut rest).is_ok() && rest.is_empty()
    }
}
