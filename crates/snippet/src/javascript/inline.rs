//! Functions that are used once stand where they are used: that saves their names, and often the function itself. The minifier leaves them
//! where they are declared.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a syntax tree has many kinds of nodes, and most stay as they are"
)]

use std::collections::HashMap;

use oxc::allocator::{Allocator, TakeIn as _};
use oxc::ast::AstKind;
use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingIdentifier, Expression, FunctionBody,
    IdentifierReference, Program, Statement, VariableDeclarator,
};
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::semantic::{NodeId, Scoping, Semantic, SemanticBuilder, SymbolId};
use oxc::span::GetSpan as _;
use oxc::str::Ident;

use super::reduce::reduce;
use super::unfold::Unfolder;

/// Methods that call the function they are given before they return, and do not keep it.
const CALLING_METHODS: [&str; 6] = ["every", "filter", "find", "forEach", "map", "some"];

/// Functions of ours that do the same.
const CALLING_FUNCTIONS: [&str; 3] = ["attempt", "evaluateTree", "guarded"];

/// What is called for each of maybe a thousand campaigns. In the place of its use it would be made anew each time, and browsers would not
/// learn what to optimize: to decide a thousand took more than twice as long.
const CALLED_FOR_EACH: [&str; 4] = ["chooseVariation", "decideCampaign", "murmur3", "rememberRest"];

/// Puts the functions of the runtime that are used once in the place of their use. `program` is a call of the runtime: what it is called
/// with is the member's code, which stays as it is.
pub(super) fn inline<'a>(allocator: &'a Allocator, program: &mut Program<'a>) {
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(program).semantic;
    let names = runtime_of(program).map(|runtime| used_once(runtime, &semantic));
    let scoping = semantic.into_scoping();
    let (Some(names), Some(runtime)) = (names, runtime_of_mut(program)) else { return };
    unique_names(runtime, &scoping, allocator);
    let ArrowFunctionBody::FunctionBody(body) = &mut runtime.body else { return };
    let functions = take(body, &names, allocator);
    Inliner { allocator, scoping: &scoping, functions }.visit_function_body(body);
    Unfolder { allocator, scoping: &scoping }.visit_function_body(body);
}

/// Gives each variable of the runtime a name of its own, so that a function means the same wherever it stands.
pub(super) fn unique_names<'a>(
    runtime: &mut ArrowFunctionExpression<'a>,
    scoping: &Scoping,
    allocator: &'a Allocator,
) {
    walk_mut::walk_arrow_function_expression(&mut UniqueNames { allocator, scoping }, runtime);
}

/// The runtime's function.
pub(super) fn runtime_of<'p, 'a>(
    program: &'p Program<'a>,
) -> Option<&'p ArrowFunctionExpression<'a>> {
    let Statement::ExpressionStatement(statement) = program.body.first()? else { return None };
    let Expression::CallExpression(call) = &statement.expression else { return None };
    match call.callee.without_parentheses() {
        Expression::ArrowFunctionExpression(function) => Some(function),
        _ => None,
    }
}

pub(super) fn runtime_of_mut<'p, 'a>(
    program: &'p mut Program<'a>,
) -> Option<&'p mut ArrowFunctionExpression<'a>> {
    let Statement::ExpressionStatement(statement) = program.body.first_mut()? else { return None };
    let Expression::CallExpression(call) = &mut statement.expression else { return None };
    match call.callee.without_parentheses_mut() {
        Expression::ArrowFunctionExpression(function) => Some(function),
        _ => None,
    }
}

/// The names of the functions that are used once, where each use may as well be a function of its own.
fn used_once(runtime: &ArrowFunctionExpression<'_>, semantic: &Semantic<'_>) -> Vec<SymbolId> {
    let ArrowFunctionBody::FunctionBody(body) = &runtime.body else { return Vec::new() };
    let declarators = body.statements.iter().filter_map(|statement| match statement {
        Statement::VariableDeclaration(declaration) => Some(&declaration.declarations),
        _ => None,
    });
    declarators
        .flatten()
        .filter_map(|declarator| function_used_once(declarator, semantic))
        .collect()
}

fn function_used_once(
    declarator: &VariableDeclarator<'_>,
    semantic: &Semantic<'_>,
) -> Option<SymbolId> {
    let name = declarator.id.get_binding_identifier()?;
    if is_called_for_each(&name.name) {
        return None;
    }
    let name = name.symbol_id();
    let Some(Expression::ArrowFunctionExpression(_)) = &declarator.init else { return None };
    let [reference] = semantic.scoping().get_resolved_reference_ids(name) else { return None };
    let use_of_it = semantic.scoping().get_reference(*reference).node_id();
    let of_itself = semantic.nodes().ancestor_ids(use_of_it).any(|id| id == declarator.node_id());
    (!of_itself && may_be_another_each_time(use_of_it, semantic)).then_some(name)
}

/// Whether a function of this name stays one.
pub(super) fn is_called_for_each(name: &str) -> bool {
    CALLED_FOR_EACH.contains(&own_name(name))
}

/// The name as it was before [`UniqueNames`]: a second pass meets the names that the first one made.
fn own_name(name: &str) -> &str {
    name.split_once('$').map_or(name, |(own, _)| own)
}

/// Whether no code can tell if it is the same function each time it is used there: it is called, then and never again.
pub(super) fn may_be_another_each_time(use_of_it: NodeId, semantic: &Semantic<'_>) -> bool {
    let span = semantic.nodes().kind(use_of_it).span();
    let call = match semantic.nodes().parent_kind(use_of_it) {
        AstKind::CallExpression(call) => call,
        // With another function, it would be another object as well.
        AstKind::ObjectProperty(property) => return property.value.span() == span,
        _ => return false,
    };
    if call.callee.span() == span {
        return !call.optional;
    }
    match &call.callee {
        Expression::StaticMemberExpression(method) => {
            CALLING_METHODS.contains(&method.property.name.as_str())
        }
        Expression::Identifier(function) => CALLING_FUNCTIONS.contains(&own_name(&function.name)),
        _ => false,
    }
}

/// Takes these functions from where they are declared.
pub(super) fn take<'a>(
    runtime: &mut FunctionBody<'a>,
    names: &[SymbolId],
    allocator: &'a Allocator,
) -> HashMap<SymbolId, Expression<'a>> {
    let mut functions = HashMap::new();
    for statement in &mut runtime.statements {
        let Statement::VariableDeclaration(declaration) = statement else { continue };
        declaration.declarations.retain_mut(|declarator| {
            let name = declarator.id.get_binding_identifier().map(BindingIdentifier::symbol_id);
            let Some(name) = name.filter(|name| names.contains(name)) else { return true };
            functions.extend(declarator.init.as_mut().map(|init| (name, init.take_in(&allocator))));
            false
        });
    }
    runtime.statements.retain(|statement| {
        !matches!(statement, Statement::VariableDeclaration(it) if it.declarations.is_empty())
    });
    functions
}

/// See [`unique_names`].
struct UniqueNames<'s, 'a> {
    allocator: &'a Allocator,
    scoping: &'s Scoping,
}

impl<'a> UniqueNames<'_, 'a> {
    fn name(&self, name: Ident<'a>, symbol: SymbolId) -> Ident<'a> {
        Ident::from_str_in(&format!("{name}${}", symbol.index()), &self.allocator)
    }
}

impl<'a> VisitMut<'a> for UniqueNames<'_, 'a> {
    fn visit_binding_identifier(&mut self, it: &mut BindingIdentifier<'a>) {
        it.name = self.name(it.name, it.symbol_id());
    }

    fn visit_identifier_reference(&mut self, it: &mut IdentifierReference<'a>) {
        if let Some(symbol) = self.scoping.get_reference(it.reference_id()).symbol_id() {
            it.name = self.name(it.name, symbol);
        }
    }
}

struct Inliner<'s, 'a> {
    allocator: &'a Allocator,
    scoping: &'s Scoping,
    /// Those that were not met yet.
    functions: HashMap<SymbolId, Expression<'a>>,
}

impl<'a> VisitMut<'a> for Inliner<'_, 'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if let Expression::Identifier(name) = it
            && let Some(symbol) = self.scoping.get_reference(name.reference_id()).symbol_id()
            && let Some(function) = self.functions.remove(&symbol)
        {
            *it = function;
        }
        walk_mut::walk_expression(self, it);
        reduce(it, self.scoping, self.allocator);
    }
}

#[cfg(test)]
mod tests {
    use oxc::allocator::Allocator;
    use oxc::codegen::Codegen;
    use oxc::span::SourceType;

    use super::super::parse;
    use super::super::statements::after;
    use super::{CALLED_FOR_EACH, CALLING_FUNCTIONS, inline};

    fn inlined(statements: &str) -> String {
        after(statements, inline)
    }

    #[test]
    fn function_that_is_called_once_stands_in_the_call() {
        let text = inlined("let a = (x) => { f(x); return x }; f(a(g()));");

        assert_eq!(text, "f(((x) => { f(x); return x; })(g()));");
    }

    #[test]
    fn parameters_of_the_runtime_are_its_variables_too() {
        assert_eq!(inlined("let a = () => code[0]; f(a(), code);"), "f(code[0], code);");
    }

    #[test]
    fn function_within_a_function_that_is_used_once_follows_it() {
        let text = inlined("let a = x => { f(x) }, b = y => { a(y); g(y) }; h(b(g()));");

        assert_eq!(text, "h(((y) => { f(y); g(y); })(g()));");
    }

    #[test]
    fn statement_that_calls_a_function_is_its_statements() {
        for (statements, expected) in [
            ("let a = x => { f(x); g(x) }; a(h());", "let x = h(); f(x); g(x);"),
            ("let n = 1, a = x => { f(x); g(x, n) }; a(n);", "let n = 1; f(n); g(n, n);"),
            (
                "let a = x => { f(x); return x }; let b = a(g()); h(b, b);",
                "let x = g(); f(x); let b = x; h(b, b);",
            ),
            (
                "let b, a = x => { f(x); return x }; b = a(g()); h(b, b);",
                "let b; let x = g(); f(x); b = x; h(b, b);",
            ),
            (
                "let a = x => { f(x); return x }; let b = !a(g()).id || h; h(b, b);",
                "let x = g(); f(x); let b = !x.id || h; h(b, b);",
            ),
            (
                "let a = x => { f(x); return x }, b = y => a(g()) + y; h(b, b);",
                "let b = (y) => { let x = g(); f(x); return x + y; }; h(b, b);",
            ),
            (
                "let a = (x, y) => h(() => y, x); let b = a(g(), f()); h(b, b);",
                "let x = g(); let y = f(); let b = h(() => y, x); h(b, b);",
            ),
            ("let a = x => { f(x); return x }; a(g());", "let x = g(); f(x); x;"),
            ("let a = ({ x }) => { f(x) }; a(g());", "let { x: x } = g(); f(x);"),
            ("let a = x => { x++; f(x) }; a(1);", "let x = 1; x++; f(x);"),
            ("let a = (x, y) => { f(x, y) }; a(g());", "let x = g(); let y; f(x, y);"),
            ("let a = () => { f(); g() }; if (h) a();", "if (h) { f(); g(); }"),
            ("let a = x => { if (x) return; f(x) }; a(g());", "let x = g(); if (!x) { f(x); }"),
            (
                "let a = x => { if (x) { h(); return } f(x) }; a(g());",
                "let x = g(); if (x) { h(); } else { f(x); }",
            ),
            (
                "let a = x => { if (x) { h(); return } f(x) }, b = x => { a(x); g(x) }; f(b, b);",
                "let b = (x) => { if (x) { h(); } else { f(x); } g(x); }; f(b, b);",
            ),
            (
                "let a = x => { if (x) return 1; f(x) }, b = x => { if (g) return a(x); h() }; f(b, b);",
                "let b = (x) => { if (g) { if (x) return 1; f(x); return; } h(); }; f(b, b);",
            ),
            (
                "let a = x => { if (x) return 1; f(x) }, b = x => a(x); f(b, b);",
                "let b = (x) => { if (x) return 1; f(x); }; f(b, b);",
            ),
        ] {
            assert_eq!(inlined(statements), expected, "{statements}");
        }
    }

    #[test]
    fn statement_stays_whose_function_may_end_before_its_end() {
        for statements in [
            "let a = x => { f(x); return x }; let b = h() || a(g()); h(b, b);",
            "let a = x => { f(x); return x }, b = () => h(f(), a(g())); h(b, b);",
            "let a = x => { while (x) { return } f(x) }; a(g);",
            "let a = x => { if (x) { h(); return } else g(); f(x) }; a(g);",
            "let a = x => { if (x) return 1; f(x); return 2 }; let b = a(g); h(b, b);",
            "let a = (x = 1) => { f(x) }; a(g);",
            "let a = (...x) => { f(x) }; a(g);",
            "let a = x => { f(x) }; a(...g);",
            "let a = x => { f(x) }; a(g, h());",
            "let a = ({ x }) => { f(x) }; a();",
            "let a = async x => { f(x) }; a(g);",
            "let a = x => { 'use strict'; f(x) }; a(g);",
        ] {
            assert!(inlined(statements).contains("=>"), "{statements}");
        }
    }

    #[test]
    fn what_is_called_for_each_campaign_is_a_function_of_its_own() {
        for name in CALLED_FOR_EACH {
            let text = inlined(&format!("let {name} = x => {{ f(x) }}; g({name}(h));"));
            assert!(text.starts_with(&format!("let {name} = ")), "{text}");
            let declared = format!("const {name}");
            let rest = crate::runtime::linked().split_once(&declared).map(|(_, rest)| rest);
            assert!(
                rest.is_some_and(|rest| rest.starts_with([' ', '$'])),
                "the runtime has no {name}"
            );
        }
    }

    #[test]
    fn callback_stands_in_the_call() {
        let of_a_list = inlined("let isOpen = each => !!each; f([].filter(isOpen));");
        let of_ours = inlined("let a = () => f(); attempt(a);");

        assert_eq!(of_a_list, "f([].filter((each) => !!each));");
        assert_eq!(of_ours, "attempt(() => f());");
        for name in CALLING_FUNCTIONS {
            let declared = format!("const {name} = ");
            assert!(crate::runtime::linked().contains(&declared), "the runtime has no {name}");
        }
    }

    #[test]
    fn function_of_an_object_stands_in_the_object() {
        let text = inlined("let a = () => f(), get = x => f(x); g(() => ({ a, get: get }));");

        assert_eq!(text, "g(() => ({ a: () => f(), get: (x) => f(x) }));");
    }

    #[test]
    fn a_function_compared_kept_or_called_again_is_not_inlined() {
        for statements in [
            "let a = () => f(); addEventListener(`load`, a);",
            "let a = () => f(); setTimeout(a);",
            "let a = () => f(); a.name;",
            "let a = () => f(); a?.();",
            "let a = () => f(); new a();",
            "let a = () => f(); a(); a();",
            "let a = () => f(); a = g; a();",
            "let a = () => a();",
            "let a = function() { return this }; a();",
        ] {
            assert!(inlined(statements).starts_with("let a = "), "{statements}");
        }
    }

    #[test]
    fn a_function_means_the_same_where_its_names_mean_something_else() {
        let source = "(()=>{let x=1,a=()=>{f(x)};g((x)=>{h(x);a()});g(x)})([]);";
        let allocator = Allocator::default();
        let mut program = parse(&allocator, source, SourceType::script()).unwrap();

        inline(&allocator, &mut program);

        let text = Codegen::new().build(&program).code;
        let name = |before: &str| {
            let rest = text.split_once(before).unwrap().1;
            rest.split(|character: char| !(character.is_alphanumeric() || character == '$'))
                .next()
                .unwrap()
        };
        assert_eq!(name("f("), name("let "), "{text}");
        assert_ne!(name("f("), name("h("), "{text}");
    }

    #[test]
    fn call_of_an_expression_is_the_expression() {
        for (statements, expected) in [
            ("let a = x => x.id; f(a(g()));", "f(g().id);"),
            ("let n = 1, a = x => x + x; f(n, a(n));", "let n = 1; f(n, n + n);"),
            ("let a = (x, y) => y + x; f(a(1, 2));", "f(2 + 1);"),
            (
                "let n = 1, a = x => String(n) + x; f(n, n, a(g()));",
                "let n = 1; f(n, n, ((x) => String(n) + x)(g()));",
            ),
            ("let a = x => h(g(), x); f(a('as it stands'));", "f(h(g(), \"as it stands\"));"),
            ("let a = () => f(); g(a());", "g(f());"),
            ("let a = x => x ? 1 : 2; f(a(g()));", "f(g() ? 1 : 2);"),
        ] {
            assert_eq!(inlined(statements), expected, "{statements}");
        }
    }

    #[test]
    fn call_stays_where_the_expression_would_say_something_else() {
        for statements in [
            // Evaluated twice, later, never, or after something that it may depend on.
            "let a = x => x + x; f(a(g()));",
            "let a = x => () => x; f(a(g()));",
            "let a = x => 1; f(a(g()));",
            "let a = x => h() + x; f(a(g()));",
            "let a = (x, y) => y + x; f(a(g(), h()));",
            "let n = 1, a = x => () => x; f(a(n)); n++;",
            // A method would get its object.
            "let a = x => x(); f(a(g.h));",
            // Other arguments than parameters, and parameters that are more than a name.
            "let a = x => x.y; f(a());",
            "let a = x => x.y; f(a(...g));",
            "let a = ({ x }) => x; f(a(g));",
            "let a = (x = 1) => x; f(a(g));",
            "let a = (...x) => x; f(a(g));",
            "let a = x => x = 1; f(a(g));",
            "let a = async x => x; f(a(g));",
        ] {
            assert!(inlined(statements).contains("=>"), "{statements}");
        }
    }
}
