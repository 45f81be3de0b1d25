//! A collector on this machine: takes traces over HTTP and hands them to the test.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use flate2::read::GzDecoder;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;

const TAKEN: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n";

pub(crate) struct Collector {
    address: SocketAddr,
    requests: Receiver<Received>,
}

/// A request as it came, its body without compression.
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Collector {
    pub(crate) fn start() -> Self {
        Self::at("127.0.0.1:0".parse().unwrap())
    }

    pub(crate) fn at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, requests) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, sender) = (stream.unwrap(), sender.clone());
                thread::spawn(move || take(stream, &sender));
            }
        });
        Self { address, requests }
    }

    /// What a variable calls it.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The next request; waits for it.
    pub(crate) fn receive(&self) -> Received {
        self.requests.recv().unwrap()
    }

    /// All spans up to the one of a request to this route.
    pub(crate) fn spans_until(&self, route: &str) -> Vec<Span> {
        let mut spans = Vec::new();
        while !spans.iter().any(|span| attribute(span, "http.route") == route) {
            spans.extend(self.receive().spans());
        }
        spans
    }

    /// What came that the test has not received. The server has ended, so that there is no more.
    pub(crate) fn rest(&self) -> Vec<Received> {
        self.requests.try_iter().collect()
    }
}

impl Received {
    pub(crate) fn spans(&self) -> Vec<Span> {
        let scopes = self.decoded().resource_spans.into_iter().flat_map(|one| one.scope_spans);
        scopes.flat_map(|scope| scope.spans).collect()
    }

    pub(crate) fn resource(&self) -> Resource {
        self.decoded().resource_spans.remove(0).resource.unwrap()
    }

    fn decoded(&self) -> ExportTraceServiceRequest {
        ExportTraceServiceRequest::decode(&*self.body).unwrap()
    }
}

/// The value of an attribute as text; nothing if there is none.
pub(crate) fn attribute(span: &Span, name: &str) -> String {
    value(&span.attributes, name)
}

pub(crate) fn value(attributes: &[KeyValue], name: &str) -> String {
    let found = attributes.iter().find(|attribute| attribute.key == name);
    let value = found.and_then(|found| found.value.as_ref()?.value.clone());
    match value {
        None => String::new(),
        Some(any_value::Value::StringValue(text)) => text,
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        Some(other) => panic!("`{name}` is {other:?}"),
    }
}

/// Answers the requests of a connection until it ends. The test hears of each before the server does.
fn take(stream: TcpStream, sender: &Sender<Received>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or_default() == 0 {
                return;
            }
        }
        let head = head.to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.unwrap().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        if head.contains("content-encoding: gzip") {
            let mut plain = Vec::new();
            GzDecoder::new(&*body).read_to_end(&mut plain).unwrap();
            body = plain;
        }
        // The test may have seen enough.
        let _unheard = sender.send(Received { head, body });
        if reader.get_mut().write_all(TAKEN).is_err() {
            return;
        }
    }
}
