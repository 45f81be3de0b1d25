//! What holds of any two states of a project: what breaks an experiment that has begun, what visitors notice, what goes live alone, and
//! what is in use.

use std::borrow::Cow;

use domain::{
    Campaign, CampaignId, CampaignStatus, Project, breaking_changes, parse_shared,
    what_visitors_notice,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::documents::project;

/// What differs between two states of a campaign whose ids stay.
#[derive(Debug, Clone)]
struct State {
    is_there: bool,
    status: &'static str,
    weights: [u16; 2],
    is_swapped: bool,
    is_archived: bool,
    holdback: u16,
    word: String,
    asks_for: Option<&'static str>,
}

fn state() -> impl Strategy<Value = State> {
    let statuses = ["not_started", "running", "paused", "concluded", "archived"];
    let status = prop::sample::select(statuses.to_vec());
    let weights = prop::sample::select(vec![[5000, 5000], [4000, 5000], [10_000, 0]]);
    let asks_for = prop::option::of(prop::sample::select(vec!["some", "others"]));
    let is_swapped = prop::bool::weighted(0.2);
    let flags = (prop::bool::weighted(0.9), is_swapped, prop::bool::weighted(0.2));
    (flags, status, weights, 0..3_u16, "[ab]{1,2}", asks_for).prop_map(
        |((is_there, is_swapped, is_archived), status, weights, holdback, word, asks_for)| State {
            is_there,
            status,
            weights,
            is_swapped,
            is_archived,
            holdback,
            word,
            asks_for,
        },
    )
}

/// A variation, which can be archived only where no visitor is drawn for it.
fn variation(id: usize, key: &str, weight: u16, state: &State) -> Value {
    json!({
        "id": id, "key": key, "weight": weight, "archived": state.is_archived && weight == 0,
        "changes": [{"type": "text", "selector": "h1", "value": state.word}],
    })
}

fn campaign(place: usize, state: &State) -> Value {
    let State { weights, word, .. } = state;
    let id = 3_000 + 10 * place;
    let mut variations =
        vec![variation(id + 2, "a", weights[0], state), variation(id + 3, "b", weights[1], state)];
    if state.is_swapped {
        variations.reverse();
    }
    let audiences = state.asks_for.map_or(json!("everyone"), |audience| json!(["or", audience]));
    json!({
        "id": id, "key": format!("c{place}"), "name": word, "type": "ab_test", "status": state.status,
        "pages": ["home"], "holdback": state.holdback,
        "metrics": {"primary": state.asks_for.map(|_| "seen").into_iter().collect::<Vec<_>>()},
        "experiments": [{"id": id + 1, "key": "e", "audiences": audiences, "variations": variations}],
    })
}

/// A project with four campaigns at most.
fn states() -> impl Strategy<Value = Project> {
    (prop::collection::vec(state(), 4), 0..3_u16).prop_map(|(states, holdback)| {
        let there = states.iter().enumerate().filter(|(_, state)| state.is_there);
        let audience = |id: u64, key: &str| json!({"id": id, "key": key, "conditions": [{"type": "query", "name": key}]});
        let document = json!({
            "version": 1,
            "project": {"id": 1, "key": "demo", "holdback": holdback},
            "pages": [{"id": 2, "key": "home"}, {"id": 3, "key": "cart"}],
            "events": [{"id": 9, "key": "seen", "type": "pageview", "page": "cart"}, {"id": 10, "key": "bought"}],
            "metrics": [{"id": 11, "key": "seen", "type": "ratio", "event": "bought", "per": {"event": "seen"}}],
            "audiences": [audience(7, "some"), audience(8, "others")],
            "campaigns": there.map(|(place, state)| campaign(place, state)).collect::<Value>(),
        });
        project(&document.to_string())
    })
}

fn has_begun(campaign: &Campaign) -> bool {
    campaign.status != CampaignStatus::NotStarted
}

fn ids(project: &Project) -> Vec<CampaignId> {
    project.campaigns.iter().map(|campaign| campaign.id).collect()
}

fn campaign_of(project: &Project, id: CampaignId) -> Option<&Campaign> {
    project.campaigns.iter().find(|campaign| campaign.id == id).map(|campaign| &**campaign)
}

/// What visitors of an experiment are drawn by: the variations at their places, with their weights.
fn draw(campaign: &Campaign) -> Vec<(u64, u16)> {
    let variations = campaign.experiments[0].variations.iter();
    variations.map(|variation| (variation.id.get(), variation.weight.get())).collect()
}

proptest! {
    #[test]
    fn an_unchanged_project_breaks_nothing_and_visitors_notice_nothing(live in states()) {
        prop_assert_eq!(breaking_changes(&live, &live), []);
        prop_assert_eq!(what_visitors_notice(Some(&live), &live), []);
    }

    #[test]
    fn a_breaking_change_has_a_pointer_into_the_document_and_a_hint(live in states(), next in states()) {
        let document = serde_json::to_value(&next).unwrap();

        for fault in breaking_changes(&live, &next) {
            prop_assert!(document.pointer(fault.pointer.as_str()).is_some(), "{}", fault);
            prop_assert!(fault.hint.is_some(), "{}", fault);
        }
    }

    #[test]
    fn a_draw_that_has_begun_changes_only_with_a_fault(live in states(), next in states()) {
        let faults = breaking_changes(&live, &next);

        for (place, after) in next.campaigns.iter().enumerate() {
            let before = campaign_of(&live, after.id).filter(|before| has_begun(before));
            let is_changed = before.is_some_and(|before| draw(before) != draw(after));
            let variations = format!("/campaigns/{place}/experiments/0/variations");
            let is_told = faults.iter().any(|fault| fault.pointer.as_str().starts_with(&variations));
            prop_assert_eq!(is_told, is_changed, "{}: {:?}", after.key, faults);
        }
    }

    #[test]
    fn nothing_breaks_where_nothing_has_begun(live in states(), next in states()) {
        let text = serde_json::to_string(&live).unwrap();
        let statuses = ["running", "paused", "concluded", "archived"];
        let rested = statuses.iter().fold(text, |text, status| {
            text.replace(&format!("\"status\":\"{status}\""), "\"status\":\"not_started\"")
        });

        prop_assert_eq!(breaking_changes(&project(&rested), &next), []);
    }

    #[test]
    fn only_what_visitors_get_is_noticed(live in states(), next in states()) {
        let served: Vec<String> =
            live.served().chain(next.served()).map(|campaign| campaign.id.to_string()).collect();

        for notice in what_visitors_notice(Some(&live), &next) {
            prop_assert!(notice.kind == "project" || served.contains(&notice.id), "{:?}", notice);
        }
    }

    #[test]
    fn one_campaign_goes_live_and_no_other_with_it(live in states(), draft in states(), place in any::<prop::sample::Index>()) {
        let all = [ids(&live), ids(&draft), vec!["9".parse().unwrap()]].concat();
        let id = *place.get(&all);

        let next = live.with_campaign_of(&draft, id);

        let expected = campaign_of(&draft, id).or(campaign_of(&live, id));
        prop_assert_eq!(campaign_of(&next, id), expected);
        if campaign_of(&draft, id).is_none() {
            prop_assert_eq!(&next, &live);
        }
        for other in ids(&live).into_iter().filter(|other| *other != id) {
            prop_assert_eq!(campaign_of(&next, other), campaign_of(&live, other));
        }
        prop_assert!(next.campaigns.len() <= live.campaigns.len() + 1);
        prop_assert_eq!(next.with_campaign_of(&draft, id), next.clone(), "once is enough");
        project(&serde_json::to_string(&next).unwrap());
    }

    #[test]
    fn a_campaign_that_goes_live_alone_brings_what_it_asks_for(draft in states()) {
        let nothing = draft.without_contents();
        for campaign in &draft.campaigns {
            let next = nothing.with_campaign_of(&draft, campaign.id);

            prop_assert_eq!(ids(&next), [campaign.id]);
            let text = serde_json::to_string(&next).unwrap();
            prop_assert_eq!(project(&text), next, "what it refers to is there");
            let alone = draft.with_campaign_alone(campaign.id);
            prop_assert_eq!(ids(&alone), [campaign.id]);
            prop_assert_eq!(project(&serde_json::to_string(&alone).unwrap()), alone);
        }
    }

    #[test]
    fn a_start_changes_nothing_that_is_live(live in states(), draft in states(), place in any::<prop::sample::Index>()) {
        let all = [ids(&live), ids(&draft), vec!["9".parse().unwrap()]].concat();
        let id = *place.get(&all);
        let mut draft = draft;
        draft.pages.iter_mut().for_each(|page| page.key = format!("{}-2", page.key).parse().unwrap());
        draft.events.iter_mut().for_each(|event| event.key = format!("{}-2", event.key).parse().unwrap());
        draft.audiences.iter_mut().for_each(|audience| audience.name = Some("Renamed".to_owned()));

        let next = live.with_campaign_started(&draft, id).unwrap();

        let (next, _) = parse_shared(&next).unwrap();
        prop_assert_eq!(&next.pages, &live.pages);
        prop_assert_eq!(&next.events, &live.events);
        prop_assert_eq!(&next.audiences, &live.audiences);
        prop_assert_eq!(campaign_of(&next, id), campaign_of(&draft, id).or(campaign_of(&live, id)));
        for other in ids(&live).into_iter().filter(|other| *other != id) {
            prop_assert_eq!(campaign_of(&next, other), campaign_of(&live, other));
        }
    }

    #[test]
    fn reducing_a_project_to_what_is_in_use_moves_no_visitor(one in states()) {
        let used = one.in_use().into_owned();

        prop_assert!(matches!(used.in_use(), Cow::Borrowed(_)) || used.in_use().into_owned() == used);
        for campaign in &used.campaigns {
            let whole = campaign_of(&one, campaign.id).unwrap();
            prop_assert_eq!(draw(campaign), draw(whole), "the places of the others count");
            let variations = campaign.experiments[0].variations.iter();
            for variation in variations.filter(|variation| variation.archived) {
                prop_assert_eq!((variation.changes.len(), &variation.name), (0, &None));
            }
        }
    }
}
