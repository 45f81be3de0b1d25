//! Events: what each kind of them has, and who asks for them.

use insta::assert_snapshot;
use serde_json::json;

use crate::documents::{faults, project, with_head};

#[test]
fn an_event_is_told_by_the_site_unless_it_says_otherwise() {
    let project = project(&with_head("events: [{name: Sign up}]\n"));

    let event = json!({
        "id": "1410225850564290", "key": "sign_up", "name": "Sign up", "type": "custom",
        "category": "other", "page": null, "selector": null, "properties": [], "archived": false,
    });
    assert_eq!(serde_json::to_value(&project).unwrap()["events"], json!([event]));
}

#[test]
fn each_kind_of_event_has_its_fields() {
    let rest = "pages: [{key: home}]
events:
  - {key: a, page: home}
  - {key: b, selector: h1}
  - {key: c, type: click, page: home}
  - {key: d, type: pageview, selector: h1}
  - {key: e, type: pageview, page: hoem}
  - {key: f, type: hover}
  - {key: g, category: buy}
";
    assert_snapshot!(faults(rest), @"
    demo.yaml:5:20: error: events[0].page: a custom event has no page: the site tells when it happens
    demo.yaml:6:24: error: events[1].selector: a `custom` event is not a click on an element
    demo.yaml:7:5: error: events[2]: the field `selector` is missing
    demo.yaml:8:40: error: events[3].selector: a `pageview` event is not a click on an element
    demo.yaml:9:36: error: events[4].page: there is no page `hoem`
      hint: did you mean `home`?
    demo.yaml:10:20: error: events[5].type: `hover` is not known here, expected one of `custom`, `click`, `pageview`
    demo.yaml:11:24: error: events[6].category: `buy` is not known here, expected one of `add_to_cart`, `save`, `search`, `share`, `purchase`, `convert`, `sign_up`, `subscribe`, `other`
    ");
}

#[test]
fn an_event_has_up_to_thirty_properties_each_with_a_name_of_its_own() {
    let many = "{name: a, type: number},".repeat(31);
    assert_snapshot!(faults(&format!("events: [{{key: a, properties: [{many}]}}]\n")), @"demo.yaml:3:31: error: events[0].properties: the list has 31 elements, expected 30 at most");
    assert_snapshot!(faults("events: [{key: a, properties: [{name: a, type: number}, {name: a, type: string}, {type: text}]}]\n"), @"
    demo.yaml:3:57: error: events[0].properties[1]: another property has the name `a`, too
    demo.yaml:3:82: error: events[0].properties[2]: the field `name` is missing
    demo.yaml:3:89: error: events[0].properties[2].type: `text` is not known here, expected one of `string`, `number`, `boolean`
    ");
}

#[test]
fn an_event_refers_to_no_archived_page() {
    let event = "pages: [{key: home, archived: true}]\nevents: [{key: a, type: pageview, page: home, archived: no}]\n";

    assert_snapshot!(faults(&event.replace("no}", "false}")), @"
    demo.yaml:4:41: error: events[0].page: the page `home` is archived
      hint: restore it, or take it out here
    ");
    assert_eq!(faults(&event.replace("no}", "true}")), "");
}

#[test]
fn a_behaviour_of_an_event_that_pages_see_themselves_is_told() {
    let document =
        "events: [{key: teaser, type: click, selector: '#teaser'}, {key: seen, type: pageview}]
audiences:
  - key: some
    conditions: [{type: behavior, value: {event: teaser}}, {type: behavior, value: {event: other}}]
";
    assert_snapshot!(faults(document), @"
    demo.yaml:6:50: warning: audiences[0].conditions[0].value.event: `teaser` is seen by pages themselves, and counted here only where the site pushes it
      hint: ask for a `page`, or let the site push a custom event
    ");
}

#[test]
fn a_behaviour_asks_for_an_event_of_the_project_if_it_lists_some() {
    let audience = |event: &str| {
        format!(
            "audiences: [{{key: a, conditions: [{{type: behavior, value: {{event: {event}}}}}]}}]\n"
        )
    };
    let events = "events: [{key: add_to_cart, name: Added}, {key: purchase, archived: true}]\n";

    assert_eq!(faults(&audience("anything")), "");
    assert_eq!(faults(&(events.to_owned() + &audience("add_to_cart"))), "");
    assert_eq!(faults(&(events.to_owned() + &audience("Added"))), "");
    assert_snapshot!(faults(&(events.to_owned() + &audience("add_to_card"))), @"
    demo.yaml:4:67: warning: audiences[0].conditions[0].value.event: the project has no event `add_to_card`
      hint: did you mean `add_to_cart`?
    ");
    assert_snapshot!(faults(&(events.to_owned() + &audience("purchase"))), @"demo.yaml:4:67: warning: audiences[0].conditions[0].value.event: the project has no event `purchase`");
}
