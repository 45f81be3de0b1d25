//! The text of a project file is brought to what a project is now, and keeps all else.

use std::collections::HashMap;

use domain::{FileReader, Project, Rewritten, Source, parse, rewrite};

use crate::documents::{EVERYTHING, Names};

/// As people write: comments, quotes and order of their own, and a file.
const SHOP: &str = r#"# The shop.
version: 1
project: {id: "1000", key: shop, name: 'The shop'}   # one line

pages:
- key: home   # ids are left out
  conditions: ["or", {type: url, match: simple, value: "https://shop.example/"}]

campaigns:
  # The hero.
  - id: "3001"
    key: hero
    name: Größe
    type: ab_test
    pages: [home]
    experiments:
      - key: hero
        variations:
          - {key: original, weight: 50%}   # half
          - key: short
            weight: "50%"
            # What it does:
            changes:
              - type: text
                selector: h1        # the headline
                value: Ship faster
              - {type: javascript, value: {file: ./code/hero.js}}   # in a file

  # The offer.
  - key: offer
    type: personalization
    experiments: [{key: all, variations: [{key: mug, weight: 10000}]}]
# The end.
"#;

const CODE: &str = "document.title = 1;\n";

struct Files<'t>(HashMap<&'t str, &'t str>);

impl FileReader for Files<'_> {
    fn read(&self, relative: &str) -> Result<String, String> {
        self.0.get(relative).map(|text| (*text).to_owned()).ok_or_else(|| "not there".to_owned())
    }
}

fn project(text: &str, code: &str) -> Project {
    let files = Files(HashMap::from([("code/hero.js", code)]));
    parse(&Source { name: "shop.yaml", text, files: &files }).expect("it is valid").project
}

/// The shop's file, rewritten to what another file says.
fn rewritten(source: &str, wanted: &str, code: &str) -> Option<Rewritten> {
    rewrite(source, &project(wanted, code), |path, text| {
        assert_eq!(path, "code/hero.js");
        text == CODE
    })
}

#[track_caller]
fn assert_becomes(edits: &[(&str, &str)]) {
    let edited = |text: &str| {
        edits.iter().fold(text.to_owned(), |text, (old, new)| {
            assert_eq!(text.matches(old).count(), 1, "{old}");
            text.replacen(old, new, 1)
        })
    };
    let wanted = edited(SHOP);

    let found = rewritten(SHOP, &wanted, CODE).expect("it can be changed in place");

    assert_eq!(found.text, wanted);
    assert!(found.inlined.is_empty() && found.lost_comments.is_empty());
    let of_windows = |text: &str| text.replace('\n', "\r\n");
    let found = rewritten(&of_windows(SHOP), &wanted, CODE).expect("with other line breaks");
    assert_eq!(found.text, of_windows(&wanted));
    let found = rewritten(&format!("\u{feff}{SHOP}"), &wanted, CODE).expect("with a mark");
    assert_eq!(found.text, format!("\u{feff}{wanted}"));
}

#[test]
fn a_text_that_means_the_project_stays_byte_for_byte() {
    let (json, plain) = (project(SHOP, CODE), SHOP.replace("{file: ./code/hero.js}", "x"));
    let json = serde_json::to_string_pretty(&json).unwrap();
    for source in [SHOP, &SHOP.replace('\n', "\r\n"), &format!("\u{feff}{SHOP}"), &json, &plain] {
        let found = rewritten(source, source, CODE).unwrap();

        assert_eq!(found.text, *source);
        assert!(found.inlined.is_empty());
    }
}

#[test]
fn what_the_text_leaves_to_the_server_stays_left_out() {
    let started = SHOP.replace("type: ab_test", "type: ab_test\n    status: running");

    let found = rewritten(SHOP, &started, CODE).unwrap();

    assert_eq!(found.text, SHOP, "a campaign that was started in the console has no status here");
}

#[test]
fn values_change_where_they_stand() {
    assert_becomes(&[("Ship faster", "Ship sooner")]);
    assert_becomes(&[("name: Größe", "name: \"Größe: 2\"")]);
    assert_becomes(&[("{key: original, weight: 50%}", "{key: original, weight: 4000}")]);
    assert_becomes(&[("name: 'The shop'", "name: null"), ("weight: \"50%\"", "weight: 4500")]);
    assert_becomes(&[(
        "value: Ship faster",
        "value: |-\n                  Ship\n                  faster",
    )]);
    assert_becomes(&[("\"https://shop.example/\"", "\"https://shop.example/b\"")]);
}

#[test]
fn fields_and_resources_are_added_and_removed_where_they_belong() {
    assert_becomes(&[("pages: [home]", "pages: []")]);
    assert_becomes(&[(
        "value: {file: ./code/hero.js}}   # in a file\n",
        "value: {file: ./code/hero.js}}   # in a file\n              - {type: css, value: x}\n",
    )]);
    assert_becomes(&[(
        "\n  # The offer.\n  - key: offer\n    type: personalization\n    experiments: [{key: all, variations: [{key: mug, weight: 10000}]}]\n",
        "\n  # The offer.\n",
    )]);
    assert_becomes(&[("weight: 10000}]}]\n", "weight: 10000}]}]\n    holdback: 100\n")]);
    assert_becomes(&[(
        "key: shop, name: 'The shop'}",
        "key: shop, name: 'The shop', snippet: {explain: true}}",
    )]);
}

#[test]
fn a_new_campaign_comes_after_the_one_before_it() {
    let new = "  - id: \"77\"\n    key: third\n    type: personalization\n    experiments:\n      - id: \"78\"\n        key: all\n        variations:\n          - {id: \"79\", key: cup, weight: 10000}\n";
    assert_becomes(&[("# The end.", &format!("{new}# The end."))]);
}

#[test]
fn the_text_says_the_ids_that_changed_keys_do_not_make() {
    let shop = project(SHOP, CODE);
    let [page, hero, offer] = [
        shop.pages[0].id.to_string(),
        shop.campaigns[0].experiments[0].id.to_string(),
        shop.campaigns[1].id.to_string(),
    ];
    let [original, short] =
        [0, 1].map(|place| shop.campaigns[0].experiments[0].variations[place].id.to_string());
    let all = shop.campaigns[1].experiments[0].id;

    assert_becomes(&[
        ("- key: home   #", &format!("- id: \"{page}\"\n  key: start   #")),
        ("pages: [home]", "pages: [start]"),
    ]);
    assert_becomes(&[
        ("- key: offer", &format!("- id: \"{offer}\"\n    key: promo")),
        ("{key: all,", &format!("{{id: \"{all}\", key: all,")),
    ]);
    assert_becomes(&[
        ("      - key: hero\n", &format!("      - id: \"{hero}\"\n        key: headline\n")),
        ("{key: original,", &format!("{{id: \"{original}\", key: original,")),
        ("- key: short", &format!("- id: \"{short}\"\n            key: short")),
    ]);
}

#[test]
fn a_project_whose_key_changed_keeps_all_ids() {
    let file = |id: &str, key: &str, page: &str| {
        format!("version: 1\nproject: {{{id}key: {key}}}\npages:\n  - {page}key: home   # one\n")
    };
    let source = file("", "shop", "");
    let shop = project(&source, CODE);
    let page = format!("id: \"{}\"\n    ", shop.pages[0].id);
    let wanted = file(&format!("id: \"{}\", ", shop.id), "store", &page);

    let found = rewritten(&source, &wanted, CODE).expect("it can be changed in place");

    assert_eq!(found.text, wanted);
}

#[test]
fn a_new_phase_changes_the_experiment_where_it_stands() {
    assert_becomes(&[
        ("      - key: hero\n", "      - key: hero-2\n"),
        ("{key: original, weight: 50%}", "{key: original, weight: 4000}"),
    ]);
    let with_ids = |experiment: &str, variation: &str| {
        let experiment = format!("      - id: \"{experiment}\"\n        key: hero\n");
        let text = SHOP.replace("      - key: hero\n", &experiment);
        text.replace("{key: original", &format!("{{id: \"{variation}\", key: original"))
    };
    let found = rewritten(&with_ids("41", "51"), &with_ids("42", "52"), CODE);
    assert_eq!(found.map(|found| found.text), Some(with_ids("42", "52")));
}

#[test]
fn the_text_of_a_file_that_has_another_one_comes_into_the_document() {
    let found = rewritten(SHOP, SHOP, "alert(1)").unwrap();

    assert_eq!(found.text, SHOP.replace("{file: ./code/hero.js}", "alert(1)"));
    assert_eq!(found.inlined, ["code/hero.js"]);
    let other = rewrite(SHOP, &project(SHOP, "alert(2)"), |_, _| true).unwrap();
    assert_eq!(other.text, SHOP, "who writes the file keeps it");
}

#[test]
fn comments_that_go_with_a_value_are_told() {
    let wanted = SHOP.replace(
        "            changes:
              - type: text
                selector: h1        # the headline
                value: Ship faster
",
        "            changes:
              - {type: css, value: x}
",
    );

    let found = rewritten(SHOP, &wanted, CODE).unwrap();

    assert_eq!(found.lost_comments, [25]);
    assert!(found.text.contains("# What it does:") && !found.text.contains("# the headline"));
    assert_eq!(project(&found.text, CODE), project(&wanted, CODE));
}

#[test]
fn a_text_that_is_no_document_any_more_is_not_rewritten() {
    for source in ["", "# nothing\n", "version: 9", "version: 1\nproject: {id: \"1000\", no: 1}"] {
        let found = rewritten(source, SHOP, CODE);

        assert_eq!(found, None, "{source}");
    }
}

fn everything(text: &str) -> Option<Project> {
    let parsed = parse(&Source { name: "a.yaml", text, files: &Names });
    parsed.ok().map(|parsed| parsed.project)
}

/// A text with another line in the place of one.
fn with_line(text: &str, place: usize, new: &str) -> String {
    let lines = text.lines().enumerate();
    lines.map(|(at, line)| if at == place { new } else { line }).collect::<Vec<_>>().join("\n")
}

/// The document of every field, with a comment at the end of each line that takes one.
fn commented() -> String {
    let plain = everything(EVERYTHING).expect("it is valid");
    let lines = EVERYTHING.lines().enumerate().map(|(at, line)| {
        let commented = format!("{line}  # é");
        let is_same = everything(&with_line(EVERYTHING, at, &commented)).as_ref() == Some(&plain);
        if is_same { commented } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn no_comment_is_lost_silently_when_any_line_changes_or_goes() {
    let source = commented();
    let comments = |text: &str| text.matches("# é").count();
    assert!(comments(&source) > 100, "{source}");
    let (mut in_place, mut tried) = (0, 0);
    for (at, line) in source.lines().enumerate() {
        for new in ["", &line.replace("name: ", "name: A"), &line.replace("true", "false")] {
            let wanted = everything(&with_line(&source, at, new)).filter(|_| new != line);
            let Some(wanted) = wanted else { continue };
            tried += 1;

            let Some(found) = rewrite(&source, &wanted, |_, _| true) else { continue };

            in_place += 1;
            assert_eq!(everything(&found.text).as_ref(), Some(&wanted), "{line}\n{}", found.text);
            let lost = found.lost_comments.len();
            assert_eq!(comments(&found.text) + lost, comments(&source), "{line}\n{}", found.text);
        }
    }
    assert!(in_place * 10 > tried * 9, "{in_place} of {tried} are changed in place");
}
