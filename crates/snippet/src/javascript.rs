//! All there is of the JavaScript compiler, oxc: strip types, replace feature constants, minify, print.

mod constants;
mod guards;
mod inline;
mod names;
mod neighbours;
mod passing;
mod procedures;
mod reduce;
mod repeat;
#[cfg(test)]
mod statements;
mod types;
mod unfold;

use oxc::allocator::Allocator;
use oxc::ast::ast::Program;
use oxc::codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc::diagnostics::Diagnostics;
use oxc::minifier::{CompressOptions, Compressor, Minifier, MinifierOptions};
use oxc::parser::Parser;
use oxc::semantic::{Scoping, SemanticBuilder};
use oxc::span::SourceType;
use oxc_compat::EngineTargets;

use crate::seal::{Charset, seal, with_calls};

/// A minified program.
pub(crate) struct Printed {
    /// The program's text.
    pub(crate) text: String,
    /// Its source map (JSON), back to the text that was given.
    pub(crate) source_map: String,
}

/// TypeScript to JavaScript; `const enum` members become their values.
pub(crate) fn strip_types(source: &str) -> Result<String, String> {
    let allocator = Allocator::default();
    let mut program = parse(&allocator, source, SourceType::ts())?;
    let semantic = SemanticBuilder::new_compiler()
        .with_check_syntax_error(true)
        .with_enum_eval(true)
        .build(&program);
    refuse_errors(&semantic.diagnostics)?;
    let scoping = semantic.semantic.into_scoping();
    types::strip(&allocator, &mut program, &scoping)?;
    // Comments are for readers of the source, except `@__PURE__`, which tells the minifier what it may drop.
    let comments = CommentOptions { annotation: true, ..CommentOptions::disabled() };
    let options = CodegenOptions { comments, ..Default::default() };
    let script = Codegen::new().with_options(options).build(&program).code;
    refuse_broken(&script)?;
    Ok(script)
}

/// Replaces the feature constants by `true` or `false`, drops what is dead then, puts what is used once where it is used, minifies and
/// seals. `source` is a script.
pub(crate) fn minify(
    source: &str,
    constants: &[(String, bool)],
    charset: Charset,
) -> Result<Printed, String> {
    let source = &*with_calls(source)?;
    let allocator = Allocator::default();
    let mut program = parse(&allocator, source, SourceType::script())?;
    let scoping = scoping(&program);
    constants::replace(&allocator, &mut program, &scoping, constants);
    let used = CompressOptions { treeshake: compression().treeshake, ..CompressOptions::dce() };
    Compressor::new(&allocator).dead_code_elimination(&mut program, limited(used));
    procedures::make_expressions(&allocator, &mut program);
    inline::inline(&allocator, &mut program);
    // Functions that are expressions now, and arguments that are known, let more calls be replaced.
    Compressor::new(&allocator).build(&mut program, compression());
    inline::inline(&allocator, &mut program);
    procedures::make_expressions(&allocator, &mut program);
    while repeat::repeat(&allocator, &mut program) {}
    passing::leave_out(&allocator, &mut program);
    let mut minified = Minifier::new(options()).minify(&allocator, &mut program);
    if let Some(scoping) = &mut minified.scoping {
        names::shorten(&mut program, scoping, &allocator);
    }
    let printed = Codegen::new()
        .with_options(CodegenOptions {
            source_map_path: Some("snippet.js".into()),
            ..CodegenOptions::minify()
        })
        .with_source_text(source)
        .with_scoping(minified.scoping)
        .with_private_member_mappings(minified.class_private_mappings)
        .build(&program);
    let edits = seal(&printed.code, charset)?.after(COMPILE_AT_ONCE);
    let text = edits.apply(&printed.code);
    refuse_broken(&text)?;
    let map = printed.map.map(|map| edits.apply_to_map(map, &printed.code, &text));
    Ok(Printed { source_map: map.map(|map| map.to_json_string()).unwrap_or_default(), text })
}

/// Chromium from 136 on compiles all functions while the file comes, on another thread, and none while the page waits; other browsers pass
/// over the comment. Nearly all of them are called at once.
/// <https://v8.dev/blog/explicit-compile-hints>
const COMPILE_AT_ONCE: &str = "//# allFunctionsCalledOnLoad\n";

/// The oldest JavaScript the snippet needs: Chrome 86, Firefox 79, Safari 14.
const TARGET: &str = "es2021";

/// Each pass drops what only the last one's dead code used, and it ends when there is none: ten, as the minifier would do, leave some.
const PASSES_AT_MOST: u8 = 100;

fn options() -> MinifierOptions {
    MinifierOptions { compress: Some(compression()), ..MinifierOptions::default() }
}

fn compression() -> CompressOptions {
    limited(CompressOptions::smallest())
}

fn limited(options: CompressOptions) -> CompressOptions {
    let target = EngineTargets::from_target(TARGET).expect("a constant target");
    CompressOptions { target, max_iterations: Some(PASSES_AT_MOST), ..options }
}

fn refuse_broken(program: &str) -> Result<(), String> {
    parse(&Allocator::default(), program, SourceType::script()).map(drop)
}

fn parse<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    source_type: SourceType,
) -> Result<Program<'a>, String> {
    let parsed = Parser::new(allocator, source, source_type).parse();
    refuse_errors(&parsed.diagnostics)?;
    Ok(parsed.program)
}

fn scoping(program: &Program<'_>) -> Scoping {
    SemanticBuilder::new().build(program).semantic.into_scoping()
}

fn refuse_errors(diagnostics: &Diagnostics) -> Result<(), String> {
    diagnostics.errors().next().map_or(Ok(()), |error| Err(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tagged_templates_are_given_what_is_written() {
        let source = "window.x = tag`</Script`, window.y = `</Script`";

        let text = minify(source, &[], Charset::Utf8).unwrap().text;

        // Of a list and of a template that no function is given, the value alone is seen.
        assert!(text.contains(".raw=[`<\\/Script`]"), "{text}");
    }

    #[test]
    fn dead_feature_leaves_no_byte() {
        let source = "(function(){ function used() { return 'kept' } function unused() { return 'gone' } \
                      window.x = used(); if (__X__) window.y = unused(); })()";

        let without = minify(source, &[("__X__".to_owned(), false)], Charset::Utf8).unwrap().text;
        let with = minify(source, &[("__X__".to_owned(), true)], Charset::Utf8).unwrap().text;

        assert!(without.contains("kept") && !without.contains("gone"), "{without}");
        assert!(with.contains("gone"), "{with}");
    }

    #[test]
    fn function_that_became_an_expression_stands_where_it_is_called() {
        let source = "(() => { const named = (x) => { if (x.id) { return x.id } return x.name }; \
                      window.f = (y) => [named(y), 1] })([])";

        let text = minify(source, &[], Charset::Utf8).unwrap().text;

        assert_eq!(text.matches("=>").count(), 2, "the runtime, and the function in it: {text}");
    }
}
