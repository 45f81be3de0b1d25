//! A member's JavaScript is checked while they write it, before it is part of a draft.

use domain::ProjectId;
use snippet::check_function_body;

use crate::App;
use crate::computation::compute;
use crate::drafts::ReadError;
use crate::roles::{Actor, Permission};
use crate::{dto, request};

/// A text of a document, with escapes for each of its characters.
pub const CODE_BYTES_AT_MOST: usize = 512 * 1024;

request! {
    /// A piece of code to check.
    pub struct CodeCheckRequest: "code_to_check" {
        /// The body of a JavaScript function, as a change, a condition or a project has it.
        code: String,
    }
}

dto! {
    /// What is wrong with a piece of code.
    pub struct CheckedCodeDto: "checked_code" {
        /// Its faults in the order in which the compiler found them; none if the code can be saved.
        faults: Vec<CodeFaultDto>,
    }

    /// A fault in code.
    pub struct CodeFaultDto: "code_fault" {
        /// The line, from 1.
        line: u32,
        /// The column in that line, in Unicode code points from 1.
        column: u32,
        /// What is wrong.
        detail: String,
        /// What would be right, if Assay knows it.
        hint: Option<String>,
    }
}

/// What is wrong with a function body; nothing is stored.
///
/// # Errors
/// If there is no such project, or the actor may not edit it.
pub async fn check_code(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    code: String,
) -> Result<CheckedCodeDto, ReadError> {
    actor.require(app, Some(project), Permission::WriteDraft).await?;
    app.store().find_project(project).await?.ok_or(ReadError::UnknownProject)?;
    // A long text takes milliseconds.
    let checked = compute("check_code", move || check_function_body(&code)).await;
    let faults = checked?.into_iter().map(|fault| CodeFaultDto {
        line: fault.line,
        column: fault.column,
        detail: fault.message,
        hint: fault.hint,
    });
    Ok(CheckedCodeDto { faults: faults.collect() })
}
