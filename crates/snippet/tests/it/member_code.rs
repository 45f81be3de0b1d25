//! The member's own JavaScript inside a snippet.

use crate::project::{ab_test, compile, parse};

fn with_code(code: &str) -> String {
    ab_test(&format!("[{{type: javascript, value: {}}}]", serde_json::to_string(code).unwrap()))
}

#[test]
fn member_code_sees_the_pages_names_and_not_the_runtimes() {
    let snippet = compile(&with_code("window.seen = [campaigns, visitor, typeof murmur3];"));

    assert!(
        snippet.javascript.contains("window.seen=[campaigns,visitor,typeof murmur3]"),
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
fn code_that_does_not_parse_alone_is_never_compiled() {
    let project = parse(&with_code("}); alert(1); (function(){"));

    assert!(snippet::compile(&project).is_err());
    assert_eq!(snippet::check(&project).len(), 1);
}

#[test]
fn script_end_tag_in_a_text_cannot_end_an_inline_script() {
    let snippet = compile(&ab_test("[{type: html, selector: h1, value: \"</script><b>x</b>\"}]"));

    assert!(!snippet.javascript.contains("</script"), "{}", snippet.javascript);
}
