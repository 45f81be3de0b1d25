//! Feature constants become `true` or `false`, so that the minifier sees which code is dead.

use std::collections::HashMap;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Expression, Program};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::semantic::Scoping;
use oxc::span::SPAN;

/// Replaces the constants where they are no variables of the program.
pub(super) fn replace<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: &Scoping,
    constants: &[(String, bool)],
) {
    let builder = AstBuilder::new(allocator);
    let values = constants.iter().map(|(name, is_set)| (name.as_str(), *is_set)).collect();
    Constants { builder, scoping, values }.visit_program(program);
}

struct Constants<'s, 'a> {
    builder: AstBuilder<'a>,
    scoping: &'s Scoping,
    values: HashMap<&'s str, bool>,
}

impl Constants<'_, '_> {
    fn value(&self, it: &Expression<'_>) -> Option<bool> {
        let Expression::Identifier(name) = it else { return None };
        let is_set = self.values.get(name.name.as_str())?;
        let variable = self.scoping.get_reference(name.reference_id()).symbol_id();
        variable.is_none().then_some(*is_set)
    }
}

impl<'a> VisitMut<'a> for Constants<'_, 'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if let Some(is_set) = self.value(it) {
            *it = Expression::new_boolean_literal(SPAN, is_set, &self.builder);
        }
        walk_mut::walk_expression(self, it);
    }
}
