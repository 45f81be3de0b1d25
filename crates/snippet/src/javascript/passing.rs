//! A function that only passes on what it is given is the function that it calls: `each => f(each)` is `f`.

use std::collections::HashMap;

use oxc::allocator::{Allocator, TakeIn as _};
use oxc::ast::ast::{
    Argument, ArrowFunctionBody, ArrowFunctionExpression, Expression, Program, Statement,
    VariableDeclarator,
};
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::semantic::{Scoping, SemanticBuilder, SymbolId};

use super::inline::runtime_of_mut;

/// Leaves out the runtime's functions that only pass on, where the function they call is there already.
pub(super) fn leave_out<'a>(allocator: &'a Allocator, program: &mut Program<'a>) {
    let scoping = SemanticBuilder::new().build(program).semantic.into_scoping();
    let Some(runtime) = runtime_of_mut(program) else { return };
    let ArrowFunctionBody::FunctionBody(body) = &mut runtime.body else { return };
    let mut passing = Passing { allocator, scoping: &scoping, parameters: HashMap::new() };
    for statement in &mut body.statements {
        let Statement::VariableDeclaration(declaration) = statement else {
            passing.visit_statement(statement);
            continue;
        };
        for declarator in &mut declaration.declarations {
            passing.visit_variable_declarator(declarator);
            passing.remember(declarator);
        }
    }
}

struct Passing<'s, 'a> {
    allocator: &'a Allocator,
    scoping: &'s Scoping,
    /// Of each function that is there by now, how many parameters it has.
    parameters: HashMap<SymbolId, usize>,
}

impl Passing<'_, '_> {
    fn remember(&mut self, declarator: &VariableDeclarator<'_>) {
        let Some(Expression::ArrowFunctionExpression(function)) = &declarator.init else { return };
        let Some(name) = declarator.id.get_binding_identifier() else { return };
        if function.params.rest.is_none() && !self.scoping.symbol_is_mutated(name.symbol_id()) {
            self.parameters.insert(name.symbol_id(), function.params.items.len());
        }
    }

    /// Whether a function calls one that is there with all that it is given, and that one takes no more.
    fn only_passes_on(&self, function: &ArrowFunctionExpression<'_>) -> bool {
        let Some(Expression::CallExpression(call)) = function.body.as_expression() else {
            return false;
        };
        let Expression::Identifier(callee) = &call.callee else { return false };
        let callee = self.scoping.get_reference(callee.reference_id()).symbol_id();
        let taken = callee.and_then(|callee| self.parameters.get(&callee));
        let given = &function.params.items;
        taken.is_some_and(|taken| *taken <= given.len())
            && !call.optional
            && !function.r#async
            && function.params.rest.is_none()
            && given.len() == call.arguments.len()
            && given.iter().zip(&call.arguments).all(|(parameter, argument)| {
                let name = parameter.pattern.get_binding_identifier();
                parameter.initializer.is_none()
                    && name.is_some_and(|name| self.is(argument, name.symbol_id()))
            })
    }

    fn is(&self, argument: &Argument<'_>, name: SymbolId) -> bool {
        let Some(Expression::Identifier(argument)) = argument.as_expression() else { return false };
        self.scoping.get_reference(argument.reference_id()).symbol_id() == Some(name)
    }
}

impl<'a> VisitMut<'a> for Passing<'_, 'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        walk_mut::walk_expression(self, it);
        let Expression::ArrowFunctionExpression(function) = it else { return };
        if self.only_passes_on(function)
            && let Some(Expression::CallExpression(call)) = function.body.as_expression_mut()
        {
            *it = call.callee.take_in(&self.allocator);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::statements::after;
    use super::leave_out;

    #[test]
    fn function_that_only_passes_on_is_the_one_that_it_calls() {
        for (statements, expected) in [
            ("let a = x => h(x, 1); f({ b: x => a(x) });", "let a = (x) => h(x, 1); f({ b: a });"),
            ("let a = () => h(1); f(() => a(), x => a(x));", "let a = () => h(1); f(a, a);"),
            (
                "let a = (x, y) => h(y, x), b = (x, y) => a(x, y); f(b);",
                "let a = (x, y) => h(y, x), b = a; f(b);",
            ),
        ] {
            let text = after(statements, leave_out);

            assert_eq!(text, expected, "{statements}");
        }
    }

    #[test]
    fn function_stays_that_does_more_or_comes_first() {
        for statements in [
            "let a = (x, y) => h(x, y); f(x => a(x));",
            "let a = (...x) => h(x); f(x => a(x));",
            "let a = x => h(x); f(x => a(x, x));",
            "let a = x => h(x); f((x, y) => a(y, x));",
            "let a = x => h(x); f((x = 1) => a(x));",
            "let a = x => h(x); f(x => a?.(x));",
            "let a = x => h(x); f(async x => a(x));",
            "let a = x => h(x); a = g; f(x => a(x));",
            "let b = { c: x => a(x) }, a = x => h(x); f(b);",
            "f(x => g(x));",
        ] {
            let before = after(statements, |_, _| {});
            let text = after(statements, leave_out);

            assert_eq!(text.matches("=>").count(), before.matches("=>").count(), "{text}");
        }
    }
}
