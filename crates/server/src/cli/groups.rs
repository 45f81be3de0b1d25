//! The help of `assay` itself: its commands in groups, by what its user wants to do.

use std::fmt::Write as _;

use clap::CommandFactory as _;

use super::Cli;

/// What a user wants to do, and the commands for it.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Start", &["init", "serve"]),
    ("Project files", &["check", "compile", "decide", "schema", "import"]),
    (
        "A running server",
        &["login", "logout", "diff", "apply", "export", "project", "preview-link", "preview-links"],
    ),
    ("Experiments", &["plan", "results", "simulate", "events"]),
    ("People and programs", &["member", "application", "token", "tokens", "audit", "openapi"]),
    ("Operation", &["doctor", "ready", "backup", "restore", "mail", "completions", "man"]),
];

/// As much as stands beside the longest name in a hundred columns.
const WIDTH: usize = 80;

/// The command line. Its help lists commands in groups, which the parser itself does not know.
pub(crate) fn command() -> clap::Command {
    let command = unset_where_empty(Cli::command());
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n{}\n{{options}}\n\n\
         `assay help COMMAND` describes a command, with examples.\n",
        groups(&command)
    );
    command.help_template(template)
}

/// An environment variable that is set to nothing, as by `${VAR:-}` in a Compose file, is as good as none.
fn unset_where_empty(command: clap::Command) -> clap::Command {
    let unset = |argument: clap::Arg| {
        let value = argument.get_env().and_then(std::env::var_os);
        if value.is_some_and(|value| value.is_empty()) { argument.env(None) } else { argument }
    };
    command.mut_args(unset).mut_subcommands(unset_where_empty)
}

fn groups(command: &clap::Command) -> String {
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter().map(|name| name.len()));
    let width = names.max().unwrap_or_default();
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _infallible = writeln!(text, "\n{heading}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _infallible = writeln!(text, "  {name:width$}  {}", in_short(&about));
        }
    }
    text
}

/// What comes before the details, on one line.
fn in_short(about: &str) -> &str {
    let before = |text: &'_ str, end: &str| text.find(end).unwrap_or(text.len());
    let sentence = &about[..before(about, ". ").min(before(about, ": "))];
    if sentence.chars().count() <= WIDTH {
        return sentence.trim_end_matches('.');
    }
    &sentence[..before(sentence, ", ")]
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, command};

    #[test]
    fn each_command_is_in_one_group() {
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter()).collect();
        grouped.sort_unstable();

        let command = command();
        let mut all: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(grouped.into_iter().copied().collect::<Vec<_>>(), all);
    }

    #[test]
    fn the_help_fits_a_terminal() {
        for line in command().render_help().to_string().lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}
