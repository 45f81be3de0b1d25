//! Checks the member's own code before it goes into a snippet: JavaScript function bodies and regular expressions.
//!
//! It is also the barrier against injection. A body is read in the very place where the snippet will have it: as the body of a sloppy
//! function with the parameter that its role is given. It is accepted only if that function ends where the body does, so no body can
//! close the function it is put into, and none can break the snippet around it.

use std::fmt::Write as _;
use std::io;

use domain::limits::MAX_TEXT_BYTES;
use domain::{Code, CodeRole, Pointer, Project};
use oxc::allocator::Allocator;
use oxc::ast::ast::{Expression, Program, Statement};
use oxc::ast_visit::Visit;
use oxc::diagnostics::{Diagnostics, OxcDiagnostic};
use oxc::parser::{ParseOptions, Parser};
use oxc::semantic::SemanticBuilder;
use oxc::span::{GetSpan as _, SourceType, Span};

use crate::deep_stack::{longest_text, on_deep_stack};
use crate::depth::{self, LEVELS_AT_MOST};
use crate::fault::{CodeFault, fault};
use crate::javascript;
use crate::newer_syntax::NewerSyntax;
use crate::regex;
use crate::seal::Charset;

/// Everything that is wrong with the project's code and regular expressions; empty if nothing is.
#[must_use]
pub fn check(project: &Project) -> Vec<CodeFault> {
    let longest = longest_text(project);
    if longest == 0 {
        return Vec::new();
    }
    on_deep_stack(longest, || find_faults(project)).unwrap_or_else(|error| vec![unread(&error)])
}

/// Syntax of the project's sound code that some browsers do not know in which the snippet works otherwise.
#[must_use]
pub fn find_newer_syntax(project: &Project) -> Vec<CodeFault> {
    let longest = longest_text(project);
    if longest == 0 {
        return Vec::new();
    }
    let find = || {
        let code = project.code().into_iter();
        code.flat_map(|code| newer_syntax(&code.pointer, code.role, code.text)).collect()
    };
    on_deep_stack(longest, find).unwrap_or_default()
}

/// What is wrong with a text alone, as a function body that is no part of a project yet.
#[must_use]
pub fn check_function_body(body: &str) -> Vec<CodeFault> {
    if body.len() > MAX_TEXT_BYTES {
        let message =
            format!("the text has {} bytes, expected {MAX_TEXT_BYTES} at most", body.len());
        return vec![fault_of_whole(message)];
    }
    // No role's parameter makes a body wrong or right.
    let check = || check_body(&Pointer::root(), CodeRole::Change, body);
    on_deep_stack(body.len(), check).unwrap_or_else(|error| vec![unread(&error)])
}

/// The same as [`check`], for a thread that has such a stack.
pub(crate) fn find_faults(project: &Project) -> Vec<CodeFault> {
    let code = project.code().into_iter();
    let code = code.flat_map(|code| check_body(&code.pointer, code.role, code.text));
    let patterns = project.regexes();
    let patterns = patterns.iter().filter_map(|regex| regex::check(&regex.pointer, regex.text));
    code.chain(patterns).collect()
}

/// No code passes unread.
fn unread(error: &io::Error) -> CodeFault {
    fault_of_whole(format!("the machine has no room to check the code: {error}"))
}

fn fault_of_whole(message: String) -> CodeFault {
    CodeFault { pointer: Pointer::root(), line: 1, column: 1, message, hint: None }
}

/// The parameter name of a body of this role; empty without one.
fn parameter(role: CodeRole) -> &'static str {
    match role {
        CodeRole::ActivationCallback => "activate",
        CodeRole::Integration => "decision",
        CodeRole::ProjectJavascript
        | CodeRole::ActivationPolling
        | CodeRole::Condition
        | CodeRole::Destination
        | CodeRole::Locator
        | CodeRole::Change => "",
    }
}

/// Writes the function that a body becomes: what [`check`] reads and what the snippet gets. The line break ends a trailing comment.
pub(crate) fn write_function(to: &mut String, role: CodeRole, body: &str) {
    let parameter = parameter(role);
    write!(to, "function({parameter}){{{body}\n}}").expect("writing to a string");
}

/// What is wrong with a sound body if the compiler writes it so that it cannot be read again: a fault of the compiler's that its author
/// can write around.
pub(crate) fn unwritable(code: &Code<'_>) -> Option<CodeFault> {
    let mut text = "a=".to_owned();
    write_function(&mut text, code.role, code.text);
    let error = javascript::minify(&text, &[], Charset::Ascii).err()?;
    Some(CodeFault {
        pointer: code.pointer.clone(),
        line: 1,
        column: 1,
        message: format!("the compiler cannot write this code: {error}"),
        hint: Some("write it in another way, and report it to us".to_owned()),
    })
}

/// The function that a body becomes, alone in a script, and where the body begins in it.
fn script_of(role: CodeRole, body: &str) -> (String, usize) {
    let mut text = String::with_capacity(body.len() + 32);
    text.push('(');
    write_function(&mut text, role, body);
    text.push_str(");");
    let start = text.find('{').map_or(0, |brace| brace + 1);
    (text, start)
}

fn newer_syntax(pointer: &Pointer, role: CodeRole, body: &str) -> Vec<CodeFault> {
    let (text, start) = script_of(role, body);
    let place = BodyLocation { pointer, body, start };
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, &text, SourceType::script()).parse();
    let recent = NewerSyntax::of(&parsed.program).recent;
    let hint = "they drop the whole snippet: write it in another way, or have a build lower it";
    recent.into_iter().map(|diagnostic| place.fault(&diagnostic.with_help(hint))).collect()
}

/// Reads a body as the snippet will have it.
fn check_body(pointer: &Pointer, role: CodeRole, body: &str) -> Vec<CodeFault> {
    let (text, start) = script_of(role, body);
    let place = BodyLocation { pointer, body, start };
    if let Some(at) = depth::too_many_brackets(body) {
        let at = u32::try_from(start + at).unwrap_or(u32::MAX);
        return vec![place.too_deep(Span::empty(at))];
    }
    let allocator = Allocator::default();
    let options = ParseOptions { parse_regular_expression: true, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, &text, SourceType::script()).with_options(options).parse();
    if parsed.diagnostics.has_errors() {
        return place.faults(&parsed.diagnostics);
    }
    if let Some(span) = depth::too_deep(&parsed.program) {
        return vec![place.too_deep(span)];
    }
    if let Err(end) = is_one_function(&parsed.program, start + body.len() + 1) {
        let label = Span::new(end, end + 1);
        let message = "this brace closes the function that the code is the body of";
        return vec![place.fault(&OxcDiagnostic::error(message).with_label(label))];
    }
    let unknown = NewerSyntax::of(&parsed.program).unknown;
    if !unknown.is_empty() {
        return unknown.iter().map(|diagnostic| place.fault(diagnostic)).collect();
    }
    let semantic =
        SemanticBuilder::new_compiler().with_check_syntax_error(true).build(&parsed.program);
    place.faults(&semantic.diagnostics)
}

/// Whether the program is one function that ends with the brace at `end`; else where it ends.
fn is_one_function(program: &Program<'_>, end: usize) -> Result<(), u32> {
    let [Statement::ExpressionStatement(statement)] = program.body.as_slice() else {
        return Err(first_function_end(program));
    };
    let whole = statement.expression.without_parentheses();
    let is_function = matches!(whole, Expression::FunctionExpression(_));
    let is_whole =
        program.directives.is_empty() && is_function && whole.span().end as usize == end + 1;
    if is_whole { Ok(()) } else { Err(first_function_end(program)) }
}

/// Where the function that begins the program ends: its closing brace.
fn first_function_end(program: &Program<'_>) -> u32 {
    struct First(Option<Span>);
    impl<'a> Visit<'a> for First {
        fn visit_function_body(&mut self, body: &oxc::ast::ast::FunctionBody<'a>) {
            if self.0.is_none() {
                self.0 = Some(body.span());
            }
        }
    }
    let mut first = First(None);
    first.visit_program(program);
    first.0.map_or(0, |span| span.end.saturating_sub(1))
}

/// Where a body stands, in the document and in the text that is read.
struct BodyLocation<'p> {
    pointer: &'p Pointer,
    body: &'p str,
    /// Where the body begins in the text that is read.
    start: usize,
}

impl BodyLocation<'_> {
    fn faults(&self, diagnostics: &Diagnostics) -> Vec<CodeFault> {
        diagnostics.errors().map(|diagnostic| self.fault(diagnostic)).collect()
    }

    fn too_deep(&self, span: Span) -> CodeFault {
        let message = format!("the code is nested more than {LEVELS_AT_MOST} levels deep");
        let hint = "a bracket, an operator, a call or an `else if` inside another one is a level: split the code into several statements or functions";
        self.fault(&OxcDiagnostic::error(message).with_help(hint).with_label(span))
    }

    fn fault(&self, diagnostic: &OxcDiagnostic) -> CodeFault {
        fault(self.pointer, self.body, self.start, diagnostic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(text: &str) -> Vec<String> {
        check_as(CodeRole::Change, text)
    }

    fn check_as(role: CodeRole, text: &str) -> Vec<String> {
        check_body(&Pointer::root(), role, text)
            .into_iter()
            .map(|fault| format!("{}:{} {}", fault.line, fault.column, fault.message))
            .collect()
    }

    #[test]
    fn function_bodies_may_return_and_use_sloppy_mode() {
        let bodies = [
            "return 1",
            "with (document) title = 'x'",
            "var await = 1; return await",
            "",
            "'use strict'; return this",
            "return new.target || arguments[0]",
            "// a comment",
            "<!-- an old comment",
            "var a\n--> another",
            "if (a) { b() } else { c() }",
            "class activate {}",
        ];
        for text in bodies {
            assert_eq!(check_text(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn fault_is_placed_by_line_and_code_point() {
        assert_eq!(check_text("var é = '€';\nif (a {"), ["2:7 Expected `)` but found `{`"]);
        assert_eq!(check_text("é('€'); if (a {"), ["1:15 Expected `)` but found `{`"]);
    }

    #[test]
    fn code_that_leaves_its_function_is_refused_where_it_leaves() {
        let leaving = [
            ("return 1; }); alert(1); (function(){", "1:11"),
            ("}\n), (function(){", "1:1"),
            ("a()\n}, function(){", "2:1"),
            ("if (a) { b() } }, function(){ c()", "1:16"),
            ("/* } */ }, function(){ /* */", "1:9"),
        ];
        for (text, place) in leaving {
            let faults = check_text(text);
            assert!(
                faults.first().is_some_and(|fault| fault.starts_with(place)),
                "{text}: {faults:?}"
            );
        }
    }

    #[test]
    fn code_that_is_wrong_only_where_it_stands_is_refused() {
        for text in [
            "--> x",
            "#!x",
            "super.x()",
            "import.meta",
            "await x",
            "yield\nimport 'x'",
            "a(`",
            "/*",
        ] {
            assert_ne!(check_text(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_a_body_is_given_cannot_be_declared_again() {
        for text in ["class activate {}", "let activate = 1", "const {activate} = {}"] {
            assert_ne!(
                check_as(CodeRole::ActivationCallback, text),
                Vec::<String>::new(),
                "{text}"
            );
        }
        let text = "var activate; { let activate }";
        assert_eq!(check_as(CodeRole::ActivationCallback, text), Vec::<String>::new());
    }

    #[test]
    fn redeclared_names_and_bad_regular_expressions_are_faults() {
        assert_ne!(check_text("let a = 1; let a = 2"), Vec::<String>::new());
        assert_ne!(check_text("return /(/"), Vec::<String>::new());
    }

    #[test]
    fn syntax_that_browsers_do_not_know_is_a_fault() {
        for text in ["@a class B {}", "{ using a = b }", "import.defer('x')"] {
            assert_ne!(check_text(text), Vec::<String>::new(), "{text}");
        }
    }
}
