//! Decodes code that has to return or to call something, and warns of what does neither.

use super::reader::{At, Decoded, Reader};
use super::scalars::content;

/// A function body that returns a value, without which nothing happens: `effect` says it.
pub(super) fn returning(reader: &mut Reader<'_>, at: &At<'_>, effect: &str) -> Decoded<String> {
    let code = content(reader, at)?;
    warn_without_return(reader, at, &code, effect);
    Ok(code)
}

pub(super) fn warn_without_return(reader: &mut Reader<'_>, at: &At<'_>, code: &str, effect: &str) {
    if reader.is_idle || code.contains("return") {
        return;
    }
    let message = format!("the code returns nothing, so {effect}");
    let hint = match code.trim().trim_end_matches(';') {
        expression if is_expression(expression) => {
            format!("it is a function body: write `return {expression};`")
        }
        _ => "it is a function body: write `return` before the value".to_owned(),
    };
    reader.report(at, at.warning("no_return", message).hint(hint));
}

/// Whether the code is short and without statements, as far as can be seen.
fn is_expression(code: &str) -> bool {
    let may_begin =
        code.starts_with(|first: char| first.is_alphanumeric() || "!([\"'`$_".contains(first));
    let is_statement = ["if", "for", "while", "const ", "let ", "var ", "try", "throw"];
    code.len() < 60
        && may_begin
        && !code.contains([';', '\n', '{', '}', ':'])
        && !is_statement.iter().any(|word| code.starts_with(word))
}

/// The code of a page that it activates itself.
pub(super) fn calling_activate(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let code = content(reader, at)?;
    let names_it = ["activate", "arguments"].iter().any(|name| code.contains(name));
    if !reader.is_idle && !names_it {
        let message = "the code never calls `activate`, so the page is never active";
        let hint = "call `activate()` when the page is there: it is the code's parameter";
        reader.report(at, at.warning("no_activate", message).hint(hint));
    }
    Ok(code)
}
