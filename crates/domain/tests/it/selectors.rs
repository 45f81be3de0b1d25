//! Selectors that no browser reads, and those that none can match.

use std::fs;

use domain::{examine_selector, standard_selector};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::Value;

use crate::documents::faults;

/// Whether the finding says that every browser refuses the selector.
fn is_refused(selector: &str) -> bool {
    examine_selector(selector).is_some_and(|finding| finding.is_refused_by_browsers())
}

#[test]
fn a_selector_is_refused_exactly_where_no_browser_takes_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/selectors.json");
    let text = fs::read_to_string(path).expect("the vectors are there");
    let file: Value = serde_json::from_str(&text).expect("the vectors are JSON");
    let vectors = file["vectors"].as_array().expect("there are vectors");

    let differs = vectors.iter().filter(|vector| {
        let selector = vector["selector"].as_str().expect("a vector has a selector");
        is_refused(selector) != vector["parses"].as_array().expect("and engines").is_empty()
    });

    assert_eq!(differs.collect::<Vec<_>>(), Vec::<&Value>::new());
    assert!(vectors.len() > 400);
}

#[test]
fn selectors_are_read_wherever_the_document_has_one() {
    let rest = "pages:
  - {key: home, tags: [{key: price, locator: 'b:', locator_type: css_selector}, {key: on, locator: 'b:', locator_type: javascript}]}
events: [{key: buy, type: click, selector: '#1'}]
campaigns:
  - key: hero
    type: ab_test
    pages: [home]
    changes: [{type: remove, selector: ':foo'}]
    experiments:
      - key: hero
        variations:
          - key: a
            weight: 10000
            changes:
              - {type: text, selector: 'h1 >', value: A}
              - {type: html, selector: '.a::before', value: A}
              - {type: style, selector: '[data-id=5]', name: color, value: red}
              - {type: class, selector: 'a, ', value: b}
              - {type: attribute, selector: 'svg|a', name: href, value: /}
              - {type: insert, selector: ':is(:foo, a)', value: A, position: before}
              - {type: move, selector: ':frist-child', to: '.1a', position: before}
";
    assert_snapshot!(faults(rest), @r#"
    demo.yaml:4:46: warning: pages[0].tags[0].locator: no browser reads this selector: it ends too early
    demo.yaml:4:100: warning: pages[0].tags[1].locator: the code returns nothing, so the tag never has a value
      hint: it is a function body: write `return` before the value
    demo.yaml:5:44: warning: events[0].selector: no browser reads this selector: an id or a class begins with a digit
      hint: write `[id="1"]`
    demo.yaml:10:40: warning: campaigns[0].changes[0].selector: no browser reads this selector: `:foo` is unknown
      hint: write `\:` for a colon that belongs to a name
    demo.yaml:17:40: warning: campaigns[0].experiments[0].variations[0].changes[0].selector: no browser reads this selector: it ends with a combinator such as `>`
    demo.yaml:18:40: warning: campaigns[0].experiments[0].variations[0].changes[1].selector: a pseudo-element is not an element of the page, so its selector finds nothing
      hint: name the element itself; a change of type `css` can style a pseudo-element
    demo.yaml:19:41: warning: campaigns[0].experiments[0].variations[0].changes[2].selector: no browser reads this selector: the value of an attribute lacks quotes
      hint: write `[data-id="5"]`
    demo.yaml:20:41: warning: campaigns[0].experiments[0].variations[0].changes[3].selector: no browser reads this selector: a selector is missing, at its begin or end or beside a comma
    demo.yaml:21:45: warning: campaigns[0].experiments[0].variations[0].changes[4].selector: no browser reads this selector: it has a namespace, of which pages know `*|` alone
    demo.yaml:22:42: warning: campaigns[0].experiments[0].variations[0].changes[5].selector: browsers pass over a part of `:is()` or `:where()`: `:foo` is unknown
      hint: write `\:` for a colon that belongs to a name
    demo.yaml:23:40: warning: campaigns[0].experiments[0].variations[0].changes[6].selector: no browser reads this selector: `:frist-child` is unknown
      hint: did you mean `:first-child`?
    demo.yaml:23:60: warning: campaigns[0].experiments[0].variations[0].changes[6].to: no browser reads this selector: an id or a class begins with a digit
      hint: write `[class~="1a"]`
    "#);
}

#[test]
fn a_selector_of_what_cannot_run_is_not_warned_of() {
    let event = |archived| {
        format!("events: [{{key: a, type: click, selector: ':foo', archived: {archived}}}]\n")
    };

    assert_snapshot!(faults(&event(false)), @r#"
    demo.yaml:3:42: warning: events[0].selector: no browser reads this selector: `:foo` is unknown
      hint: write `\:` for a colon that belongs to a name
    "#);
    assert_snapshot!(faults(&event(true)), @"");
}

/// What is told of each of some selectors that browsers do not take.
fn findings(selectors: &[&str]) -> String {
    let told = selectors.iter().map(|selector| {
        let finding = examine_selector(selector).expect("browsers do not read it");
        let hint = finding.hint.unwrap_or_default();
        format!("{selector}\n  {}: {}\n  {hint}", finding.code, finding.message)
    });
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_jquery_alone_knows_is_named_with_what_browsers_read() {
    let selectors = [
        ":input",
        "form :checkbox:checked",
        "select :selected, option:selected, .x:selected",
        "[data-kind!=sale] > a",
        "a[rel!='x y']:not(:header)",
        ".price:parent",
    ];

    assert_snapshot!(findings(&selectors), @"
    :input
      jquery_selector: no browser reads this selector: only jQuery knows `:input`
      write `:is(input,select,textarea,button)`
    form :checkbox:checked
      jquery_selector: no browser reads this selector: only jQuery knows `:checkbox`
      write `form [type=checkbox]:checked`
    select :selected, option:selected, .x:selected
      jquery_selector: no browser reads this selector: only jQuery knows `:selected`
      write `select option:checked, option:checked, .x:is(option:checked)`
    [data-kind!=sale] > a
      jquery_selector: no browser reads this selector: only jQuery knows `!=`
      write `:not([data-kind=sale]) > a`
    a[rel!='x y']:not(:header)
      jquery_selector: no browser reads this selector: only jQuery knows `!=`
      write `a:not([rel='x y']):not(:is(h1,h2,h3,h4,h5,h6))`
    .price:parent
      jquery_selector: no browser reads this selector: only jQuery knows `:parent`
      write `.price:not(:empty)`
    ");
}

#[test]
fn what_jquery_alone_knows_and_css_cannot_say_comes_with_advice() {
    let selectors = [
        "h1:contains(\"Sale, [now]\")",
        "li:eq(2)",
        "div:visible",
        ":input:first",
        ":is(:visible, a)",
    ];

    assert_snapshot!(findings(&selectors), @r#"
    h1:contains("Sale, [now]")
      jquery_selector: no browser reads this selector: only jQuery knows `:contains`
      CSS does not see text: name the element by an attribute or by its place, or find it in code
    li:eq(2)
      jquery_selector: no browser reads this selector: only jQuery knows `:eq`
      it counts all that the selector finds, which CSS cannot: `:nth-child()` and `:nth-of-type()` count among siblings, and code can choose by number
    div:visible
      jquery_selector: no browser reads this selector: only jQuery knows `:visible`
      CSS does not see this: name the element by a class or an attribute, or find it in code
    :input:first
      jquery_selector: no browser reads this selector: only jQuery knows `:first`
      it counts all that the selector finds, which CSS cannot: `:nth-child()` and `:nth-of-type()` count among siblings, and code can choose by number
    :is(:visible, a)
      ignored_selector: browsers pass over a part of `:is()` or `:where()`: only jQuery knows `:visible`
      CSS does not see this: name the element by a class or an attribute, or find it in code
    "#);
}

#[test]
fn names_and_values_that_need_quotes_or_a_backslash_are_told() {
    let selectors =
        ["[data-id=5]", "input[name=items.0]", "#1st .2nd", ".w-1.5", ".md:w-1", "//div[1]"];

    assert_snapshot!(findings(&selectors), @r#"
    [data-id=5]
      unparsable_selector: no browser reads this selector: the value of an attribute lacks quotes
      write `[data-id="5"]`
    input[name=items.0]
      unparsable_selector: no browser reads this selector: a character stands where it cannot
      write `input[name="items.0"]`
    #1st .2nd
      unparsable_selector: no browser reads this selector: an id or a class begins with a digit
      write `[id="1st"] [class~="2nd"]`
    .w-1.5
      unparsable_selector: no browser reads this selector: a character stands where it cannot
      write `\` before a character that belongs to a name
    .md:w-1
      unparsable_selector: no browser reads this selector: `:w-1` is unknown
      write `\:` for a colon that belongs to a name
    //div[1]
      unparsable_selector: no browser reads this selector: it is an XPath, not a CSS selector
    "#);
}

#[test]
fn a_standard_selector_is_given_for_one_of_jquery_alone() {
    assert_eq!(standard_selector("#a:button").as_deref(), Some("#a:is(button,input[type=button])"));
    assert_eq!(standard_selector("#a:hover"), None);
    assert_eq!(standard_selector("[title=':input']"), None);
    assert_eq!(standard_selector("a:contains(':input')"), None);
    assert_eq!(standard_selector("a::before:input"), None);
}

#[test]
fn what_is_nested_deeply_is_not_read() {
    let nested = |depth| ":not(".repeat(depth) + "a" + &")".repeat(depth);

    assert_eq!(examine_selector(&nested(32)), None);
    let finding = examine_selector(&nested(33)).expect("a finding");
    assert_eq!(finding.code, "deep_selector");
    for opening in [":not(", ":is(", ":has(:not(", ":nth-child(1 of ", ":host(", "(", "[", "{"] {
        assert!(examine_selector(&opening.repeat(20_000)).is_some(), "{opening}");
    }
}

/// Pieces of selectors, in an order that hardly is one.
fn pieces() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        "*",
        "|",
        "#b",
        "#1",
        ".",
        ".c",
        "[",
        "]",
        "=",
        "!=",
        "~=",
        "\"",
        "'",
        "(",
        ")",
        ",",
        " ",
        ">",
        "+",
        "~",
        ":",
        "::",
        ":not(",
        ":is(",
        ":has(",
        ":nth-child(",
        "2n+1",
        " of ",
        ":first",
        ":eq(",
        ":input",
        "::part(",
        "::slotted(",
        ":host(",
        "::before",
        "\\",
        "/*",
        "*/",
        "é",
        "😀",
        "-",
        "&",
        "{",
        "}",
        "\n",
        "\0",
        ":contains(",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_examined(text in any::<String>()) {
        let _ = examine_selector(&text);
    }

    #[test]
    fn any_bytes_are_examined(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = examine_selector(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_pieces_of_selectors_are_examined(text in pieces()) {
        let _ = examine_selector(&text);
    }
}
