//! For tests: what a pass makes of a runtime of a few statements.

use oxc::allocator::Allocator;
use oxc::ast::ast::Program;
use oxc::codegen::Codegen;
use oxc::span::SourceType;

use super::parse;

/// The statements after a pass. Variables are told by the letters before their `$`. The member's code stays as it is.
pub(super) fn after(
    statements: &str,
    pass: impl for<'a> FnOnce(&'a Allocator, &mut Program<'a>),
) -> String {
    let source = format!("((code)=>{{{statements}}})([function(){{let x=1}}]);");
    let allocator = Allocator::default();
    let mut program = parse(&allocator, &source, SourceType::script()).unwrap();
    pass(&allocator, &mut program);
    let text = Codegen::new().build(&program).code;
    let text = without_numbers(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    let tail = " })([function() { let x = 1; }]);";
    let body = text.strip_prefix("((code) => { ").and_then(|rest| rest.strip_suffix(tail));
    body.expect("the member's code stays as it is").to_owned()
}

fn without_numbers(text: &str) -> String {
    let mut parts = text.split('$');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start_matches(|it: char| it.is_ascii_digit()))
}
