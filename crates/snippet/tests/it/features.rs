//! What a project does not use is not in its snippet.

use crate::project::{EMPTY, ab_test, compile, parse};

#[test]
fn features_follow_from_the_project() {
    let features = |document: &str| {
        let project = parse(document);
        snippet::report(&project, &snippet::compile(&project).unwrap()).unwrap().features
    };

    assert_eq!(features(EMPTY), ["force", "gpc"]);
    assert_eq!(
        features(&ab_test("[{type: text, selector: h1, value: x}, {type: remove, selector: h2}]")),
        [
            "pages",
            "campaigns",
            "force",
            "data",
            "utils",
            "gpc",
            "url_simple",
            "changes",
            "change_element",
            "change_rivals",
            "change_text",
            "change_remove"
        ]
    );
}

#[test]
fn runtime_leaves_unread_what_a_hundred_campaigns_gave() {
    let leaves_unread = |count: usize| {
        let one = ab_test("[]");
        let (head, campaign) = one.split_once("campaigns:\n").unwrap();
        let campaigns = (0..count).map(|number| {
            let campaign = campaign.replace("key: hero", &format!("key: hero-{number}"));
            ["3001", "4001", "5001", "5002"]
                .iter()
                .fold(campaign, |text, id| text.replace(id, &format!("{id}{number}")))
        });
        let document = format!("{head}campaigns:\n{}", campaigns.collect::<String>());
        compile(&document).javascript.contains("`,,,`")
    };

    assert!(!leaves_unread(99));
    assert!(leaves_unread(100));
}

#[test]
fn trees_are_needed_where_or_does_not_say_it_all() {
    let document = ab_test("[]");
    let url = "{type: url, match: simple, value: \"https://shop.example/\"}";
    let has_trees = |conditions: String| {
        let project = parse(&document.replace(&format!("[\"or\", {url}]"), &conditions));
        let report = snippet::report(&project, &snippet::compile(&project).unwrap()).unwrap();
        report.features.contains(&"trees".to_owned())
    };

    for simple in [format!("[{url}]"), format!("[and, [or, {url}, {url}]]"), "[]".to_owned()] {
        assert!(!has_trees(simple.clone()), "{simple}");
    }
    for tree in
        [format!("[and, {url}, {url}]"), format!("[not, {url}]"), format!("[or, [and], {url}]")]
    {
        assert!(has_trees(tree.clone()), "{tree}");
    }
}

#[test]
fn what_results_are_measured_by_is_not_in_the_snippet() {
    let plain = ab_test("[{type: text, selector: h1, value: x}]")
        .replace("campaigns:", "events: [{id: \"8101\", key: purchase}]\ncampaigns:");
    let measured = plain
        .replace("campaigns:", "metrics: [{key: buyers, type: conversion, event: purchase}, {key: orders, type: count, event: purchase}]\ncampaigns:")
        .replace("    pages: [home]", "    pages: [home]\n    metrics: {primary: [buyers], guardrails: [{metric: orders, margin: 2%}]}\n    plan: {effect: 5%}");

    assert_eq!(parse(&measured).campaigns[0].metrics.all().count(), 2);
    assert_eq!(without_revision(&measured), without_revision(&plain));
}

/// The snippet without the digits that identify its document.
fn without_revision(document: &str) -> String {
    let javascript = compile(document).javascript;
    let (before, after) = javascript.split_once("revision:`").unwrap();
    let (_, after) = after.split_once('`').unwrap();
    format!("{before}{after}")
}

#[test]
fn campaigns_that_do_not_run_are_not_in_the_snippet() {
    let running = ab_test("[{type: text, selector: h1, value: Ship faster}]");
    let paused = running.replace("status: running", "status: paused");

    assert!(compile(&running).javascript.contains("Ship faster"));
    assert!(!compile(&paused).javascript.contains("Ship faster"));
}

#[test]
fn groups_matter_once_one_of_their_campaigns_runs() {
    let group = "groups: [{key: one, id: \"8001\", members: [{campaign: hero, weight: 5000}]}]\n";
    let running = ab_test("[{type: text, selector: h1, value: x}]") + group;
    let paused = running.replace("status: running", "status: paused");

    assert!(compile(&running).javascript.contains("8001"));
    assert!(!compile(&paused).javascript.contains("8001"));
}

#[test]
fn same_project_compiles_to_the_same_snippet() {
    let document = ab_test("[{type: text, selector: h1, value: x}]");

    assert_eq!(compile(&document).hash, compile(&document).hash);
    assert_ne!(compile(&document).hash, compile(EMPTY).hash);
}
