//! Syntax that some browsers of the snippet do not know. They drop a script that has it anywhere, and so all that the project does.

use oxc::ast::ast::{
    AccessorProperty, Decorator, ImportExpression, MethodDefinition, PrivateInExpression, Program,
    PropertyDefinition, RegExpFlags, RegExpLiteral, StaticBlock, VariableDeclaration,
    VariableDeclarationKind,
};
use oxc::ast_visit::{Visit, walk};
use oxc::diagnostics::OxcDiagnostic;
use oxc::span::Span;

/// What a program has of it.
#[derive(Default)]
pub(crate) struct NewerSyntax {
    /// What the parser knows and no browser does, or only the newest.
    pub(crate) unknown: Vec<OxcDiagnostic>,
    /// What browsers know, but not from the oldest on that the runtime works in: Chrome 86, Firefox 79 and Safari 14.
    pub(crate) recent: Vec<OxcDiagnostic>,
}

impl NewerSyntax {
    pub(crate) fn of(program: &Program<'_>) -> Self {
        let mut found = Self::default();
        found.visit_program(program);
        found
    }

    fn refuse(&mut self, what: &str, span: Span) {
        let message = format!("browsers do not know {what}");
        self.unknown.push(OxcDiagnostic::error(message).with_label(span));
    }

    /// `since`: the first versions that know it.
    fn warn(&mut self, what: &str, since: &str, span: Span) {
        let message = format!("browsers before {since} do not know {what}");
        self.recent.push(OxcDiagnostic::error(message).with_label(span));
    }
}

impl<'a> Visit<'a> for NewerSyntax {
    fn visit_decorator(&mut self, decorator: &Decorator<'a>) {
        self.refuse("decorators", decorator.span);
    }

    fn visit_accessor_property(&mut self, property: &AccessorProperty<'a>) {
        self.refuse("`accessor`", property.span);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        use VariableDeclarationKind::{AwaitUsing, Const, Let, Using, Var};
        match declaration.kind {
            Using | AwaitUsing => self.refuse("`using`", declaration.span),
            Var | Let | Const => walk::walk_variable_declaration(self, declaration),
        }
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        if import.phase.is_some() {
            self.refuse("phases of imports", import.span);
        }
        if import.options.is_some() {
            self.warn(
                "attributes of imports",
                "Chrome 91, Firefox 138 and Safari 17.2",
                import.span,
            );
        }
        walk::walk_import_expression(self, import);
    }

    fn visit_static_block(&mut self, block: &StaticBlock<'a>) {
        self.warn("static blocks", "Chrome 94, Firefox 93 and Safari 16.4", block.span);
        walk::walk_static_block(self, block);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        if property.key.is_private_identifier() {
            self.warn("private fields", "Firefox 90 and Safari 14.1", property.span);
        } else if property.r#static {
            self.warn("static fields", "Safari 14.1", property.span);
        }
        walk::walk_property_definition(self, property);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        if method.key.is_private_identifier() {
            self.warn("private methods", "Firefox 90 and Safari 15", method.span);
        }
        walk::walk_method_definition(self, method);
    }

    fn visit_private_in_expression(&mut self, test: &PrivateInExpression<'a>) {
        self.warn("`#name in`", "Chrome 91, Firefox 90 and Safari 15", test.span);
        walk::walk_private_in_expression(self, test);
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        let flags = literal.regex.flags;
        if flags.contains(RegExpFlags::V) {
            self.warn("the flag `v`", "Chrome 112, Firefox 116 and Safari 17", literal.span);
        }
        if flags.contains(RegExpFlags::D) {
            self.warn("the flag `d`", "Chrome 90, Firefox 88 and Safari 15", literal.span);
        }
        let groups = groups(literal.regex.pattern.text.as_str());
        if groups.iter().any(|group| group.starts_with("?<=") || group.starts_with("?<!")) {
            self.warn("look-behind", "Safari 16.4", literal.span);
        }
        if groups.iter().any(|group| group.starts_with(['?']) && has_modifiers(group)) {
            self.warn("modifiers in groups", "Chrome 125, Firefox 132 and Safari 26", literal.span);
        }
        let mut names: Vec<&str> = groups.iter().filter_map(|group| name(group)).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            let what = "groups of one name";
            self.warn(what, "Chrome 125, Firefox 129 and Safari 17", literal.span);
        }
    }
}

/// What stands behind each bracket that opens a group.
fn groups(pattern: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut is_escaped, mut is_class) = (false, false);
    for (at, sign) in pattern.char_indices() {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_class = true,
            ']' => is_class = false,
            '(' if !is_class => found.push(&pattern[at + 1..]),
            _ => {}
        }
    }
    found
}

/// `?i:`, `?-s:`
fn has_modifiers(group: &str) -> bool {
    group[1..].starts_with(['i', 'm', 's', '-'])
}

/// `?<name>`
fn name(group: &str) -> Option<&str> {
    let (name, _) = group.strip_prefix("?<")?.split_once('>')?;
    (!name.starts_with(['=', '!'])).then_some(name)
}

#[cfg(test)]
mod tests {
    use oxc::allocator::Allocator;
    use oxc::parser::Parser;
    use oxc::span::SourceType;

    use super::NewerSyntax;

    fn recent(text: &str) -> Vec<String> {
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, text, SourceType::script()).parse();
        assert!(!parsed.diagnostics.has_errors(), "{text}");
        let found = NewerSyntax::of(&parsed.program);
        found.recent.iter().map(|diagnostic| diagnostic.message.to_string()).collect()
    }

    #[test]
    fn what_the_oldest_browsers_do_not_know_is_told_with_those_that_do() {
        for (text, told) in [
            (
                "class A { static { a() } }",
                "before Chrome 94, Firefox 93 and Safari 16.4 do not know static blocks",
            ),
            ("class A { #a = 1 }", "before Firefox 90 and Safari 14.1 do not know private fields"),
            ("class A { static a = 1 }", "before Safari 14.1 do not know static fields"),
            ("class A { #a() {} }", "know private methods"),
            ("class A { get #a() { return 1 } }", "know private methods"),
            ("import('a', {with: {type: 'json'}})", "attributes of imports"),
            ("/(?<=a)b/", "before Safari 16.4 do not know look-behind"),
            ("/a[(](?<!a)b/", "look-behind"),
            ("/a/v", "the flag `v`"),
            ("/a/d", "the flag `d`"),
            ("/(?i:a)/", "modifiers"),
            ("/(?-i:a)/", "modifiers"),
            ("/(?<a>b)|(?<a>c)/", "groups of one name"),
        ] {
            let found = recent(text);

            assert!(found.len() == 1 && found[0].contains(told), "{text}: {found:?}");
        }
        assert_eq!(recent("class A { #a; has(o) { return #a in o } }").len(), 2);
    }

    #[test]
    fn syntax_that_all_supported_browsers_know_is_accepted() {
        for text in [
            "class A { a = 1; static b() {} get c() { return this?.a ?? 1n } }",
            "a ||= 1_000; b &&= 2; c ??= 3; try { d() } catch { e() }",
            r"/(?<name>a)\k<name>(?<other>.)(?=b)(?!c)(?:d)\p{L}[(?<=]\(?<=/us",
            "async function f() { for await (const a of b) await a; } import('a')",
        ] {
            assert_eq!(recent(text), Vec::<String>::new(), "{text}");
        }
    }
}
