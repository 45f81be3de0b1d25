//! The binary: reads the command line, wires everything together, answers with an exit code. `cli.rs` says what can be asked;
//! each answer is a file in `commands/`.

mod authorities;
mod cli;
mod clock;
mod commands;
mod confirmation;
mod credentials;
mod data_place;
mod demo;
mod entropy;
mod event_files;
mod event_room;
mod event_sink;
mod failure;
mod failure_log;
mod going_live;
mod greeting;
mod identity_provider;
mod installations;
mod interruption;
mod links;
mod logging;
mod monitoring;
mod object_storage;
mod offline;
mod opening;
mod output;
mod project_file;
mod proxies;
mod ready_file;
mod remote;
mod schedules;
mod sealing;
mod secret_file;
mod serving;
mod smtp;
mod traces;
mod unknown_settings;
mod watch;
mod webhook_sender;
mod webhooks;
mod whole_file;

use std::process::ExitCode;

use clap::FromArgMatches as _;
use mimalloc::MiMalloc;

use crate::cli::{Cli, Command, TokensCommand};
use crate::failure::Failure;

/// Large documents are read into many small pieces and dropped again: the system's allocator takes twice as long for it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // To read the command line and the settings takes longer than what sends SIGHUP to every server waits.
    if std::env::args_os().nth(1).is_some_and(|command| command == "serve") {
        serving::outlive_hang_ups();
    }
    let read = cli::command().try_get_matches();
    let cli = match read.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return refused(&error),
    };
    let done = run(cli.command);
    // A command whose exit code is an answer has told nothing if its text is lost.
    let done = match (done, output::finish()) {
        (Ok(()) | Err(Failure::AlreadyReported), Err(unwritten)) => Err(unwritten),
        (done, _) => done,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::AlreadyReported) {
                output::complain(&failure);
            }
            failure.exit_code()
        }
    }
}

/// Help and versions come here, too.
fn refused(error: &clap::Error) -> ExitCode {
    let Some(number) = data_place::exit_number(error) else { error.exit() };
    // There is no other place to report that standard error is closed.
    let _told = error.print();
    ExitCode::from(number)
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(arguments) => commands::serve::run(*arguments),
        Command::Init(arguments) => commands::init::run(&arguments),
        Command::Compile(arguments) => commands::compile::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Schema => {
            commands::schema::run();
            Ok(())
        }
        Command::Openapi => {
            commands::openapi::run();
            Ok(())
        }
        Command::Decide(arguments) => commands::decide::run(arguments),
        Command::Results(arguments) => commands::results::run(&arguments),
        Command::Plan(arguments) => commands::plan::run(&arguments),
        Command::Simulate(arguments) => commands::simulate::run(&arguments),
        Command::Import(arguments) => commands::import::run(&arguments),
        Command::Login(arguments) => commands::login::login(&arguments),
        Command::Logout(arguments) => commands::login::logout(&arguments),
        Command::Diff(arguments) => commands::apply::diff(&arguments),
        Command::Apply(arguments) => commands::apply::apply(&arguments),
        Command::Export(arguments) => commands::export::run(&arguments),
        Command::Project(command) => commands::project::run(&command),
        Command::PreviewLinks(command) => commands::preview_links::run(&command),
        Command::PreviewLink(arguments) => commands::preview_link::run(&arguments),
        Command::Mail(command) => commands::mail::run(&command),
        Command::Member(command) => commands::member::run(&command),
        Command::Application(command) => commands::application::run(&command),
        Command::Audit(arguments) => commands::audit::run(&arguments),
        Command::Token(command) => commands::token::run(&command),
        Command::Tokens(TokensCommand::EndAll(arguments)) => commands::tokens::end_all(&arguments),
        Command::Events(command) => commands::events::run(&command),
        Command::Doctor(arguments) => commands::doctor::run(&arguments),
        Command::Ready(arguments) => commands::ready::run(&arguments),
        Command::Completions(arguments) => {
            commands::manual::completions(&arguments);
            Ok(())
        }
        Command::Man(arguments) => commands::manual::pages(&arguments),
        Command::Backup(arguments) => commands::backup::run(&arguments),
        Command::Restore(arguments) => commands::restore::run(&arguments),
    }
}
