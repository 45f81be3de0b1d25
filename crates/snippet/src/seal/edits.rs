//! Changes of a text, and of the source map that says where each part of it comes from.

use oxc_sourcemap::{SourceMap, Token};

/// One change of a text: what is there from `start` to `end` becomes `by`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) by: String,
}

/// Changes of one text that are not in each other's way, in order.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<Edit>);

impl Edits {
    pub(crate) fn new(mut edits: Vec<Edit>) -> Self {
        // What is inserted at a place stands before what replaces the text behind it.
        edits.sort_by_key(|edit| (edit.start, edit.end));
        Self(edits)
    }

    /// The same, with this before all.
    pub(crate) fn after(mut self, head: &str) -> Self {
        self.0.insert(0, Edit { start: 0, end: 0, by: head.to_owned() });
        self
    }

    /// The changed text.
    pub(crate) fn apply(&self, text: &str) -> String {
        let mut changed = String::with_capacity(text.len() + 8 * self.0.len());
        let mut from = 0;
        for edit in &self.0 {
            changed.push_str(&text[from..edit.start]);
            changed.push_str(&edit.by);
            from = edit.end;
        }
        changed.push_str(&text[from..]);
        changed
    }

    /// The source map of the changed text, where that of `before` is `map`.
    pub(crate) fn apply_to_map<'m>(
        &self,
        map: SourceMap<'m>,
        before: &str,
        after: &str,
    ) -> SourceMap<'m> {
        let (mut old, mut new) = (Cursor::at_start_of(before), Cursor::at_start_of(after));
        let mut edits = self.0.iter().peekable();
        let (mut added, mut taken) = (0, 0);
        let mut parts = map.into_parts();
        for token in &mut parts.tokens {
            let place = (token.get_dst_line(), token.get_dst_col());
            old.go_while(|cursor| cursor.place() < place);
            while let Some(edit) = edits.next_if(|edit| edit.end <= old.at) {
                added += edit.by.len();
                taken += edit.end - edit.start;
            }
            let at = (old.at + added).saturating_sub(taken);
            new.go_while(|cursor| cursor.at < at);
            *token = Token::new(
                new.line,
                new.column,
                token.get_src_line(),
                token.get_src_col(),
                token.get_source_id(),
                token.get_name_id(),
            );
        }
        parts.token_chunks = None;
        SourceMap::from_parts(parts)
    }

    /// Whether one of them takes the place of what is there.
    pub(super) fn replace(&self, at: usize) -> bool {
        let before = self.0.partition_point(|edit| edit.start <= at);
        self.0[..before].last().is_some_and(|edit| at < edit.end)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.0.iter()
    }
}

fn units(character: char) -> u32 {
    if character.len_utf16() == 2 { 2 } else { 1 }
}

/// A place in a text. A source map counts lines from zero, and columns in UTF-16 units.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    column: u32,
}

impl<'t> Cursor<'t> {
    fn at_start_of(text: &'t str) -> Self {
        Self { text, at: 0, line: 0, column: 0 }
    }

    fn place(&self) -> (u32, u32) {
        (self.line, self.column)
    }

    fn go_while(&mut self, is_before: impl Fn(&Self) -> bool) {
        while let Some(character) = self.text[self.at..].chars().next().filter(|_| is_before(self))
        {
            self.at += character.len_utf8();
            if character == '\n' {
                (self.line, self.column) = (self.line + 1, 0);
            } else {
                self.column += units(character);
            }
        }
    }
}
