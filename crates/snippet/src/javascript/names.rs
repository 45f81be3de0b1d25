//! Names for the runtime's variables, so that functions that do alike read alike: that is what compression feeds on. The minifier's own
//! names are as short, but the first parameter of one function is `e`, and `t` or `r` that of the next.

use std::cmp::Reverse;

use oxc::allocator::Allocator;
use oxc::ast::ast::Program;
use oxc::semantic::{ScopeId, Scoping, SymbolId};
use oxc::str::Ident;

use super::inline::runtime_of;
use super::neighbours::{Neighbours, Token};

/// The most frequent letters of minified code first, so that a name repeats what stands there already; then as trials with the projects of
/// `bench/snippet-bytes` gave the fewest bytes.
const LETTERS: &[u8; 54] = b"etnriaoscludVpjhg_vybxSCwTEDOkAmMNPFILRzBfHUGWqYJXZQK$";

/// What short names must not be.
const WORDS: [&str; 6] = ["as", "do", "if", "in", "is", "of"];

/// How often each variable gets a name: what is named first does not know the names of its neighbours yet.
const PASSES: usize = 2;

/// A variable of the runtime.
struct Variable {
    symbol: SymbolId,
    /// Where it is seen.
    scopes: Vec<ScopeId>,
    /// The number of its name.
    name: Option<usize>,
}

/// Renames the variables of the runtime. `program` is a call of it: what it is called with is the member's code, which keeps its names.
///
/// Those within functions come first and have the first letters, each of those that are free where the variable is seen the one that has
/// such neighbours elsewhere, too. Those of the whole runtime have what is left, the most frequent of them the shortest.
pub(super) fn shorten<'a>(
    program: &mut Program<'a>,
    scoping: &mut Scoping,
    allocator: &'a Allocator,
) {
    let symbols = symbols(program, scoping);
    if symbols.is_empty() {
        return;
    }
    let mut neighbours = Neighbours::of(&symbols, scoping, program, allocator);
    let names = names(symbols.len(), scoping);
    let tokens: Vec<Token> = names.iter().map(|name| Token::of(name)).collect();
    let letters = names.iter().take_while(|name| name.len() == 1).count();
    let variable = |symbol| Variable { symbol, scopes: scopes_of(symbol, scoping), name: None };
    let mut variables: Vec<Variable> = symbols.into_iter().map(variable).collect();
    let mut taken = vec![Taken::default(); scoping.scopes_len()];
    for _ in 0..PASSES {
        for (index, variable) in variables.iter_mut().enumerate() {
            if let Some(name) = variable.name {
                variable.scopes.iter().for_each(|scope| taken[scope.index()].remove(name));
            }
            let free = Taken::union(variable.scopes.iter().map(|scope| &taken[scope.index()]))
                .free(letters);
            let free_tokens: Vec<Token> = free.iter().map(|name| tokens[*name]).collect();
            let name = free[neighbours.name(index, &free_tokens)];
            variable.scopes.iter().for_each(|scope| taken[scope.index()].add(name));
            variable.name = Some(name);
        }
    }
    for Variable { symbol, name, .. } in variables {
        if let Some(name) = name {
            scoping.set_symbol_name(symbol, Ident::from(names[name].as_str()));
        }
    }
}

/// The variables of the runtime, in the order in which they get names.
fn symbols(program: &Program<'_>, scoping: &Scoping) -> Vec<SymbolId> {
    let Some(runtime) = runtime_of(program) else { return Vec::new() };
    let whole = runtime.scope_id();
    let is_within = |symbol: &SymbolId| {
        scoping.scope_ancestors(scoping.symbol_scope_id(*symbol)).any(|scope| scope == whole)
    };
    let symbols = scoping.symbol_ids().filter(is_within);
    let (mut outer, inner): (Vec<SymbolId>, Vec<SymbolId>) =
        symbols.partition(|symbol| scoping.symbol_scope_id(*symbol) == whole);
    outer.sort_by_key(|symbol| Reverse(scoping.get_resolved_reference_ids(*symbol).len()));
    [inner, outer].concat()
}

/// Names that no global has which the program uses.
fn names(count: usize, scoping: &Scoping) -> Vec<String> {
    let globals = scoping.root_unresolved_references();
    (0..)
        .map(name)
        .filter(|name| !WORDS.contains(&&**name) && !globals.contains_key(name.as_str()))
        .take(count)
        .collect()
}

/// The name of a number: one letter, then two, of which the second may be a digit.
fn name(number: usize) -> String {
    let mut name = String::from(char::from(LETTERS[number % LETTERS.len()]));
    let mut rest = number / LETTERS.len();
    while rest > 0 {
        rest -= 1;
        let next = LETTERS.iter().chain(b"0123456789").nth(rest % 64);
        name.extend(next.map(|letter| char::from(*letter)));
        rest /= 64;
    }
    name
}

/// Where a variable is seen: the scopes that use it, and those between them and its own. The runtime has no `var`, whose blocks would count, too.
fn scopes_of(symbol: SymbolId, scoping: &Scoping) -> Vec<ScopeId> {
    let own = scoping.symbol_scope_id(symbol);
    let mut scopes = vec![own];
    for reference in scoping.get_resolved_references(symbol) {
        let between = scoping.scope_ancestors(reference.scope_id()).take_while(|it| *it != own);
        scopes.extend(between);
    }
    scopes.sort_unstable();
    scopes.dedup();
    scopes
}

/// Which names are taken in a scope, by their numbers.
#[derive(Clone, Default)]
struct Taken(Vec<u64>);

impl Taken {
    fn union<'t>(all: impl Iterator<Item = &'t Self>) -> Self {
        let mut union = Self::default();
        for Self(words) in all {
            if union.0.len() < words.len() {
                union.0.resize(words.len(), 0);
            }
            union.0.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
        }
        union
    }

    /// All names of one letter that are free, or the first free one of two.
    fn free(&self, letters: usize) -> Vec<usize> {
        let is_free = |name: &usize| !self.has(*name);
        let free: Vec<usize> = (0..letters).filter(is_free).collect();
        if !free.is_empty() {
            return free;
        }
        let after_all = letters.max(self.0.len() * 64);
        (letters..=after_all).filter(is_free).take(1).collect()
    }

    fn has(&self, name: usize) -> bool {
        self.0.get(name / 64).is_some_and(|word| word & 1 << (name % 64) != 0)
    }

    fn add(&mut self, name: usize) {
        let at = name / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (name % 64);
    }

    fn remove(&mut self, name: usize) {
        self.0[name / 64] &= !(1 << (name % 64));
    }
}

#[cfg(test)]
mod tests {
    use super::super::minify;
    use super::name;
    use crate::seal::Charset;

    /// What a runtime of these statements becomes, and a function of the member's.
    fn minified(statements: &str) -> String {
        let source = format!("((code)=>{{{statements}}})([function(shop){{f(shop)}}]);");
        let text = minify(&source, &[], Charset::Utf8).unwrap().text;
        text.lines().nth(1).unwrap().to_owned()
    }

    #[test]
    fn variables_with_like_neighbours_have_the_same_names() {
        let text = minified(
            "const all = [], next = (first, second) => { g(first, all, second) }, \
             last = (only) => { h(all, only) }; f(next, last, code, next, last);",
        );

        assert_eq!(
            text,
            "(r=>{let n=[],e=(e,t)=>{g(e,n,t)},t=t=>{h(n,t)};f(e,t,r,e,t)})([function(e){f(e)}]);"
        );
    }

    #[test]
    fn no_variable_has_the_name_of_a_global_or_a_word() {
        let text = minified("f((first) => { e(first); t(() => first) });");

        assert_eq!(text, "(n=>{f(n=>{e(n),t(()=>n)})})([function(n){f(n)}]);");
        assert_eq!([0, 53, 54, 55].map(name), ["e", "$", "ee", "te"]);
    }
}
