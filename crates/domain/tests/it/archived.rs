//! What is archived: nothing that can still run refers to it.

use insta::assert_snapshot;

use crate::documents::{faults, project, with_head};

/// A personalization with this status, on a page, for an audience that asks for an attribute; `archived` is what of it is.
fn with_archived(archived: &str, status: &str) -> String {
    let is_archived = |resource: &str| if archived.contains(resource) { "true" } else { "false" };
    format!(
        "attributes: [{{key: plan, archived: {}}}]
pages: [{{key: home, archived: {}}}, {{key: cart, archived: {}}}]
audiences:
  - {{key: payers, archived: {}, conditions: [{{type: custom_attribute, name: plan}}, {{type: behavior, value: {{page: cart}}}}]}}
  - {{key: both, archived: {}, conditions: [{{audience: payers}}]}}
campaigns:
  - key: offer
    type: personalization
    status: {status}
    pages: [home]
    experiments:
      - key: mug
        archived: {}
        audiences: [not, both]
        variations:
          - {{key: old, weight: 0, archived: {}, changes: [{{type: css, value: x, page: cart}}]}}
          - {{key: new, weight: 10000}}
",
        is_archived("attribute"),
        is_archived("home"),
        is_archived("cart"),
        is_archived("payers"),
        is_archived("both"),
        is_archived("experiment"),
        is_archived("variation"),
    )
}

#[test]
fn what_can_run_refers_to_nothing_archived() {
    let faults_of = |status| faults(&with_archived("attribute home cart payers both", status));

    assert_snapshot!(faults_of("running"), @"
    demo.yaml:12:13: error: campaigns[0].pages[0]: the page `home` is archived
      hint: restore it, or take it out here
    demo.yaml:16:26: error: campaigns[0].experiments[0].audiences[1]: the audience `both` is archived
      hint: restore it, or take it out here
    demo.yaml:18:90: error: campaigns[0].experiments[0].variations[0].changes[0].page: the page `cart` is archived
      hint: restore it, or take it out here
    ");
    assert_eq!(faults_of("not_started"), faults_of("running"));
    assert_eq!(faults_of("paused"), faults_of("running"));
}

#[test]
fn an_audience_refers_to_nothing_archived() {
    assert_snapshot!(faults(&with_archived("attribute cart", "concluded")), @"
    demo.yaml:6:80: error: audiences[0].conditions[0].name: the attribute `plan` is archived
      hint: restore it, or take it out here
    demo.yaml:6:118: error: audiences[0].conditions[1].value.page: the page `cart` is archived
      hint: restore it, or take it out here
    ");
    assert_snapshot!(faults(&with_archived("payers", "concluded")), @"
    demo.yaml:7:58: error: audiences[1].conditions[0].audience: the audience `payers` is archived
      hint: restore it, or take it out here
    ");
}

#[test]
fn what_cannot_run_may_refer_to_what_is_archived() {
    assert_eq!(faults(&with_archived("attribute home cart payers both", "concluded")), "");
    assert_eq!(faults(&with_archived("attribute home cart payers both", "archived")), "");
    assert_eq!(faults(&with_archived("attribute cart payers both experiment", "running")), "");
    assert_eq!(
        faults(&with_archived("attribute cart payers variation", "archived")).lines().count(),
        2
    );
}

#[test]
fn an_archived_variation_has_no_visitors() {
    let document = with_archived("variation", "running")
        .replace("key: old, weight: 0", "key: old, weight: 1%");

    assert_snapshot!(faults(&document.replace("weight: 10000", "weight: 99%")), @"demo.yaml:18:32: error: campaigns[0].experiments[0].variations[0].weight: an archived variation has no visitors, expected `weight: 0`");
}

#[test]
fn the_experiment_of_an_ab_test_is_not_archived() {
    let document = with_archived("experiment", "concluded").replace("personalization", "ab_test");

    assert_snapshot!(faults(&document), @"
    demo.yaml:15:19: error: campaigns[0].experiments[0].archived: the experiment of an A/B test cannot be archived
      hint: archive the campaign: `status: archived`
    ");
}

#[test]
fn an_archived_experiment_keeps_its_priority() {
    let document = with_archived("experiment", "running") + "    priorities: [[mug]]\n";

    let project = project(&with_head(&document));

    assert_eq!(project.campaigns[0].priorities.concat().len(), 1);
    assert_eq!(faults(&with_archived("experiment", "running")), "");
}

#[test]
fn a_campaign_of_an_archived_group_may_join_another() {
    let group = |key: &str, archived: bool| {
        format!(
            "  - {{key: {key}, archived: {archived}, members: [{{campaign: offer, weight: 10000}}]}}\n"
        )
    };
    let groups = |past: bool| {
        let offer = with_archived("", "running").replace(", page: cart}]", "}]");
        offer + "groups:\n" + &group("past", past) + &group("now", false)
    };

    assert!(!faults(&groups(true)).contains("group"), "{}", faults(&groups(true)));
    assert_snapshot!(faults(&groups(false)), @"demo.yaml:22:54: error: groups[1].members[0].campaign: the campaign is in a group already");
}

#[test]
fn a_project_in_use_has_nothing_archived() {
    let document = with_archived("attribute home cart payers both", "archived");
    let project = project(&with_head(&document));

    let used = project.in_use();

    assert!(used.attributes.is_empty() && used.pages.is_empty() && used.audiences.is_empty());
    assert_eq!(used.campaigns, project.campaigns);
}
