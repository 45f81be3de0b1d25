//! Joins the runtime's modules into one text. They are ours, so the linker can ask for manners: relative named imports, exports on
//! declarations, and top-level names that are unique over all modules, so that nothing is ever renamed.

mod fields;
mod singletons;

use std::collections::HashSet;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Declaration, ImportDeclaration, ImportOrExportKind, Statement};
use oxc::parser::Parser;
use oxc::span::{GetSpan, SourceType, Span};

use crate::javascript;

/// A module's path below `runtime/src`, and its text.
pub(crate) type Module = (&'static str, &'static str);

/// The module whose exported constants every project brings itself.
const CONFIG: &str = "project/config.ts";

/// Links `entry` and all it imports, dependencies first, and strips the types; objects that exist once become variables, and fields of the
/// others get short names.
pub(crate) fn link(modules: &[Module], entry: &str) -> Result<String, String> {
    let mut linker = Linker { modules, seen: HashSet::new(), text: String::new() };
    linker.add(entry)?;
    fields::shorten(&singletons::flatten(&javascript::strip_types(&linker.text)?)?)
}

struct Linker<'m> {
    modules: &'m [Module],
    seen: HashSet<String>,
    text: String,
}

impl Linker<'_> {
    fn add(&mut self, path: &str) -> Result<(), String> {
        if !self.seen.insert(path.to_owned()) {
            return Ok(());
        }
        let source = self.source(path)?;
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, source, SourceType::ts()).parse();
        if let Some(error) = parsed.diagnostics.errors().next() {
            return Err(format!("`{path}`: {error}"));
        }
        let mut cuts = Vec::new();
        for statement in &parsed.program.body {
            if let Statement::ImportDeclaration(import) = statement
                && import.import_kind == ImportOrExportKind::Value
            {
                self.add(&resolve(path, import)?)?;
            }
            cuts.extend(cut(path, statement)?);
        }
        self.append_without(source, &cuts);
        Ok(())
    }

    fn source(&self, path: &str) -> Result<&'static str, String> {
        self.modules
            .iter()
            .find(|(name, _)| *name == path)
            .map(|(_, source)| *source)
            .ok_or_else(|| format!("no module `{path}` in the runtime"))
    }

    fn append_without(&mut self, source: &str, cuts: &[Span]) {
        let mut from = 0;
        for cut in cuts {
            self.text.push_str(&source[from..cut.start as usize]);
            from = cut.end as usize;
        }
        self.text.push_str(&source[from..]);
        self.text.push('\n');
    }
}

/// The part of a top-level statement that must go: a whole import, the word `export`, a constant the project brings itself.
fn cut(path: &str, statement: &Statement<'_>) -> Result<Option<Span>, String> {
    if let Statement::ImportDeclaration(import) = statement {
        return Ok(Some(import.span));
    }
    if let Statement::ExportDeclaration(export) = statement {
        let is_replaced =
            path == CONFIG && matches!(export.declaration, Declaration::VariableDeclaration(_));
        let end = if is_replaced { export.span.end } else { export.declaration.span().start };
        return Ok(Some(Span::new(export.span.start, end)));
    }
    if statement.is_module_declaration() {
        return Err(format!(
            "`{path}`: export a declaration; lists, defaults and re-exports do not link"
        ));
    }
    Ok(None)
}

/// The module an import names, as a path below the root.
fn resolve(importer: &str, import: &ImportDeclaration<'_>) -> Result<String, String> {
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in import.source.value.split('/') {
        match part {
            "." => {}
            ".." => {
                parts
                    .pop()
                    .ok_or_else(|| format!("`{importer}` imports from outside the runtime"))?;
            }
            name => parts.push(name),
        }
    }
    Ok(format!("{}.ts", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_come_first_and_once() {
        let linked = link(
            &[
                (
                    "main.ts",
                    "import { b } from './deep/b'; import { a } from './a'; console.log(a, b);",
                ),
                ("a.ts", "export const a: number = 1;"),
                ("deep/b.ts", "import { a } from '../a'; export const b = a + 1;"),
            ],
            "main.ts",
        );

        assert_eq!(linked.unwrap(), "const a = 1;\nconst b = a + 1;\nconsole.log(a, b);\n");
    }

    #[test]
    fn configuration_constants_are_left_to_the_project_while_enums_stay() {
        let linked = link(
            &[
                (
                    "main.ts",
                    "import { pages, Kind } from './project/config'; console.log(pages, Kind.B);",
                ),
                (
                    "project/config.ts",
                    "export const pages: string[] = ['x']; export const enum Kind { A, B }",
                ),
            ],
            "main.ts",
        );

        assert_eq!(linked.unwrap(), "console.log(pages, 1);\n");
    }

    #[test]
    fn two_modules_cannot_declare_one_name() {
        let linked = link(
            &[
                ("main.ts", "import { a } from './a'; const b = 2; console.log(a, b);"),
                ("a.ts", "const b = 1; export const a = b;"),
            ],
            "main.ts",
        );

        assert!(linked.unwrap_err().contains("`b` has already been declared"));
    }

    #[test]
    fn exports_that_would_need_renaming_are_refused() {
        for source in ["export default 1;", "const a = 1; export { a };", "export * from './b';"] {
            let linked = link(&[("main.ts", source)], "main.ts");

            assert!(linked.unwrap_err().contains("export a declaration"), "{source}");
        }
    }

    #[test]
    fn missing_module_is_named() {
        let linked = link(&[("main.ts", "import { a } from './a';")], "main.ts");

        assert_eq!(linked.unwrap_err(), "no module `a.ts` in the runtime");
    }
}
