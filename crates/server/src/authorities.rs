//! Who is trusted to certify the systems to which this process speaks by TLS, the same wherever it does: the authorities of Mozilla, and those of
//! the machine's store, or of `SSL_CERT_FILE` and `SSL_CERT_DIR` in its place, as for OpenSSL.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::LazyLock;

use rustls::pki_types::CertificateDer;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use crate::failure::Failure;

/// What to do about an authority that is not known.
pub(crate) const HINT: &str = "if an authority of your own certifies the server, add its certificate to the machine's store, or put the path of the certificate (PEM) into the environment variable `SSL_CERT_FILE`";

/// What to do about a server that shows the certificate of an authority, as one that `openssl req -x509` makes.
const AUTHORITY_HINT: &str = "the server's certificate is that of an authority (`CA:TRUE`), also if `SSL_CERT_FILE` names it: issue the server one of its own, with `CA:FALSE` and the server's name";

/// Read once: a process that is to trust others begins anew.
static TRUSTED: LazyLock<RootCerts> = LazyLock::new(|| {
    // What cannot be read of the machine's store is not trusted; the rest is.
    let own = rustls_native_certs::load_native_certs().certs;
    let all: BTreeSet<&[u8]> = of_mozilla().iter().chain(&own).map(|one| &**one).collect();
    all.into_iter().map(|one| Certificate::from_der(one).to_owned()).into()
});

/// How requests are sent over TLS.
pub(crate) fn tls() -> TlsConfig {
    TlsConfig::builder().root_certs(TRUSTED.clone()).build()
}

/// The authorities of Mozilla, which browsers trust.
pub(crate) fn of_mozilla() -> &'static [CertificateDer<'static>] {
    TLS_SERVER_ROOT_CERTS
}

/// The hint, where an error is about an authority that is not known.
pub(crate) fn hint(error: &str) -> Option<&'static str> {
    let hints = [("UnknownIssuer", HINT), ("CaUsedAsEndEntity", AUTHORITY_HINT)];
    hints.into_iter().find_map(|(words, hint)| error.contains(words).then_some(hint))
}

/// A slip in the file's name would look like a wrong certificate of the server.
pub(crate) fn check() -> Result<(), Failure> {
    let path = std::env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty());
    let Some(path) = path.map(PathBuf::from) else { return Ok(()) };
    let named = format!("`{}`, which `SSL_CERT_FILE` names", path.display());
    let text = std::fs::read(&path).map_err(|error| Failure::unreadable(&named, &error))?;
    if !parse_pem(&text).any(|item| matches!(item, Ok(PemItem::Certificate(_)))) {
        return Err(Failure::input(format_args!("there is no certificate (PEM) in {named}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ureq::tls::RootCerts;

    use super::{TRUSTED, hint, of_mozilla};

    #[test]
    fn a_server_that_shows_an_authority_is_told_apart_from_an_unknown_one() {
        let told = |error: &str| hint(error).unwrap_or_default();

        assert!(told("invalid peer certificate: UnknownIssuer").contains("SSL_CERT_FILE"));
        assert!(
            told("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))")
                .contains("CA:FALSE")
        );
        assert_eq!(hint("connection refused"), None);
    }

    #[test]
    fn the_authorities_of_browsers_are_always_trusted() {
        let RootCerts::Specific(trusted) = &*TRUSTED else { panic!("they are listed") };

        for one in of_mozilla() {
            assert!(trusted.iter().any(|known| known.der() == &**one));
        }
    }
}
