//! Where values stand, down to the characters of a text.

use domain::{Parsed, Pointer};

use crate::documents::{parse_named, with_head};

fn parsed(javascript: &str) -> Parsed {
    let text =
        format!("version: 1\nproject:\n  key: demo\n  snippet:\n    javascript: {javascript}");
    parse_named("shop/demo.yaml", &text).unwrap()
}

fn javascript() -> Pointer {
    ["project", "snippet", "javascript"]
        .iter()
        .fold(Pointer::root(), |pointer, name| pointer.field(name))
}

/// Where a line and column of the project's JavaScript stand.
fn inside(yaml: &str, line: u32, column: u32) -> String {
    parsed(yaml).locations.place_inside(&javascript(), line, column).unwrap().to_string()
}

#[test]
fn a_block_text_is_located_line_by_line() {
    assert_eq!(inside("|\n      a();\n        b(;\n", 2, 5), "shop/demo.yaml:7:11");
    assert_eq!(inside("|-\n\n\n      a();\n\n      b(;\n", 5, 3), "shop/demo.yaml:10:9");
    assert_eq!(inside("|2-\n       a();\n", 1, 3), "shop/demo.yaml:6:9");
    assert_eq!(inside("|\r\n      a();\r\n      b(;\r\n", 2, 3), "shop/demo.yaml:7:9");
}

#[test]
fn a_plain_text_on_one_line_is_located_by_column() {
    assert_eq!(inside("return é + b", 1, 12), "shop/demo.yaml:5:28");
    assert_eq!(inside("return a\n      + b", 1, 12), "shop/demo.yaml:5:17");
}

#[test]
fn a_quoted_text_on_one_line_is_located_by_what_is_written() {
    assert_eq!(inside("'a(''b'' +'", 1, 8), "shop/demo.yaml:5:27");
    assert_eq!(inside(r#""a(\"\u00e9\"\n +""#, 2, 2), "shop/demo.yaml:5:33");
    assert_eq!(inside("\"a\n      b\"", 1, 3), "shop/demo.yaml:5:17");
}

#[test]
fn a_folded_text_is_located_at_its_start() {
    assert_eq!(inside(">\n      a(\n      b\n", 1, 4), "shop/demo.yaml:6:7");
}

#[test]
fn a_place_beyond_a_quoted_text_is_its_start() {
    assert_eq!(inside("'a'", 3, 1), "shop/demo.yaml:5:17");
}

#[test]
fn a_text_in_a_file_is_located_in_the_file() {
    assert_eq!(inside("{file: ./code/start.js}", 3, 7), "shop/code/start.js:3:7");
}

#[test]
fn a_surrogate_pair_of_json_is_one_column() {
    let json = r#"{"version": 1, "project": {"key": "demo", "snippet": {"javascript": "'\ud83d\ude00' +"}}}"#;
    let parsed = parse_named("demo.json", json).unwrap();

    let place = parsed.locations.place_inside(&javascript(), 1, 5).unwrap();
    assert_eq!(place.column as usize, json.find('+').unwrap() + 1);
}

#[test]
fn every_value_has_a_place() {
    let parsed =
        parse_named("demo.yaml", &with_head("pages:\n- key: home\n  metadata: {\"a/b\": 7}\n"))
            .unwrap();
    let place = |pointer: &Pointer| parsed.locations.place(pointer).map(|place| place.to_string());
    let page = Pointer::root().field("pages").element(0);

    assert_eq!(place(&Pointer::root()).as_deref(), Some("demo.yaml:1:1"));
    assert_eq!(place(&page).as_deref(), Some("demo.yaml:4:3"));
    assert_eq!(place(&page.field("metadata").field("a/b")).as_deref(), Some("demo.yaml:5:21"));
    assert_eq!(place(&page.field("nothing")), None);
    assert_eq!(place(&page.element(0)), None);
}
