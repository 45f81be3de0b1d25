//! A thread whose stack no code can overflow: oxc reads, rewrites and prints by recursion, and an overflow would end the whole process.
//!
//! Its size is for the worst that a text of so many bytes can be, so that nothing rests on [`crate::depth`] having refused it before:
//! without a limit, an opening bracket for each byte. Memory is taken only for what is touched, and given back when the work is done.

use std::io;
use std::panic::resume_unwind;
use std::thread;

use domain::Project;

/// What oxc takes for our own runtime and what is around the member's code; measured, it is less than 2 MiB.
const BASE_BYTES: usize = 16 * 1024 * 1024 * BUILD;

/// What each byte of a text can take: `(` and `[` take the most, 1,630 bytes in the parser. Flat code that the minifier nests
/// (`a=[b];c=[a];…`) takes a tenth of that.
const BYTES_PER_BYTE: usize = 2 * 1024 * BUILD;

/// Without optimizations frames are several times as large.
const BUILD: usize = if cfg!(debug_assertions) { 12 } else { 1 };

/// Does work that recurses over code, none of whose texts is longer than `longest` bytes.
///
/// # Errors
/// If the machine has no room for the thread.
pub(crate) fn on_deep_stack<T: Send>(
    longest: usize,
    work: impl FnOnce() -> T + Send,
) -> io::Result<T> {
    let size = BASE_BYTES.saturating_add(longest.saturating_mul(BYTES_PER_BYTE));
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("compiler".to_owned()).stack_size(size);
        let worker = builder.spawn_scoped(scope, work)?;
        Ok(worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// The bytes of the project's longest text of code.
pub(crate) fn longest_text(project: &Project) -> usize {
    let code = project.code().into_iter().map(|code| code.text.len());
    code.chain(project.regexes().iter().map(|regex| regex.text.len())).max().unwrap_or_default()
}
