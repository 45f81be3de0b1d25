//! TLS 1.2 and 1.3, with a certificate that can be changed while connections are open.

use std::io;
use std::sync::Arc;

use arc_swap::ArcSwap;
use oauth::Timestamp;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::certificate::{CertificateFiles, doubts, valid_until};
use crate::clock::machine_time;
use crate::failure::Failure;

/// How every TLS connection begins (RFC 8446 section 5.1).
const HANDSHAKE_RECORD: u8 = 22;

/// The answer to a client that forgot the `s` of `https`. It says nothing about the request, which is not read.
const SPEAKS_TLS: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Connection: close\r\n\r\nThis port speaks https, and this was no https.\n";

/// How many bytes of a request that is not TLS are read.
const REQUEST_BYTES: u64 = 64 * 1024;

/// The protocol of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Http1,
    Http2,
}

/// Protects connections.
pub(crate) struct Tls {
    acceptor: TlsAcceptor,
    files: CertificateFiles,
    host: String,
    current: Arc<Current>,
}

/// The certificate that new connections get.
#[derive(Debug)]
struct Current(ArcSwap<CertifiedKey>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.load_full())
    }
}

impl Tls {
    /// Protects connections to this host with the certificate in the files.
    pub(crate) fn with(files: CertificateFiles, host: String) -> Result<Self, Failure> {
        let current = Arc::new(Current(ArcSwap::new(read(&files, &host)?)));
        let versions = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider has ciphers for every version");
        let mut config =
            versions.with_no_client_auth().with_cert_resolver(Arc::clone(&current) as _);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { acceptor: Arc::new(config).into(), files, host, current })
    }

    /// Reads the files again. If they are invalid, the old certificate stays.
    pub(crate) fn reload(&self) -> Result<(), Failure> {
        self.current.0.store(read(&self.files, &self.host)?);
        Ok(())
    }

    /// When the certificate that new connections get ends.
    pub(crate) fn valid_until(&self) -> Option<Timestamp> {
        valid_until(&self.current.0.load())
    }

    /// The encrypted stream, or nothing if the client does not speak TLS as we do.
    pub(crate) async fn accept(
        &self,
        stream: TcpStream,
    ) -> Option<(TlsStream<TcpStream>, Protocol)> {
        let stream = only_tls(stream).await.ok()??;
        let stream = self.acceptor.accept(stream).await.ok()?;
        let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        Some((stream, if is_http2 { Protocol::Http2 } else { Protocol::Http1 }))
    }
}

fn read(files: &CertificateFiles, host: &str) -> Result<Arc<CertifiedKey>, Failure> {
    let certified = files.read()?;
    for doubt in doubts(&certified, host, machine_time()) {
        tracing::warn!("{doubt}");
    }
    Ok(Arc::new(certified))
}

/// The stream if it begins as TLS does. Another client gets a plain answer that says what this port speaks.
async fn only_tls(mut stream: TcpStream) -> io::Result<Option<TcpStream>> {
    let mut first = [0];
    if stream.peek(&mut first).await? == 1 && first[0] != HANDSHAKE_RECORD {
        stream.write_all(SPEAKS_TLS).await?;
        stream.shutdown().await?;
        // Unread bytes would break the connection before the answer is read.
        tokio::io::copy(&mut stream.take(REQUEST_BYTES), &mut tokio::io::sink()).await?;
        return Ok(None);
    }
    Ok(Some(stream))
}
