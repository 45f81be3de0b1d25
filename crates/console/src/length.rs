//! `GET /projects/{id}/length`: how many visitors and days an experiment needs, before it starts.

use app::numerals::thousands;
use std::ops::RangeInclusive;

use app::App;
use app::results::{
    ExperimentLength, LengthQuestion, MethodLength, PlannedVariations, Today, experiment_length,
};
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
use crate::frame::{Frame, NavigationTab};
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
    fields: [Field; 7],
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
    wrong: Option<&'static str>,
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
    deviation: Option<String>,
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
        frame: Frame::new(&session, NavigationTab::Projects),
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
    fn read(self) -> ([Field; 7], Option<LengthQuestion>) {
        let deviation = Read::new(self.deviation, "", deviation);
        let baseline = Read::new(self.baseline, "5", |text| match deviation.value {
            Ok(None) => share_today(text),
            Ok(Some(deviation)) => mean_today(text, deviation),
            Err(_) => mean_today(text, 1.0),
        });
        let effect = Read::new(self.effect, "10", effect);
        let visitors = Read::new(self.visitors, "", visitors);
        let variations = Read::new(self.variations, "2", variations);
        let power = Read::new(self.power, "80", power);
        let confidence = Read::new(self.confidence, "95", confidence);
        let question = || {
            deviation.value.ok()?;
            Some(LengthQuestion {
                today: baseline.value.ok()?,
                minimum_effect: effect.value.ok()?,
                visitors_per_day: visitors.value.ok()?,
                variations: variations.value.ok()?,
                power: power.value.ok()?,
                confidence: confidence.value.ok()?,
            })
        };
        let question = question();
        let fields = [
            baseline.field(
                "baseline",
                "The metric today",
                "Visitors who convert, in percent; or a mean of all visitors, such as 12.40, with its deviation.",
            ),
            deviation.field(
                "deviation",
                "Standard deviation of a mean",
                "Leave empty for a share of visitors. Downloaded results have it.",
            ),
            effect.field(
                "effect",
                "Smallest effect worth finding, in percent",
                "Of what it is today: 10 of 5 % is 5.5 %. Negative, if less is better.",
            ),
            visitors.field(
                "visitors",
                "Visitors on a day",
                "Who would be in the experiment. Leave empty to skip the estimate in days.",
            ),
            variations.field(
                "variations",
                "Variations, with the control",
                "Their number, or their weights if these differ, the control’s first: 80/10/10.",
            ),
            power.field("power", "Power, in percent", "How often such an effect is found."),
            confidence.field(
                "confidence",
                "Confidence, in percent",
                "How sure the intervals are.",
            ),
        ];
        (fields, question)
    }
}

/// What a field says, or what would be right.
struct Read<T> {
    text: String,
    value: Result<T, &'static str>,
}

impl<T> Read<T> {
    fn new(
        text: Option<String>,
        default: &str,
        read: impl FnOnce(&str) -> Result<T, &'static str>,
    ) -> Self {
        let text = text.map_or_else(|| default.to_owned(), |text| text.trim().to_owned());
        let value = read(&text);
        Self { text, value }
    }

    fn field(self, name: &'static str, label: &'static str, hint: &'static str) -> Field {
        Field { name, label, hint, value: self.text, wrong: self.value.err() }
    }
}

/// A number as people write it: with a decimal comma, with a percent sign.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_end_matches('%').trim_end().replace(',', ".");
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn deviation(text: &str) -> Result<Option<f64>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    let deviation = number(text).filter(|deviation| *deviation > 0.0);
    deviation.map(Some).ok_or("A number above 0, or nothing.")
}

fn share_today(text: &str) -> Result<Today, &'static str> {
    let percent = number(text).filter(|percent| 0.0 < *percent && *percent < 100.0);
    let share = percent.map(|percent| Today::Share(percent / 100.0));
    share.ok_or("A number between 0 and 100, or a mean with its deviation.")
}

fn mean_today(text: &str, deviation: f64) -> Result<Today, &'static str> {
    let mean = number(text).filter(|mean| *mean != 0.0);
    mean.map(|mean| Today::Mean { mean, deviation }).ok_or("A number other than 0.")
}

fn effect(text: &str) -> Result<f64, &'static str> {
    let percent = number(text).filter(|percent| *percent != 0.0 && *percent > -100.0);
    percent.map(|percent| percent / 100.0).ok_or("A number other than 0, and above −100.")
}

fn visitors(text: &str) -> Result<Option<f64>, &'static str> {
    let text = without_groups(text);
    if text.is_empty() {
        return Ok(None);
    }
    let visitors = text.parse().ok().filter(|visitors| VISITORS.contains(visitors));
    visitors
        .map(|number| Some(f64::from(number)))
        .ok_or("A whole number from 1 to a billion, or nothing.")
}

fn variations(text: &str) -> Result<PlannedVariations, &'static str> {
    let count = text.parse().ok().filter(|count| VARIATIONS.contains(count));
    let variations = count.map(PlannedVariations::even);
    let variations = variations.or_else(|| PlannedVariations::of_weights(text));
    variations.ok_or("A whole number from 2 to 100, or as many weights above 0.")
}

fn power(text: &str) -> Result<f64, &'static str> {
    planned(text, &PLAN_POWER).ok_or("A number from 50 to 99.")
}

fn confidence(text: &str) -> Result<f64, &'static str> {
    planned(text, &PLAN_CONFIDENCE).ok_or("A number from 80 to 99.9.")
}

/// A share that a campaign's plan may have, in percent.
fn planned(text: &str, range: &RangeInclusive<u16>) -> Option<f64> {
    let [least, most] = [range.start(), range.end()].map(|end| f64::from(*end) / 100.0);
    number(text).filter(|percent| (least..=most).contains(percent)).map(|percent| percent / 100.0)
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
    use app::results::LengthQuestion;
    use domain::limits::{PLAN_CONFIDENCE, PLAN_POWER};

    use super::{LengthForm, without_groups};

    #[test]
    fn a_blank_form_asks_what_most_people_ask() {
        let (_, question) = LengthForm::default().read();

        assert_eq!(question, Some(LengthQuestion::default()));
    }

    #[test]
    fn errors_name_the_limits_of_a_plan() {
        assert_eq!((PLAN_POWER, PLAN_CONFIDENCE), (5_000..=9_900, 8_000..=9_990));
    }

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
