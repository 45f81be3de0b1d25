//! How a project's data stands in its snippet: short, and safe whatever a name says.

use crate::project::{ab_test, compile, parse};

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
fn a_single_condition_is_a_list_of_one() {
    let bare = r#"{type: url, match: simple, value: "https://shop.example/"}"#;
    let vip = "audiences: [{key: vip, conditions: {type: cookies, name: vip, match: exists}}]\ncampaigns:";
    let document = ab_test("[]").replace(&format!("[\"or\", {bare}]"), bare);
    let document = document
        .replace("campaigns:", vip)
        .replace("key: hero\n        name", "key: hero\n        audiences: vip\n        name");

    let snippet = compile(&document).javascript.replace(['"', '`'], "");

    for list in ["[{type:url,", "[{type:cookies,"] {
        assert!(snippet.contains(list), "{list} {snippet}");
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

#[test]
fn priorities_are_left_out_only_where_they_say_nothing() {
    let project = |priorities: &str| {
        let second = "\n      - {id: \"4002\", key: second, name: B, variations: [{key: x, id: \"5009\", name: X, weight: 10000}]}\n";
        let document = ab_test("[]").replace("type: ab_test", "type: personalization");
        let document = document.trim_end().to_owned() + second;
        document
            .replace("    experiments:", &format!("    priorities: {priorities}\n    experiments:"))
    };
    let priorities = |text: &str| {
        let snippet = compile(&project(text)).javascript;
        snippet.split("]],1").nth(1).map(|rest| rest.chars().take(9).collect::<String>())
    };

    assert_eq!(
        priorities("[[hero, second]]").as_deref().map(|rest| rest.starts_with(']')),
        Some(true)
    );
    assert_eq!(priorities("[[second, hero]]").as_deref(), Some(",0,[[1,0]"));
    assert_eq!(
        priorities("[[second]]").as_deref().map(|rest| rest.starts_with(",0,[[1]]")),
        Some(true)
    );
}

#[test]
fn what_is_archived_is_not_there_but_for_the_places_of_variations() {
    let rest = r#"          - {id: "5003", key: third, name: Third, weight: 0, archived: true}
  - key: many
    id: "3002"
    type: personalization
    status: running
    pages: [home]
    priorities: [[gone], [left]]
    experiments:
      - {id: "4002", key: gone, name: Gone, archived: true, audiences: old, variations: [{id: "5009", key: x, weight: 10000}]}
      - {id: "4003", key: left, variations: [{id: "5010", key: a, weight: 0, archived: true, name: Past, changes: [{type: css, value: "b{}"}]}, {id: "5011", key: b, weight: 10000}]}
attributes: [{key: plan, id: "7001", archived: true}]
audiences: [{key: old, id: "6001", archived: true}]
groups: [{key: g, id: "8001", archived: true, members: [{campaign: hero, weight: 5000}]}]
"#;
    let past = "pages:\n  - {id: \"2009\", key: past, archived: true}\n";
    let document = ab_test("[]").replace("pages:\n", past) + rest;

    let script = compile(&document).javascript.replace('"', "`");

    assert!(script.contains("[4001,1,[5001,`Original`,5002,`Short`]]"), "{script}");
    assert!(script.contains("[3002,0,0,[[4003,0,[0,0,5011,0],0,[0,1e4]]],1]"), "{script}");
    for gone in [
        "2009", "past", "4002", "Gone", "5003", "5009", "5010", "Past", "b{}", "7001", "6001",
        "8001",
    ] {
        assert!(!script.contains(gone), "{gone}: {script}");
    }
}

#[test]
fn a_paused_variation_is_there_and_marked() {
    let running = ab_test("[{type: text, selector: h1, value: Bad}]");
    let paused = running.replace("key: short,", "key: short, paused: true,");
    let plain = ab_test("[]").replace("key: short,", "key: short, paused: true,");

    let script = compile(&paused).javascript.replace('"', "`");
    let without_changes = compile(&plain).javascript.replace('"', "`");

    assert!(script.contains(",0,0,[0,[[0,`h1`,`Bad`]]],[1]]"), "{script}");
    assert!(without_changes.contains(",0,0,0,[1]]"), "{without_changes}");
}

#[test]
fn what_members_note_of_a_campaign_is_not_there() {
    let plain = ab_test("[{type: text, selector: h1, value: x}]");
    let notes = "    description: So so\n    tags: [spring, \"Größe\"]\n    hypothesis: It sells\n    owner: ann@shop.example\n    status: running\n";
    let described = plain.replacen("    status: running\n", notes, 1);
    assert_ne!(plain, described);

    // A snippet also names the revision of its document, which is another one.
    let bytes =
        |text: &str| snippet::compile_written(&parse(text), "the document").unwrap().javascript;
    assert_eq!(bytes(&described), bytes(&plain));
}

#[test]
fn an_archived_project_has_no_campaigns() {
    let archived =
        ab_test("[{type: css, value: x}]").replace("key: shop}", "key: shop, archived: true}");

    let script = compile(&archived).javascript;

    assert!(!script.contains("3001") && !script.contains("5001"), "{script}");
}

#[test]
fn the_snippet_of_an_archived_project_sends_no_events() {
    let counted = |more: &str| {
        let events = "events: [{key: seen, id: \"9001\", type: pageview}]\n";
        let project = format!("key: shop, results: on{more}}}");
        compile(&(ab_test("[]").replace("key: shop}", &project) + events)).javascript
    };

    let (collecting, archived) = (counted(""), counted(", archived: true"));

    assert!(collecting.contains("/v1/events") && collecting.contains("seen"), "{collecting}");
    assert!(!archived.contains("/v1/events") && !archived.contains("seen"), "{archived}");
}
