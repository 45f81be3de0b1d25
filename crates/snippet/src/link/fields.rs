//! Fields of our own objects get short names. A field whose name ends with `_` is ours alone: no page, member, storage or configuration
//! ever sees it. No public name ends so, and the member's code is not part of what is linked.

use std::collections::HashMap;

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    AssignmentTargetPropertyIdentifier, BindingProperty, IdentifierName, ObjectProperty,
};
use oxc::ast_visit::{Visit, walk};
use oxc::parser::Parser;
use oxc::span::{SourceType, Span};

use crate::seal::{Edit, Edits};

/// The most frequent letters of minified code first, so that a name repeats what stands there already; then as trials with the projects of
/// `bench/snippet-bytes` gave the fewest bytes.
const LETTERS: &str = "bteouLfidZpArkqlYVxDsSTFcwIjaKJXzPyBQEvHGOngNWmRUChM";

/// The same script with one letter for each field that is ours, the same one wherever it stands.
pub(super) fn shorten(script: &str) -> Result<String, String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, script, SourceType::script()).parse();
    if let Some(error) = parsed.diagnostics.errors().next() {
        return Err(error.to_string());
    }
    let mut fields = Fields::default();
    fields.visit_program(&parsed.program);
    if let Some(name) = fields.shorthands.first() {
        return Err(format!("`{name}` is a field of ours: write `{name}: value`, not `{name}`"));
    }
    let names = fields.names()?;
    let edits = fields.uses.iter().map(|(name, span)| Edit {
        start: span.start as usize,
        end: span.end as usize,
        by: names[name.as_str()].to_string(),
    });
    Ok(Edits::new(edits.collect()).apply(script))
}

/// Where fields of ours stand.
#[derive(Default)]
struct Fields {
    uses: Vec<(String, Span)>,
    /// Those that are written as a field and a variable at once.
    shorthands: Vec<String>,
}

impl Fields {
    /// A letter for each field, the most frequent first.
    fn names(&self) -> Result<HashMap<&str, char>, String> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (name, _) in &self.uses {
            *counts.entry(name).or_default() += 1;
        }
        let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
        names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        if names.len() > LETTERS.len() {
            return Err(format!(
                "{} fields end with `_`, and there are {} letters",
                names.len(),
                LETTERS.len()
            ));
        }
        Ok(names.into_iter().map(|(name, _)| name).zip(LETTERS.chars()).collect())
    }

    fn note_shorthand(&mut self, name: &str) {
        if is_ours(name) {
            self.shorthands.push(name.to_owned());
        }
    }
}

impl<'a> Visit<'a> for Fields {
    /// Names that are no variables: after a dot, or before a colon.
    fn visit_identifier_name(&mut self, it: &IdentifierName<'a>) {
        if is_ours(&it.name) {
            self.uses.push((it.name.to_string(), it.span));
        }
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        if it.shorthand {
            self.note_shorthand(&it.key.static_name().unwrap_or_default());
        }
        walk::walk_object_property(self, it);
    }

    fn visit_binding_property(&mut self, it: &BindingProperty<'a>) {
        if it.shorthand {
            self.note_shorthand(&it.key.static_name().unwrap_or_default());
        }
        walk::walk_binding_property(self, it);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.note_shorthand(&it.binding.name);
    }
}

/// `__proto__` and its like are the language's.
fn is_ours(name: &str) -> bool {
    name.ends_with('_') && !name.starts_with("__")
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn field_has_one_letter_wherever_it_stands() {
        let short = shorten(
            "const a = { seen_: 1, kept_: b.kept_ }; const { kept_: c, ...d } = a; a?.kept_; ({ seen_: c } = a);",
        );

        assert_eq!(
            short.unwrap(),
            "const a = { t: 1, b: b.b }; const { b: c, ...d } = a; a?.b; ({ t: c } = a);"
        );
    }

    #[test]
    fn all_else_keeps_its_name() {
        let script =
            "a.seen; a['seen_']; `seen_`; /seen_/; seen_(b_); ({ __proto__: a }).__lookupGetter__;";

        assert_eq!(shorten(script).unwrap(), script);
    }

    #[test]
    fn field_that_is_a_variable_at_once_is_refused() {
        for script in ["f({ seen_ });", "const { seen_ } = a;", "({ seen_ } = a);"] {
            let refused = shorten(script).unwrap_err();

            assert_eq!(refused, "`seen_` is a field of ours: write `seen_: value`, not `seen_`");
        }
    }
}
