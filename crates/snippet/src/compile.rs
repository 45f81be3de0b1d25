//! Project in, snippet out.

use domain::Project;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::code;
use crate::config::{Config, revision_of, revision_of_hash};
use crate::deep_stack::{longest_text, on_deep_stack};
use crate::encode;
use crate::fault::CodeFault;
use crate::features::Features;
use crate::javascript::Printed;
use crate::program::Program;
use crate::seal::Charset;

/// A compiled project: one self-contained script.
#[derive(Debug, Clone)]
pub struct Snippet {
    /// The script.
    pub javascript: String,
    /// Its source map (JSON), for debugging; never delivered with it.
    pub source_map: String,
    /// The first 128 bits of the script's SHA-256 in hexadecimal: the name of its immutable address.
    pub hash: String,
}

impl Snippet {
    /// Its characters. Without a character beyond ASCII there is no difference.
    pub(crate) fn charset(&self) -> Charset {
        if self.javascript.is_ascii() { Charset::Ascii } else { Charset::Utf8 }
    }

    /// The script compressed with brotli.
    #[must_use]
    pub fn brotli(&self) -> Vec<u8> {
        encode::brotli(&self.javascript)
    }

    /// The script compressed with gzip.
    #[must_use]
    pub fn gzip(&self) -> Vec<u8> {
        encode::gzip(&self.javascript)
    }
}

/// Why a project could not be compiled.
#[derive(Debug, Error)]
pub enum CompileError {
    /// The member's code has faults; [`crate::check()`] reports them beforehand.
    #[error("the project's code has {} faults", .0.len())]
    Code(Vec<CodeFault>),
    /// The compiler refused its input: a fault of ours.
    #[error("compiler: {0}")]
    Internal(String),
}

/// Compiles the running campaigns of `project`. The same project always gives the same snippet.
///
/// # Errors
/// If the member's code does not parse.
pub fn compile(project: &Project) -> Result<Snippet, CompileError> {
    compile_for(project, Charset::Utf8)
}

/// The same with these characters: a server of [`Charset::Utf8`] must declare it.
///
/// # Errors
/// If the member's code does not parse.
pub fn compile_for(project: &Project, charset: Charset) -> Result<Snippet, CompileError> {
    compile_revision(project, revision_of(project), charset)
}

/// The same, where the SHA-256 of the project's document is known, in hexadecimal digits.
///
/// # Errors
/// If the member's code does not parse.
pub fn compile_written(project: &Project, document_hash: &str) -> Result<Snippet, CompileError> {
    compile_revision(project, revision_of_hash(document_hash), Charset::Utf8)
}

fn compile_revision(
    project: &Project,
    revision: String,
    charset: Charset,
) -> Result<Snippet, CompileError> {
    compiling(project, || compile_here(project, revision, charset))
}

/// Does this on a stack that suffices for the project's code.
pub(crate) fn compiling<T: Send>(
    project: &Project,
    work: impl FnOnce() -> Result<T, CompileError> + Send,
) -> Result<T, CompileError> {
    let done = on_deep_stack(longest_text(project), work);
    done.map_err(|error| CompileError::Internal(format!("no room for its thread: {error}")))?
}

fn compile_here(
    project: &Project,
    revision: String,
    charset: Charset,
) -> Result<Snippet, CompileError> {
    let faults = code::find_faults(project);
    if !faults.is_empty() {
        return Err(CompileError::Code(faults));
    }
    let used = project.in_use();
    let program = Program::of(&Config::of(&used, revision)).in_charset(charset);
    snippet_of(&program, &Features::of(&used)).map_err(|error| blame(&used, error))
}

/// The compiler could not write a program that browsers read. Where a piece of the member's code alone is enough for that, it is named.
fn blame(project: &Project, error: CompileError) -> CompileError {
    let faults: Vec<CodeFault> = project.code().iter().filter_map(code::unwritable).collect();
    if faults.is_empty() { error } else { CompileError::Code(faults) }
}

/// The snippet that a whole program becomes.
pub(crate) fn snippet_of(program: &Program, features: &Features) -> Result<Snippet, CompileError> {
    let Printed { text, source_map } = program.minify(features)?;
    Ok(Snippet { hash: hash(&text), javascript: text, source_map })
}

fn hash(text: &str) -> String {
    hex::encode(&Sha256::digest(text)[..16])
}
