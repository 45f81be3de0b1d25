//! The member's own JavaScript inside a snippet.

use domain::Project;
use proptest::prelude::*;
use snippet::Charset;

use crate::project::{ab_test, compile, parse};

fn with_code(code: &str) -> String {
    ab_test(&format!("[{{type: javascript, value: {}}}]", serde_json::to_string(code).unwrap()))
}

/// With code in every place that there is.
fn with_code_everywhere(code: &str) -> Project {
    let code = serde_json::to_string(code).unwrap();
    let document = ab_test(&format!(
        "[{{type: javascript, value: {code}}}, {{type: redirect, destination_code: {code}}}]"
    ));
    let document = document
        .replace("key: shop}", &format!("key: shop, snippet: {{javascript: {code}}}}}"))
        .replace(
            "{id: \"2001\", key: home,",
            &format!(
                "{{id: \"2001\", key: home, activation: {{type: callback, code: {code}}}, tags: [{{key: t, locator: {code}, locator_type: javascript}}],"
            ),
        );
    parse(&format!("{document}integrations: [{{type: callback, code: {code}}}]\n"))
}

#[test]
fn member_code_sees_the_pages_names_and_not_the_runtimes() {
    let snippet = compile(&with_code(
        "window.seen = [campaigns, visitor, typeof murmur3, __DATA__, __CAMPAIGNS__];",
    ));

    assert!(
        snippet
            .javascript
            .contains("window.seen=[campaigns,visitor,typeof murmur3,__DATA__,__CAMPAIGNS__]"),
        "{}",
        snippet.javascript
    );
}

#[test]
fn trailing_comment_does_not_swallow_what_follows() {
    let snippet = compile(&with_code("window.a = 1 // no newline at the end"));

    assert!(snippet.javascript.contains("window.a=1"));
}

#[test]
fn code_that_does_not_parse_where_it_stands_is_never_compiled() {
    for code in
        ["}); alert(1); (function(){", "--> x", "#!x", "class A {} }, function(){ class B {}"]
    {
        let project = parse(&with_code(code));

        assert!(snippet::compile(&project).is_err(), "{code}");
        assert_eq!(snippet::check(&project).len(), 1, "{code}");
    }
}

#[test]
fn what_code_is_given_is_its_own_only_where_it_is_given() {
    let project = with_code_everywhere("class activate {}; class decision {}");

    let faults = snippet::check(&project);

    let places: Vec<String> = faults.iter().map(|fault| fault.pointer.to_string()).collect();
    assert_eq!(places, ["/pages/0/activation/code", "/integrations/0/code"]);
}

#[test]
fn script_end_tag_in_a_text_cannot_end_an_inline_script() {
    let snippet = compile(&ab_test("[{type: html, selector: h1, value: \"</script><b>x</b>\"}]"));

    assert_harmless(&snippet.javascript);
}

fn assert_harmless(script: &str) {
    let script = script.to_lowercase();
    for markup in ["<!--", "<script", "</script"] {
        assert!(!script.contains(markup), "{markup} in {script}");
    }
}

/// Statements that stand alone.
const SOUND: &[&str] = &[
    "a(b);",
    "var a=1;",
    "let c\n",
    "if(a){b()}else{c()}",
    "return a\n",
    "'<!--';",
    "a<!--b\n",
    "a< !--b;",
    "a-->b;",
    "x=/<!--/;",
    "`<script ${a} </script`;",
    "String.raw`<script`;",
    "class activate{}",
    "function decision(){}",
    "'use strict';",
    "a=(b)=>{c};",
    "with(a)b;",
    "l:for(;;)break l;",
    "async()=>{await a};",
    "function*g(){yield 1}",
    "arguments[0]=new.target;",
    "a={get b(){return 1}};",
    "var größe='Größe';",
    "tag`é${x}`;",
    "if(a<script)b;",
    "a=010;",
    "eval('a');",
    "x=a</script/;",
    "class A{#b;c(){return#b in this}}",
    "a?.b??c;",
    "x**=2;",
    "a=async function(){for await(const b of c);};",
    "debugger;",
    "switch(a){case 1:default:}",
    "try{a()}catch{}",
];

/// What breaks or joins them.
const NOISE: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    ";",
    "\n",
    "-->",
    "<!--",
    "#!x",
    "/*",
    "*/",
    "//",
    "`",
    "${",
    "'",
    "/",
    "await",
    "yield",
    "super.x",
    "import.meta",
    "import 'a'",
    "export{}",
    "let activate",
    "const a",
    "=>",
    "@a",
    "using a=b;",
    "\\u0061",
    "else",
    "return",
    "\u{2028}",
    "...",
    "#a",
];

fn any_code() -> impl Strategy<Value = String> {
    let (sound, noise) = (prop::sample::select(SOUND), prop::sample::select(NOISE));
    let piece = prop_oneof![5 => sound, 1 => noise];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_check_accepts_becomes_a_program_that_can_stand_anywhere(code in any_code()) {
        let project = with_code_everywhere(&code);
        let is_accepted = snippet::check(&project).is_empty();

        let plain = snippet::compile(&project);
        let ascii = snippet::compile_for(&project, Charset::Ascii);

        prop_assert_eq!(plain.is_ok(), is_accepted, "{}: {:?}", code, plain.err());
        if let Ok(plain) = plain {
            assert_harmless(&plain.javascript);
            let ascii = ascii.unwrap().javascript;
            assert_harmless(&ascii);
            prop_assert!(ascii.is_ascii());
        }
    }
}
