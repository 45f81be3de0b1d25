//! How the server sends mail, and `assay mail`, which tries it.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// How the server sends mail.
#[derive(Debug, Args)]
#[expect(clippy::struct_field_names, reason = "the names are those of the flags")]
pub(crate) struct MailArguments {
    /// The mail server: smtps://USER@HOST:PORT speaks TLS from the start, smtp://USER@HOST:PORT begins with STARTTLS. Without TLS only on this
    /// machine. The password is in --smtp-password-file. [default: send no mail]
    #[arg(long, env = "ASSAY_SMTP_URL", value_name = "URL", requires = "smtp_from")]
    pub(crate) smtp_url: Option<String>,
    /// The file with the password of the mail server's user.
    #[arg(long, env = "ASSAY_SMTP_PASSWORD_FILE", value_name = "FILE", requires = "smtp_url")]
    pub(crate) smtp_password_file: Option<PathBuf>,
    /// The sender of mails, such as "Assay <assay@shop.example>".
    #[arg(long, env = "ASSAY_SMTP_FROM", value_name = "SENDER", requires = "smtp_url")]
    pub(crate) smtp_from: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MailCommand {
    /// Send a mail to an address, and print what becomes of it.
    #[command(
        after_help = "Example:\n  assay mail test ada@shop.example --smtp-url smtps://assay@mail.shop.example --smtp-password-file /etc/assay/smtp --smtp-from 'Assay <assay@shop.example>'"
    )]
    Test(MailTestArguments),
}

#[derive(Debug, Args)]
pub(crate) struct MailTestArguments {
    /// The address.
    pub(crate) address: String,
    #[command(flatten)]
    pub(crate) mail: MailArguments,
}
