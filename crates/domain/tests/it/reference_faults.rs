//! References that lead nowhere, and names that lead to two resources.

use insta::assert_snapshot;

use crate::documents::{faults, project, with_head};

#[test]
fn an_id_or_key_names_one_resource_of_its_kind() {
    let pages = r#"pages:
  - {id: "1", key: home}
  - {id: "2", key: home}
  - {id: 1, key: cart}
  - {key: "2001"}
  - {id: "2001", key: checkout}
audiences:
  - {id: "1", key: home}
"#;
    assert_snapshot!(faults(pages), @r"
    demo.yaml:5:20: error: pages[1].key: another page has the key `home`, too
    demo.yaml:6:10: error: pages[2].id: another page has the id `1`, too: pages[0]
    demo.yaml:7:11: error: pages[3].key: the key `2001` is the id of another page
    ");
}

#[test]
fn ids_of_experiments_and_variations_are_unique_in_the_project() {
    let campaigns = r#"campaigns:
  - key: one
    type: ab_test
    experiments: [{id: "41", key: same, variations: [{id: "51", key: a, weight: 10000}]}]
  - key: two
    type: ab_test
    experiments: [{id: "41", key: same, variations: [{id: "51", key: a, weight: 10000}]}]
"#;
    assert_snapshot!(faults(campaigns), @r"
    demo.yaml:9:24: error: campaigns[1].experiments[0].id: another experiment has the id `41`, too: campaigns[0].experiments[0]
    demo.yaml:9:59: error: campaigns[1].experiments[0].variations[0].id: another variation has the id `51`, too: campaigns[0].experiments[0].variations[0]
    ");
}

#[test]
fn a_reference_names_something_that_is_there() {
    let rest = r#"pages: [{key: home}]
audiences:
  - {key: mobile, conditions: [{audience: phones}]}
campaigns:
  - key: hero
    type: ab_test
    pages: [home, 2001]
    priorities: [[hero, heron]]
    changes: [{type: css, value: "", page: hom}]
    experiments:
      - {key: hero, audiences: ["or", mobil], variations: [{key: a, weight: 10000}]}
groups: [{key: g, members: [{campaign: hera, weight: 10000}]}]
"#;
    assert_snapshot!(faults(rest), @r"
    demo.yaml:5:43: error: audiences[0].conditions[0].audience: there is no audience `phones`
    demo.yaml:9:19: error: campaigns[0].pages[1]: there is no page `2001`
    demo.yaml:10:25: error: campaigns[0].priorities[0][1]: there is no experiment of this campaign `heron`
      hint: did you mean `hero`?
    demo.yaml:11:44: error: campaigns[0].changes[0].page: there is no page `hom`
      hint: did you mean `home`?
    demo.yaml:13:39: error: campaigns[0].experiments[0].audiences[1]: there is no audience `mobil`
      hint: did you mean `mobile`?
    demo.yaml:14:40: error: groups[0].members[0].campaign: there is no campaign `hera`
      hint: did you mean `hero`?
    ");
}

#[test]
fn a_reference_to_something_faulty_is_not_at_fault_too() {
    let rest = "pages: [{key: Home}]
campaigns: [{key: a, type: ab_test, pages: [Home], experiments: [{key: a, variations: [{key: a, weight: 10000}]}]}]
";
    assert_snapshot!(faults(rest), @r"
    demo.yaml:3:15: error: pages[0].key: `Home` is not a key, expected 1 to 64 of `a-z`, `0-9`, `_` and `-`, the first a letter or digit
      hint: `home` would be one
    ");
}

#[test]
fn a_reference_is_a_key_or_an_id() {
    let rest = r#"pages: [{id: "2001", key: home}, {id: "2002", key: cart}, {id: "2003", key: "17"}]
campaigns:
  - key: a
    type: ab_test
    pages: [home, "2002", 2003]
    experiments: [{key: a, variations: [{key: a, weight: 10000}]}]
"#;
    let project = project(&with_head(rest));

    let pages: Vec<u64> = project.campaigns[0].pages.iter().map(|id| id.get()).collect();
    assert_eq!(pages, [2001, 2002, 2003]);
}

#[test]
fn a_reference_may_lead_forwards() {
    let rest = "audiences: [{key: a, conditions: [{audience: b}]}, {key: b, conditions: []}]\n";

    assert_eq!(faults(rest), "");
}

#[test]
fn audiences_do_not_depend_on_themselves() {
    let rest = "audiences:
  - {key: outside, conditions: [{audience: a}]}
  - {key: a, conditions: [{audience: b}]}
  - {key: b, conditions: [not, [and, {audience: a}, {type: device, value: mobile}]]}
";
    assert_snapshot!(faults(rest), @"demo.yaml:5:5: error: audiences[1]: audiences depend on each other in a circle: a → b");
}

#[test]
fn an_audience_is_not_called_like_an_operator() {
    assert_snapshot!(faults("audiences: [{key: everyone}, {name: Not}]\n"), @r"
    demo.yaml:3:19: error: audiences[0].key: an audience cannot have the key `everyone`
    demo.yaml:3:30: error: audiences[1]: an audience cannot have the key `not`
    ");
}

#[test]
fn a_campaign_is_in_one_group_and_a_page_in_a_campaign_once() {
    let rest = "pages: [{key: home}]
campaigns: [{key: a, type: ab_test, pages: [home, home], experiments: [{key: a, variations: [{key: a, weight: 10000}]}]}]
groups:
  - {key: g, members: [{campaign: a, weight: 10000}]}
  - {key: h, members: [{campaign: a, weight: 10000}]}
";
    assert_snapshot!(faults(rest), @r"
    demo.yaml:4:51: error: campaigns[0].pages[1]: the page is there twice
    demo.yaml:7:35: error: groups[1].members[0].campaign: the campaign is in a group already
    ");
}

#[test]
fn an_experiment_is_for_everyone_or_for_named_audiences() {
    let rest = "campaigns: [{key: a, type: ab_test, experiments: [{key: a, audiences: [], variations: [{key: a, weight: 10000}]}]}]\n";

    assert_snapshot!(faults(rest), @r"
    demo.yaml:3:71: error: campaigns[0].experiments[0].audiences: no audience is named
      hint: write `everyone`, or leave `audiences` out
    ");
}
