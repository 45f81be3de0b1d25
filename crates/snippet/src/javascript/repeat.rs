//! Short functions that are used a few times stand in each place of their use: what is repeated costs compression next to nothing, a name and
//! a declaration cost more.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a syntax tree has many kinds of nodes, and most stay as they are"
)]

use std::collections::HashMap;

use oxc::allocator::{Allocator, CloneIn as _};
use oxc::ast::AstKind;
use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingIdentifier, Expression, IdentifierReference,
    Program, Statement,
};
use oxc::ast_visit::{Visit, VisitMut, walk_mut};
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::semantic::{Scoping, Semantic, SemanticBuilder, SymbolId};
use oxc::span::GetSpan as _;

use super::inline::{
    is_called_for_each, may_be_another_each_time, runtime_of, runtime_of_mut, take, unique_names,
};
use super::reduce::{reduce, replacements};

/// How many characters a function may have that is used so many times, with names of one letter: as trials with the projects of
/// `bench/snippet-bytes` gave the fewest bytes.
const LENGTHS_MAX: [usize; 4] = [0, 0, 80, 40];

/// Puts short functions of the runtime in the places of their use. `false` if there are none. Those that contain others are left for the next
/// time.
pub(super) fn repeat<'a>(allocator: &'a Allocator, program: &mut Program<'a>) -> bool {
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(program).semantic;
    let names = runtime_of(program).map(|runtime| short(runtime, &semantic));
    let scoping = semantic.into_scoping();
    let (Some(names), Some(runtime)) = (names, runtime_of_mut(program)) else { return false };
    if names.is_empty() {
        return false;
    }
    unique_names(runtime, &scoping, allocator);
    let ArrowFunctionBody::FunctionBody(body) = &mut runtime.body else { return false };
    let functions = take(body, &names, allocator);
    Repeater { allocator, scoping: &scoping, functions }.visit_function_body(body);
    true
}

/// The names of the functions to repeat. None contains another.
fn short(runtime: &ArrowFunctionExpression<'_>, semantic: &Semantic<'_>) -> Vec<SymbolId> {
    let ArrowFunctionBody::FunctionBody(body) = &runtime.body else { return Vec::new() };
    let declarators = body.statements.iter().filter_map(|statement| match statement {
        Statement::VariableDeclaration(declaration) => Some(&declaration.declarations),
        _ => None,
    });
    let (mut names, mut mentioned) = (Vec::new(), Vec::new());
    for declarator in declarators.flatten() {
        let Some(name) = declarator.id.get_binding_identifier() else { continue };
        let Some(Expression::ArrowFunctionExpression(function)) = &declarator.init else {
            continue;
        };
        let name_of_it = name.symbol_id();
        if is_called_for_each(&name.name) || mentioned.contains(&name_of_it) {
            continue;
        }
        let mentions = Names::of(function, semantic.scoping()).symbols;
        if !mentions.iter().any(|symbol| *symbol == name_of_it || names.contains(symbol))
            && is_repeatable(name_of_it, function, semantic)
        {
            names.push(name_of_it);
            mentioned.extend(mentions);
        }
    }
    names
}

fn is_repeatable(
    name: SymbolId,
    function: &ArrowFunctionExpression<'_>,
    semantic: &Semantic<'_>,
) -> bool {
    let scoping = semantic.scoping();
    let references = scoping.get_resolved_reference_ids(name);
    let Some(length_max) = LENGTHS_MAX.get(references.len()) else { return false };
    if length(function, scoping).is_none_or(|length| length > *length_max) {
        return false;
    }
    references.iter().all(|reference| {
        let use_of_it = scoping.get_reference(*reference).node_id();
        let span = semantic.nodes().kind(use_of_it).span();
        match semantic.nodes().parent_kind(use_of_it) {
            AstKind::CallExpression(call) if call.callee.span() == span => {
                !call.optional && replacements(function, &call.arguments, scoping).is_some()
            }
            _ => may_be_another_each_time(use_of_it, semantic),
        }
    })
}

/// The characters of what the function returns once its variables have short names; `None` if it does more.
fn length(function: &ArrowFunctionExpression<'_>, scoping: &Scoping) -> Option<usize> {
    let mut codegen = Codegen::new().with_options(CodegenOptions::minify());
    codegen.print_expression(function.body.as_expression()?);
    let spare = Names::of(function, scoping).spare;
    Some(codegen.into_source_text().len().saturating_sub(spare))
}

/// The variables that a function uses.
struct Names<'s> {
    scoping: &'s Scoping,
    symbols: Vec<SymbolId>,
    /// How many characters one letter for each name would save.
    spare: usize,
}

impl<'s> Names<'s> {
    fn of(function: &ArrowFunctionExpression<'_>, scoping: &'s Scoping) -> Self {
        let mut names = Self { scoping, symbols: Vec::new(), spare: 0 };
        names.visit_arrow_function_expression(function);
        names
    }
}

impl<'a> Visit<'a> for Names<'_> {
    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.spare += it.name.len() - 1;
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        if let Some(symbol) = self.scoping.get_reference(it.reference_id()).symbol_id() {
            self.symbols.push(symbol);
            self.spare += it.name.len() - 1;
        }
    }
}

struct Repeater<'s, 'a> {
    allocator: &'a Allocator,
    scoping: &'s Scoping,
    functions: HashMap<SymbolId, Expression<'a>>,
}

impl<'a> VisitMut<'a> for Repeater<'_, 'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if let Expression::Identifier(name) = it
            && let Some(symbol) = self.scoping.get_reference(name.reference_id()).symbol_id()
            && let Some(function) = self.functions.get(&symbol)
        {
            *it = function.clone_in_with_semantic_ids(self.allocator);
            return;
        }
        walk_mut::walk_expression(self, it);
        reduce(it, self.scoping, self.allocator);
    }
}

#[cfg(test)]
mod tests {
    use super::super::statements::after;
    use super::repeat;

    fn repeated(statements: &str) -> String {
        after(statements, |allocator, program| while repeat(allocator, program) {})
    }

    #[test]
    fn short_function_stands_where_it_is_used() {
        for (statements, expected) in [
            ("let n = 1, a = () => n || g; f(a(), h(a()));", "let n = 1; f(n || g, h(n || g));"),
            ("let n = 1, a = x => x.id; f(a(n)); h(a(g()));", "let n = 1; f(n.id); h(g().id);"),
            ("let a = () => f(g); h({ a }, a());", "h({ a: () => f(g) }, f(g));"),
            ("let a = x => x.id; f([].map(a), a(g));", "f([].map((x) => x.id), g.id);"),
            (
                "let a = () => f(g), b = x => h(x, a()); b(1); b(2); a();",
                "h(1, f(g)); h(2, f(g)); f(g);",
            ),
        ] {
            assert_eq!(repeated(statements), expected, "{statements}");
        }
    }

    #[test]
    fn function_stays_that_is_long_or_used_often_or_more_than_its_value() {
        let long = "z".repeat(90);
        for statements in [
            &*format!("let a = () => {long}; f(a(), a());"),
            "let a = () => f(g); h(a(), a(), a(), a());",
            "let a = x => { f(x); return x }; h(a(1), a(2));",
            "let a = x => f(g(), x); h(a(g()), a(1));",
            "let a = x => f(x); a?.(1); a(2);",
            "let a = x => f(x); a.b = 1; a(2);",
            "let a = x => f(x); addEventListener(g, a); a(2);",
            "let a = x => x && a(x.id); a(2);",
        ] {
            assert!(repeated(statements).starts_with("let a = "), "{statements}");
        }
    }
}
