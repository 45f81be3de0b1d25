//! Who signs changes that neither a member nor a service made. No service takes such a name.

/// A command on the data.
pub(crate) const COMMAND_LINE: &str = "command line";

/// `serve --demo`.
pub const DEMO: &str = "demo";

/// `serve FILE`.
pub(crate) const PROJECT_FILE: &str = "project file";

/// A moment that was set beforehand.
pub(crate) const SCHEDULE: &str = "schedule";

/// `serve --seed FILE`.
pub const SEED: &str = "seed";

/// Whether a name is one of these, however it is written.
pub(crate) fn is_own(name: &str) -> bool {
    let own = [COMMAND_LINE, DEMO, PROJECT_FILE, SCHEDULE, SEED];
    own.iter().any(|own| own.eq_ignore_ascii_case(name))
}
