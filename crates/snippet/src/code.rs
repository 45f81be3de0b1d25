//! Checks the member's own code before it goes into a snippet: JavaScript function bodies and regular expressions.
//!
//! It is also the barrier against injection: code is accepted only if it parses alone, so no body can close the function it is put
//! into.

use domain::{Pointer, Project};
use oxc::allocator::Allocator;
use oxc::diagnostics::Diagnostics;
use oxc::parser::{ParseOptions, Parser};
use oxc::semantic::SemanticBuilder;
use oxc::span::SourceType;

use crate::fault::{CodeFault, fault};
use crate::regex;

/// Everything that is wrong with the project's code and regular expressions; empty if nothing is.
#[must_use]
pub fn check(project: &Project) -> Vec<CodeFault> {
    let code = project.code().into_iter().flat_map(|code| check_body(&code.pointer, code.text));
    let patterns = project.regexes();
    let patterns = patterns.iter().filter_map(|regex| regex::check(&regex.pointer, regex.text));
    code.chain(patterns).collect()
}

/// Parses a function body as sloppy script code, the way the snippet will run it.
fn check_body(pointer: &Pointer, text: &str) -> Vec<CodeFault> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, text, SourceType::script()).with_options(options).parse();
    if parsed.diagnostics.has_errors() {
        return faults(pointer, text, &parsed.diagnostics);
    }
    let semantic =
        SemanticBuilder::new_compiler().with_check_syntax_error(true).build(&parsed.program);
    faults(pointer, text, &semantic.diagnostics)
}

fn faults(pointer: &Pointer, text: &str, diagnostics: &Diagnostics) -> Vec<CodeFault> {
    diagnostics.errors().map(|diagnostic| fault(pointer, text, diagnostic)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(text: &str) -> Vec<String> {
        check_body(&Pointer::root(), text)
            .into_iter()
            .map(|fault| format!("{}:{} {}", fault.line, fault.column, fault.message))
            .collect()
    }

    #[test]
    fn function_bodies_may_return_and_use_sloppy_mode() {
        for text in ["return 1", "with (document) title = 'x'", "var await = 1; return await", ""] {
            assert_eq!(check_text(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn fault_is_placed_by_line_and_code_point() {
        assert_eq!(check_text("var é = '€';\nif (a {"), ["2:7 Expected `)` but found `{`"]);
    }

    #[test]
    fn code_that_closes_its_function_is_refused() {
        assert_ne!(check_text("return 1; }); alert(1); (function(){"), Vec::<String>::new());
    }

    #[test]
    fn redeclared_names_and_bad_regular_expressions_are_faults() {
        assert_ne!(check_text("let a = 1; let a = 2"), Vec::<String>::new());
        assert_ne!(check_text("return /(/"), Vec::<String>::new());
    }
}
