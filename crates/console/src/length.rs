//! `GET /projects/{id}/length`: how many visitors and days an experiment needs, before it starts.

use app::numerals::thousands;
use std::ops::RangeInclusive;

use app::App;
use app::results::{ExperimentLength, LengthQuestion, MethodLength, experiment_length};
use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use domain::limits::{PLAN_CONFIDENCE, PLAN_POWER};
use serde::Deserialize;
use web::FormTargets;

use crate::address::Path;
use crate::caller::PageCaller;
use crate::frame::{Frame, Place};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

/// Variations of an experiment, with the control.
const VARIATIONS: RangeInclusive<u16> = 2..=100;

/// Visitors on a day: more than any site has.
const VISITORS: RangeInclusive<u32> = 1..=1_000_000_000;

#[derive(Template)]
#[template(path = "length.html")]
struct LengthPage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    fields: [Field; 6],
    is_refused: bool,
    answer: Option<Answer>,
}

impl LengthPage {
    fn has_wrong_field(&self) -> bool {
        self.fields.iter().any(|field| field.wrong.is_some())
    }
}

/// A number that is asked for.
struct Field {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    value: String,
    wrong: Option<String>,
}

/// What came of a form.
struct Answer {
    /// What is to be found, in words.
    sought: String,
    has_days: bool,
    methods: [Method; 3],
}

struct Method {
    name: &'static str,
    words: &'static str,
    visitors: String,
    days: String,
}

/// The form as it was sent: shares in percent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LengthForm {
    baseline: Option<String>,
    effect: Option<String>,
    visitors: Option<String>,
    variations: Option<String>,
    power: Option<String>,
    confidence: Option<String>,
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    Query(form): Query<LengthForm>,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let is_asked = form.baseline.is_some();
    let (fields, question) = form.read();
    let length =
        question.filter(|_| is_asked).map(|question| (question, experiment_length(&question)));
    let is_refused = is_asked && !matches!(length, Some((_, Ok(_))));
    let template = LengthPage {
        frame: Frame::new(&session, Place::Projects),
        project: ProjectFrame::of(&app, &actor, id, Tab::Length).await?,
        path: format!("/projects/{id}/length"),
        fields,
        is_refused,
        answer: length.and_then(|(question, length)| Some(answer(&question, length.ok()?))),
    };
    let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page(status, &template, FormTargets::OwnPages))
}

impl LengthForm {
    /// The fields as they were sent, and the question if they make one.
    fn read(self) -> ([Field; 6], Option<LengthQuestion>) {
        let default = LengthQuestion::default();
        let percent = |share: f64| format!("{}", (share * 1e4).round() / 100.0);
        let given = |text: Option<String>, default: String| match text {
            Some(text) => text.trim().trim_end_matches('%').trim_end().replace(',', "."),
            None => default,
        };
        let baseline = given(self.baseline, percent(default.baseline));
        let effect = given(self.effect, percent(default.minimum_effect));
        let visitors = without_groups(&self.visitors.unwrap_or_default());
        let variations = given(self.variations, default.variations.to_string());
        let power = given(self.power, percent(default.power));
        let confidence = given(self.confidence, percent(default.confidence));
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        let inside = |text: &str| number(text).filter(|percent| 0.0 < *percent && *percent < 100.0);
        let change = number(&effect).filter(|percent| *percent != 0.0 && *percent > -100.0);
        let per_day = visitors.parse().ok().filter(|number| VISITORS.contains(number));
        let arms = variations.parse::<u16>().ok().filter(|number| VARIATIONS.contains(number));
        let planned = |text: &str, range: RangeInclusive<u16>| {
            let [least, most] = [*range.start(), *range.end()].map(|end| f64::from(end) / 100.0);
            number(text)
                .filter(|percent| (least..=most).contains(percent))
                .ok_or_else(|| format!("A number from {least} to {most}."))
        };
        let (power_given, confidence_given) =
            (planned(&power, PLAN_POWER), planned(&confidence, PLAN_CONFIDENCE));
        let question = || {
            Some(LengthQuestion {
                baseline: inside(&baseline)? / 100.0,
                minimum_effect: change? / 100.0,
                visitors_per_day: if visitors.is_empty() {
                    None
                } else {
                    Some(f64::from(per_day?))
                },
                variations: arms?,
                power: power_given.as_ref().ok()? / 100.0,
                confidence: confidence_given.as_ref().ok()? / 100.0,
            })
        };
        let question = question();
        let wrong_visitors = !visitors.is_empty() && per_day.is_none();
        let wrong = [
            inside(&baseline).is_none().then(|| "A number between 0 and 100.".to_owned()),
            change.is_none().then(|| "A number other than 0, and above −100.".to_owned()),
            wrong_visitors.then(|| "A whole number from 1 to a billion, or nothing.".to_owned()),
            arms.is_none().then(|| "A whole number from 2 to 100.".to_owned()),
            power_given.err(),
            confidence_given.err(),
        ];
        let values = [baseline, effect, visitors, variations, power, confidence];
        (fields(values, wrong), question)
    }
}

/// A count without what groups its thousands: blanks, or one of the signs that are a decimal point elsewhere. Any other text as it is.
fn without_groups(text: &str) -> String {
    let text = text.trim().replace([' ', '\u{202f}', '\u{a0}'], "");
    let are_groups = |sign: char| {
        let mut groups = text.split(sign);
        let is_first = |group: &str| (1..=3).contains(&group.len()) && !group.starts_with('0');
        groups.next().is_some_and(is_first) && groups.all(|group| group.len() == 3)
    };
    match [',', '.'].into_iter().find(|sign| text.contains(*sign) && are_groups(*sign)) {
        Some(sign) => text.replace(sign, ""),
        None => text,
    }
}

fn fields(values: [String; 6], wrong: [Option<String>; 6]) -> [Field; 6] {
    let [baseline, effect, visitors, variations, power, confidence] = values;
    let [
        wrong_baseline,
        wrong_effect,
        wrong_visitors,
        wrong_variations,
        wrong_power,
        wrong_confidence,
    ] = wrong;
    let field = |name, label, hint, value, wrong| Field { name, label, hint, value, wrong };
    [
        field(
            "baseline",
            "Visitors who convert today, in percent",
            "The primary metric's rate without any change.",
            baseline,
            wrong_baseline,
        ),
        field(
            "effect",
            "Smallest effect worth finding, in percent",
            "Of that rate: 10 of 5 % is 5.5 %. Negative, if less is better.",
            effect,
            wrong_effect,
        ),
        field(
            "visitors",
            "Visitors on a day",
            "Who would be in the experiment. Leave empty to skip the estimate in days.",
            visitors,
            wrong_visitors,
        ),
        field(
            "variations",
            "Variations, with the control",
            "Each gets the same share.",
            variations,
            wrong_variations,
        ),
        field(
            "power",
            "Power, in percent",
            "How often such an effect is found.",
            power,
            wrong_power,
        ),
        field(
            "confidence",
            "Confidence, in percent",
            "How sure the intervals are.",
            confidence,
            wrong_confidence,
        ),
    ]
}

fn answer(question: &LengthQuestion, length: ExperimentLength) -> Answer {
    let method = |name, words, MethodLength { visitors, days }| Method {
        name,
        words,
        visitors: thousands(visitors),
        days: days.map(thousands).unwrap_or_default(),
    };
    Answer {
        sought: question.sought(),
        has_days: question.visitors_per_day.is_some(),
        methods: [
            method(
                "Always valid",
                "Look whenever you like, and stop when it is clear: many experiments end long before.",
                length.always_valid,
            ),
            method(
                "Hybrid",
                "Look whenever you like; intervals are sharper at the planned end.",
                length.hybrid,
            ),
            method("Fixed horizon", "One look, at the planned end.", length.fixed_horizon),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::without_groups;

    #[test]
    fn a_count_is_read_as_people_group_it() {
        for (text, read) in [
            ("10,000", "10000"),
            ("10.000", "10000"),
            (" 1,234,567 ", "1234567"),
            ("10 000", "10000"),
            ("4000", "4000"),
        ] {
            assert_eq!(without_groups(text), read, "{text}");
        }
        for no_count in ["10,5", "10.0000", "1,000.5", "1,000.500", "0.125", "1000,000", ",000", ""]
        {
            assert_eq!(without_groups(no_count), no_count);
        }
    }
}
