//! The snippet behind the link of a member who edits a variation in the page: a preview of that variation without its changes, and the
//! editor (`runtime/src/editor`), which gets them as the document has them.

use std::sync::Arc;

use domain::{Project, Variation, VariationId};
use serde_json::{Value, json};

use crate::code;
use crate::compile::{CompileError, Snippet, compiling, snippet_of};
use crate::config::Config;
use crate::features::Features;
use crate::preview::shown;
use crate::program::Program;

/// What the editor is told: `EditingConfig` in `runtime/src/project/config.ts`.
#[derive(Debug, Clone)]
pub struct Editing {
    /// The edited variation.
    pub variation: VariationId,
    /// What people call it.
    pub title: String,
    /// The console's origin.
    pub console: String,
    /// The site's origin.
    pub site: String,
    /// What the editor and the console's window know each other by.
    pub nonce: String,
    /// Whether the member may write custom code.
    pub may_write_code: bool,
    /// The variation's changes, as the document has them.
    pub changes: Value,
}

impl Editing {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "variation": self.variation.get(),
            "title": self.title,
            "console": self.console,
            "site": self.site,
            "nonce": self.nonce,
            "mayWriteCode": self.may_write_code,
            "changes": self.changes,
        })
    }
}

/// Compiles the running campaigns of `project` and the edited variation, with the editor.
///
/// # Errors
/// If the member's code does not parse.
pub fn compile_editor(project: &Project, editing: &Editing) -> Result<Snippet, CompileError> {
    compiling(project, || compile_here(project, editing))
}

fn compile_here(project: &Project, editing: &Editing) -> Result<Snippet, CompileError> {
    let mut shown = shown(project, &[editing.variation]);
    for variation in variations_of(&mut shown, editing.variation) {
        variation.changes = Vec::new();
    }
    let faults = code::find_faults(&shown);
    if !faults.is_empty() {
        return Err(CompileError::Code(faults));
    }
    let used = shown.in_use();
    let program = Program::of_editor(&Config::of_editor(&used, editing));
    snippet_of(&program, &Features::of_editor(&used))
}

fn variations_of(project: &mut Project, id: VariationId) -> impl Iterator<Item = &mut Variation> {
    let campaigns = project.campaigns.iter_mut().map(Arc::make_mut);
    let experiments = campaigns.flat_map(|campaign| &mut campaign.experiments);
    let variations = experiments.flat_map(|experiment| &mut experiment.variations);
    variations.filter(move |variation| variation.id == id)
}
