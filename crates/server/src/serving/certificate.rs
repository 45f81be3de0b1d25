//! The server's certificate and its key, read from files, with their possible faults.

use std::fs;
use std::path::{Path, PathBuf};

use oauth::Timestamp;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys};
use webpki::EndEntityCert;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;
use x509_cert::time::Time;

use crate::failure::Failure;

/// The files of the certificate and the key.
#[derive(Debug, Clone)]
pub(crate) struct CertificateFiles {
    /// The server's certificate, then those of its issuers, as PEM.
    pub(crate) certificate: PathBuf,
    /// Its key, as PEM: PKCS#8, PKCS#1 or SEC1.
    pub(crate) key: PathBuf,
}

impl CertificateFiles {
    /// Reads both, and makes sure that they belong together.
    pub(crate) fn read(&self) -> Result<CertifiedKey, Failure> {
        let (chain, key) = (self.chain()?, self.private_key()?);
        let (certificate, key_file) = (self.certificate.display(), self.key.display());
        CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|error| {
            if error == Error::InconsistentKeys(InconsistentKeys::KeyMismatch) {
                return Failure::input(format_args!(
                    "the key in `{key_file}` does not belong to the certificate in `{certificate}`\n  \
                     hint: the server's own certificate comes first, those of its issuers after it"
                ));
            }
            Failure::input(format_args!(
                "cannot use the certificate in `{certificate}` with the key in `{key_file}`: {error}"
            ))
        })
    }

    fn chain(&self) -> Result<Vec<CertificateDer<'static>>, Failure> {
        let (file, text) = (self.certificate.display(), read("certificate", &self.certificate)?);
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
        let chain = chain.map_err(|error| {
            Failure::input(format_args!("cannot read certificate file `{file}`: {error}"))
        })?;
        if chain.is_empty() {
            return Err(Failure::input(format_args!(
                "there is no certificate in `{file}`\n  hint: expected PEM, `-----BEGIN CERTIFICATE-----`"
            )));
        }
        Ok(chain)
    }

    fn private_key(&self) -> Result<PrivateKeyDer<'static>, Failure> {
        let (file, text) = (self.key.display(), read("key", &self.key)?);
        PrivateKeyDer::from_pem_slice(&text).map_err(|_| {
            if is_encrypted(&text) {
                return Failure::input(format_args!(
                    "the key in `{file}` is encrypted\n  \
                     hint: `openssl pkey -in {file} -out FILE` writes it without a pass phrase"
                ));
            }
            Failure::input(format_args!(
                "there is no private key in `{file}`\n  hint: expected PEM, `-----BEGIN PRIVATE KEY-----`"
            ))
        })
    }
}

fn read(what: &str, path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| {
        Failure::unreadable(format_args!("{what} file `{}`", path.display()), &error)
    })
}

/// Encrypted keys are labelled so, in one of two ways (RFC 7468 section 11, RFC 1421 section 4.6.1.1).
fn is_encrypted(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")
}

/// Why programs will refuse a certificate, if they will. It is served all the same, for tests.
pub(crate) fn doubts(certified: &CertifiedKey, host: &str, now: Timestamp) -> Vec<String> {
    let Some(certificate) = certified.cert.first() else { return Vec::new() };
    let untimely = Certificate::from_der(certificate).ok().and_then(|certificate| {
        let validity = certificate.tbs_certificate.validity;
        if starts(validity.not_after) <= now {
            return Some(format!(
                "the certificate has expired: it was valid until {}",
                validity.not_after
            ));
        }
        (starts(validity.not_before) > now)
            .then(|| format!("the certificate is not valid before {}", validity.not_before))
    });
    let foreign = (!is_for(certificate, host))
        .then(|| format!("the certificate is not for `{host}`, the host of the public URL"));
    untimely.into_iter().chain(foreign).collect()
}

/// When a certificate ends.
pub(crate) fn valid_until(certified: &CertifiedKey) -> Option<Timestamp> {
    let certificate = Certificate::from_der(certified.cert.first()?).ok()?;
    Some(starts(certificate.tbs_certificate.validity.not_after))
}

fn starts(time: Time) -> Timestamp {
    let milliseconds = time.to_unix_duration().as_millis();
    Timestamp::from_milliseconds(i64::try_from(milliseconds).unwrap_or(i64::MAX))
}

fn is_for(certificate: &CertificateDer<'_>, host: &str) -> bool {
    let (Ok(name), Ok(certificate)) =
        (ServerName::try_from(host), EndEntityCert::try_from(certificate))
    else {
        return false;
    };
    certificate.verify_is_valid_for_subject_name(&name).is_ok()
}
