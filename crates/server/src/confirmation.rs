//! Asks the operator before something is done that cannot be taken back, or that others notice.

use std::io::{self, IsTerminal as _, Write as _};

/// The operator's answer to what would happen; without a terminal, no.
pub(crate) fn is_confirmed(what: &str) -> bool {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return false;
    }
    let mut terminal = io::stderr();
    let is_asked = write!(terminal, "{what} Continue? [y/N] ").and_then(|()| terminal.flush());
    let mut answer = String::new();
    is_asked.is_ok()
        && io::stdin().read_line(&mut answer).is_ok()
        && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
