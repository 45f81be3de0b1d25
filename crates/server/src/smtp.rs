//! Sends mail by SMTP. No machine between this server and the mail server can read it: without TLS there is no mail, except on this machine.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;
use std::{error, io, iter};

use app::{Entropy as _, Mail, MailError, Mailer};
use async_trait::async_trait;
use lettre::message::{Mailbox, header::ContentType};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{AsyncSmtpTransport, Error};
use lettre::{AsyncTransport as _, Message, Tokio1Executor};
use rustls::CertificateError;
use secrecy::ExposeSecret as _;
use url::{Host, Url};

use crate::cli::MailArguments;
use crate::entropy::SystemEntropy;
use crate::failure::Failure;
use crate::{authorities, secret_file};

/// A person waits for the answer to an invitation meanwhile.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);

const EXPECTED: &str = "--smtp-url: expected an address such as `smtps://assay@mail.example` or `smtp://assay@mail.example:587`";

/// The ports of mail servers that take mail of users (RFC 8314 section 7.3 and RFC 6409).
const PORT_OF_TLS: u16 = 465;
const PORT_OF_STARTTLS: u16 = 587;

/// A mail server, and the sender of our mails.
struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// The mail server of the command line, if it names one.
pub(crate) fn mailer(arguments: &MailArguments) -> Result<Option<Arc<dyn Mailer>>, Failure> {
    let (Some(url), Some(from)) = (&arguments.smtp_url, &arguments.smtp_from) else {
        return Ok(None);
    };
    let from: Mailbox = from.parse().map_err(|_| {
        Failure::input("--smtp-from: expected a sender such as `Assay <assay@shop.example>`")
    })?;
    let url = Url::parse(url).map_err(|_| Failure::input(EXPECTED))?;
    let server = Server::of(&url)?;
    let password_file = arguments.smtp_password_file.as_deref();
    let password = password_file.map(|path| secret_file::read("--smtp-password-file", path));
    let password = password.transpose()?;
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&server.host)
        .port(server.port)
        .tls(server.tls()?)
        .hello_name(ClientId::Domain(domain_of(&from)));
    match (server.user, password) {
        (None, None) => {}
        (Some(user), Some(password)) => {
            let password = password.expose_secret().to_owned();
            builder = builder.credentials(Credentials::new(user, password));
        }
        (Some(_), None) => {
            return Err(Failure::input("--smtp-password-file is missing: --smtp-url names a user"));
        }
        (None, Some(_)) => {
            return Err(Failure::input("--smtp-url names no user for --smtp-password-file"));
        }
    }
    Ok(Some(Arc::new(Smtp { transport: builder.build(), from })))
}

/// The sender's domain, in which our mails have their names. Mail servers that pass mail on may refuse who greets as a loopback address.
fn domain_of(from: &Mailbox) -> String {
    from.email.domain().to_owned()
}

/// Where the mail server is, and how to speak to it.
struct Server {
    host: String,
    port: u16,
    user: Option<String>,
    protection: Protection,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protection {
    /// TLS from the first byte.
    Tls,
    /// STARTTLS, or nothing is said.
    StartTls,
    /// None: no other machine is between.
    ThisMachine,
}

impl Server {
    fn of(url: &Url) -> Result<Self, Failure> {
        if url.password().is_some() {
            return Err(Failure::input(
                "--smtp-url holds a password, which others on this machine could read: put it into a file, and name that with --smtp-password-file",
            ));
        }
        // The hosts of other schemes than those of the web are plain texts.
        let host = url.host_str().and_then(|host| Host::parse(host).ok());
        let host = host.ok_or_else(|| Failure::input(EXPECTED))?;
        let is_here = match &host {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        let (protection, usual_port) = match url.scheme() {
            "smtps" => (Protection::Tls, PORT_OF_TLS),
            "smtp" if is_here => (Protection::ThisMachine, PORT_OF_STARTTLS),
            "smtp" => (Protection::StartTls, PORT_OF_STARTTLS),
            _ => return Err(Failure::input(EXPECTED)),
        };
        // A plus sign is itself in this part of an address.
        let user = format!("user={}", url.username().replace('+', "%2B"));
        let user = form_urlencoded::parse(user.as_bytes())
            .next()
            .map(|(_, user)| user.into_owned())
            .filter(|user| !user.is_empty());
        let host = host.to_string().trim_matches(['[', ']']).to_owned();
        Ok(Self { host, port: url.port().unwrap_or(usual_port), user, protection })
    }

    fn tls(&self) -> Result<Tls, Failure> {
        // Beside those of the machine, which the library reads as we do.
        let parameters = || {
            let roots = authorities::of_mozilla().iter();
            let roots = roots.filter_map(|one| Certificate::from_der(one.to_vec()).ok());
            roots
                .fold(TlsParameters::builder(self.host.clone()), |builder, root| {
                    builder.add_root_certificate(root)
                })
                .build()
                .map_err(|_| Failure::input(EXPECTED))
        };
        Ok(match self.protection {
            Protection::Tls => Tls::Wrapper(parameters()?),
            Protection::StartTls => Tls::Required(parameters()?),
            Protection::ThisMachine => Tls::None,
        })
    }
}

#[async_trait]
impl Mailer for Smtp {
    async fn send(&self, Mail { to, subject, text }: Mail) -> Result<(), MailError> {
        let to = to.parse().map_err(|_| MailError("the address cannot receive mail".to_owned()))?;
        let mut random = [0; 16];
        SystemEntropy.fill(&mut random);
        // RFC 5322 section 3.6.4: not every mail server adds one, and some refuse mail without.
        let name = format!("<{}@{}>", hex::encode(random), domain_of(&self.from));
        let message = Message::builder()
            .message_id(Some(name))
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|_| MailError("the mail cannot be written".to_owned()))?;
        // The transport's own limit is on the connection alone: a server may accept it, and say nothing.
        match tokio::time::timeout(ANSWERS_WITHIN, self.transport.send(message)).await {
            Ok(sent) => sent.map(drop).map_err(|error| MailError(words(&error))),
            Err(_) => Err(MailError(TOO_LATE.to_owned())),
        }
    }
}

const TOO_LATE: &str = "the mail server did not answer in time";

const NO_TLS: &str = "no TLS connection to the mail server";

/// What went wrong. The mail server's own words may quote addresses, so that they stay out.
fn words(error: &Error) -> String {
    if let Some(code) = error.status() {
        format!("the mail server answered {code}")
    } else if error.is_timeout() {
        TOO_LATE.to_owned()
    } else if let Some(fault) = tls_fault(error) {
        tls_words(fault)
    } else if error.is_tls() {
        NO_TLS.to_owned()
    } else if error.is_client() && error.to_string().contains("STARTTLS") {
        "the mail server offers no STARTTLS, without which nothing is said to it".to_owned()
    } else if error.is_client() {
        "the mail server lacks a capability that is needed".to_owned()
    } else {
        "the mail server cannot be reached".to_owned()
    }
}

fn tls_words(fault: &rustls::Error) -> String {
    let rustls::Error::InvalidCertificate(why) = fault else {
        return format!("{NO_TLS}: {fault}");
    };
    let untrusted = "the certificate of the mail server is not trusted";
    if *why == CertificateError::UnknownIssuer {
        return format!("{untrusted}: its authority is not known; {}", authorities::HINT);
    }
    format!("{untrusted}: {why}")
}

/// What went wrong with TLS. The library hands some of these on as failures of the connection.
fn tls_fault(error: &Error) -> Option<&rustls::Error> {
    let mut causes = iter::successors(error.source(), |&cause| match cause.downcast_ref() {
        // Its own source is what caused the error that it holds.
        Some(io) => held_by(io),
        None => cause.source(),
    });
    causes.find_map(|cause| cause.downcast_ref())
}

fn held_by(error: &io::Error) -> Option<&(dyn error::Error + 'static)> {
    error.get_ref().map(|held| held as _)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{Protection, Server};

    fn server(url: &str) -> Option<(Protection, String, u16, Option<String>)> {
        let server = Server::of(&Url::parse(url).unwrap()).ok()?;
        Some((server.protection, server.host, server.port, server.user))
    }

    #[test]
    fn a_mail_server_elsewhere_is_spoken_to_by_tls_alone() {
        let found = |protection, host: &str, port, user: Option<&str>| {
            Some((protection, host.to_owned(), port, user.map(str::to_owned)))
        };

        let tls = found(Protection::Tls, "mail.example", 465, Some("ada@example.com"));
        assert_eq!(server("smtps://ada%40example.com@mail.example"), tls);
        let start = found(Protection::StartTls, "mail.example", 2525, None);
        assert_eq!(server("smtp://mail.example:2525"), start);
        for host in ["localhost", "127.0.0.1", "::1"] {
            let url = format!("smtp://{}:25", if host == "::1" { "[::1]" } else { host });
            assert_eq!(server(&url), found(Protection::ThisMachine, host, 25, None), "{url}");
        }
    }

    #[test]
    fn an_address_with_a_password_or_of_another_kind_is_refused() {
        for url in ["smtps://ada:secret@mail.example", "https://mail.example", "smtp:mail.example"]
        {
            assert_eq!(server(url), None, "{url}");
        }
    }
}
