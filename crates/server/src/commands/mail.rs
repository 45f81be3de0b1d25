//! `assay mail test`: sends a mail as the server would.

use app::Mail;

use crate::cli::{MailCommand, MailTestArguments};
use crate::failure::Failure;
use crate::{output, smtp};

/// Runs one of the commands.
pub(crate) fn run(command: &MailCommand) -> Result<(), Failure> {
    let MailCommand::Test(MailTestArguments { address, mail }) = command;
    let mailer = smtp::mailer(mail)?.ok_or_else(|| {
        Failure::input("--smtp-url is missing: expected the address of the mail server")
    })?;
    let text = "This mail shows that Assay can send mail.\n".to_owned();
    let trial = Mail { to: address.clone(), subject: "A test of Assay".to_owned(), text };
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
    runtime.block_on(mailer.send(trial)).map_err(Failure::environment)?;
    output::print(format_args!("sent to {address}"));
    Ok(())
}
