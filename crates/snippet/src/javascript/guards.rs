//! A function that returns early, and nothing, can do without: `if (isOff) return; f();` is `if (!isOff) { f(); }`. Where it stands in a
//! statement that calls it, its statements can then take the statement's place: see `unfold`. What is declared behind a guard is then seen
//! there alone: no function before the guard may name it.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a syntax tree has many kinds of nodes, and most stay as they are"
)]

use oxc::allocator::{Allocator, TakeIn as _, Vec as List};
use oxc::ast::ast::{
    ArrowFunctionBody, CallExpression, Expression, IfStatement, Statement, UnaryOperator,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::Visit as _;
use oxc::span::SPAN;

use super::unfold::Returns;

/// Puts what follows a guard of the called function into a statement of the guard's, if all that returns in the function are guards. What
/// the call gives must not matter: it is nothing.
pub(super) fn nest_behind_guards<'a>(call: &mut CallExpression<'a>, allocator: &'a Allocator) {
    let Expression::ArrowFunctionExpression(function) = &mut call.callee else { return };
    let ArrowFunctionBody::FunctionBody(body) = &mut function.body else { return };
    let is_plain = |it: &Statement<'_>| guard(it).is_some() || returns(it) == 0;
    if body.statements.iter().all(is_plain) {
        let statements = std::mem::replace(&mut body.statements, List::new_in(&allocator));
        body.statements = nested(statements, allocator);
    }
}

/// The same statements without their guards' `return`.
fn nested<'a>(
    statements: List<'a, Statement<'a>>,
    allocator: &'a Allocator,
) -> List<'a, Statement<'a>> {
    let mut list = List::new_in(&allocator);
    let mut statements = statements.into_iter();
    while let Some(statement) = statements.next() {
        if guard(&statement).is_none() {
            list.push(statement);
            continue;
        }
        let rest = nested(List::from_iter_in(statements, &allocator), allocator);
        list.push(otherwise(statement, rest, allocator));
        break;
    }
    list
}

/// A statement that ends with a `return` of nothing, if something holds, and has no other.
fn guard<'s, 'a>(statement: &'s Statement<'a>) -> Option<&'s IfStatement<'a>> {
    let Statement::IfStatement(it) = statement else { return None };
    let last = match &it.consequent {
        Statement::BlockStatement(block) => block.body.last()?,
        statement => statement,
    };
    let is_guard = matches!(last, Statement::ReturnStatement(last) if last.argument.is_none());
    (is_guard && it.alternate.is_none() && returns(statement) == 1).then_some(it)
}

fn returns(statement: &Statement<'_>) -> usize {
    let mut returns = Returns::default();
    returns.visit_statement(statement);
    returns.0
}

/// A guard without its `return`, and with what follows it.
fn otherwise<'a>(
    mut guard: Statement<'a>,
    rest: List<'a, Statement<'a>>,
    allocator: &'a Allocator,
) -> Statement<'a> {
    let builder = AstBuilder::new(allocator);
    let Statement::IfStatement(it) = &mut guard else { return guard };
    let rest = Statement::new_block_statement(SPAN, rest, &builder);
    if let Statement::BlockStatement(block) = &mut it.consequent
        && block.body.len() > 1
    {
        block.body.pop();
        it.alternate = Some(rest);
    } else {
        let test = it.test.take_in(&allocator);
        it.test = Expression::new_unary_expression(SPAN, UnaryOperator::LogicalNot, test, &builder);
        it.consequent = rest;
    }
    guard
}
