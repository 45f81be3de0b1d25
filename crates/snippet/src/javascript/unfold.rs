//! A statement that calls a function which stands in the call becomes the statements of the function: `((page) => { f(page); })(g());` is
//! `let page = g(); f(page);`. A page then makes no function only to call it once.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a syntax tree has many kinds of nodes, and most stay as they are"
)]

use std::collections::HashMap;

use oxc::allocator::{Allocator, TakeIn as _, Vec as List};
use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, AssignmentTarget, BindingPattern, CallExpression,
    Expression, Function, FunctionBody, IfStatement, ReturnStatement, Statement,
    VariableDeclaration, VariableDeclarationKind, VariableDeclarator,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{Visit, VisitMut, walk, walk_mut};
use oxc::semantic::{ScopeFlags, Scoping, SymbolId};
use oxc::span::SPAN;

use super::guards::nest_behind_guards;
use super::reduce::{Replacement, is_stable};

/// Unfolds the calls in a function and in all that it contains. Each variable has a name of its own.
pub(super) struct Unfolder<'s, 'a> {
    pub(super) allocator: &'a Allocator,
    pub(super) scoping: &'s Scoping,
}

impl<'a> VisitMut<'a> for Unfolder<'_, 'a> {
    fn visit_statements(&mut self, it: &mut List<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, it);
        let statements = std::mem::replace(it, List::new_in(&self.allocator));
        for statement in statements {
            for statement in self.one_by_one(statement) {
                self.unfold_into(it, statement);
            }
        }
    }

    fn visit_if_statement(&mut self, it: &mut IfStatement<'a>) {
        walk_mut::walk_if_statement(self, it);
        self.unfold_alone(&mut it.consequent);
        if let Some(alternate) = &mut it.alternate {
            self.unfold_alone(alternate);
        }
    }

    fn visit_arrow_function_expression(&mut self, it: &mut ArrowFunctionExpression<'a>) {
        walk_mut::walk_arrow_function_expression(self, it);
        let Some(value) = it.body.as_expression_mut() else { return };
        let Some(statements) = self.returning(value) else { return };
        let builder = AstBuilder::new(self.allocator);
        it.body =
            ArrowFunctionBody::FunctionBody(FunctionBody::boxed(SPAN, [], statements, &builder));
    }
}

impl<'a> Unfolder<'_, 'a> {
    /// Variables that are declared together, each in a statement of its own: the minifier joins them again.
    fn one_by_one(&self, statement: Statement<'a>) -> List<'a, Statement<'a>> {
        match statement {
            Statement::VariableDeclaration(it) => {
                let VariableDeclaration { kind, declarations, .. } = it.unbox();
                let builder = AstBuilder::new(self.allocator);
                let alone = declarations.into_iter().map(|declarator| {
                    let declaration =
                        VariableDeclaration::boxed(SPAN, kind, [declarator], false, &builder);
                    Statement::VariableDeclaration(declaration)
                });
                List::from_iter_in(alone, &self.allocator)
            }
            statement => List::from_array_in([statement], &self.allocator),
        }
    }

    /// Appends a statement to a list, unfolded if it can be.
    fn unfold_into(&self, list: &mut List<'a, Statement<'a>>, mut statement: Statement<'a>) {
        let Some(statements) = self.statements_of(&mut statement) else {
            list.push(statement);
            return;
        };
        for statement in statements {
            self.unfold_into(list, statement);
        }
    }

    /// Unfolds a statement that has to stay one.
    fn unfold_alone(&self, statement: &mut Statement<'a>) {
        if matches!(statement, Statement::VariableDeclaration(_)) {
            return;
        }
        if let Some(statements) = self.statements_of(statement) {
            *statement =
                Statement::new_block_statement(SPAN, statements, &AstBuilder::new(self.allocator));
        }
    }

    /// The statements that a statement becomes; `None` if it stays as it is.
    fn statements_of(&self, statement: &mut Statement<'a>) -> Option<List<'a, Statement<'a>>> {
        if let Some(value) = value_of(statement) {
            let statements = self.unfold_first(value)?;
            return Some(followed_by(statements, statement.take_in(&self.allocator)));
        }
        let builder = AstBuilder::new(self.allocator);
        match statement {
            Statement::ReturnStatement(it) => {
                let statements = self.returning(it.argument.as_mut()?)?;
                // What comes behind the statement is not to be reached.
                Some(followed_by(statements, Statement::new_return_statement(SPAN, None, &builder)))
            }
            Statement::ExpressionStatement(it) => {
                let call = call_of(&mut it.expression)?;
                nest_behind_guards(call, self.allocator);
                if let Some(statements) = self.unfolded(call, |returns| returns == 0) {
                    return Some(statements);
                }
                let (statements, returned) = self.unfolded_value(call)?;
                let rest = Statement::new_expression_statement(SPAN, returned, &builder);
                Some(followed_by(statements, rest))
            }
            _ => None,
        }
    }

    /// The statements that return a value; `None` if it stays as it is.
    fn returning(&self, value: &mut Expression<'a>) -> Option<List<'a, Statement<'a>>> {
        if let Some(call) = call_of(value)
            && let Some(statements) = self.unfolded(call, |_| true)
        {
            return Some(statements);
        }
        let statements = self.unfold_first(value)?;
        let value = value.take_in(&self.allocator);
        let builder = AstBuilder::new(self.allocator);
        Some(followed_by(statements, Statement::new_return_statement(SPAN, Some(value), &builder)))
    }

    /// Unfolds the call that an expression begins with, and returns the statements that come before it now.
    fn unfold_first(&self, value: &mut Expression<'a>) -> Option<List<'a, Statement<'a>>> {
        match value {
            Expression::LogicalExpression(it) => self.unfold_first(&mut it.left),
            Expression::BinaryExpression(it) => self.unfold_first(&mut it.left),
            Expression::ConditionalExpression(it) => self.unfold_first(&mut it.test),
            Expression::UnaryExpression(it) => self.unfold_first(&mut it.argument),
            Expression::StaticMemberExpression(it) => self.unfold_first(&mut it.object),
            Expression::CallExpression(call) => {
                let (statements, returned) = self.unfolded_value(call)?;
                *value = returned;
                Some(statements)
            }
            _ => None,
        }
    }

    /// The statements of a call whose function ends with its only `return` or is an expression, and what it returns.
    fn unfolded_value(
        &self,
        call: &mut CallExpression<'a>,
    ) -> Option<(List<'a, Statement<'a>>, Expression<'a>)> {
        if is_of_expression(call) {
            return self.unfolded_expression(call);
        }
        let Some(Statement::ReturnStatement(last)) = body_of(call)?.statements.last() else {
            return None;
        };
        last.argument.as_ref()?;
        let mut statements = self.unfolded(call, |returns| returns == 1)?;
        let Some(Statement::ReturnStatement(last)) = statements.pop() else { return None };
        let returned = last.unbox().argument?;
        Some((statements, returned))
    }

    /// The declarations that a call of an expression needs, and the expression.
    fn unfolded_expression(
        &self,
        call: &mut CallExpression<'a>,
    ) -> Option<(List<'a, Statement<'a>>, Expression<'a>)> {
        let is_given = call.arguments.iter().all(|argument| argument.as_expression().is_some());
        let CallExpression { callee, arguments, .. } = call;
        let Expression::ArrowFunctionExpression(function) = callee else { return None };
        if function.r#async || !is_given || !has_plain_parameters(function, arguments.len()) {
            return None;
        }
        let arguments =
            arguments.iter_mut().map(|it| it.to_expression_mut().take_in(&self.allocator));
        let (declarations, values) = self.bound(function, arguments);
        let mut returned = function.body.as_expression_mut()?.take_in(&self.allocator);
        Replacement { allocator: self.allocator, scoping: self.scoping, values }
            .visit_expression(&mut returned);
        Some((declarations, returned))
    }

    /// The statements of a call, if its function has as many `return` as may be.
    fn unfolded(
        &self,
        call: &mut CallExpression<'a>,
        may_return: impl FnOnce(usize) -> bool,
    ) -> Option<List<'a, Statement<'a>>> {
        let body = body_of(call)?;
        let mut returns = Returns::default();
        returns.visit_function_body(body);
        let is_plain = body.directives.is_empty() && may_return(returns.0);
        let is_given = call.arguments.iter().all(|argument| argument.as_expression().is_some());
        let CallExpression { callee, arguments, .. } = call;
        let Expression::ArrowFunctionExpression(function) = callee else { return None };
        if !is_plain || !is_given || !has_plain_parameters(function, arguments.len()) {
            return None;
        }
        let arguments =
            arguments.iter_mut().map(|it| it.to_expression_mut().take_in(&self.allocator));
        let (mut statements, values) = self.bound(function, arguments);
        let ArrowFunctionBody::FunctionBody(body) = &mut function.body else { return None };
        Replacement { allocator: self.allocator, scoping: self.scoping, values }
            .visit_function_body(body);
        statements.extend(body.statements.drain(..));
        Some(statements)
    }

    /// The declarations of a function's parameters with what it is called with; and what stands for those that need none.
    fn bound(
        &self,
        function: &mut ArrowFunctionExpression<'a>,
        mut arguments: impl Iterator<Item = Expression<'a>>,
    ) -> (List<'a, Statement<'a>>, HashMap<SymbolId, Expression<'a>>) {
        let mut declarations = List::new_in(&self.allocator);
        let mut values = HashMap::new();
        for parameter in &mut function.params.items {
            let pattern = parameter.pattern.take_in(&self.allocator);
            match (self.kept_name(&pattern), arguments.next()) {
                (Some(name), Some(argument)) if is_stable(&argument, self.scoping) => {
                    values.insert(name, argument);
                }
                (_, argument) => declarations.push(self.declaration(pattern, argument)),
            }
        }
        (declarations, values)
    }

    /// The variable of a parameter that keeps its value.
    fn kept_name(&self, pattern: &BindingPattern<'a>) -> Option<SymbolId> {
        let name = pattern.get_binding_identifier()?.symbol_id();
        (!self.scoping.symbol_is_mutated(name)).then_some(name)
    }

    fn declaration(
        &self,
        name: BindingPattern<'a>,
        value: Option<Expression<'a>>,
    ) -> Statement<'a> {
        let builder = AstBuilder::new(self.allocator);
        let declarator = VariableDeclarator::new(SPAN, name, None, value, false, &builder);
        let kind = VariableDeclarationKind::Let;
        Statement::VariableDeclaration(VariableDeclaration::boxed(
            SPAN,
            kind,
            [declarator],
            false,
            &builder,
        ))
    }
}

fn call_of<'e, 'a>(expression: &'e mut Expression<'a>) -> Option<&'e mut CallExpression<'a>> {
    match expression {
        Expression::CallExpression(call) => Some(call),
        _ => None,
    }
}

/// The value that a statement gives to a variable.
fn value_of<'s, 'a>(statement: &'s mut Statement<'a>) -> Option<&'s mut Expression<'a>> {
    match statement {
        Statement::VariableDeclaration(it) => match &mut it.declarations[..] {
            [declarator] => declarator.init.as_mut(),
            _ => None,
        },
        Statement::ExpressionStatement(it) => match &mut it.expression {
            Expression::AssignmentExpression(it) if it.operator.is_assign() => {
                let is_variable =
                    matches!(it.left, AssignmentTarget::AssignmentTargetIdentifier(_));
                is_variable.then_some(&mut it.right)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The body of a function that stands in its call.
fn body_of<'c, 'a>(call: &'c CallExpression<'a>) -> Option<&'c FunctionBody<'a>> {
    let Expression::ArrowFunctionExpression(function) = &call.callee else { return None };
    match &function.body {
        ArrowFunctionBody::FunctionBody(body) if !function.r#async => Some(body),
        _ => None,
    }
}

/// Whether the function that stands in a call is an expression.
fn is_of_expression(call: &CallExpression<'_>) -> bool {
    match &call.callee {
        Expression::ArrowFunctionExpression(function) => function.body.as_expression().is_some(),
        _ => false,
    }
}

/// Whether each parameter is a variable, or a pattern of one that is given.
fn has_plain_parameters(function: &ArrowFunctionExpression<'_>, given: usize) -> bool {
    let items = &function.params.items;
    let is_plain = items.iter().enumerate().all(|(at, parameter)| {
        let is_name = parameter.pattern.get_binding_identifier().is_some();
        parameter.initializer.is_none() && (is_name || at < given)
    });
    is_plain && function.params.rest.is_none() && given <= items.len()
}

fn followed_by<'a>(
    mut statements: List<'a, Statement<'a>>,
    statement: Statement<'a>,
) -> List<'a, Statement<'a>> {
    statements.push(statement);
    statements
}

/// How many `return` a function has, apart from those of functions in it.
#[derive(Default)]
pub(super) struct Returns(pub(super) usize);

impl<'a> Visit<'a> for Returns {
    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        self.0 += 1;
        walk::walk_return_statement(self, it);
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}
