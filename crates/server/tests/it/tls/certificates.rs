//! Certificates made for a test, and a client that trusts no others.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use rcgen::{CertificateParams, Issuer, KeyPair, SignatureAlgorithm};
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, SupportedProtocolVersion,
};

use crate::command_line::binary::Folder;

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(10);

/// An authority that only the test's clients know.
pub(crate) struct Authority {
    certificate: rcgen::Certificate,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate of it, with its key.
pub(crate) struct Issued {
    pub(crate) certificate: rcgen::Certificate,
    pub(crate) key: KeyPair,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new([]).unwrap();
        parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let certificate = parameters.self_signed(&key).unwrap();
        Self { certificate, issuer: Issuer::new(parameters, key) }
    }

    /// Itself, for programs that read whom to trust.
    pub(crate) fn pem(&self) -> String {
        self.certificate.pem()
    }

    pub(crate) fn issue(&self, host: &str) -> Issued {
        self.issue_with(&CertificateParams::new([host.to_owned()]).unwrap())
    }

    pub(crate) fn issue_with(&self, parameters: &CertificateParams) -> Issued {
        let key = KeyPair::generate_for(ALGORITHM).unwrap();
        let certificate = parameters.signed_by(&key, &self.issuer).unwrap();
        Issued { certificate, key }
    }

    fn client(&self, versions: &[&'static SupportedProtocolVersion]) -> ClientConfig {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.der().clone()).unwrap();
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(versions)
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth()
    }

    /// A client that speaks one of these, the best first.
    pub(crate) fn client_for(&self, protocols: &[&str]) -> Arc<ClientConfig> {
        let mut client = self.client(rustls::ALL_VERSIONS);
        client.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        Arc::new(client)
    }

    /// A client that speaks only this version of TLS.
    pub(crate) fn client_of(
        &self,
        version: &'static SupportedProtocolVersion,
    ) -> Arc<ClientConfig> {
        Arc::new(self.client(&[version]))
    }
}

const ALGORITHM: &SignatureAlgorithm = &rcgen::PKCS_ECDSA_P256_SHA256;

impl Issued {
    /// Writes `cert.pem` and `key.pem`.
    pub(crate) fn write(&self, folder: &Folder) {
        folder.write("cert.pem", &self.certificate.pem());
        folder.write("key.pem", &self.key.serialize_pem());
    }

    pub(crate) fn is(&self, other: &CertificateDer<'_>) -> bool {
        self.certificate.der() == other
    }
}

/// What turns the demo into a server of https.
pub(crate) const FLAGS: [&str; 5] = ["--demo", "--tls-cert", "cert.pem", "--tls-key", "key.pem"];

/// A connection over TLS.
pub(crate) struct Protected(StreamOwned<ClientConnection, TcpStream>);

impl Protected {
    pub(crate) fn connect(address: &str, client: Arc<ClientConfig>) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let name = "localhost".try_into().unwrap();
        let mut protected = StreamOwned::new(ClientConnection::new(client, name).unwrap(), stream);
        while protected.conn.is_handshaking() {
            protected.conn.complete_io(&mut protected.sock).unwrap();
        }
        Self(protected)
    }

    pub(crate) fn certificate(&self) -> &CertificateDer<'static> {
        &self.0.conn.peer_certificates().unwrap()[0]
    }

    pub(crate) fn protocol(&self) -> Option<&str> {
        self.0.conn.alpn_protocol().map(|name| std::str::from_utf8(name).unwrap())
    }

    pub(crate) fn version(&self) -> rustls::ProtocolVersion {
        self.0.conn.protocol_version().unwrap()
    }

    /// Whether a request on it is answered.
    pub(crate) fn is_healthy(&mut self) -> bool {
        self.0.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut heard = Vec::new();
        while !heard.ends_with(b"\r\n\r\nok\n") {
            let mut byte = [0];
            self.0.read_exact(&mut byte).unwrap();
            heard.extend(byte);
        }
        heard.starts_with(b"HTTP/1.1 200 OK\r\n")
    }

    /// Sends a request after which the server closes, and gives all that it says.
    pub(crate) fn ask(&mut self, request: &str) -> String {
        self.0.write_all(request.as_bytes()).unwrap();
        let mut heard = Vec::new();
        let _may_be_broken_off = self.0.read_to_end(&mut heard);
        String::from_utf8(heard).unwrap()
    }
}
