//! A function of one statement, whose value nothing takes, is an expression: it can then stand in the places of its use (`repeat`).

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a syntax tree has many kinds of nodes, and most stay as they are"
)]

use oxc::allocator::{Allocator, TakeIn as _};
use oxc::ast::AstKind;
use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, Expression, Program, Statement, VariableDeclarator,
};
use oxc::semantic::{NodeId, Semantic, SemanticBuilder, SymbolId};

use super::inline::{runtime_of, runtime_of_mut};

/// Makes expressions of the runtime's functions where nobody can tell.
pub(super) fn make_expressions<'a>(allocator: &'a Allocator, program: &mut Program<'a>) {
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(program).semantic;
    let names = runtime_of(program).map(|runtime| procedures(runtime, &semantic));
    let (Some(names), Some(runtime)) = (names, runtime_of_mut(program)) else { return };
    let ArrowFunctionBody::FunctionBody(body) = &mut runtime.body else { return };
    for statement in &mut body.statements {
        let Statement::VariableDeclaration(declaration) = statement else { continue };
        for declarator in &mut declaration.declarations {
            if name_of(declarator).is_some_and(|name| names.contains(&name)) {
                make_expression(declarator, allocator);
            }
        }
    }
}

fn make_expression<'a>(declarator: &mut VariableDeclarator<'a>, allocator: &'a Allocator) {
    let Some(Expression::ArrowFunctionExpression(function)) = &mut declarator.init else { return };
    let ArrowFunctionBody::FunctionBody(body) = &mut function.body else { return };
    if let Some(Statement::ExpressionStatement(only)) = body.statements.first_mut() {
        function.body = only.expression.take_in(&allocator).into();
    }
}

/// The names of the functions of one statement that are only called, and whose value nothing takes.
fn procedures(runtime: &ArrowFunctionExpression<'_>, semantic: &Semantic<'_>) -> Vec<SymbolId> {
    let ArrowFunctionBody::FunctionBody(body) = &runtime.body else { return Vec::new() };
    let declarators = body.statements.iter().filter_map(|statement| match statement {
        Statement::VariableDeclaration(declaration) => Some(&declaration.declarations),
        _ => None,
    });
    let candidates = declarators.flatten().filter(|declarator| is_of_one_statement(declarator));
    let names = candidates.filter_map(name_of);
    names.filter(|name| is_only_called(*name, semantic)).collect()
}

fn name_of(declarator: &VariableDeclarator<'_>) -> Option<SymbolId> {
    Some(declarator.id.get_binding_identifier()?.symbol_id())
}

fn is_of_one_statement(declarator: &VariableDeclarator<'_>) -> bool {
    let Some(Expression::ArrowFunctionExpression(function)) = &declarator.init else {
        return false;
    };
    let ArrowFunctionBody::FunctionBody(body) = &function.body else { return false };
    body.directives.is_empty()
        && matches!(&body.statements[..], [Statement::ExpressionStatement(_)])
}

fn is_only_called(name: SymbolId, semantic: &Semantic<'_>) -> bool {
    let scoping = semantic.scoping();
    scoping.get_resolved_reference_ids(name).iter().all(|reference| {
        let callee = scoping.get_reference(*reference).node_id();
        let call = semantic.nodes().parent_id(callee);
        match semantic.nodes().kind(call) {
            AstKind::CallExpression(it) => {
                it.callee.node_id() == callee && !it.optional && is_unused(call, semantic)
            }
            _ => false,
        }
    })
}

/// Whether nothing takes the value of an expression.
fn is_unused(expression: NodeId, semantic: &Semantic<'_>) -> bool {
    let parent = semantic.nodes().parent_id(expression);
    match semantic.nodes().kind(parent) {
        AstKind::ExpressionStatement(_) => true,
        AstKind::SequenceExpression(it) => {
            it.expressions.last().is_none_or(|last| last.node_id() != expression)
                || is_unused(parent, semantic)
        }
        AstKind::LogicalExpression(it) => {
            it.right.node_id() == expression && is_unused(parent, semantic)
        }
        AstKind::ConditionalExpression(it) => {
            it.test.node_id() != expression && is_unused(parent, semantic)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::statements::after;
    use super::make_expressions;

    #[test]
    fn function_whose_value_nothing_takes_is_its_only_statement() {
        for uses in ["a(); a();", "g && a();", "g ? a() : f();", "a(), g(), a();"] {
            let text = after(&format!("let n, a = () => {{ n = g }}; {uses}"), make_expressions);

            assert!(text.contains("a = () => n = g"), "{text}");
        }
    }

    #[test]
    fn function_stays_whose_value_may_be_taken() {
        for statements in [
            "let n, a = () => { n = g }; f(a);",
            "let n, a = () => { n = g }; f(() => a());",
            "let n, a = () => { n = g }; let b = a();",
            "let n, a = () => { n = g }; a() || f();",
            "let n, a = () => { n = g }; g ? a() : f(a(), 1);",
            "let n, a = () => { n = g }; a?.();",
            "let n, a = () => { n = g; f() }; a();",
            "let n, a = () => { 'use strict'; n = g }; a();",
        ] {
            let text = after(statements, make_expressions);

            assert!(text.contains("a = () => {"), "{statements}: {text}");
        }
    }
}
