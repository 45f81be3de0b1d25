//! What is in the snippet behind a preview link, and what is not.

use domain::VariationId;
use snippet::Offer;

use crate::project::{ab_test, parse};

/// A draft whose second and third variation say these texts.
fn draft() -> String {
    let second = "[{type: text, selector: h1, value: Second text}]";
    let third = "          - {id: \"5003\", key: third, name: Third name, weight: 0, changes: [{type: text, selector: h1, value: Third text}]}\n";
    let own = ab_test(second) + third;
    let other = r#"  - key: other
    name: Other draft
    type: personalization
    status: paused
    pages: [home]
    experiments:
      - {id: "4009", key: one, name: Other experiment, variations: [{id: "5009", key: only, name: Other variation, weight: 10000, changes: [{type: css, value: "b{}"}]}]}
      - {id: "4008", key: two, name: Second experiment, variations: [{id: "5008", key: only, name: Next variation, weight: 10000}]}
"#;
    let document = own.replace("status: running", "status: not_started") + other;
    document.replace("key: shop}", "key: shop, snippet: {allow_force: false, preview: true}}")
}

fn preview(document: &str, variations: &[u64]) -> String {
    let ids: Vec<VariationId> =
        variations.iter().map(|id| id.to_string().parse().unwrap()).collect();
    snippet::compile_preview(&parse(document), &ids, Offer::Nothing).unwrap().javascript
}

#[test]
fn a_preview_has_the_named_variation_of_a_campaign_that_does_not_run() {
    let script = preview(&draft(), &[5002]);

    assert!(script.contains("Second text") && script.contains("Hero text"));
    assert!(script.contains("5001,0,5002,`Short`,5003,0"), "{script}");
}

#[test]
fn a_preview_tells_nothing_of_other_drafts() {
    let script = preview(&draft(), &[5002]);

    for secret in ["Third", "Other", "5009", "4009", "b{}"] {
        assert!(!script.contains(secret), "{secret}");
    }
    let script = preview(&draft(), &[5009]);
    assert!(script.contains("Other experiment"));
    for secret in ["Hero", "Second", "5008"] {
        assert!(!script.contains(secret), "{secret}");
    }
}

#[test]
fn a_preview_that_offers_other_variations_names_those_of_its_experiment() {
    let ids = ["5002".parse().unwrap()];
    let offer = Offer::OtherVariations;

    let script = snippet::compile_preview(&parse(&draft()), &ids, offer).unwrap().javascript;

    assert!(script.contains("Third name") && !script.contains("Third text"), "{script}");
    for secret in ["Other", "5009", "4009", "b{}"] {
        assert!(!script.contains(secret), "{secret}");
    }
}

#[test]
fn the_panel_is_in_previews_alone() {
    let live = snippet::compile(&parse(&draft())).unwrap().javascript;

    assert!(preview(&draft(), &[5002]).contains("attachShadow"));
    assert!(!live.contains("attachShadow"));
}

#[test]
fn a_preview_contains_running_campaigns_like_the_live_snippet() {
    let running = ab_test("[{type: text, selector: h1, value: Second text}]");

    let script = preview(&running, &[5001]);

    assert!(script.contains("Second text") && script.contains("Short"));
}

#[test]
fn a_preview_of_nothing_shows_nothing_more() {
    let script = preview(&draft(), &[77]);

    assert!(!script.contains("Second text") && !script.contains("Third"), "{script}");
}

#[test]
fn a_preview_does_not_look_for_a_preview() {
    assert!(!preview(&draft(), &[5002]).contains("?preview="));
    let live = snippet::compile(&parse(&draft())).unwrap().javascript;
    assert!(live.contains("?preview="));
}

#[test]
fn a_campaign_that_is_over_is_shown_on_pages_and_to_audiences_archived_since() {
    let archived = draft()
        .replace("key: home,", "key: home, archived: true,")
        .replace("status: not_started", "status: concluded")
        .replace("status: paused", "status: archived")
        .replace(
            "key: hero\n        name: Hero text\n",
            "key: hero\n        name: Hero text\n        audiences: old\n",
        )
        + "audiences: [{key: old, archived: true, conditions: [{audience: older}]}, {key: older, archived: true}]\n";

    assert!(preview(&archived, &[5002]).contains("Second text"));
    assert!(preview(&archived, &[5009]).contains("Other experiment"));
}

#[test]
fn a_preview_does_not_show_what_is_archived() {
    let archived = draft().replace("key: third, name", "key: third, archived: true, name");

    let script = preview(&archived, &[5003]);

    assert!(!script.contains("Third") && !script.contains("Hero"), "{script}");
}
