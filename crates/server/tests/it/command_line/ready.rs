//! `assay ready`: the health check of a container.

use std::net::TcpListener;

use super::binary::{Folder, PROJECT, stderr};
use crate::tls::certificates::{Authority, FLAGS};

#[test]
fn a_ready_server_is_told_by_success_alone() {
    let folder = Folder::new();
    folder.write("shop.yaml", PROJECT);
    let server = folder.serve(&["shop.yaml", "--data", "data"]);

    let asked = folder.assay(&["ready", "--listen", server.address()]);

    assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
    assert!(asked.stdout.is_empty() && asked.stderr.is_empty());
}

#[test]
fn the_certificate_of_the_public_address_is_no_hindrance() {
    let (folder, authority) = (Folder::new(), Authority::new());
    authority.issue("experiments.shop.example").write(&folder);
    let server = folder.serve(&FLAGS);

    let flags = ["ready", "--tls-cert", "cert.pem", "--tls-key", "key.pem", "--listen"];
    let asked = folder.assay(&[&flags[..], &[server.address()]].concat());

    assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    drop(taken);

    let asked = folder.assay(&["ready", "--listen", &address]);

    assert_eq!(asked.status.code(), Some(3));
    let told = stderr(&asked);
    assert!(told.contains(&format!("http://{address}/readyz does not answer")), "{told}");
}
