//! A function fits on a screen.

use super::Finding;
use crate::rust_text::is_word;
use crate::source_file::SourceFile;

/// Aim for ten; this is the end.
const MAX_LINES: usize = 70;

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.is_rust() {
        return Vec::new();
    }
    functions(file.code())
        .filter(|function| function.lines > MAX_LINES)
        .map(|Function { name, line, lines }| {
            let message = format!(
                "`{name}` has {lines} lines; simplify or split it, {MAX_LINES} is the limit"
            );
            Finding::in_file(file, line, message)
        })
        .collect()
}

struct Function<'s> {
    name: &'s str,
    line: usize,
    lines: usize,
}

fn functions(code: &str) -> impl Iterator<Item = Function<'_>> {
    code.match_indices("fn ").filter_map(|(place, keyword)| {
        if code[..place].ends_with(is_word) {
            return None;
        }
        let rest = &code[place + keyword.len()..];
        let name = rest.split(|c| !is_word(c)).next()?;
        let end = body_end(rest)?;
        Some(Function {
            name,
            line: code[..place].matches('\n').count() + 1,
            lines: rest[..end].matches('\n').count() + 1,
        })
    })
}

/// Where the function's last brace closes; `None` for one without a body.
fn body_end(signature_and_body: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut brackets = 0_usize;
    for (place, c) in signature_and_body.char_indices() {
        match c {
            '(' | '[' if depth == 0 => brackets += 1,
            ')' | ']' if depth == 0 => brackets = brackets.checked_sub(1)?,
            ';' if depth == 0 && brackets == 0 => return None,
            '{' => depth += 1,
            '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(place);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINES, check};
    use crate::tidy::testing::{NONE, lines};

    fn function(name: &str, lines: usize) -> String {
        format!("fn {name}(a: [u8; 4]) {{\n{}}}\n", "    if a { b }\n".repeat(lines - 2))
    }

    #[test]
    fn a_function_has_a_limit() {
        assert_eq!(lines(check, "a.rs", &function("a", MAX_LINES)), NONE);
        assert_eq!(lines(check, "a.rs", &function("a", MAX_LINES + 1)), [1]);
    }

    #[test]
    fn declarations_and_pointers_have_no_length() {
        let text =
            format!("trait A {{\nfn a(&self);\n}}\ntype B = fn (u8) -> u8;\n{}", function("c", 4));
        assert_eq!(lines(check, "a.rs", &text), NONE);
    }

    #[test]
    fn braces_in_strings_and_comments_do_not_count() {
        let text =
            "fn a() {\n    b(\"{{{\"); // {{{\n}\n".to_owned() + &function("c", MAX_LINES + 1);
        assert_eq!(lines(check, "a.rs", &text), [4]);
    }
}
