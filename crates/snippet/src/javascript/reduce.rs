//! A call of a function that stands where it is called: `(each => each.id)(page)` is `page.id`.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a syntax tree has many kinds of nodes, and most stay as they are"
)]

use std::collections::HashMap;

use oxc::allocator::{Allocator, CloneIn as _, TakeIn as _};
use oxc::ast::ast::{
    Argument, ArrowFunctionExpression, CallExpression, Expression, IdentifierReference,
};
use oxc::ast_visit::{Visit, VisitMut, walk_mut};
use oxc::semantic::{Scoping, SymbolId};

/// Replaces the call of a function that is an expression by the expression, with its arguments in place of its parameters, where that is
/// sure to say the same: an argument is evaluated once, and after what stood before the call only.
pub(super) fn reduce<'a>(it: &mut Expression<'a>, scoping: &Scoping, allocator: &'a Allocator) {
    let Expression::CallExpression(call) = it else { return };
    let Expression::ArrowFunctionExpression(function) = &call.callee else { return };
    let Some(replacements) = replacements(function, &call.arguments, scoping) else { return };
    let arguments =
        call.arguments.iter_mut().map(|argument| argument.to_expression_mut().take_in(&allocator));
    let values = replacements.into_iter().zip(arguments).collect();
    let Expression::ArrowFunctionExpression(function) = &mut call.callee else { return };
    let Some(body) = function.body.as_expression_mut() else { return };
    let mut body = body.take_in(&allocator);
    Replacement { allocator, scoping, values }.visit_expression(&mut body);
    *it = body;
}

/// The parameters that the arguments of a call stand for, in order; `None` if the call has to stay.
pub(super) fn replacements(
    function: &ArrowFunctionExpression<'_>,
    arguments: &[Argument<'_>],
    scoping: &Scoping,
) -> Option<Vec<SymbolId>> {
    let body = function.body.as_expression()?;
    let parameters = parameters(function, scoping)?;
    if parameters.len() != arguments.len() {
        return None;
    }
    let mut moved = None;
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let argument = argument.as_expression()?;
        // A text that is long is not written twice.
        if is_stable(argument, scoping)
            || (argument.is_string_literal() && uses(body, *parameter, scoping) < 2)
        {
            continue;
        }
        if moved.replace(*parameter).is_some() {
            return None;
        }
    }
    let is_in_order = moved.is_none_or(|parameter| {
        first(body, parameter, scoping) == First::Parameter && uses(body, parameter, scoping) == 1
    });
    is_in_order.then_some(parameters)
}

/// The parameters of a function, if all are plain names that keep their values.
fn parameters(function: &ArrowFunctionExpression<'_>, scoping: &Scoping) -> Option<Vec<SymbolId>> {
    if function.r#async || function.params.rest.is_some() {
        return None;
    }
    let names = function.params.items.iter().map(|parameter| {
        let name = parameter.pattern.get_binding_identifier()?.symbol_id();
        (parameter.initializer.is_none() && !scoping.symbol_is_mutated(name)).then_some(name)
    });
    names.collect()
}

/// Whether an expression has the same value whenever it is evaluated, and can be written many times.
pub(super) fn is_stable(expression: &Expression<'_>, scoping: &Scoping) -> bool {
    match expression {
        Expression::Identifier(name) => scoping
            .get_reference(name.reference_id())
            .symbol_id()
            .is_some_and(|symbol| !scoping.symbol_is_mutated(symbol)),
        Expression::StringLiteral(text) => text.value.len() < 4,
        _ => expression.is_literal() && !matches!(expression, Expression::RegExpLiteral(_)),
    }
}

/// What is evaluated first in an expression, apart from what has the same value at any time.
#[derive(PartialEq, Eq)]
enum First {
    Nothing,
    Parameter,
    Else,
}

fn first(expression: &Expression<'_>, parameter: SymbolId, scoping: &Scoping) -> First {
    let first_of = |expression| first(expression, parameter, scoping);
    match expression {
        Expression::Identifier(name) => {
            let symbol = scoping.get_reference(name.reference_id()).symbol_id();
            match symbol {
                Some(symbol) if symbol == parameter => First::Parameter,
                Some(symbol) if !scoping.symbol_is_mutated(symbol) => First::Nothing,
                _ => First::Else,
            }
        }
        Expression::StaticMemberExpression(member) if is_math(&member.object, scoping) => {
            First::Nothing
        }
        Expression::StaticMemberExpression(member) => or_else(first_of(&member.object)),
        Expression::ComputedMemberExpression(member) => or_else(first_of(&member.object)),
        Expression::CallExpression(call) => or_else(first_of_call(call, parameter, scoping)),
        Expression::BinaryExpression(binary) => match first_of(&binary.left) {
            First::Nothing => first_of(&binary.right),
            found => found,
        },
        Expression::LogicalExpression(logical) => or_else(first_of(&logical.left)),
        Expression::ConditionalExpression(conditional) => or_else(first_of(&conditional.test)),
        Expression::UnaryExpression(unary) => or_else(first_of(&unary.argument)),
        Expression::SequenceExpression(sequence) => sequence
            .expressions
            .first()
            .map_or(First::Else, |expression| or_else(first_of(expression))),
        Expression::ArrowFunctionExpression(_) => First::Nothing,
        _ if is_stable(expression, scoping) => First::Nothing,
        _ => First::Else,
    }
}

/// The browser's `Math`, which no code replaces while an expression is evaluated.
fn is_math(expression: &Expression<'_>, scoping: &Scoping) -> bool {
    let Expression::Identifier(name) = expression else { return false };
    name.name == "Math" && scoping.get_reference(name.reference_id()).symbol_id().is_none()
}

/// A parameter that is called would be a method of its object if it became a member.
fn first_of_call(call: &CallExpression<'_>, parameter: SymbolId, scoping: &Scoping) -> First {
    if let Expression::Identifier(_) = &call.callee
        && first(&call.callee, parameter, scoping) == First::Parameter
    {
        return First::Else;
    }
    let parts = std::iter::once(Some(&call.callee))
        .chain(call.arguments.iter().map(Argument::as_expression));
    for part in parts {
        match part.map_or(First::Else, |part| first(part, parameter, scoping)) {
            First::Nothing => {}
            found => return found,
        }
    }
    First::Else
}

/// What comes after a part that is the same at any time is evaluated with the whole.
fn or_else(found: First) -> First {
    if found == First::Nothing { First::Else } else { found }
}

/// How often a parameter is used; what was put in place of others may use it, too.
fn uses(body: &Expression<'_>, parameter: SymbolId, scoping: &Scoping) -> usize {
    let mut uses = Uses { scoping, parameter, count: 0 };
    uses.visit_expression(body);
    uses.count
}

struct Uses<'s> {
    scoping: &'s Scoping,
    parameter: SymbolId,
    count: usize,
}

impl<'a> Visit<'a> for Uses<'_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let symbol = self.scoping.get_reference(it.reference_id()).symbol_id();
        self.count += usize::from(symbol == Some(self.parameter));
    }
}

/// Puts values in the place of the variables that stand for them.
pub(super) struct Replacement<'s, 'a> {
    pub(super) allocator: &'a Allocator,
    pub(super) scoping: &'s Scoping,
    pub(super) values: HashMap<SymbolId, Expression<'a>>,
}

impl<'a> VisitMut<'a> for Replacement<'_, 'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if let Expression::Identifier(name) = it
            && let Some(symbol) = self.scoping.get_reference(name.reference_id()).symbol_id()
            && let Some(value) = self.values.get(&symbol)
        {
            *it = value.clone_in_with_semantic_ids(self.allocator);
            return;
        }
        walk_mut::walk_expression(self, it);
    }
}
