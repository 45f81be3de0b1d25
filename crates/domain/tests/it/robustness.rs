//! Whatever the text: reading it ends, nothing panics, and every fault is at a place inside the
//! text.

use domain::{NoFiles, Source, parse};
use proptest::prelude::*;

use crate::documents::EVERYTHING;

fn assert_faults_are_inside(name: &str, text: &str) {
    let faults = match parse(&Source { name, text, files: &NoFiles }) {
        Ok(parsed) => parsed.warnings,
        Err(faults) => {
            assert!(!faults.is_empty());
            faults
        }
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split('\n').collect();
    for fault in faults {
        let place = fault.place.as_ref().expect("faults of a text have a place");
        let line =
            lines.get(place.line as usize - 1).unwrap_or_else(|| panic!("{fault}\nin {text:?}"));
        let columns = line.trim_start_matches('\u{feff}').chars().count() + 1;
        assert!((1..=columns).contains(&(place.column as usize)), "{fault}\nin {text:?}");
    }
}

/// A text with one piece replaced by another.
fn damaged() -> impl Strategy<Value = String> {
    let scraps = prop_oneof![
        Just(String::new()),
        "[\\PC\\n\\t]{0,8}",
        prop::sample::select(vec![
            "[", "]", "{", "}", ":", "- ", "\n", "'", "\"", "&a ", "*a", "|\n", "not", "null",
            "\r\n", "\\", "!x "
        ])
        .prop_map(str::to_owned),
    ];
    let length = EVERYTHING.chars().count();
    (0..length, 0..40_usize, scraps).prop_map(|(start, removed, scrap)| {
        let before: String = EVERYTHING.chars().take(start).collect();
        let after: String = EVERYTHING.chars().skip(start + removed).collect();
        before + &scrap + &after
    })
}

#[test]
fn a_fault_behind_the_end_of_a_line_is_at_its_end() {
    assert_faults_are_inside("demo.yaml", "%�\0\n");
}

proptest! {
    #[test]
    fn any_text_gives_faults_inside_the_text(text in any::<String>()) {
        assert_faults_are_inside("demo.yaml", &text);
        assert_faults_are_inside("demo.json", &text);
    }

    #[test]
    fn any_bytes_give_faults_inside_the_text(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        assert_faults_are_inside("demo.yaml", &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_yaml_like_text_gives_faults_inside_the_text(text in "[a-c:,\\-\\[\\]{}&*!|>'\"#?%@` \n\r\t\\\\0-9é😀]{0,60}") {
        assert_faults_are_inside("demo.yaml", &text);
    }

    #[test]
    fn any_json_like_text_gives_faults_inside_the_text(text in "\\{[a\":,\\-\\[\\]{} \n\\\\0-9tue.é]{0,60}") {
        assert_faults_are_inside("demo.yaml", &text);
        assert_faults_are_inside("demo.json", &text);
    }

    #[test]
    fn a_damaged_document_gives_faults_inside_the_text(text in damaged()) {
        assert_faults_are_inside("demo.yaml", &text);
    }
}
