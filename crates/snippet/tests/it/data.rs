//! How a project's data stands in its snippet: short, and safe whatever a name says.

use crate::project::{ab_test, compile};

#[test]
fn simple_experiment_is_a_few_bytes() {
    let snippet = compile(&ab_test("[{type: text, selector: h1, value: x}]"));

    let campaign =
        r#"[3001,"Hero text",0,[[4001,1,[5001,"Original",5002,"Short"],0,0,[0,[[0,"h1","x"]]]]]]"#;
    let campaign = campaign.replace('"', "`");
    assert!(snippet.javascript.replace('"', "`").contains(&campaign), "{}", snippet.javascript);
}

#[test]
fn excluded_names_are_nowhere() {
    let document =
        ab_test("[]").replace("key: shop}", "key: shop, snippet: {exclude_names: true}}");

    let snippet = compile(&document);

    for name in ["Hero", "Original", "Short"] {
        assert!(!snippet.javascript.contains(name), "{name}");
    }
}

#[test]
fn unequal_weights_become_cumulative_ends() {
    let document = ab_test("[]").replacen("weight: 5000", "weight: 1250", 1);

    assert!(
        compile(&document).javascript.contains("[1250,6250]"),
        "{}",
        compile(&document).javascript
    );
}
