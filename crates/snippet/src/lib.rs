//! Compiles a project into one JavaScript file, the snippet.
//!
//! [`compile()`] takes the in-page runtime (`runtime/src`, embedded), the project's data and the member's own code, drops every
//! feature the project does not use, minifies and compresses. [`check()`] reports faults in the member's code beforehand.
//! Everything that knows the JavaScript compiler (oxc) is in `javascript.rs`, `link.rs`, `code.rs`, `newer_syntax.rs`, `depth.rs`, `seal.rs`, `regex.rs` and `fault.rs`; none of its
//! types is public.

mod bulk;
mod code;
mod compile;
mod config;
mod deep_stack;
mod delta;
mod depth;
mod editor;
mod encode;
mod fault;
mod features;
mod javascript;
mod link;
mod literal;
mod newer_syntax;
mod preview;
mod program;
mod regex;
mod report;
mod runtime;
mod seal;

pub use code::{check, check_function_body, find_newer_syntax};
pub use compile::{CompileError, Snippet, compile, compile_for, compile_written};
pub use delta::{Delta, delta};
pub use editor::{Editing, compile_editor};
pub use fault::CodeFault;
pub use preview::{Offer, compile_preview};
pub use report::{Bytes, Report, Share, report};
pub use seal::Charset;
