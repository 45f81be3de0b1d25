//! What results come to, in a sentence.

use crate::results::report::{
    ArmResult, ComparisonResult, HealthReport, MetricKind, MetricResult, VariationShare,
    VerdictCode, VerdictReport,
};

/// The verdict by the primary metric, whose figures are in the order of `variations`.
pub(super) fn verdict(
    primary: Option<&MetricResult>,
    variations: &[VariationShare],
    health: &HealthReport,
) -> VerdictReport {
    let report = |code, text: String| VerdictReport { code, text, variation: None };
    if health.sample_ratio.is_alarmed {
        let text = "Do not trust these figures: visitors did not come in the shares of the weights, so something takes visitors from a variation. Find out what, first.";
        return report(VerdictCode::SampleRatioMismatch, text.to_owned());
    }
    let Some(primary) = primary else {
        let text = "There is no event to measure by.";
        return report(VerdictCode::NoMetric, text.to_owned());
    };
    let told = Told::of(primary);
    let of_variation = |compared: Compared<'_>, code, text: String| {
        let place = primary.variations.iter().position(|arm| std::ptr::eq(arm, compared.0));
        let variation = place.and_then(|place| variations.get(place)).map(|one| one.id.clone());
        VerdictReport { code, text, variation }
    };
    let best = told.decided("better").max_by(|one, other| effect(one).total_cmp(&effect(other)));
    if let Some(best) = best {
        let wore_off = holds_zero(best).then(|| told.wore_off(best));
        let text = wore_off.unwrap_or_else(|| {
            format!("{} You can stop: looking early did not bend this.", told.sentence(best))
        });
        return of_variation(best, VerdictCode::Better, text);
    }
    if let Some(worst) =
        told.decided("worse").min_by(|one, other| effect(one).total_cmp(&effect(other)))
    {
        let text = format!("{} You can stop it.", told.sentence(worst));
        return of_variation(worst, VerdictCode::Worse, text);
    }
    let sentences: Vec<String> = told.variations().map(|one| told.sentence(one)).collect();
    report(
        VerdictCode::TooEarly,
        format!("Too early to say. {}", sentences.join(" ")).trim_end().to_owned(),
    )
}

/// A variation and what is said of it.
type Compared<'r> = (&'r ArmResult, &'r ComparisonResult);

/// The primary metric, to be told.
struct Told<'r> {
    metric: &'r MetricResult,
    control: &'r str,
}

impl<'r> Told<'r> {
    fn of(metric: &'r MetricResult) -> Self {
        let control = metric.variations.first().map_or("", |arm| arm.variation.as_str());
        Self { metric, control }
    }

    fn variations(&self) -> impl Iterator<Item = Compared<'r>> + use<'r> {
        self.metric.variations.iter().filter_map(|arm| Some((arm, arm.comparison.as_ref()?)))
    }

    fn decided(&self, word: &'static str) -> impl Iterator<Item = Compared<'r>> + use<'r> {
        self.variations().filter(move |(_, comparison)| comparison.decided == word)
    }

    /// What a variation does, as far as is known.
    fn sentence(&self, (arm, comparison): Compared<'_>) -> String {
        let (variation, control, event) = (&arm.variation, self.control, &self.metric.event);
        let Some([_, lower, upper]) = comparison.lift else {
            return format!("Nothing can be said of `{variation}` yet.");
        };
        let amount = between(lower, upper);
        match self.metric.kind {
            MetricKind::Conversion => {
                format!("With `{variation}`, {amount} visitors do `{event}` than with `{control}`.")
            }
            MetricKind::Sum => {
                format!("`{variation}` brings {amount} of `{event}` per visitor than `{control}`.")
            }
            MetricKind::Revenue => {
                format!("`{variation}` earns {amount} by `{event}` per visitor than `{control}`.")
            }
        }
    }

    fn wore_off(&self, compared: Compared<'_>) -> String {
        let (arm, comparison) = compared;
        let day = comparison.decided_on.as_deref().unwrap_or("an earlier day");
        let today = self.sentence(compared);
        format!(
            "`{}` was better on {day}; the effect may have worn off since. {today}",
            arm.variation
        )
    }
}

fn holds_zero((_, comparison): Compared<'_>) -> bool {
    comparison.lift.is_some_and(|[_, lower, upper]| lower <= 0.0 && upper >= 0.0)
}

fn effect((_, comparison): &Compared<'_>) -> f64 {
    comparison.lift.map_or(0.0, |[lift, ..]| lift)
}

/// An interval of lifts in words: `between 1.2 % fewer and 4.0 % more`.
fn between(lower: f64, upper: f64) -> String {
    let percent = |lift: f64| format!("{:.1} %", lift.abs() * 100.0);
    if lower >= 0.0 {
        format!("between {} and {} more", percent(lower), percent(upper))
    } else if upper <= 0.0 {
        format!("between {} and {} fewer", percent(upper), percent(lower))
    } else {
        format!("between {} fewer and {} more", percent(lower), percent(upper))
    }
}
