//! The end of projects.

use crate::statements::statements;

statements! {
    /// A transaction that adds a row which refers to the project has committed before this answers, or finds no project afterwards.
    HOLD_PROJECT = "SELECT id FROM project WHERE id = $1 FOR UPDATE";
}
