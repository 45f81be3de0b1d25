//! Code that is nested deep: up to the limit it compiles, beyond it is a fault, and no depth ends the process.

use std::fmt::Write as _;
use std::thread;

use proptest::prelude::*;
use snippet::{check_function_body, compile};

use crate::project::{EMPTY, parse};

/// The stack of the server's threads: tokio's.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// A document has no longer text.
const TEXT_BYTES: usize = 128 * 1024;

/// The beginning of what is said of code that is nested too deep.
const TOO_DEEP: &str = "the code is nested more than 2000 levels deep";

/// Each kind of nesting: «» encloses what there is once for each level.
const KINDS: &[&str] = &[
    "return «(»1«)»",
    "return «[»1«]»",
    "«{»a()«}»",
    "return «`${»1«}`»",
    "return «!»a",
    "return «- »a",
    "return «typeof »a",
    "return «void »a()",
    "return «new »a",
    "return async()=>«await »a",
    "return function*(){«yield »a}",
    "return «a+»a",
    "return «a&&»a",
    "return «a()||»a()",
    "return «a()??»a()",
    "return «a**»a",
    "return «a?b:»c",
    "return «a?»b«:c»",
    "«if(a)b();else »c()",
    "«if(a)»b()",
    "«if(a){b();»c()«}»",
    "return «a=>»a",
    "return «()=>{»a()«}»",
    "«(()=>{»a()«})()»",
    "return a«.b»",
    "return a«[0]»",
    "return «a[»0«]»",
    "return a«()»",
    "return «a(»0«)»",
    "return a«?.b»",
    "return a«`x`»",
    "«x=»a",
    "«class A{a(){»«}}»",
    "return «class extends »A«{}»",
    "«class A{static{»«}}»",
    "«function a(){»«}»",
    "return «{a:»1«}»",
    "return «{[»1«]:1}»",
    "var «[»a«]»=1",
    "var «{a:»a«}»=1",
    "return «[a=»a«]»",
    "return «[...»a«]»",
    "return «import(»'a'«)»",
    "«while(a)»b()",
    "«for(a in b)»c()",
    "«do »a()«;while(b)»",
    "«try{»a()«}finally{b()}»",
    "«switch(a){case 1:»«}»",
    "«with(a)»b()",
    "return /«(»a«)»/",
    "return /«[»a«]»/v",
    // Here nothing but the tree tells that the quote is no string's.
    "return/\"/.a+«(»1«)»",
    "return a\n++/\"/«[»1«]»",
];

/// The code of this kind with so many levels.
fn nested(kind: &str, levels: usize) -> String {
    let mut code = String::new();
    for part in kind.split('«') {
        let (level, rest) = part.split_once('»').unwrap_or(("", part));
        code.push_str(&level.repeat(levels));
        code.push_str(rest);
    }
    code
}

/// As many levels as a text may have.
fn levels_at_most(kind: &str) -> usize {
    let (one, two) = (nested(kind, 1).len(), nested(kind, 2).len());
    (TEXT_BYTES - one) / (two - one)
}

fn is_accepted(code: &str) -> bool {
    check_function_body(code).is_empty()
}

/// Whether a project with this code compiles.
fn compiles(code: &str) -> bool {
    let code = serde_json::to_string(code).unwrap();
    let snippet = format!("key: shop, snippet: {{javascript: {code}}}");
    compile(&parse(&EMPTY.replace("key: shop", &snippet))).is_ok()
}

/// Does this where the server does it.
fn on_server_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap().join().unwrap()
}

/// The most levels of this kind that are accepted.
fn deepest(kind: &str) -> usize {
    let (mut accepted, mut refused) = (1, 2_100);
    while refused - accepted > 1 {
        let middle = usize::midpoint(accepted, refused);
        if is_accepted(&nested(kind, middle)) { accepted = middle } else { refused = middle }
    }
    accepted
}

#[test]
fn code_at_the_limit_compiles() {
    on_server_thread(|| {
        for kind in KINDS {
            let levels = deepest(kind);

            assert!(levels >= 200, "{kind}: {levels}");
            assert!(compiles(&nested(kind, levels)), "{kind}: {levels}");
        }
    });
}

#[test]
fn code_beyond_the_limit_is_a_fault_however_deep() {
    on_server_thread(|| {
        for kind in KINDS {
            for levels in [2_100, 2_100.max(levels_at_most(kind))] {
                let code = nested(kind, levels);

                let faults = check_function_body(&code);

                let faults: Vec<&str> = faults.iter().map(|fault| &*fault.message).collect();
                assert_eq!(faults, [TOO_DEEP], "{kind}: {levels}");
                assert!(!compiles(&code) || code.len() > TEXT_BYTES, "{kind}: {levels}");
            }
        }
    });
}

#[test]
fn code_that_opens_and_never_closes_is_a_fault() {
    on_server_thread(|| {
        for level in ["(", "[", "{", "`${", "!", "a=>", "(()=>{", "{a:", "a?", "/(", "return/\"/+("]
        {
            for start in ["", "return", "return/\"/+"] {
                let code = format!("{start}{}", level.repeat(TEXT_BYTES / level.len()));

                assert!(!is_accepted(&code), "{start} {level}");
            }
        }
    });
}

#[test]
fn fault_is_where_the_code_is_too_deep() {
    let brackets = check_function_body(&format!("a();\nreturn {}", "(".repeat(3_000)));
    let sum = check_function_body(&format!("a();\nreturn {}a", "a+".repeat(3_000)));

    let place = |faults: &[snippet::CodeFault]| (faults[0].line, faults[0].column);
    assert_eq!((place(&brackets), place(&sum)), ((2, 2_008), (2, 8)));
    assert!(brackets[0].hint.is_some());
}

#[test]
fn long_code_that_is_not_nested_passes() {
    let mut library = String::new();
    for number in 0..300 {
        writeln!(
            library,
            "!function(e,t){{var n{number}=/[\"'(\\[{{]/.test(e)?(t||{{}}).x/2:`${{e}}(${{`[${{t}}`}}`;\
             e.fn[\"a(\"+n{number}]=function(){{if(/^\\((?:[^()]|[)])+\\/$/g.test(t))return[].concat(e(this),'[')}}}}(a,b);// it's ("
        )
        .unwrap();
    }
    let cases = "case a:b();break;".repeat(2_000);
    for code in [
        library,
        format!("return {}1", "1+".repeat(1_000)),
        format!("return {}''", "a.b+'<li class=\"(\">'+".repeat(900)),
        format!("return a{}", ".add('(')".repeat(900)),
        format!("return [{}]", "{a:[1]},".repeat(10_000)),
        format!("{}c()", "if(a===1){b()}else ".repeat(900)),
        format!("switch(a){{{cases}}}"),
        "a(),".repeat(20_000) + "a()",
    ] {
        assert_eq!(check_function_body(&code), [], "{}", &code[..60]);
    }
}

#[test]
fn flat_code_that_the_compiler_nests_compiles() {
    let mut lists = "var v0=a();".to_owned();
    for number in 0..6_000 {
        write!(lists, "var v{}=[v{number}];", number + 1).unwrap();
    }
    lists.push_str("return v6000");

    assert!(on_server_thread(move || compiles(&lists)));
}

/// Expressions that nest in one another.
const LEVELS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("`${", "}`"),
    ("!", ""),
    ("typeof ", ""),
    ("a+", ""),
    ("a?b:", ""),
    ("a=>", ""),
    ("(()=>{return ", "})()"),
    ("a(", ")"),
    ("{a:", "}"),
    ("function(){return ", "}"),
    ("/[(]/,", ""),
    ("'(',", ""),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nestings_of_all_kinds_in_one_another_are_faults_or_compile(
        runs in prop::collection::vec((prop::sample::select(LEVELS), 1_usize..700), 1..8)
    ) {
        let opened = runs.iter().map(|((open, _), count)| format!("({}", open.repeat(*count)));
        let closed = runs.iter().rev().map(|((_, close), count)| format!("{})", close.repeat(*count)));
        let code = format!("return {}a{}", opened.collect::<String>(), closed.collect::<String>());

        let (is_accepted, compiles) = on_server_thread(move || {
            (is_accepted(&code), compiles(&code))
        });

        prop_assert_eq!(is_accepted, compiles);
    }
}
