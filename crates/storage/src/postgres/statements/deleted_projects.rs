//! The end of projects.

use crate::statements::statements;

statements! {
    /// Whoever adds a row that refers to the project has committed before this answers, or finds no project afterwards.
    HOLD_PROJECT = "SELECT id FROM project WHERE id = $1 FOR UPDATE";
}
