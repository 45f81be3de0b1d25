//! What must not change while an experiment runs.

use domain::{NoFiles, Project, Source, breaking_changes};

fn project(status: &str, variations: &str) -> Project {
    let text = format!(
        "version: 1\nproject: {{id: 1, key: shop}}\ncampaigns: [{{key: hero, type: ab_test, status: {status}, \
         experiments: [{{id: 4, key: hero, variations: [{variations}]}}]}}]"
    );
    domain::parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
}

const TWO: &str = "{id: 1, key: a, weight: 5000}, {id: 2, key: b, weight: 5000}";

fn breaking(status: &str, variations: &str) -> Vec<(&'static str, String)> {
    let faults = breaking_changes(&project(status, TWO), &project("running", variations));
    faults.into_iter().map(|fault| (fault.code, fault.pointer.to_string())).collect()
}

#[test]
fn weights_stay_once_visitors_were_drawn_by_them() {
    let other = "{id: 1, key: a, weight: 5000}, {id: 2, key: b, weight: 4000}";
    let pointer = "/campaigns/0/experiments/0/variations/1/weight".to_owned();

    for status in ["running", "paused", "concluded", "archived"] {
        assert_eq!(breaking(status, other), [("weight_change_while_running", pointer.clone())]);
    }
    assert_eq!(breaking("not_started", other), []);
}

#[test]
fn weights_are_told_in_percent() {
    let other = "{id: 1, key: a, weight: 5000}, {id: 2, key: b, weight: 4000}";

    let faults = breaking_changes(&project("running", TWO), &project("running", other));

    let told = "the experiment has begun, and its visitors were drawn with a weight of 50% here";
    assert_eq!(faults[0].message, told);
}

#[test]
fn variations_keep_their_places() {
    let list = "/campaigns/0/experiments/0/variations".to_owned();
    for other in [
        "{id: 2, key: b, weight: 5000}, {id: 1, key: a, weight: 5000}",
        "{id: 1, key: a, weight: 5000}",
        "{id: 1, key: a, weight: 5000}, {id: 3, key: b, weight: 5000}",
    ] {
        assert_eq!(breaking("running", other), [("reorder_after_start", list.clone())], "{other}");
    }
}

#[test]
fn what_does_not_move_visitors_may_change() {
    for other in [
        TWO,
        "{id: 1, key: c, name: Renamed, weight: 5000}, {id: 2, key: b, weight: 5000, changes: [{type: text, selector: h1, value: Hi}]}",
        "{id: 1, key: a, weight: 5000}, {id: 2, key: b, weight: 5000}, {id: 3, key: c, weight: 0}",
    ] {
        assert_eq!(breaking("running", other), [], "{other}");
    }
}

#[test]
fn a_new_phase_is_another_experiment() {
    let phase = "{id: 11, key: a, weight: 9000}, {id: 12, key: b, weight: 1000}";
    let text = serde_json::to_string(&project("running", phase)).unwrap();
    let text = text.replace("\"id\":\"4\"", "\"id\":\"5\"");
    let next = domain::parse(&Source { name: "shop.json", text: &text, files: &NoFiles });

    assert_eq!(breaking_changes(&project("running", TWO), &next.unwrap().project), []);
}

/// What spoils the project that `before` describes once it is as `after` describes it: codes and pointers.
fn between(before: &str, after: &str) -> Vec<(&'static str, String)> {
    let [before, after] = [before, after].map(|rest| {
        let text = format!("version: 1\n{rest}");
        domain::parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
    });
    let faults = breaking_changes(&before, &after);
    faults.into_iter().map(|fault| (fault.code, fault.pointer.to_string())).collect()
}

fn fault(code: &'static str, pointer: &str) -> (&'static str, String) {
    (code, pointer.to_owned())
}

fn shop(snippet: &str, campaigns: &str, rest: &str) -> String {
    format!("project: {{id: 1, key: shop, snippet: {snippet}}}\ncampaigns: [{campaigns}]\n{rest}")
}

fn campaign(id: u32, status: &str) -> String {
    format!(
        "{{id: {id}, key: c{id}, type: ab_test, status: {status}, experiments: [{{id: {id}4, key: e, variations: [{{id: {id}5, key: a, weight: 10000}}]}}]}}"
    )
}

#[test]
fn a_visitor_is_known_by_the_same_id_while_a_campaign_is_in_progress() {
    let user = "{visitor_id: {source: cookie, name: user}}";
    for other in [
        "{}",
        "{visitor_id: {source: cookie, name: account}}",
        "{visitor_id: {source: query, name: user}}",
    ] {
        for status in ["running", "paused"] {
            let found = between(
                &shop(user, &campaign(3, status), ""),
                &shop(other, &campaign(3, status), ""),
            );
            assert_eq!(found.len(), 1, "{other} {status}");
            assert_eq!(found[0].0, "visitor_id_change_while_running", "{other}");
        }
        for status in ["not_started", "concluded", "archived"] {
            let is_over = between(
                &shop(user, &campaign(3, "running"), ""),
                &shop(other, &campaign(3, status), ""),
            );
            assert_eq!(is_over, [], "{other} {status}");
        }
        let new_phase = campaign(3, "running").replace("id: 34", "id: 36");
        assert_eq!(
            between(&shop(user, &campaign(3, "running"), ""), &shop(other, &new_phase, "")),
            []
        );
    }
}

#[test]
fn the_share_of_a_group_stays_while_its_campaign_is_in_progress() {
    let two = format!("{}, {}", campaign(3, "running"), campaign(4, "not_started"));
    let of = |groups: &str| shop("{}", &two, groups);
    let first =
        "{id: 9, key: g, members: [{campaign: c3, weight: 5000}, {campaign: c4, weight: 5000}]}";
    let members = [fault("group_change_while_running", "/groups/0/members")];
    let grouped = of(&format!("groups: [{first}]"));

    assert_eq!(between(&of(""), &grouped), members, "joining");
    assert_eq!(
        between(&grouped, &of("")),
        [fault("group_change_while_running", "/groups")],
        "leaving"
    );
    for other in [
        first.replace("campaign: c3, weight: 5000", "campaign: c3, weight: 4000"),
        first.replace(
            "[{campaign: c3, weight: 5000}, {campaign: c4, weight: 5000}]",
            "[{campaign: c4, weight: 5000}, {campaign: c3, weight: 5000}]",
        ),
        first.replace("id: 9", "id: 8"),
        first.replace("key: g,", "key: g, archived: true,"),
    ] {
        let found = between(&grouped, &of(&format!("groups: [{other}]")));
        assert_eq!(found.len(), 1, "{other}");
    }
    let behind = first.replace("campaign: c4, weight: 5000", "campaign: c4, weight: 100");
    assert_eq!(
        between(&grouped, &of(&format!("groups: [{behind}]"))),
        [],
        "its own range is the same"
    );
}

#[test]
fn a_campaign_keeps_its_type_and_the_order_of_its_experiences() {
    let ab_test = campaign(3, "running");
    let personalization = ab_test.replace("ab_test", "personalization");
    let found = between(&shop("{}", &ab_test, ""), &shop("{}", &personalization, ""));
    assert_eq!(found, [fault("type_change_while_running", "/campaigns/0/type")]);

    let ranked = |priorities: &str, more: &str| {
        let experiment = |id: u32| {
            format!("{{id: {id}, key: e{id}, variations: [{{id: 1{id}, key: a, weight: 10000}}]}}")
        };
        let campaign = format!(
            "{{id: 3, key: c, type: personalization, status: running, priorities: {priorities}, experiments: [{}, {}{more}]}}",
            experiment(4),
            experiment(5)
        );
        shop("{}", &campaign, "")
    };
    let priorities = [fault("priority_change_while_running", "/campaigns/0/priorities")];
    assert_eq!(between(&ranked("[[e4], [e5]]", ""), &ranked("[[e5], [e4]]", "")), priorities);
    assert_eq!(between(&ranked("[[e4], [e5]]", ""), &ranked("[[e4, e5]]", "")), priorities);
    assert_eq!(between(&ranked("[[e4, e5]]", ""), &ranked("[[e5, e4]]", "")), priorities);
    assert_eq!(between(&ranked("[[e4], [e5]]", ""), &ranked("[[e4]]", "")), priorities);
    let third = ", {id: 6, key: e6, variations: [{id: 16, key: a, weight: 10000}]}";
    assert_eq!(between(&ranked("[[e4], [e5]]", ""), &ranked("[[e4], [e5], [e6]]", third)), []);
}

#[test]
fn an_experiment_stays_in_its_campaign() {
    let moved = campaign(3, "running").replace("id: 3,", "id: 7,");
    let found = between(&shop("{}", &campaign(3, "running"), ""), &shop("{}", &moved, ""));

    assert_eq!(found, [fault("campaign_change_while_running", "/campaigns/0/id")]);
}
