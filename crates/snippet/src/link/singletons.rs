//! Objects of the runtime that exist once become variables, one for each field: the minifier shortens a variable's name, drops it
//! where a project does not read it, and a page reads it without looking into an object.

use std::collections::HashMap;

use oxc::allocator::Allocator;
use oxc::ast::AstKind;
use oxc::ast::ast::{
    BindingIdentifier, Expression, ObjectExpression, ObjectPropertyKind, Program, PropertyKey,
    PropertyKind, Statement, VariableDeclarationKind,
};
use oxc::parser::Parser;
use oxc::semantic::{NodeId, Semantic, SemanticBuilder};
use oxc::span::{GetSpan, SourceType, Span};

use crate::seal::{Edit, Edits};

/// The same script with variables in place of the objects whose fields alone are used. An object stays if it is used as a value
/// anywhere, if code adds or deletes a field, or if a function of it could ask for `this`.
pub(super) fn flatten(script: &str) -> Result<String, String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, script, SourceType::script()).parse();
    if let Some(error) = parsed.diagnostics.errors().next() {
        return Err(error.to_string());
    }
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program).semantic;
    let edits = singletons(&parsed.program)
        .filter(|singleton| !script.contains(&format!("{}$", singleton.name.name)))
        .filter_map(|singleton| singleton.edits(&semantic))
        .flatten()
        .collect();
    Ok(Edits::new(edits).apply(script))
}

/// `const name = { field: value, … };` on the top level.
struct Singleton<'p, 'a> {
    statement: Span,
    name: &'p BindingIdentifier<'a>,
    fields: Vec<Field<'p, 'a>>,
}

struct Field<'p, 'a> {
    name: &'p str,
    value: &'p Expression<'a>,
}

fn singletons<'p, 'a>(
    program: &'p Program<'a>,
) -> impl Iterator<Item = Singleton<'p, 'a>> + use<'p, 'a> {
    program.body.iter().filter_map(|statement| {
        let Statement::VariableDeclaration(declaration) = statement else { return None };
        let [declarator] = &declaration.declarations[..] else { return None };
        let name = declarator.id.get_binding_identifier()?;
        let Some(Expression::ObjectExpression(object)) = &declarator.init else { return None };
        let is_constant = declaration.kind == VariableDeclarationKind::Const;
        let fields = fields(object).filter(|fields| is_constant && !fields.is_empty())?;
        Some(Singleton { statement: declaration.span, name, fields })
    })
}

/// The fields of an object, if all are plain ones of different names.
fn fields<'p, 'a>(object: &'p ObjectExpression<'a>) -> Option<Vec<Field<'p, 'a>>> {
    let mut fields: Vec<Field<'p, 'a>> = Vec::new();
    for property in &object.properties {
        let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
        let PropertyKey::StaticIdentifier(key) = &property.key else { return None };
        let is_plain = property.kind == PropertyKind::Init && !property.method;
        let has_this = matches!(property.value, Expression::FunctionExpression(_));
        let name = key.name.as_str();
        let is_prototype = name == "__proto__";
        let is_repeated = fields.iter().any(|field| field.name == name);
        if !is_plain || property.shorthand || has_this || is_prototype || is_repeated {
            return None;
        }
        fields.push(Field { name, value: &property.value });
    }
    Some(fields)
}

impl Singleton<'_, '_> {
    /// The edits after which it is variables; `None` if it has to stay an object.
    fn edits(&self, semantic: &Semantic<'_>) -> Option<Vec<Edit>> {
        let mut edits = self.declarations();
        let fields: HashMap<&str, &Expression<'_>> =
            self.fields.iter().map(|field| (field.name, field.value)).collect();
        for reference in semantic.symbol_references(self.name.symbol_id()) {
            let (member, field) = member_of(semantic, reference.node_id())?;
            let value = fields.get(field)?;
            if !is_kept_by_variable(semantic, member, value) {
                return None;
            }
            edits.push(edit(semantic.nodes().kind(member).span(), self.variable(field)));
        }
        Some(edits)
    }

    /// What stands between the values: these may have edits of their own.
    fn declarations(&self) -> Vec<Edit> {
        let mut edits = Vec::with_capacity(self.fields.len() + 1);
        let mut from = self.statement.start;
        for field in &self.fields {
            let word = if from == self.statement.start { "let" } else { "," };
            let span = Span::new(from, field.value.span().start);
            edits.push(edit(span, format!("{word} {} = ", self.variable(field.name))));
            from = field.value.span().end;
        }
        edits.push(edit(Span::new(from, self.statement.end), ";".to_owned()));
        edits
    }

    fn variable(&self, field: &str) -> String {
        format!("{}${field}", self.name.name)
    }
}

/// The expression `name.field` around a reference to `name`, and its field.
fn member_of<'s>(semantic: &'s Semantic<'_>, reference: NodeId) -> Option<(NodeId, &'s str)> {
    let name = semantic.nodes().kind(reference).span();
    let parent = semantic.nodes().parent_id(reference);
    let AstKind::StaticMemberExpression(member) = semantic.nodes().kind(parent) else {
        return None;
    };
    let is_plain = member.object.span() == name && !member.optional;
    is_plain.then_some((parent, member.property.name.as_str()))
}

/// Whether a variable in place of a field says the same: it cannot be deleted, and what is called by it has no `this`.
fn is_kept_by_variable(semantic: &Semantic<'_>, member: NodeId, value: &Expression<'_>) -> bool {
    let span = semantic.nodes().kind(member).span();
    let parent = semantic.nodes().parent_kind(member);
    if let AstKind::CallExpression(call) = parent {
        let asks_for_this = !matches!(value, Expression::ArrowFunctionExpression(_));
        return call.callee.span() != span || !asks_for_this;
    }
    let is_deleted =
        matches!(parent, AstKind::UnaryExpression(unary) if unary.operator.is_delete());
    !is_deleted && !matches!(parent, AstKind::TaggedTemplateExpression(_))
}

fn edit(span: Span, by: String) -> Edit {
    Edit { start: span.start as usize, end: span.end as usize, by }
}

#[cfg(test)]
mod tests {
    use super::flatten;

    #[test]
    fn fields_become_variables() {
        let flat = flatten(
            "const view = { isOff: false, seen: [] };\nconst ask = () => view.isOff || view.seen.length;\nview.isOff = !view.isOff;",
        );

        assert_eq!(
            flat.unwrap(),
            "let view$isOff = false, view$seen = [];\nconst ask = () => view$isOff || view$seen.length;\nview$isOff = !view$isOff;"
        );
    }

    #[test]
    fn values_may_name_other_singletons() {
        let flat = flatten("const a = { x: 1 }; const b = { y: a.x, z: () => a.x }; b.z(b.y);");

        assert_eq!(flat.unwrap(), "let a$x = 1; let b$y = a$x, b$z = () => a$x; b$z(b$y);");
    }

    #[test]
    fn an_object_that_is_used_as_a_whole_is_not_split() {
        for script in [
            "const a = { x: 1 }; f(a); a.x = 2;",
            "const a = { x: 1 }; const { x } = a;",
            "const a = { x: 1 }; a['x'];",
            "const a = { x: 1 }; a.y = 1;",
            "const a = { x: 1 }; a.toString;",
            "const a = { x: 1 }; a?.x;",
            "const a = { x: 1 }; delete a.x;",
            "const a = { x: 1 }; ({ a });",
            "const a = { x: 1 }; for (const key in a) f(key);",
            "const a = { x() { return this; } }; a.x();",
            "const a = { x: function () { return this; } }; a.x();",
            "const a = { x: f }; a.x();",
            "const a = { x: f }; a.x`text`;",
            "const a = { get x() { return 1; } }; a.x;",
            "const a = { x: 1, ...b }; a.x;",
            "const a = { x: 1, x: 2 }; a.x;",
            "const a = { __proto__: b }; a.__proto__;",
            "const a = { ['x']: 1 }; a.x;",
            "const x = 1, a = { x }; a.x;",
            "let a = { x: 1 }; a = { x: 2 }; a.x;",
            "const a = { x: 1 }, a$x = 2; a.x;",
        ] {
            assert_eq!(flatten(script).unwrap(), script);
        }
    }

    #[test]
    fn another_variable_of_the_same_name_is_another() {
        let flat = flatten("const a = { x: 1 }; const f = (a) => a.x; f(a.x);");

        assert_eq!(flat.unwrap(), "let a$x = 1; const f = (a) => a.x; f(a$x);");
    }
}
