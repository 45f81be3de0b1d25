//! What must not change while an experiment runs.

use domain::{NoFiles, Project, Source, changes_that_spoil};

fn project(status: &str, variations: &str) -> Project {
    let text = format!(
        "version: 1\nproject: {{id: 1, key: shop}}\ncampaigns: [{{key: hero, type: ab_test, status: {status}, \
         experiments: [{{id: 4, key: hero, variations: [{variations}]}}]}}]"
    );
    domain::parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
}

const TWO: &str = "{id: 1, key: a, weight: 5000}, {id: 2, key: b, weight: 5000}";

fn spoiled(status: &str, variations: &str) -> Vec<(&'static str, String)> {
    let faults = changes_that_spoil(&project(status, TWO), &project("running", variations));
    faults.into_iter().map(|fault| (fault.code, fault.pointer.to_string())).collect()
}

#[test]
fn weights_stay_once_visitors_were_drawn_by_them() {
    let other = "{id: 1, key: a, weight: 5000}, {id: 2, key: b, weight: 4000}";
    let pointer = "/campaigns/0/experiments/0/variations/1/weight".to_owned();

    for status in ["running", "paused", "concluded", "archived"] {
        assert_eq!(spoiled(status, other), [("weight_change_while_running", pointer.clone())]);
    }
    assert_eq!(spoiled("not_started", other), []);
}

#[test]
fn variations_keep_their_places() {
    let list = "/campaigns/0/experiments/0/variations".to_owned();
    for other in [
        "{id: 2, key: b, weight: 5000}, {id: 1, key: a, weight: 5000}",
        "{id: 1, key: a, weight: 5000}",
        "{id: 1, key: a, weight: 5000}, {id: 3, key: b, weight: 5000}",
    ] {
        assert_eq!(spoiled("running", other), [("reorder_after_start", list.clone())], "{other}");
    }
}

#[test]
fn what_does_not_move_visitors_may_change() {
    for other in [
        TWO,
        "{id: 1, key: c, name: Renamed, weight: 5000}, {id: 2, key: b, weight: 5000, changes: [{type: text, selector: h1, value: Hi}]}",
        "{id: 1, key: a, weight: 5000}, {id: 2, key: b, weight: 5000}, {id: 3, key: c, weight: 0}",
    ] {
        assert_eq!(spoiled("running", other), [], "{other}");
    }
}

#[test]
fn a_new_phase_is_another_experiment() {
    let phase = "{id: 11, key: a, weight: 9000}, {id: 12, key: b, weight: 1000}";
    let text = serde_json::to_string(&project("running", phase)).unwrap();
    let text = text.replace("\"id\":\"4\"", "\"id\":\"5\"");
    let next = domain::parse(&Source { name: "shop.json", text: &text, files: &NoFiles });

    assert_eq!(changes_that_spoil(&project("running", TWO), &next.unwrap().project), []);
}
