//! Variables of the environment that look like settings of Assay and are none: typing errors.

use std::collections::BTreeSet;

use clap::{Arg, Command};

use crate::cli;

/// What all settings begin with.
const PREFIX: &str = "ASSAY_";

/// Variables that are read although no option has them; the last one is the arguments in a unit of systemd.
const WITHOUT_OPTION: [&str; 2] = ["ASSAY_LOG", "ASSAY_OPTIONS"];

/// The variables that have no effect, in order.
pub(crate) fn names() -> Vec<String> {
    let set = std::env::vars_os().filter(|(_, value)| !value.is_empty());
    let mut names: Vec<String> =
        unknown(set.filter_map(|(name, _)| name.into_string().ok())).collect();
    names.sort_unstable();
    names
}

fn unknown(set: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let mut known = BTreeSet::from(WITHOUT_OPTION.map(str::to_owned));
    add_known(&cli::command(), &mut known);
    set.filter(move |name| name.starts_with(PREFIX) && !known.contains(name) && !is_of_others(name))
}

/// The variables of a command's options and of those below it.
fn add_known(command: &Command, known: &mut BTreeSet<String>) {
    let names = command.get_arguments().filter_map(Arg::get_env);
    known.extend(names.filter_map(|name| name.to_str().map(str::to_owned)));
    for command in command.get_subcommands() {
        add_known(command, known);
    }
}

/// Kubernetes tells each pod of a service `assay` as `ASSAY_SERVICE_HOST` and `ASSAY_PORT_8080_TCP`. Secrets of applications are in variables
/// that the project file names.
fn is_of_others(name: &str) -> bool {
    let is_of_service = |part| matches!(part, "SERVICE" | "PORT");
    name.split('_').any(is_of_service) || name.ends_with("_SECRET")
}

#[cfg(test)]
mod tests {
    use super::unknown;

    #[test]
    fn only_mistyped_names_are_told() {
        let set = [
            "ASSAY_EVENT",
            "ASSAY_EVENTS",
            "ASSAY_LOG",
            "ASSAY_OPTIONS",
            "ASSAY_OIDC_CLIENT_SECRET_FILE",
            "ASSAY_TOKEN",
            "ASSAY_SERVICE_HOST",
            "ASSAY_COLLECT_PORT_8080_TCP_ADDR",
            "ASSAY_PORT",
            "ASSAY_REPORTS_SECRET",
            "PATH",
        ];

        let found: Vec<String> = unknown(set.into_iter().map(str::to_owned)).collect();

        assert_eq!(found, ["ASSAY_EVENT"]);
    }
}
