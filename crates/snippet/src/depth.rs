//! How deep code may be nested. What is deeper costs a compiler, ours and the browser's, stack and time that grow faster than the code.
//!
//! Brackets are counted before anything parses the code ([`too_many_brackets`]), all other nesting in the tree that the parser made
//! ([`too_deep`]): operators in a row nest without a bracket.

use oxc::ast::AstKind;
use oxc::ast::ast::Program;
use oxc::ast_visit::Visit;
use oxc::span::{GetSpan as _, Span};

/// The most that may be nested. A sum of 1,900 parts is within; what people write, and minified libraries, stay below 120. Code at the
/// limit takes the compiler a second and 8 MB of stack at most.
pub(crate) const LEVELS_AT_MOST: usize = 2_000;

/// Where brackets are nested deeper than is allowed. It is no lexer: where it takes a regular expression for a division, it counts a bit
/// too much or too little, and [`too_deep`] counts the rest.
pub(crate) fn too_many_brackets(code: &str) -> Option<usize> {
    Scan { code: code.as_bytes(), at: 0, before: b';', open: Vec::new() }.find_too_deep()
}

/// Where the tree of a program is deeper than is allowed.
pub(crate) fn too_deep(program: &Program<'_>) -> Option<Span> {
    let mut levels = Levels { count: 0, found: None };
    levels.visit_program(program);
    levels.found
}

struct Levels {
    count: usize,
    found: Option<Span>,
}

impl<'a> Visit<'a> for Levels {
    fn enter_node(&mut self, node: AstKind<'a>) {
        self.count += 1;
        // A few levels are the function's that the code is the body of.
        if self.count > LEVELS_AT_MOST && self.found.is_none() {
            self.found = Some(node.span());
        }
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.count -= 1;
    }
}

/// Reads code byte by byte, without recursion.
struct Scan<'c> {
    code: &'c [u8],
    at: usize,
    /// The last byte that is neither blank nor comment.
    before: u8,
    /// What is open: brackets, and `$` for an expression inside a template.
    open: Vec<u8>,
}

impl Scan<'_> {
    fn find_too_deep(&mut self) -> Option<usize> {
        while let Some(&byte) = self.code.get(self.at) {
            let start = self.at;
            self.at += 1;
            match byte {
                b'(' | b'[' | b'{' => self.open.push(byte),
                b')' | b']' | b'}' => self.close(),
                b'`' => self.skip_template(),
                b'"' | b'\'' => self.skip_past(byte),
                b'/' if self.skip_comment() => continue,
                b'/' if self.is_regex_next() && self.skip_regex() => return Some(start),
                b'\\' => self.at += 1,
                _ => {}
            }
            if self.open.len() > LEVELS_AT_MOST {
                return Some(start);
            }
            if !byte.is_ascii_whitespace() {
                self.before = byte;
            }
        }
        None
    }

    /// Behind these, a slash begins a regular expression. Behind others it may divide.
    fn is_regex_next(&self) -> bool {
        b"(,=:[!&|?{;*%~^<>".contains(&self.before)
    }

    fn close(&mut self) {
        if self.open.pop() == Some(b'$') {
            self.skip_template();
        }
    }

    /// Up to the next `end` of the line.
    fn skip_past(&mut self, end: u8) {
        while let Some(&byte) = self.code.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'\n' => return,
                _ if byte == end => return,
                _ => {}
            }
        }
    }

    /// Up to the end of a template, or into the next expression inside it.
    fn skip_template(&mut self) {
        while let Some(&byte) = self.code.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => return,
                b'$' if self.code.get(self.at) == Some(&b'{') => {
                    self.at += 1;
                    self.open.push(b'$');
                    return;
                }
                _ => {}
            }
        }
    }

    fn skip_comment(&mut self) -> bool {
        let rest = &self.code[self.at..];
        let length = match rest.first() {
            Some(b'/') => rest.iter().position(|byte| *byte == b'\n'),
            Some(b'*') => rest[1..].windows(2).position(|two| two == b"*/").map(|end| end + 3),
            _ => return false,
        };
        self.at += length.unwrap_or(rest.len());
        true
    }

    /// Up to the end of a regular expression; whether its own brackets are nested too deep.
    fn skip_regex(&mut self) -> bool {
        let start = self.at;
        self.skip_past(b'/');
        let mut bytes = self.code[start..self.at.min(self.code.len())].iter();
        let (mut open, mut deepest) = (0_usize, 0);
        while let Some(byte) = bytes.next() {
            match byte {
                b'\\' => {
                    bytes.next();
                }
                b'(' | b'[' => open += 1,
                b')' | b']' => open = open.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(open);
        }
        deepest > LEVELS_AT_MOST
    }
}
