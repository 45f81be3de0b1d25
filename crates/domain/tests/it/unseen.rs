//! What runs, and yet no visitor sees.

use insta::assert_snapshot;

use crate::documents::{faults, faults_of_text, project, with_head};

/// A document with one campaign, which says this of itself, after `before`.
fn campaign(before: &str, fields: &str, experiment: &str) -> String {
    faults(&format!(
        "{before}campaigns: [{{key: hero, type: ab_test, {fields}, experiments: [{{key: hero, {experiment}variations: [{{key: a, weight: 10000}}]}}]}}]\n"
    ))
}

const AUDIENCES: &str = "pages: [{key: home}]
audiences: [{key: nobody}, {key: berlin, conditions: [{type: location, value: DE}]}, {key: on_it, conditions: [and, {audience: nobody}, {audience: berlin}]}]
";

#[test]
fn a_campaign_that_runs_needs_pages() {
    assert_snapshot!(campaign("", "status: running", ""), @"
    demo.yaml:3:13: warning: campaigns[0]: the campaign has no pages, so no visitor sees it
      hint: name some; a page without conditions is every page of the site
    ");
    assert_snapshot!(campaign("", "status: not_started", ""), @"");
    assert_snapshot!(campaign("", "schedule: {start: 2026-12-01T09:00, time_zone: UTC}", ""), @"
    demo.yaml:3:13: warning: campaigns[0]: the campaign has no pages, so no visitor sees it
      hint: name some; a page without conditions is every page of the site
    ");
    assert_snapshot!(campaign("", "schedule: {stop: 2026-12-01T09:00, time_zone: UTC}", ""), @"");
    assert_snapshot!(campaign("pages: [{key: home}]\n", "status: running, pages: [home]", ""), @"");
}

#[test]
fn a_running_experiment_needs_an_audience_that_visitors_can_be_in() {
    let of = |audiences: &str| {
        campaign(AUDIENCES, "status: running, pages: [home]", &format!("audiences: {audiences}, "))
    };

    assert_snapshot!(of("nobody"), @"
    demo.yaml:5:109: warning: campaigns[0].experiments[0].audiences: an audience without conditions contains no visitor, so no visitor sees this
      hint: give the audience conditions, or leave `audiences` out for everyone
    ");
    assert_snapshot!(of("[and, nobody, berlin]"), @"
    demo.yaml:5:109: warning: campaigns[0].experiments[0].audiences: an audience without conditions contains no visitor, so no visitor sees this
      hint: give the audience conditions, or leave `audiences` out for everyone
    ");
    assert_snapshot!(of("on_it"), @"
    demo.yaml:5:109: warning: campaigns[0].experiments[0].audiences: an audience without conditions contains no visitor, so no visitor sees this
      hint: give the audience conditions, or leave `audiences` out for everyone
    ");
    assert_snapshot!(of("[or, nobody, berlin]"), @"");
    assert_snapshot!(of("[not, nobody]"), @"");
    assert_snapshot!(campaign(AUDIENCES, "pages: [home]", "audiences: nobody, "), @"");
}

#[test]
fn a_campaign_hides_from_everyone_without_a_page_or_an_audience_that_it_can_reach() {
    let hides = |pages: &str, audiences: &str| {
        let project = project(&with_head(&format!(
            "pages:
  - {{key: home}}
  - {{key: cart, conditions: [{{type: url, match: simple, value: /cart}}]}}
audiences:
  - {{key: nobody}}
  - {{key: too, conditions: [and, {{audience: nobody}}, {{type: language, value: en}}]}}
  - {{key: watch, conditions: [{{type: device, value: watch}}]}}
  - {{key: berlin, conditions: [or, {{type: location, value: DE}}, {{audience: too}}]}}
campaigns: [{{key: hero, type: ab_test, pages: {pages}, experiments: [{{key: e, audiences: {audiences}, variations: [{{key: a, weight: 10000}}]}}]}}]
"
        )));
        project.hides_from_everyone(project.campaigns[0].id)
    };

    for (pages, audiences) in [
        ("[]", "everyone"),
        ("[cart]", "everyone"),
        ("[home]", "nobody"),
        ("[home]", "too"),
        ("[home]", "watch"),
        ("[home]", "[and, berlin, watch]"),
    ] {
        assert!(hides(pages, audiences), "{pages} {audiences}");
    }
    for (pages, audiences) in [
        ("[home]", "everyone"),
        ("[cart, home]", "berlin"),
        ("[home]", "[or, berlin, watch]"),
        ("[home]", "[not, watch]"),
    ] {
        assert!(!hides(pages, audiences), "{pages} {audiences}");
    }
}

/// Two campaigns of a group that run, and what else they and the project say of themselves.
fn campaigns_of_a_group(
    holdback: &str,
    campaign: &str,
    variations: &str,
    shares: [u32; 2],
) -> String {
    let [first, second] = shares;
    let campaigns = ["hero", "banner"].map(|key| {
        format!(
            "  - {{key: {key}, type: ab_test, pages: [home], {campaign}, experiments: [{{key: e, winner: b, variations: [{variations}]}}]}}\n"
        )
    });
    format!(
        "version: 1
project: {{id: 1000, key: demo{holdback}}}
pages: [{{key: home}}]
campaigns:
{}groups: [{{key: one, members: [{{campaign: hero, weight: {first}}}, {{campaign: banner, weight: {second}}}]}}]
",
        campaigns.concat()
    )
}

const BOTH: &str = "{key: a, weight: 5000}, {key: b, weight: 5000}";

#[test]
fn a_campaign_hidden_from_all_visitors_causes_a_warning() {
    let paused = "{key: a, weight: 10000, paused: true}, {key: b, weight: 0}";
    let shipped = "status: concluded, shipped: true";
    let running = "status: running";
    for (holdback, campaign, variations, shares, is_hidden) in [
        ("", running, BOTH, [5000, 5000], false),
        (", holdback: 9999", "status: running, holdback: 9999", BOTH, [5000, 5000], false),
        (", holdback: 10000", running, BOTH, [5000, 5000], true),
        ("", "status: running, holdback: 100%", BOTH, [5000, 5000], true),
        ("", running, paused, [5000, 5000], true),
        ("", shipped, paused, [5000, 5000], false),
        (
            "",
            shipped,
            "{key: a, weight: 5000}, {key: b, weight: 5000, paused: true}",
            [5000, 5000],
            true,
        ),
        ("", running, BOTH, [0, 10000], true),
    ] {
        let text = campaigns_of_a_group(holdback, campaign, variations, shares);
        let project = project(&text);
        let hides = project.hides_from_everyone(project.campaigns[0].id);

        assert_eq!(hides, is_hidden, "{text}");
        assert_eq!(faults_of_text(&text).contains("no visitor sees"), is_hidden, "{text}");
    }
}

#[test]
fn a_warning_of_a_hidden_campaign_points_to_its_cause() {
    let faults = |holdback, campaign, variations| {
        faults_of_text(&campaigns_of_a_group(holdback, campaign, variations, [0, 10000]))
    };

    assert_snapshot!(faults(", holdback: 10000", "status: running, holdback: 100%", BOTH), @"
    demo.yaml:2:42: warning: project.holdback: all visitors are held back, so no visitor sees this
      hint: lower it: the share is of those who are shown nothing
    demo.yaml:5:74: warning: campaigns[0].holdback: all visitors are held back, so no visitor sees this
      hint: lower it: the share is of those who are shown nothing
    demo.yaml:6:76: warning: campaigns[1].holdback: all visitors are held back, so no visitor sees this
      hint: lower it: the share is of those who are shown nothing
    demo.yaml:7:56: warning: groups[0].members[0].weight: no visitors of the group get this campaign, so no visitor sees it
      hint: give it a share, such as `50%`, or take it out of the group
    ");
    assert_snapshot!(faults(", holdback: 10000", "holdback: 100%", BOTH), @"");
    assert_snapshot!(faults("", "status: running", "{key: a, weight: 10000, paused: true}, {key: b, weight: 0}"), @"
    demo.yaml:5:110: warning: campaigns[0].experiments[0].variations: all variations that visitors get are paused, so no visitor sees this
      hint: let one of them run, or pause the campaign
    demo.yaml:6:112: warning: campaigns[1].experiments[0].variations: all variations that visitors get are paused, so no visitor sees this
      hint: let one of them run, or pause the campaign
    demo.yaml:7:56: warning: groups[0].members[0].weight: no visitors of the group get this campaign, so no visitor sees it
      hint: give it a share, such as `50%`, or take it out of the group
    ");
}

#[test]
fn a_change_is_limited_to_a_page_of_its_campaign() {
    let document = "pages: [{key: home}, {key: cart}]
campaigns:
  - key: hero
    type: ab_test
    status: running
    pages: [home]
    changes: [{type: remove, selector: p, page: cart}, {type: remove, selector: p, page: home}]
    experiments: [{key: hero, variations: [{key: a, weight: 10000, changes: [{type: remove, selector: p, page: cart}]}]}]
";
    assert_snapshot!(faults(document), @"
    demo.yaml:9:49: warning: campaigns[0].changes[0].page: the campaign is not on this page, so that the change is made only while both are active
      hint: add the page to the campaign's `pages`, or leave `page` out
    demo.yaml:10:112: warning: campaigns[0].experiments[0].variations[0].changes[0].page: the campaign is not on this page, so that the change is made only while both are active
      hint: add the page to the campaign's `pages`, or leave `page` out
    ");
}

#[test]
fn weights_that_look_like_percents_are_told() {
    let weights = |weights: &[u32]| {
        let variations = weights.iter().enumerate();
        let variations =
            variations.map(|(place, weight)| format!("{{key: v{place}, weight: {weight}}}"));
        let variations = variations.collect::<Vec<_>>().join(", ");
        faults(&format!(
            "campaigns: [{{key: hero, type: ab_test, experiments: [{{key: hero, variations: [{variations}]}}]}}]\n"
        ))
    };

    assert_snapshot!(weights(&[50, 50]), @"
    demo.yaml:3:78: warning: campaigns[0].experiments[0].variations: weights add up to 1%, the other visitors stay unbucketed
      hint: `50` is 0.5%: write `50%` or `5000` for a half
    ");
    assert_snapshot!(weights(&[33, 33, 33]), @"
    demo.yaml:3:78: warning: campaigns[0].experiments[0].variations: weights add up to 0.99%, the other visitors stay unbucketed
      hint: `50` is 0.5%: write `50%` or `5000` for a half
    ");
    assert_snapshot!(weights(&[500, 500]), @"demo.yaml:3:78: warning: campaigns[0].experiments[0].variations: weights add up to 10%, the other visitors stay unbucketed");
}

#[test]
fn weights_of_a_group_that_look_like_percents_are_told() {
    let one = |key| {
        format!(
            "{{key: {key}, type: ab_test, experiments: [{{key: e, variations: [{{key: v, weight: 10000}}]}}]}}"
        )
    };
    let group = |weight| {
        format!(
            "campaigns: [{}, {}]\ngroups: [{{key: g, members: [{{campaign: a, weight: {weight}}}, {{campaign: b, weight: {weight}}}]}}]\n",
            one("a"),
            one("b")
        )
    };

    assert_snapshot!(faults(&group(50)), @"
    demo.yaml:4:28: warning: groups[0].members: weights add up to 1%, so few visitors see any of these
      hint: `50` is 0.5%: write `50%` or `5000` for a half
    ");
    assert_snapshot!(faults(&group(5000)), @"");
}

/// What is told of a page with these conditions, in a project with these origins.
fn page(origins: &str, conditions: &str) -> String {
    faults_of_text(&format!(
        "version: 1\nproject: {{key: demo, origins: {origins}}}\npages: [{{key: home, conditions: {conditions}}}]\n"
    ))
}

fn url(value: &str) -> String {
    format!("{{type: url, match: simple, value: '{value}'}}")
}

#[test]
fn a_page_of_another_site_than_the_origins_is_told() {
    let shop = "['https://www.shop.example', 'https://*.mugs.example:8443']";

    assert_snapshot!(page(shop, &format!("[{}]", url("https://shop.exmaple/cart"))), @"
    demo.yaml:3:33: warning: pages[0].conditions: `shop.exmaple` is of none of the project's `origins`
      hint: correct the address, or add `https://shop.exmaple` to `origins`: what happens on other sites is not counted
    ");
    assert_snapshot!(page(shop, &format!("[and, {}, {}]", url("shop.example"), url("other.example"))), @"
    demo.yaml:3:33: warning: pages[0].conditions: `other.example` is of none of the project's `origins`
      hint: correct the address, or add `https://other.example` to `origins`: what happens on other sites is not counted
    ");
    for fine in
        ["shop.example/cart", "http://WWW.shop.example", "https://de.mugs.example/", "mugs.example"]
    {
        assert_eq!(page(shop, &format!("[{}]", url(fine))), "", "{fine}");
    }
    assert_eq!(page(shop, &format!("[or, {}, {}]", url("shop.example"), url("other.example"))), "");
    assert_eq!(page(shop, &format!("[not, {}]", url("other.example"))), "");
    assert_eq!(page(shop, "[]"), "");
    assert_eq!(page("[]", &format!("[{}]", url("other.example"))), "");
}

#[test]
fn variations_and_experiments_that_are_read_by_one_name_are_told() {
    let document = |first: &str, second: &str, experiment: &str| {
        faults(&format!(
            "campaigns: [{{key: hero, type: personalization, experiments: [{{key: one, name: Hero, variations: [{{key: a, weight: 10000, {first}}}, {{key: b, weight: 0, {second}}}]}}, {{key: two, {experiment}variations: [{{key: a, weight: 10000}}]}}]}}]\n"
        ))
    };

    assert_snapshot!(document("name: Short", "name: Short, paused: true", ""), @"
    demo.yaml:3:162: warning: campaigns[0].experiments[0].variations[1].name: another variation of the experiment has the name `Short`, too
      hint: give each a name of its own: results are read by names
    ");
    assert_snapshot!(document("name: b", "paused: true", ""), @"
    demo.yaml:3:132: warning: campaigns[0].experiments[0].variations[1]: another variation of the experiment has the name `b`, too
      hint: give each a name of its own: results are read by names
    ");
    assert_snapshot!(document("name: Long", "name: Short, paused: true", "name: Hero, "), @"
    demo.yaml:3:202: warning: campaigns[0].experiments[1].name: another experiment of the campaign has the name `Hero`, too
      hint: give each a name of its own: results are read by names
    ");
    assert_snapshot!(document("name: Short", "name: Short, archived: true", "name: Hero, archived: true, "), @"");
}
