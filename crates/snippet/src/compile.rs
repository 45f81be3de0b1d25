//! Project in, snippet out.

use std::fmt::Write as _;

use domain::Project;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::code;
use crate::config::{Config, MemberFunction, revision_of};
use crate::fault::CodeFault;
use crate::literal::CODE_LIST;
use crate::{encode, features, javascript, runtime};

/// A compiled project: one self-contained script.
#[derive(Debug, Clone)]
pub struct Snippet {
    /// The script.
    pub javascript: String,
    /// Its source map (JSON), for whoever debugs it; never delivered with it.
    pub source_map: String,
    /// The first 128 bits of the script's SHA-256 in hexadecimal: the name of its immutable address.
    pub hash: String,
}

impl Snippet {
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
    /// The member's code has faults; [`crate::check()`] tells them beforehand.
    #[error("the project's code has {} faults", .0.len())]
    Code(Vec<CodeFault>),
    /// The compiler refused what it was given: a fault of ours.
    #[error("compiler: {0}")]
    Internal(String),
}

/// Compiles what is running in `project`. The same project always gives the same snippet.
///
/// # Errors
/// If the member's code does not parse.
pub fn compile(project: &Project) -> Result<Snippet, CompileError> {
    let faults = code::check(project);
    if !faults.is_empty() {
        return Err(CompileError::Code(faults));
    }
    let used = project.in_use();
    let config = Config::of(&used, revision_of(project));
    let program = assemble(&config.constants(), &config.code);
    snippet_of(&program, &features::constants(&used))
}

/// The snippet that a whole program becomes.
pub(crate) fn snippet_of(
    program: &str,
    constants: &[(&'static str, bool)],
) -> Result<Snippet, CompileError> {
    let printed = javascript::minify(program, constants).map_err(CompileError::Internal)?;
    Ok(Snippet {
        hash: hash(&printed.text),
        javascript: printed.text,
        source_map: printed.source_map,
    })
}

/// The whole program before it is minified.
///
/// The member's functions are handed in from outside the runtime's scope: they see the page's globals, not our names. All of it is
/// sloppy code, as in any script: the member's because it may rely on that, ours because it then never throws where a page has frozen
/// something.
pub(crate) fn assemble(constants: &str, code: &[MemberFunction<'_>]) -> String {
    let runtime = runtime::linked();
    let mut program = String::with_capacity(runtime.len() + constants.len() + 256);
    writeln!(program, "(function({CODE_LIST}){{\n{constants}\n{runtime}\n}})([")
        .expect("writing to a string");
    for MemberFunction { parameter, body } in code {
        // The line break ends a trailing comment.
        writeln!(program, "function({parameter}){{{body}\n}},").expect("writing to a string");
    }
    program.push_str("]);");
    program
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(16).fold(String::with_capacity(32), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string");
        hex
    })
}
