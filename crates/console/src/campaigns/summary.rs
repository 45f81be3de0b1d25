//! A campaign in one sentence, as lists have it: what it is, and what comes next or came of it.

use domain::Project;
use serde_json::Value;

use crate::words::{kind_words, sentence, status_words, title};

pub(super) fn summary_line(campaign: &Value, _: &Project) -> String {
    let text = |name: &str| campaign[name].as_str().unwrap_or_default();
    let count: usize = experiments(campaign).map(|one| variations(one).count()).sum();
    let variations = if count == 1 { "1 variation" } else { &format!("{count} variations") };
    let kind = kind_words(text("type"));
    let what = sentence(&format!("{kind}, {}, {variations}", status_words(text("status"))));
    let further = match text("status") {
        "not_started" => moments(campaign, &["start", "stop"]),
        "running" | "paused" => moments(campaign, &["stop"]),
        "concluded" => conclusion(campaign),
        _ => String::new(),
    };
    if further.is_empty() { what } else { format!("{what} {}", sentence(&further)) }
}

/// What the schedule does, in the words of the field.
fn moments(campaign: &Value, actions: &[&str]) -> String {
    let schedule = &campaign["schedule"];
    let zone = schedule["time_zone"].as_str().unwrap_or("UTC");
    let moments = actions.iter().filter_map(|action| {
        let minute = schedule[*action].as_str()?;
        Some(format!("{action}s on {} {zone}", minute.replace('T', " at ")))
    });
    moments.collect::<Vec<_>>().join(", ")
}

fn conclusion(campaign: &Value) -> String {
    let winners: Vec<_> = experiments(campaign).filter_map(winner).map(title).collect();
    let shipped = if campaign["shipped"] == true { ", shipped" } else { "" };
    match winners.as_slice() {
        [] => "no winner".to_owned(),
        [one] => format!("winner: {one}{shipped}"),
        several => format!("winners: {}{shipped}", several.join(", ")),
    }
}

/// The variation that an experiment names as its winner.
fn winner(experiment: &Value) -> Option<&Value> {
    let name = &experiment["winner"];
    let mut variations = variations(experiment);
    variations.find(|one| name.is_string() && (one["id"] == *name || one["key"] == *name))
}

fn experiments(campaign: &Value) -> impl Iterator<Item = &Value> {
    campaign["experiments"].as_array().into_iter().flatten()
}

fn variations(experiment: &Value) -> impl Iterator<Item = &Value> {
    experiment["variations"].as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use domain::{NoFiles, Project, Source, parse};
    use serde_json::{Value, json};

    use super::summary_line;

    fn hero(further: &Value) -> Value {
        let variations = json!([{"id": "1", "key": "original"}, {"id": "2", "name": "Short text"}]);
        let mut campaign = json!({
            "type": "ab_test",
            "status": "concluded",
            "experiments": [{"variations": variations}],
        });
        for (name, value) in further.as_object().unwrap() {
            campaign[name] = value.clone();
        }
        campaign
    }

    fn told_of(campaign: &Value) -> String {
        let text = "version: 1\nproject: {key: shop}\n";
        let source = Source { name: "shop.yaml", text, files: &NoFiles };
        let project: Project = parse(&source).unwrap().project;
        summary_line(campaign, &project)
    }

    #[test]
    fn a_schedule_says_what_comes_next() {
        let schedule = json!({"start": "2026-12-01T09:00", "stop": "2026-12-15T18:00", "time_zone": "Europe/Berlin"});

        assert_eq!(
            told_of(&hero(&json!({"status": "not_started", "schedule": schedule}))),
            "A/B test, not started, 2 variations. Starts on 2026-12-01 at 09:00 Europe/Berlin, stops on 2026-12-15 at 18:00 Europe/Berlin."
        );
        assert_eq!(
            told_of(&hero(&json!({"status": "running", "schedule": schedule}))),
            "A/B test, running, 2 variations. Stops on 2026-12-15 at 18:00 Europe/Berlin."
        );
        assert_eq!(
            told_of(&hero(&json!({"status": "running", "schedule": null}))),
            "A/B test, running, 2 variations."
        );
    }

    #[test]
    fn a_concluded_campaign_names_its_winner() {
        let mut campaign = hero(&json!({}));
        assert_eq!(told_of(&campaign), "A/B test, concluded, 2 variations. No winner.");

        campaign["experiments"][0]["winner"] = json!("2");
        assert_eq!(told_of(&campaign), "A/B test, concluded, 2 variations. Winner: Short text.");

        campaign["shipped"] = json!(true);
        assert_eq!(
            told_of(&campaign),
            "A/B test, concluded, 2 variations. Winner: Short text, shipped."
        );
    }
}
