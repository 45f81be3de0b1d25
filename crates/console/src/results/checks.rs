//! Whether figures can be trusted: all checks of an experiment.

use app::numerals::quantity;
use app::results::{HealthReport, OddVisitors, Results, SampleSize, SilentMetric};

use super::check::{Check, CheckState};
use super::figures::share;
use super::shares::check_shares;

/// All checks of an experiment.
pub(super) fn checks(results: &Results) -> Vec<Check> {
    let health = &results.health;
    let visitors = results.visitors();
    let always = [
        check_shares(health),
        sample(&health.sample),
        events(&health.silent_metrics),
        mixed(health.mixed(visitors)),
        unknown(health),
    ];
    let deleted = health.deleted_before.as_deref().map(deleted);
    let lost = health.lost_sentence().map(lost);
    let files = [
        health.repeated_events.map(repeated),
        health.events_without_exposure.map(without_exposure),
    ];
    let collected = [
        health.flicker(visitors).map(flicker),
        health.bot_events.map(bots),
        health.forced_exposures.map(forced),
        health.late_events.map(late),
    ];
    always
        .into_iter()
        .chain(deleted)
        .chain(lost)
        .chain(files.into_iter().chain(collected).flatten())
        .collect()
}

fn sample(sample: &SampleSize) -> Check {
    let title = "Sample";
    if let Some(words) = sample.sentence() {
        let next = "Wait for more. A plan tells how many an effect needs.";
        return Check { state: CheckState::Unknown, title, words, next: Some(next) };
    }
    let words = format!(
        "Each variation has {} or more: enough for the figures to be right. How small an effect they show is another question.",
        quantity(sample.visitors, "visitor", "visitors")
    );
    Check { state: CheckState::Fine, title, words, next: None }
}

fn events(silent: &[SilentMetric]) -> Check {
    let title = "Events";
    if silent.is_empty() {
        let words = "What the metrics count comes in, as far as so many visitors tell.".to_owned();
        return Check { state: CheckState::Fine, title, words, next: None };
    }
    let words = silent.iter().map(SilentMetric::sentence).collect::<Vec<_>>().join(" ");
    let next = "Do it once yourself, in each variation. Usual causes: the page tells of it under another name, not any more or to another server, or a variation took away what people click.";
    Check { state: CheckState::Look, title, words, next: Some(next) }
}

fn deleted(day: &str) -> Check {
    Check {
        state: CheckState::Look,
        title: "Deleted events",
        words: format!(
            "Events before {day} are deleted, because this server no longer keeps them. The experiment started before that day, so these figures are not of all its visitors."
        ),
        next: Some("Decide nothing by them. `--keep-events` says how long events are kept."),
    }
}

fn lost(words: String) -> Check {
    let next = "Decide nothing by them if these are many days. The events cannot come back: their files were given up.";
    Check { state: CheckState::Look, title: "Lost events", words, next: Some(next) }
}

fn mixed(mixed: OddVisitors) -> Check {
    let title = "Visitors of two variations";
    if mixed.visitors == 0 {
        let words = "No visitor was given two variations.".to_owned();
        return Check { state: CheckState::Fine, title, words, next: None };
    }
    let people = quantity(mixed.visitors, "visitor was", "visitors were");
    let part = share(mixed.share);
    let words = format!("{people} given two variations, {part} of all, and is left out.");
    let words =
        if mixed.visitors == 1 { words } else { words.replace("and is left", "and are left") };
    if !mixed.are_worth_a_look() {
        return Check { state: CheckState::Known, title, words, next: None };
    }
    let next = "Usual causes: the visitor's id differs between pages or subdomains, or your own code sets ids that several people share.";
    Check { state: CheckState::Look, title, words, next: Some(next) }
}

fn unknown(health: &HealthReport) -> Check {
    let title = "Unknown variations";
    if health.unknown_variations == 0 {
        let words = "Every exposure is to a variation of this experiment.".to_owned();
        return Check { state: CheckState::Fine, title, words, next: None };
    }
    let exposures = quantity(health.unknown_variations, "exposure is", "exposures are");
    let named = health.unknown_variation.as_ref().map(|name| format!(", such as `{name}`"));
    let words = format!("{exposures} to something else{}.", named.unwrap_or_default());
    let next = "They are left out. Look at what changed on that day or shortly before. Usual causes: a variation that was removed while it ran, or another spelling where exposures are sent.";
    Check { state: CheckState::Look, title, words, next: Some(next) }
}

fn without_exposure(events: u64) -> Check {
    let title = "Events without exposure";
    if events == 0 {
        let words = "Every event is of a visitor of this experiment.".to_owned();
        return Check { state: CheckState::Fine, title, words, next: None };
    }
    let words = format!(
        "{} of visitors who are not in this experiment; they do not count.",
        quantity(events, "event is", "events are")
    );
    let next = "That is as it should be if only some visitors are in it. If all should be, the id in events differs from that in exposures.";
    Check { state: CheckState::Known, title, words, next: Some(next) }
}

fn repeated(events: u64) -> Check {
    left_out("Repeated events", events, "of an id that came before; it counts once")
}

fn flicker(seen: OddVisitors) -> Check {
    let title = "Flicker";
    if seen.visitors == 0 {
        let words =
            "No exposure tells of a page that could be seen before the snippet ran.".to_owned();
        return Check { state: CheckState::Fine, title, words, next: None };
    }
    let words = format!(
        "For {}, {} of all, the page could be seen before the snippet ran: they may have seen it change.",
        quantity(seen.visitors, "visitor", "visitors"),
        share(seen.share)
    );
    if !seen.are_worth_a_look() {
        return Check { state: CheckState::Known, title, words, next: None };
    }
    let next = "They count, but what they saw is not what your visitors will see later. Put the script element into the head of the page, without `async` or `defer`, and not through a tag manager.";
    Check { state: CheckState::Look, title, words, next: Some(next) }
}

fn bots(events: u64) -> Check {
    left_out("Programs", events, "of programs that visit the pages; they do not count")
}

fn forced(exposures: u64) -> Check {
    left_out(
        "Variations on request",
        exposures,
        "of variations that an address asked for; they do not count",
    )
}

fn late(events: u64) -> Check {
    let title = "Times";
    if events == 0 {
        let words = "Every event came with a time that can be.".to_owned();
        return Check { state: CheckState::Fine, title, words, next: None };
    }
    let told = quantity(events, "event has", "events have");
    let words = format!(
        "{told} a time that cannot be: more than seven days before they arrived, or more than ten minutes after. The time of the arrival counts."
    );
    let next = "Look at the clocks of your servers, and at the unit of `time`: it is in milliseconds. Import what is older than seven days from a file.";
    Check { state: CheckState::Look, title, words, next: Some(next) }
}

/// What came and does not count, in the whole project.
fn left_out(title: &'static str, events: u64, what: &str) -> Check {
    let told = quantity(events, "event is", "events are");
    let (state, words) = match events {
        0 => (CheckState::Fine, "None came.".to_owned()),
        _ => (CheckState::Known, format!("{told} {what}.")),
    };
    Check { state, title, words, next: None }
}

#[cfg(test)]
mod tests {
    use app::results::{HealthReport, SampleRatio, SampleSize, SilentMetric, Suspect};

    use super::super::check::summary;
    use super::{
        CheckState, check_shares, events, flicker, mixed, repeated, sample, unknown,
        without_exposure,
    };

    fn health() -> HealthReport {
        HealthReport {
            sample_ratio: SampleRatio {
                p_value: Some(0.4),
                is_alarmed: false,
                alarmed_on: None,
                suspects: Vec::new(),
                without_weight: 0,
                reason: None,
            },
            mixed_visitors: 0,
            unknown_variations: 0,
            unknown_variation: None,
            silent_metrics: Vec::new(),
            sample: SampleSize {
                visitors: 1_000,
                conversions: Some(90.0),
                metric: Some("Purchase".to_owned()),
                is_rough: false,
            },
            repeated_events: Some(0),
            events_without_exposure: Some(0),
            bot_events: None,
            forced_exposures: None,
            deleted_before: None,
            lost_days: Vec::new(),
            late_events: None,
            flicker_visitors: None,
        }
    }

    #[test]
    fn a_healthy_experiment_needs_nothing() {
        let healthy = health();
        let checks = [
            check_shares(&healthy),
            sample(&healthy.sample),
            events(&healthy.silent_metrics),
            repeated(0),
            mixed(healthy.mixed(10)),
            unknown(&healthy),
            without_exposure(0),
        ];

        assert!(checks.iter().all(|check| check.state == CheckState::Fine && check.next.is_none()));
        assert_eq!(summary(&checks).0, CheckState::Fine);
    }

    #[test]
    fn visitors_of_a_variation_without_weight_are_worth_a_look() {
        let ratio = SampleRatio { without_weight: 1, ..health().sample_ratio };

        let check = check_shares(&HealthReport { sample_ratio: ratio, ..health() });

        assert_eq!(check.state, CheckState::Look);
        let told = "Visitors came in the shares of the weights (p = 0.400). 1 visitor was given a variation that had no weight";
        assert!(check.words.starts_with(told), "{}", check.words);
    }

    #[test]
    fn failed_checks_say_what_to_do() {
        let alarmed_on = Some("2026-11-05".to_owned());
        let day = "2026-11-04".to_owned();
        let ratio = SampleRatio {
            p_value: Some(1e-9),
            is_alarmed: true,
            alarmed_on,
            suspects: vec![Suspect::Days { first_day: day.clone(), last_day: day }],
            without_weight: 2,
            reason: None,
        };
        let wrong = HealthReport {
            sample_ratio: ratio,
            mixed_visitors: 30,
            unknown_variations: 1,
            unknown_variation: Some("shrt".to_owned()),
            events_without_exposure: Some(4),
            bot_events: None,
            forced_exposures: None,
            late_events: None,
            flicker_visitors: Some(30),
            ..health()
        };

        let checks = [
            check_shares(&wrong),
            mixed(wrong.mixed(970)),
            flicker(wrong.flicker(970).unwrap()),
            unknown(&wrong),
            without_exposure(4),
        ];

        let states = [
            CheckState::Alarm,
            CheckState::Look,
            CheckState::Look,
            CheckState::Look,
            CheckState::Known,
        ];
        assert_eq!(checks.each_ref().map(|check| check.state), states);
        assert!(checks.iter().all(|check| check.next.is_some()));
        let [shares, mixed, flicker, unknown, _] = &checks;
        assert!(
            shares.words.ends_with(
                "once in more than a million. That was clear by the end of 2026-11-05. It is of 2026-11-04 alone: on other days, visitors came in the shares of the weights. 2 visitors were given a variation that had no weight: they count like all others, and no share of theirs can be checked."
            ),
            "{}",
            shares.words
        );
        let told = "30 visitors were given two variations, 3.00\u{202f}% of all, and are left out.";
        assert_eq!(mixed.words, told);
        let told = "For 30 visitors, 3.09\u{202f}% of all, the page could be seen before the snippet ran: they may have seen it change.";
        assert_eq!(flicker.words, told);
        let few = HealthReport { flicker_visitors: Some(1), ..health() }.flicker(970).unwrap();
        assert_eq!(super::flicker(few).state, CheckState::Known);
        assert_eq!(unknown.words, "1 exposure is to something else, such as `shrt`.");
        assert_eq!(summary(&checks).0, CheckState::Alarm);
    }

    #[test]
    fn missing_events_are_reported() {
        let metric = "Purchase".to_owned();
        let silent = SilentMetric {
            metric: metric.clone(),
            event: "purchase".to_owned(),
            variation: Some("Short".to_owned()),
            visitors: 485,
        };
        let rough = SampleSize {
            visitors: 485,
            conversions: Some(0.0),
            metric: Some(metric),
            is_rough: true,
        };

        let (sample, events) = (sample(&rough), events(&[silent]));

        assert_eq!((sample.state, events.state), (CheckState::Unknown, CheckState::Look));
        let told = "A variation has 0 visitors who count for `Purchase`: figures of fewer than ten are rough.";
        assert_eq!(sample.words, told);
        let told =
            "Nothing came for `Purchase` from the 485 visitors of `Short`, and from others it did.";
        assert_eq!(events.words, told);
    }
}
