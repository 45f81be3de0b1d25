//! The address of a database: what the driver understands of it, and how the connection is to be protected.
//!
//! Nothing of an address is ever shown: it may hold a password.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret as _, SecretString};
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use crate::OpenError;

/// How the connection is protected, in the words of `sslmode`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Protection {
    /// `disable`, `prefer`, `require`: against eavesdroppers at most. The client does not check the server's identity, as in other programs.
    Unverified(SslMode),
    /// `verify-full`: the server proves its name with a certificate that these authorities signed (`sslrootcert`), or those that the
    /// machine trusts.
    Verified(Option<PathBuf>),
}

/// Reads an address.
pub(super) fn read(url: &SecretString) -> Result<(Config, Protection), OpenError> {
    let text = url.expose_secret();
    // As the driver reads it, a password may have a question mark in it.
    let credentials = text.find('@').unwrap_or_default();
    let query = text[credentials..].find('?').map_or(text.len(), |place| credentials + place);
    let (place, query) = text.split_at(query);
    let mut mode = None;
    let mut authorities = None;
    let mut rest = Vec::new();
    for option in query.trim_start_matches('?').split('&').filter(|option| !option.is_empty()) {
        let value = |value| percent_decode_str(value).decode_utf8_lossy().into_owned();
        match option.split_once('=') {
            Some(("sslmode", text)) => mode = Some(value(text)),
            Some(("sslrootcert", text)) => authorities = Some(PathBuf::from(value(text))),
            _ => rest.push(option),
        }
    }
    let protection = match mode.as_deref() {
        Some("disable") => Protection::Unverified(SslMode::Disable),
        None | Some("prefer") => Protection::Unverified(SslMode::Prefer),
        Some("require") => Protection::Unverified(SslMode::Require),
        Some("verify-full") => Protection::Verified(authorities),
        Some(_) => return Err(OpenError::Address(UNKNOWN_MODE.to_owned())),
    };
    let mut config = configuration(&format!("{place}?{}", rest.join("&")))?;
    config.ssl_mode(match protection {
        Protection::Unverified(mode) => mode,
        Protection::Verified(_) => SslMode::Require,
    });
    Ok((config, protection))
}

const UNKNOWN_MODE: &str = "`sslmode` is `disable`, `prefer`, `require` or `verify-full`";

/// The driver's own words are not passed on: where a character of a password is not encoded, they quote the rest of it.
fn configuration(text: &str) -> Result<Config, OpenError> {
    text.parse().map_err(|_| OpenError::Address(UNREADABLE.to_owned()))
}

const UNREADABLE: &str = "expected `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with special characters percent-encoded";

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use secrecy::SecretString;
    use tokio_postgres::config::SslMode;

    use super::{Protection, read};

    fn protection(url: &str) -> Protection {
        read(&SecretString::from(url)).unwrap().1
    }

    #[test]
    fn a_connection_is_protected_as_the_address_says() {
        let verified = |file: Option<&str>| Protection::Verified(file.map(PathBuf::from));
        for (query, expected) in [
            ("", Protection::Unverified(SslMode::Prefer)),
            ("?sslmode=disable", Protection::Unverified(SslMode::Disable)),
            ("?sslmode=require&application_name=a", Protection::Unverified(SslMode::Require)),
            ("?sslmode=verify-full", verified(None)),
            ("?&&sslmode=disable&", Protection::Unverified(SslMode::Disable)),
            ("?sslrootcert=%2Fca.pem&sslmode=verify-full", verified(Some("/ca.pem"))),
        ] {
            for place in ["postgres://a:b@c/d", "postgres://a:b?b@c/d", "postgres:///d"] {
                assert_eq!(protection(&format!("{place}{query}")), expected, "{place}{query}");
            }
        }
    }

    #[test]
    fn all_else_is_for_the_driver() {
        let url = "postgresql://ann:p%40+s@db.example:5433/assay\
            ?sslmode=require&connect_timeout=3&options=-c%20search_path%3Dassay";

        let (config, _) = read(&SecretString::from(url)).unwrap();

        assert_eq!(config.get_user(), Some("ann"));
        assert_eq!(config.get_password(), Some("p@+s".as_bytes()));
        assert_eq!(config.get_ports(), [5433]);
        assert_eq!(config.get_dbname(), Some("assay"));
        assert_eq!(config.get_connect_timeout().map(std::time::Duration::as_secs), Some(3));
        assert_eq!(config.get_options(), Some("-c search_path=assay"));
        assert_eq!(config.get_ssl_mode(), SslMode::Require);
    }

    #[test]
    fn nothing_of_an_unusable_address_is_quoted() {
        for url in [
            "postgres://ann:hunter2@host:port/assay",
            "postgres://ann:hun@ter2@host:port/assay",
            "postgres://ann:hunter2@host/assay?sslmode=hunter2",
            "postgres://ann:hunter2@host/assay?hunter2=hunter2",
        ] {
            let error = read(&SecretString::from(url)).err().unwrap().to_string();
            assert!(!error.contains("hunter") && !error.contains("ter2"), "{error}");
        }
    }
}
