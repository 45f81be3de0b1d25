//! Connections over TLS, and over what is none.

use std::sync::Arc;

use axum::body::Body;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustix::process::Signal;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::certificates::{Authority, FLAGS, Protected};
use crate::command_line::binary::Folder;
use crate::wire::{Listener, Wire};

const RELOADED: &str = "new connections get the reloaded certificate";

#[test]
fn a_certificate_is_changed_while_connections_are_open() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let (old, new) = (authority.issue("localhost"), authority.issue("localhost"));
    old.write(&folder);
    let mut server = folder.serve(&FLAGS);
    let client = authority.client_for(&["http/1.1"]);
    let mut before = Protected::connect(server.address(), Arc::clone(&client));
    assert!(before.is_healthy() && old.is(before.certificate()));

    new.write(&folder);
    server.signal(Signal::HUP);
    server.log_until(RELOADED);

    assert!(before.is_healthy(), "the earlier connection stays open");
    let mut after = Protected::connect(server.address(), authority.client_for(&["http/1.1"]));
    assert!(after.is_healthy() && new.is(after.certificate()));
}

#[test]
fn a_faulty_certificate_leaves_the_last_good_one_in_place() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let good = authority.issue("localhost");
    good.write(&folder);
    let mut server = folder.serve(&FLAGS);

    folder.write("key.pem", &authority.issue("localhost").key.serialize_pem());
    server.signal(Signal::HUP);

    let log = server.log_until("does not belong to the certificate in `cert.pem`");
    assert!(log.contains("the old certificate stays in use"), "{log}");
    let mut after = Protected::connect(server.address(), authority.client_for(&[]));
    assert!(after.is_healthy() && good.is(after.certificate()));
}

#[test]
fn each_client_gets_the_best_protocol_that_it_speaks() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("localhost").write(&folder);
    let server = folder.serve(&FLAGS);
    for (spoken, chosen) in
        [(&["h2", "http/1.1"][..], Some("h2")), (&["http/1.1"], Some("http/1.1")), (&[], None)]
    {
        let connection = Protected::connect(server.address(), authority.client_for(spoken));
        assert_eq!(connection.protocol(), chosen);
    }
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let mut connection = Protected::connect(server.address(), authority.client_of(version));
        assert_eq!(connection.version(), version.version);
        assert!(connection.is_healthy());
    }
}

#[tokio::test]
async fn http2_is_spoken() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("localhost").write(&folder);
    let server = folder.serve(&FLAGS);
    let url = server.url("/demo/");
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let connector = TlsConnector::from(authority.client_for(&["h2"]));
    let stream = connector.connect("localhost".try_into().unwrap(), stream).await.unwrap();
    let stream = TokioIo::new(stream);
    let (mut requests, talk) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    tokio::spawn(talk);

    let request = hyper::Request::get(&url).body(Body::empty()).unwrap();
    let answer = requests.send_request(request).await.unwrap();

    assert_eq!((answer.status().as_u16(), answer.version()), (200, hyper::Version::HTTP_2));
    let page = axum::body::to_bytes(Body::new(answer.into_body()), 1 << 20).await.unwrap();
    assert!(String::from_utf8_lossy(&page).contains("<script src=\"../js/1000.js\""));
}

#[test]
fn plain_http_on_the_https_port_gets_400() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("localhost").write(&folder);
    let server = folder.serve(&FLAGS);
    let mut wire = Wire::connect(server.address());

    wire.send("POST /oauth2/token?code=a-secret HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");

    let heard = String::from_utf8(wire.hear_all()).unwrap();
    assert!(heard.starts_with("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain"), "{heard}");
    assert!(heard.ends_with("This port speaks https, and this was no https.\n"), "{heard}");
    assert!(!heard.contains("a-secret"), "{heard}");
}

#[test]
fn https_on_the_plain_http_port_gets_400() {
    let listener = Listener::start();
    let mut wire = listener.connect();

    wire.send([22, 3, 1, 0, 5, 1, 0, 0, 1, 0]);

    let heard = String::from_utf8(wire.hear_all()).unwrap();
    assert!(heard.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{heard}");
}

#[test]
fn an_unfinished_handshake_keeps_no_client_out() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("localhost").write(&folder);
    let server = folder.serve(&FLAGS);
    let unfinished: Vec<_> = (0..100)
        .map(|number| {
            let mut wire = Wire::connect(server.address());
            wire.send(if number % 2 == 0 { &[][..] } else { &[22, 3, 1, 2, 0, 1] });
            wire
        })
        .collect();

    assert!(Protected::connect(server.address(), authority.client_for(&[])).is_healthy());
    drop(unfinished);
}
