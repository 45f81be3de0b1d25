//! Mail to people. How it leaves is for the binary, which speaks SMTP; tests keep what would have left.

use async_trait::async_trait;
use thiserror::Error;

use crate::{App, BackgroundTask};

/// Sends mail.
#[async_trait]
pub trait Mailer: Send + Sync + 'static {
    /// Hands a mail to the mail server.
    ///
    /// # Errors
    /// If it does not take the mail in time.
    async fn send(&self, mail: Mail) -> Result<(), MailError>;
}

/// A mail. Its text may hold a secret link, so that nothing prints it.
pub struct Mail {
    /// The address of the recipient.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The plain text.
    pub text: String,
}

/// Why a mail did not leave, without an address or a password.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct MailError(pub String);

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The mail server has it.
    Sent,
    /// The mail server does not take it.
    Failed,
    /// This server sends no mail.
    Off,
}

/// Sends a mail, if this server does; the log tells why it failed.
pub(crate) async fn deliver(app: &App, mail: Mail) -> Delivery {
    let Some(mailer) = app.mailer() else { return Delivery::Off };
    match mailer.send(mail).await {
        Ok(()) => Delivery::Sent,
        Err(error) => {
            app.monitor().failed(BackgroundTask::Mail);
            tracing::warn!("a mail did not leave: {error}");
            Delivery::Failed
        }
    }
}
