//! Strips the types of TypeScript, of which the runtime uses a small part: whatever else there is stays, and the linker refuses it, as it
//! reads the result as JavaScript. oxc's own transformer knows all of TypeScript and each year of JavaScript, in more than a megabyte.

use oxc::allocator::{Allocator, ArenaVec, ReplaceWith as _};
use oxc::ast::ast::{
    ArrowFunctionExpression, CallExpression, CatchParameter, Declaration, Expression,
    FormalParameter, FormalParameterRest, Function, IdentifierReference, NewExpression, NumberBase,
    Program, Statement, StaticMemberExpression, VariableDeclarator,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::semantic::{ScopeFlags, Scoping};
use oxc::span::SPAN;
use oxc::syntax::constant_value::ConstantValue;

/// Leaves JavaScript; members of a `const enum` become their values. `scoping` knows the values.
pub(super) fn strip<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: &Scoping,
) -> Result<(), String> {
    let mut types = Types { builder: AstBuilder::new(allocator), scoping, kept: None };
    types.visit_program(program);
    let kept = types.kept.map(|name| format!("`{name}` is not a value: only its numbers are"));
    kept.map_or(Ok(()), Err)
}

struct Types<'s, 'a> {
    builder: AstBuilder<'a>,
    scoping: &'s Scoping,
    /// A `const enum` that is used, though not as one of its numbers.
    kept: Option<String>,
}

impl<'a> Types<'_, 'a> {
    /// The value of `Enum.Member`.
    fn value(&self, member: &StaticMemberExpression<'a>) -> Option<Expression<'a>> {
        let Expression::Identifier(name) = &member.object else { return None };
        let symbol = self.scoping.get_reference(name.reference_id()).symbol_id()?;
        let mut scopes = self.scoping.get_enum_body_scopes(symbol)?.iter();
        let value = scopes.find_map(|scope| {
            let member = self.scoping.get_binding(*scope, member.property.name)?;
            self.scoping.get_enum_member_value(member)
        });
        match value? {
            ConstantValue::Number(value) if *value >= 0.0 && value.is_finite() => {
                let base = NumberBase::Decimal;
                Some(Expression::new_numeric_literal(SPAN, *value, None, base, &self.builder))
            }
            ConstantValue::Number(_) | ConstantValue::String(_) => None,
        }
    }
}

impl<'a> VisitMut<'a> for Types<'_, 'a> {
    fn visit_statements(&mut self, it: &mut ArenaVec<'a, Statement<'a>>) {
        it.retain(|statement| !statement.as_declaration().is_some_and(is_type));
        walk_mut::walk_statements(self, it);
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if let Expression::StaticMemberExpression(member) = it.get_inner_expression()
            && let Some(value) = self.value(member)
        {
            *it = value;
        }
        if it.is_typescript_syntax() {
            it.replace_with(Expression::into_inner_expression);
        }
        walk_mut::walk_expression(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &mut IdentifierReference<'a>) {
        let symbol = self.scoping.get_reference(it.reference_id()).symbol_id();
        if symbol.is_some_and(|symbol| self.scoping.is_const_enum(symbol)) {
            self.kept = Some(it.name.to_string());
        }
    }

    fn visit_variable_declarator(&mut self, it: &mut VariableDeclarator<'a>) {
        it.type_annotation = None;
        walk_mut::walk_variable_declarator(self, it);
    }

    fn visit_function(&mut self, it: &mut Function<'a>, flags: ScopeFlags) {
        it.type_parameters = None;
        it.return_type = None;
        it.this_param = None;
        walk_mut::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &mut ArrowFunctionExpression<'a>) {
        it.type_parameters = None;
        it.return_type = None;
        walk_mut::walk_arrow_function_expression(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &mut FormalParameter<'a>) {
        it.optional = false;
        it.type_annotation = None;
        walk_mut::walk_formal_parameter(self, it);
    }

    fn visit_formal_parameter_rest(&mut self, it: &mut FormalParameterRest<'a>) {
        it.type_annotation = None;
        walk_mut::walk_formal_parameter_rest(self, it);
    }

    fn visit_catch_parameter(&mut self, it: &mut CatchParameter<'a>) {
        it.type_annotation = None;
        walk_mut::walk_catch_parameter(self, it);
    }

    fn visit_call_expression(&mut self, it: &mut CallExpression<'a>) {
        it.type_arguments = None;
        walk_mut::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &mut NewExpression<'a>) {
        it.type_arguments = None;
        walk_mut::walk_new_expression(self, it);
    }
}

/// Whether nothing of a declaration is left when the program runs.
fn is_type(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSGlobalDeclaration(_)
        | Declaration::TSExternalModuleDeclaration(_) => true,
        Declaration::VariableDeclaration(it) => it.declare,
        Declaration::FunctionDeclaration(it) => it.declare || it.body.is_none(),
        Declaration::ClassDeclaration(it) => it.declare,
        Declaration::TSEnumDeclaration(it) => it.declare || it.r#const,
        Declaration::TSNamespaceDeclaration(it) => it.declare,
        Declaration::TSImportEqualsDeclaration(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::strip_types;

    #[test]
    fn types_go_and_the_program_stays() {
        for (source, expected) in [
            ("type A = string; interface B { a: A } declare const c: B; d();", "d();\n"),
            ("let a: string | undefined, b = a as string;", "let a, b = a;\n"),
            ("const a = <T,>(b?: T, ...c: T[]): T => b;", "const a = (b, ...c) => b;\n"),
            ("function a(this: Window, b: string): void;", ""),
            ("try { a() } catch (b: unknown) {}", "try {\n\ta();\n} catch (b) {}\n"),
            (
                "const a = new Map<string, string>(), b = f<string>();",
                "const a = new Map(), b = f();\n",
            ),
            ("const a = (b satisfies object as C)!.d;", "const a = b.d;\n"),
        ] {
            assert_eq!(strip_types(source).unwrap(), expected, "{source}");
        }
    }

    #[test]
    fn members_of_a_constant_enum_are_their_values() {
        let source = "const enum A { B, C = 4, D } f(A.B, A.C as number, A.D);";

        assert_eq!(strip_types(source).unwrap(), "f(0, 4, 5);\n");
    }

    #[test]
    fn typescript_that_cannot_be_stripped_is_refused() {
        for source in [
            "enum A { B }",
            "namespace A { export const b = 1 }",
            "class A { constructor(private b: string) {} }",
            "(a as any) = 1;",
            "const enum A { B = 'b' } f(A.B);",
            "const enum A { B } f(A);",
        ] {
            assert!(strip_types(source).is_err(), "{source}");
        }
    }
}
