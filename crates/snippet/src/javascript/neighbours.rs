//! What stands beside the variables of a program. Compression repeats what it has met: a name is better the more often it already occurs next
//! to the same neighbours.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use oxc::allocator::Allocator;
use oxc::ast::ast::{BindingIdentifier, IdentifierReference, Program};
use oxc::ast_visit::VisitMut;
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::semantic::{Scoping, SymbolId};
use oxc::str::Ident;

/// How many tokens in a row are looked at together, at most.
const WINDOW: usize = 5;

/// What a name has to be better by than the one before it in the list, since the first letters are worth something anywhere: as much as to
/// be met 2.4 times as often. This and the worth of the first occurrence are as trials with the projects of `bench/snippet-bytes` gave the
/// fewest bytes.
const RANK: i64 = 10;

/// A program in tokens, with the names that its variables have until now.
pub(super) struct Neighbours {
    tokens: Vec<Token>,
    /// Where each variable stands.
    places: Vec<Vec<usize>>,
    /// How often each window with a name is there, by its hash. Nothing goes through them in their order.
    counts: HashMap<u64, i32, BuildHasherDefault<PassThrough>>,
}

/// The windows with one place of a variable, by how many tokens before it they have: the shorter first.
type Windows = Vec<Vec<Window>>;

impl Neighbours {
    /// None of these variables has a name yet. Their names in the tree are lost: it is printed with those of `scoping`.
    pub(super) fn of<'a>(
        variables: &[SymbolId],
        scoping: &Scoping,
        program: &mut Program<'a>,
        allocator: &'a Allocator,
    ) -> Self {
        let mut letters = vec![None; scoping.symbols_len()];
        for (letter, symbol) in (Token::FIRST_UNNAMED..).zip(variables) {
            letters[symbol.index()] = char::from_u32(letter);
        }
        Unnamed { letters, scoping, allocator }.visit_program(program);
        let text = Codegen::new().with_options(CodegenOptions::minify()).build(program).code;
        let tokens = tokens(&text);
        let mut places = vec![Vec::new(); variables.len()];
        for (place, token) in tokens.iter().enumerate() {
            if let Some(places) = token.variable().and_then(|variable| places.get_mut(variable)) {
                places.push(place);
            }
        }
        Self { tokens, places, counts: HashMap::default() }
    }

    /// Gives a variable the best of these names, the first of several that are; returns which one it is.
    pub(super) fn name(&mut self, variable: usize, names: &[Token]) -> usize {
        let Some(place) = self.places[variable].first() else { return 0 };
        let until_now = self.tokens[*place];
        self.put(variable, Token::NAME);
        let windows = self.windows(variable);
        if until_now.is_known() {
            self.count(&windows, until_now, -1);
        }
        let score = |(name, rank): (&Token, i64)| {
            windows.iter().map(|windows| self.worth(windows, *name)).sum::<i64>() - RANK * rank
        };
        let scores = names.iter().zip(0..).map(score).enumerate();
        let best = scores.max_by_key(|(rank, score)| (*score, Reverse(*rank)));
        let best = best.map_or(0, |(rank, _)| rank);
        self.put(variable, names[best]);
        self.count(&windows, names[best], 1);
        best
    }

    fn put(&mut self, variable: usize, name: Token) {
        for place in &self.places[variable] {
            self.tokens[*place] = name;
        }
    }

    fn count(&mut self, windows: &[Windows], name: Token, change: i32) {
        for window in windows.iter().flatten().flatten() {
            *self.counts.entry(window.hash(name)).or_default() += change;
        }
    }

    /// What it is worth that a variable has this name at one of its places. A window that was not met is part of no longer one that was.
    fn worth(&self, windows: &Windows, name: Token) -> i64 {
        let mut worth = 0;
        for (before, windows) in windows.iter().enumerate() {
            let counts = windows.iter().map(|window| self.counts.get(&window.hash(name)));
            let met = counts.map_while(|count| count.filter(|count| **count > 0));
            let worth_here: i64 = met.map(|count| worth_of(*count)).sum();
            if before > 0 && worth_here == 0 {
                break;
            }
            worth += worth_here;
        }
        worth
    }

    /// All windows with a variable, each once, by its places: they begin behind the place before. None has another variable that has no name.
    fn windows(&self, variable: usize) -> Vec<Windows> {
        let mut next = 0;
        let mut windows = Vec::new();
        for place in &self.places[variable] {
            let first = next.max((place + 1).saturating_sub(WINDOW));
            let before = self.tokens[first..*place].iter().rev();
            let starts = 0..=before.take_while(|token| token.is_known()).count();
            windows.push(starts.map(|before| self.windows_from(place - before, before)).collect());
            next = place + 1;
        }
        windows
    }

    /// The windows that start there and end at the place that comes so many tokens later, or behind it.
    fn windows_from(&self, start: usize, before: usize) -> Vec<Window> {
        let tokens = self.tokens[start..].iter().take(WINDOW).take_while(|it| it.is_known());
        let windows = tokens.scan(Window::default(), |window, token| {
            *window = window.and(*token);
            Some(*window)
        });
        windows.skip(before.max(1)).collect()
    }
}

/// Eight times the binary logarithm: the first occurrence is worth as much as a fivefold increase.
fn worth_of(count: i32) -> i64 {
    i64::from((5 * u64::from(count.clamp(1, 50).unsigned_abs())).pow(8).ilog2())
}

/// Gives variables one letter each that no other has.
struct Unnamed<'s, 'a> {
    letters: Vec<Option<char>>,
    scoping: &'s Scoping,
    allocator: &'a Allocator,
}

impl<'a> Unnamed<'_, 'a> {
    fn letter(&self, symbol: SymbolId) -> Option<Ident<'a>> {
        let letter = self.letters[symbol.index()]?;
        Some(Ident::from_str_in(letter.encode_utf8(&mut [0; 4]), &self.allocator))
    }
}

impl<'a> VisitMut<'a> for Unnamed<'_, 'a> {
    fn visit_binding_identifier(&mut self, it: &mut BindingIdentifier<'a>) {
        it.name = self.letter(it.symbol_id()).unwrap_or(it.name);
    }

    fn visit_identifier_reference(&mut self, it: &mut IdentifierReference<'a>) {
        let symbol = self.scoping.get_reference(it.reference_id()).symbol_id();
        it.name = symbol.and_then(|symbol| self.letter(symbol)).unwrap_or(it.name);
    }
}

/// A word, or a character between words. Words are told by their hashes: if two were alike, a name would be a little worse.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Token(u32);

impl Token {
    /// The first of many rare letters, each of which stands for a variable without a name. One in a member's text can make a name worse, never
    /// wrong.
    const FIRST_UNNAMED: u32 = 0x2_0000;
    const FIRST_WORD: u32 = 1 << 31;
    /// Stands in windows for the name that is looked for.
    const NAME: Self = Self(u32::MAX);

    pub(super) fn of(word: &str) -> Self {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(only), None) => Self(only.into()),
            _ => Self(word.bytes().fold(0, hashed) | Self::FIRST_WORD),
        }
    }

    fn variable(self) -> Option<usize> {
        self.0.checked_sub(Self::FIRST_UNNAMED)?.try_into().ok()
    }

    fn number(self) -> u64 {
        u64::from(self.0) + 1
    }

    fn is_known(self) -> bool {
        !(Self::FIRST_UNNAMED..Self::FIRST_WORD).contains(&self.0)
    }
}

/// FNV-1a.
fn hashed(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

fn tokens(text: &str) -> Vec<Token> {
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || "_$".contains(letter);
    let mut tokens = Vec::new();
    for part in text.split_inclusive(|letter| !is_of_word(letter)) {
        let word = part.trim_end_matches(|letter| !is_of_word(letter));
        let (word, rest) = part.split_at(word.len());
        tokens.extend([word, rest].into_iter().filter(|it| !it.is_empty()).map(Token::of));
    }
    tokens
}

/// Tokens in a row, one of which, or several, are the name of one variable: a polynomial of them, so that each name is put in at once.
#[derive(Clone, Copy, Default)]
struct Window {
    others: u64,
    of_name: u64,
}

impl Window {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The window and the token behind it.
    fn and(self, token: Token) -> Self {
        let (other, of_name) = if token == Token::NAME { (0, 1) } else { (token.number(), 0) };
        Self {
            others: self.others.wrapping_mul(Self::BASE).wrapping_add(other),
            of_name: self.of_name.wrapping_mul(Self::BASE).wrapping_add(of_name),
        }
    }

    fn hash(self, name: Token) -> u64 {
        let all = self.others.wrapping_add(self.of_name.wrapping_mul(name.number()));
        (all ^ all >> 32).wrapping_mul(Self::BASE)
    }
}

/// The key is a hash already.
#[derive(Default)]
struct PassThrough(u64);

impl Hasher for PassThrough {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 << 8 | u64::from(*byte));
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use oxc::allocator::Allocator;
    use oxc::semantic::SymbolId;
    use oxc::span::SourceType;

    use super::super::{parse, scoping};
    use super::{Neighbours, Token, tokens};

    /// The names that all variables of a script get one after the other, in the order of their declaration.
    fn named(script: &str, names: &[&str]) -> Vec<String> {
        let allocator = Allocator::default();
        let mut program = parse(&allocator, script, SourceType::script()).unwrap();
        let scoping = scoping(&program);
        let variables: Vec<SymbolId> = scoping.symbol_ids().collect();
        let mut neighbours = Neighbours::of(&variables, &scoping, &mut program, &allocator);
        let tokens: Vec<Token> = names.iter().map(|name| Token::of(name)).collect();
        let name = |variable| names[neighbours.name(variable, &tokens)].to_owned();
        (0..variables.len()).map(name).collect()
    }

    #[test]
    fn variable_with_the_neighbours_of_another_has_its_name() {
        let script = "f(x => x.length > 1); f(y => y.length > 1)";

        assert_eq!(named(script, &["a", "b"]), ["a", "a"]);
    }

    #[test]
    fn first_name_is_the_one_where_neighbours_say_nothing() {
        assert_eq!(named("f(x => x)", &["a", "b", "c"]), ["a"]);
    }

    #[test]
    fn tokens_are_words_and_what_is_between_them() {
        let words = ["let", " ", "e_1", "=", "$", ".", "é", "\u{20000}", ";"];

        assert!(tokens("let e_1=$.é\u{20000};") == words.map(Token::of));
    }
}
