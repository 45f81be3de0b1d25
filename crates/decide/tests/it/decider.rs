//! What a visitor gets on a page, and how it is told: one story for each step of a decision.

use decide::{Answer, CampaignAnswer, Decider, Effort, Visit};
use domain::{NoFiles, Source};

const PROJECT: &str = r#"
version: 1
project: {id: "1000", key: shop}
attributes: [{id: "7001", key: plan}]
pages:
  - {id: "2001", key: home, conditions: [{type: url, match: simple, value: "https://shop.example/"}]}
  - {id: "2002", key: cart, activation: {type: manual}}
audiences:
  - {id: "6001", key: loyal, name: Loyal, conditions: ["or", {type: query, name: loyal, match: exact, value: "1"}, {type: custom_attribute, name: plan, match: exact, value: pro}]}
  - {id: "6002", key: coded, conditions: [{type: custom_code, value: "return true"}]}
campaigns:
  - id: "1001"
    key: hero
    name: Hero
    type: ab_test
    status: running
    pages: [home, cart]
    experiments:
      - id: "2001"
        key: hero
        name: Hero
        variations:
          - {id: "5001", key: original, name: Original, weight: 4859}
          - {id: "5002", key: short, name: Short, weight: 1000}
"#;

fn decider(document: &str) -> Decider {
    match domain::parse(&Source { name: "shop.yaml", text: document, files: &NoFiles }) {
        Ok(parsed) => Decider::new(&parsed.project),
        Err(faults) => {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            panic!("{}", faults.join("\n"))
        }
    }
}

/// The visitor `visitor-1` has bucket 4858 for experiment 2001: see `spec/vectors/bucketing.json`.
fn visit(more: &str) -> Visit {
    let start = r#"{"visitor_id": "visitor-1", "url": "https://shop.example/""#;
    serde_json::from_str(&format!("{start}{more}}}")).unwrap()
}

fn answer(document: &str, more: &str) -> Answer {
    decider(document).decide(&visit(more), &Effort::default()).unwrap()
}

fn steps(campaign: &CampaignAnswer) -> Vec<String> {
    campaign.steps.iter().map(|step| format!("{}: {}", step.step.word(), step.text)).collect()
}

fn with(experiment: &str, campaign: &str) -> String {
    let document = PROJECT.replace(
        "        key: hero\n        name: Hero\n",
        &format!("        key: hero\n        name: Hero\n{experiment}"),
    );
    document.replace("    pages: [home, cart]\n", &format!("    pages: [home, cart]\n{campaign}"))
}

#[test]
fn a_bucket_falls_into_a_share() {
    let answer = answer(PROJECT, "");
    let campaign = &answer.campaigns[0];

    assert_eq!(
        steps(campaign),
        [
            "status: the campaign is running",
            "pages: page `home` is active",
            "audiences: experiment `hero` is for everyone",
            "holdback: no visitors are held back",
            "variation: bucket 4858 of 10000 is for `original`, whose share ends at 4859",
        ]
    );
    assert!(campaign.is_decided);
    assert_eq!(campaign.decision_string.as_deref(), Some("Hero(2001):Original(5001)"));
    assert_eq!(answer.active_experiment_ids, ["2001"]);
    assert_eq!(answer.variation_map["2001"].index, Some(0));
}

#[test]
fn a_bucket_beyond_the_shares_gets_no_variation() {
    let document = PROJECT.replace("weight: 4859", "weight: 3000");

    let answer = answer(&document, "");
    let campaign = &answer.campaigns[0];

    assert_eq!(
        steps(campaign)[4],
        "variation: bucket 4858 of 10000 is beyond the last share, which ends at 4000: no variation"
    );
    assert!(campaign.experiment.is_some());
    assert_eq!((&campaign.variation, &campaign.decision_string), (&None, &None));
    assert!(answer.active_experiment_ids.is_empty());
    assert!(answer.variation_map.is_empty());
}

#[test]
fn a_variation_given_earlier_stays() {
    let answer = answer(PROJECT, r#", "variations": {"2001": "5002"}"#);

    assert_eq!(
        steps(&answer.campaigns[0])[4],
        "stored: variation `short` was given earlier, and stays whatever the weights"
    );
    assert_eq!(answer.variation_map["2001"].id, "5002");
}

#[test]
fn a_variation_that_is_gone_leaves_the_visitor_in_none() {
    let answer = answer(PROJECT, r#", "variations": {"2001": "5009", "4": "5"}"#);

    assert_eq!(
        steps(&answer.campaigns[0])[4],
        "stored: variation 5009 was given earlier, and is gone: the visitor is in none"
    );
    assert_eq!(answer.campaigns[0].variation, None);
    assert_eq!(answer.variation_map["2001"].id, "5009");
    assert_eq!(answer.variation_map["4"].id, "5");
}

#[test]
fn an_archived_variation_gets_no_visitors() {
    let document = PROJECT.replace("weight: 4859}", "weight: 0, archived: true}");

    let stored = answer(&document, r#", "variations": {"2001": "5001"}"#);
    let forced = answer(&document, r#", "force": ["5001"]"#);

    let said = "stored: variation 5001 was given earlier, and is gone: the visitor is in none";
    assert_eq!(steps(&stored.campaigns[0])[4], said);
    assert_eq!(stored.campaigns[0].variation, None);
    assert_eq!(stored.variation_map["2001"].index, None);
    assert!(!steps(&forced.campaigns[0]).iter().any(|step| step.starts_with("forced")));
}

#[test]
fn a_paused_variation_stays_its_visitors_and_shows_them_nothing() {
    let paused = |weight: &str| {
        PROJECT.replace(weight, &format!("{}, paused: true}}", &weight[..weight.len() - 1]))
    };
    let before = answer(PROJECT, "");
    let chosen = before.campaigns[0].variation.as_ref().unwrap();
    let [own, other] = if chosen.index == 0 {
        ["weight: 4859}", "weight: 1000}"]
    } else {
        ["weight: 1000}", "weight: 4859}"]
    };

    let stopped = answer(&paused(own), "");
    let untouched = answer(&paused(other), "");
    let forced = answer(&paused(own), &format!(r#", "force": ["{}"]"#, chosen.id));

    assert_eq!(stopped.campaigns[0].variation, before.campaigns[0].variation);
    assert!(stopped.campaigns[0].is_held_back && !forced.campaigns[0].is_held_back);
    assert_eq!(stopped.variation_map, before.variation_map);
    let said = format!(
        "paused: variation `{}` is paused: its visitors keep it, and are shown nothing",
        chosen.key
    );
    assert_eq!(steps(&stopped.campaigns[0]).last(), Some(&said));
    assert_eq!(untouched, before);
}

#[test]
fn variations_beside_an_archived_one_keep_their_places() {
    let document = PROJECT
        .replace("weight: 4859}", "weight: 0, archived: true}")
        .replace("weight: 1000}", "weight: 10000}");

    let answer = answer(&document, "");

    assert_eq!(answer.campaigns[0].variation.as_ref().unwrap().index, 1);
}

#[test]
fn archived_pages_and_experiments_are_not_considered() {
    let archived = PROJECT.replace("key: cart,", "key: cart, archived: true,");
    let document = archived.replace("pages: [home, cart]", "pages: [home]");
    let experiment =
        r#"      - {id: "2002", key: gone, archived: true, variations: [{key: a, weight: 10000}]}"#;
    let document = document.replace("type: ab_test", "type: personalization") + experiment;

    let answer = answer(&document, "");

    assert_eq!(answer.pages.len(), 1);
    assert_eq!(steps(&answer.campaigns[0])[2], "audiences: experiment `hero` is for everyone");
    assert!(
        steps(&answer.campaigns[0])[3]
            .starts_with("experiment: priority group 1 has one experiment")
    );
}

#[test]
fn an_archived_project_decides_nothing() {
    let document = PROJECT.replace("key: shop}", "key: shop, archived: true}");

    assert!(answer(&document, "").campaigns.is_empty());
}

#[test]
fn a_stored_value_that_is_no_id_is_ignored() {
    for stored in [
        r#"{"2001": "short", "x": "5", "4": "0"}"#,
        r#"{"2001": "+5002", "+4": "5"}"#,
        r#"{"2001": "05002", "04": "5"}"#,
    ] {
        let answer = answer(PROJECT, &format!(", \"variations\": {stored}"));

        assert_eq!(
            steps(&answer.campaigns[0])[4],
            "variation: bucket 4858 of 10000 is for `original`, whose share ends at 4859"
        );
        assert_eq!(answer.variation_map.keys().collect::<Vec<_>>(), ["2001"], "{stored}");
    }
}

#[test]
fn a_number_is_compared_as_javascript_writes_it() {
    let numbers = [
        ("2.0", "2"),
        ("-0.0", "0"),
        ("0.000001", "0.000001"),
        ("1e21", "1e+21"),
        ("18446744073709551615", "18446744073709552000"),
    ];
    for (number, text) in numbers {
        let document = with("        audiences: loyal\n", "")
            .replace("match: exact, value: pro", &format!("match: exact, value: \"{text}\""));

        let answer = answer(&document, &format!(r#", "attributes": {{"plan": {number}}}"#));

        assert_eq!(answer.audiences[0].is_met, Some(true), "{}", answer.audiences[0].why);
    }
}

#[test]
fn a_range_of_no_numbers_never_holds() {
    let document = with("        audiences: loyal\n", "")
        .replace("match: exact, value: pro", "match: range, value: \"a:5\"");

    let answer = answer(&document, r#", "attributes": {"plan": 3}"#);

    assert!(
        answer.audiences[0]
            .why
            .ends_with("attribute `plan` is compared in a way that never holds: no, it is `3`")
    );
}

#[test]
fn audiences_are_told_with_what_was_found() {
    let document = with("        audiences: [and, loyal, coded]\n", "");

    let answer = answer(&document, r#", "attributes": {"7001": "pro"}"#);

    assert_eq!(
        steps(&answer.campaigns[0])[2],
        "audiences: experiment `hero` is not for this visitor: `loyal` is met, `coded` is not known"
    );
    assert_eq!(answer.campaigns[0].experiment, None);
    assert_eq!(
        answer.audiences[0].why,
        "query parameter `loyal` is `1`: no, there is none; attribute `plan` is `pro`: yes"
    );
    assert_eq!(
        answer.audiences[1].why,
        "its code, which only the page can run, says yes: not known"
    );
    assert_eq!(answer.audiences[1].is_met, None);
    assert_eq!(answer.campaigns[0].audiences[0].name.as_deref(), Some("Loyal"));
}

#[test]
fn a_held_back_visitor_has_a_variation_and_no_decision_string() {
    let answer = answer(&with("", "    holdback: 10000\n"), "");
    let campaign = &answer.campaigns[0];

    assert!(steps(campaign)[3].ends_with("is below 10000: held back, so nothing is shown"));
    assert!(campaign.is_held_back && campaign.variation.is_some());
    assert_eq!(campaign.decision_string, None);
    assert_eq!(answer.active_experiment_ids, ["2001"]);
}

fn held_back_everywhere(share: &str) -> String {
    let head = format!(r#"{{id: "1000", key: shop, holdback: {share}}}"#);
    PROJECT.replace(r#"{id: "1000", key: shop}"#, &head)
}

#[test]
fn a_visitor_whom_the_project_holds_back_is_bucketed_and_held_back_by_every_campaign() {
    let answer = answer(&held_back_everywhere("10000"), "");
    let campaign = &answer.campaigns[0];

    assert_eq!(
        steps(campaign)[3],
        "project_holdback: bucket 2119 of 10000 is below 10000: held back from all campaigns, so nothing is shown"
    );
    assert!(steps(campaign)[4].starts_with("variation: bucket 4858 "));
    assert!(campaign.is_held_back && campaign.variation.is_some());
    assert_eq!(campaign.decision_string, None);
}

#[test]
fn a_project_holds_back_the_buckets_below_its_share() {
    let is_held_back = |share| answer(&held_back_everywhere(share), "").campaigns[0].is_held_back;

    assert!(is_held_back("2120"));
    assert!(!is_held_back("2119"));
    let forced = answer(&held_back_everywhere("10000"), r#", "force": ["5002"]"#);
    assert!(!forced.campaigns[0].is_held_back);
}

#[test]
fn pages_and_status_come_first() {
    let elsewhere =
        Visit { url: "https://shop.example/cart".to_owned().try_into().unwrap(), ..visit("") };
    let decider = decider(PROJECT);

    let answer = decider.decide(&elsewhere, &Effort::default()).unwrap();
    assert_eq!(
        steps(&answer.campaigns[0])[1],
        "pages: none of its pages is active: `home`, `cart`"
    );
    assert!(!answer.campaigns[0].is_decided);
    assert_eq!(
        answer.pages[0].why,
        "the address is `https://shop.example/`, with whatever query: no"
    );
    assert_eq!(answer.pages[1].why, "the site has not activated it");

    let pushed = Visit { pages: vec!["cart".to_owned()], ..elsewhere };
    assert!(decider.decide(&pushed, &Effort::default()).unwrap().campaigns[0].is_decided);

    let paused = PROJECT.replace("status: running", "status: paused");
    let paused = self::decider(&paused).decide(&visit(""), &Effort::default()).unwrap();
    assert_eq!(
        steps(&paused.campaigns[0]),
        ["status: the campaign is paused: only running campaigns are in the snippet"]
    );
}

#[test]
fn a_forced_variation_skips_audiences_and_holdback() {
    let document = with("        audiences: loyal\n", "    holdback: 10000\n");
    let decider = decider(&document);

    let by_tab = decider.decide(&visit(r#", "force": ["5002"]"#), &Effort::default()).unwrap();
    let by_address = Visit {
        url: "https://shop.example/?experimentation_x=5002".to_owned().try_into().unwrap(),
        force: vec!["5001".to_owned()],
        ..visit("")
    };
    let by_address = decider.decide(&by_address, &Effort::default()).unwrap();

    assert_eq!(by_tab.campaigns[0], by_address.campaigns[0]);
    assert_eq!(
        steps(&by_tab.campaigns[0])[2],
        "forced: variation `short` was asked for: audiences, groups and holdback do not count"
    );
    assert!(!by_tab.campaigns[0].is_held_back);
    assert_eq!(by_tab.variation_map["2001"].id, "5002");
}

#[test]
fn an_audience_that_is_asked_for_is_met() {
    let document = with("        audiences: loyal\n", "");

    let answer = answer(&document, r#", "force_audiences": ["6001"]"#);

    assert_eq!(answer.audiences[0].why, "the visitor asked to be in it");
    assert!(answer.campaigns[0].variation.is_some());
}

#[test]
fn a_personalization_draws_among_the_first_group_that_is_open() {
    let second = "      - {id: \"2002\", key: second, name: Second, variations: [{id: \"5003\", key: only, name: Only, weight: 10000}]}\n";
    let document = with("        audiences: loyal\n", "    priorities: [[hero], [second]]\n")
        .replace("ab_test", "personalization")
        + second;

    let answer = answer(&document, "");
    let campaign = &answer.campaigns[0];

    assert!(
        steps(campaign)[4].starts_with(
            "experiment: priority group 2 has one experiment for this visitor; bucket "
        )
    );
    assert_eq!(campaign.decision_string.as_deref(), Some("Hero(1001):Second(2002):Only(5003)"));
}

#[test]
fn a_group_gives_the_visitor_one_of_its_campaigns() {
    let other = PROJECT
        .split("campaigns:\n")
        .nth(1)
        .unwrap()
        .replace("hero", "other")
        .replace("\"1001\"", "\"1002\"")
        .replace("\"2001\"", "\"2009\"")
        .replace("\"500", "\"590");
    let group = "groups: [{id: \"2001\", key: one, members: [{campaign: hero, weight: 4859}, {campaign: other, weight: 5141}]}]\n";
    let document = format!("{PROJECT}{other}{group}");

    let drawn = answer(&document, "");
    assert_eq!(
        steps(&drawn.campaigns[0])[2],
        "group: group `one` gives bucket 4858 of 10000 campaign `hero`"
    );
    assert_eq!(
        steps(&drawn.campaigns[1])[2],
        "group: group `one` gives bucket 4858 of 10000 campaign `hero`: this one is left out"
    );
    assert!(!drawn.campaigns[1].is_decided);
    assert_eq!(drawn.groups["2001"].as_deref(), Some("1001"));

    let kept = answer(&document, r#", "groups": {"2001": "1002"}"#);
    assert_eq!(
        steps(&kept.campaigns[1])[2],
        "group: group `one` gave the visitor earlier campaign `other`"
    );
}

#[test]
fn names_that_stay_out_of_the_snippet_stay_out_of_the_answer() {
    let document = PROJECT.replace("key: shop}", "key: shop, snippet: {exclude_names: true}}");

    let answer = answer(&document, "");

    assert_eq!(answer.campaigns[0].name, None);
    assert_eq!(answer.campaigns[0].decision_string.as_deref(), Some("(2001):(5001)"));
}

#[test]
fn a_visit_that_cannot_be_is_refused() {
    let refusals = [
        (r#"{"visitor_id": "a"}"#, "missing field `url`"),
        (
            r#"{"visitor_id": "a", "url": "/cart"}"#,
            "an address begins with `https://` or `http://`",
        ),
        (
            r#"{"visitor_id": "a", "url": "https://a/", "local_time": "now"}"#,
            "a local time is written `2026-11-21T09:30`",
        ),
        (
            r#"{"visitor_id": "a", "url": "https://a/", "attributes": {"plan": []}}"#,
            "a text, a number, true or false",
        ),
        (r#"{"visitor_id": "a", "url": "https://a/", "cokies": {}}"#, "unknown field `cokies`"),
    ];
    for (text, reason) in refusals {
        let error = serde_json::from_str::<Visit>(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_shipped_winner_is_everybodys_whom_the_campaign_is_for() {
    let document = with("        winner: short\n", "    shipped: true\n    holdback: 10000\n")
        .replace("status: running", "status: concluded");

    let answer = answer(&document, r#", "variations": {"2001": "5001"}"#);

    let campaign = &answer.campaigns[0];
    assert_eq!(campaign.variation.as_ref().map(|one| one.index), Some(1));
    assert!(campaign.is_held_back, "holdback counts as before");
    assert!(steps(campaign)[0].ends_with("its winner is shipped: every targeted visitor gets it"));
    assert_eq!(answer.active_experiment_ids, ["2001"]);
}
