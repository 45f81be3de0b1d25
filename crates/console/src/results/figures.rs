//! Figures as people write them.

use app::numerals::grouped;
use app::results::{MetricKind, MetricResult};
use stats::NoFigure;

use crate::charts::{NoLift, signed_percent};

/// The decimals of the totals of a metric: none where all are whole, as those of visitors and of revenue are.
pub(super) fn total_decimals(totals: impl IntoIterator<Item = f64>) -> usize {
    if totals.into_iter().all(|total| total.fract() == 0.0) { 0 } else { 2 }
}

/// What it has per visitor.
pub(super) fn mean(kind: MetricKind, mean: f64) -> String {
    match kind {
        MetricKind::Conversion => share(mean),
        MetricKind::Revenue => amount(mean, 2),
        MetricKind::Count
        | MetricKind::Sum
        | MetricKind::Mean
        | MetricKind::Ratio
        | MetricKind::Quantile => amount(mean, if mean.abs() < 1.0 { 4 } else { 2 }),
    }
}

/// A number with so many decimals.
pub(super) fn amount(value: f64, digits: usize) -> String {
    let written = format!("{:.digits$}", value.abs());
    let (whole, part) = written.split_once('.').map_or((written.as_str(), ""), |parts| parts);
    let sign = if value < 0.0 { "−" } else { "" };
    let point = if part.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{part}", grouped(whole))
}

/// A share in percent.
pub(super) fn share(share: f64) -> String {
    format!("{:.2}\u{202f}%", share * 100.0)
}

/// A probability that claims no certainty.
pub(super) fn probability(share: f64) -> String {
    let percent = format!("{:.1}", share * 100.0);
    match percent.as_str() {
        "100.0" => "> 99.9\u{202f}%".to_owned(),
        "0.0" => "< 0.1\u{202f}%".to_owned(),
        _ => format!("{percent}\u{202f}%"),
    }
}

/// A relative difference.
pub(super) fn lift(lift: f64) -> String {
    if lift.is_finite() {
        signed_percent(lift, 1)
    } else if lift > 0.0 {
        "∞".to_owned()
    } else {
        "−∞".to_owned()
    }
}

/// The bounds of a lift.
pub(super) fn interval([_, lower, upper]: [f64; 3]) -> String {
    format!("{} to {}", lift(lower), lift(upper))
}

/// A difference that is not relative: in points of a share, or as much as the metric counts.
fn difference(kind: MetricKind, difference: f64) -> String {
    let sign = if difference > 0.0 { "+" } else { "" };
    match kind {
        MetricKind::Conversion => format!("{sign}{}\u{202f}points", amount(difference * 100.0, 2)),
        MetricKind::Revenue
        | MetricKind::Count
        | MetricKind::Sum
        | MetricKind::Mean
        | MetricKind::Ratio
        | MetricKind::Quantile => {
            format!("{sign}{}", amount(difference, if difference.abs() < 1.0 { 4 } else { 2 }))
        }
    }
}

/// A lift and its interval or, where there is none, the difference with its own; nothing if neither is known.
pub(super) fn effect(
    kind: MetricKind,
    known: Option<[f64; 3]>,
    otherwise: Option<[f64; 3]>,
) -> Option<[String; 2]> {
    if let Some(known) = known {
        let known = kind.possible_lift(known);
        return Some([lift(known[0]), interval(known)]);
    }
    let [estimate, lower, upper] = differences(kind, otherwise?);
    Some([estimate, format!("{lower} to {upper}")])
}

/// A lift to be drawn or, where there is none, what is written in its place.
pub(super) fn drawn(
    kind: MetricKind,
    known: Option<[f64; 3]>,
    (otherwise, why): (Option<[f64; 3]>, Option<NoFigure>),
) -> Result<[f64; 3], NoLift> {
    known.map(|known| kind.possible_lift(known)).ok_or_else(|| NoLift {
        why: missing(why).to_owned(),
        difference: otherwise.map(|figures| differences(kind, figures)),
    })
}

fn differences(kind: MetricKind, figures: [f64; 3]) -> [String; 3] {
    kind.possible_difference(figures).map(|one| difference(kind, one))
}

/// Evidence, with as many digits as matter.
pub(super) fn p_value(value: f64) -> String {
    if value < 0.001 { "< 0.001".to_owned() } else { format!("{value:.3}") }
}

/// Why there is no figure, after "because".
pub(super) fn reason(why: NoFigure) -> &'static str {
    match why {
        NoFigure::NoVisitors => "a variation has no visitors yet",
        NoFigure::TooFewVisitors => "a variation has too few visitors so far",
        NoFigure::ZeroVariance => {
            "all visitors of a variation did the same, so nothing is known of the spread"
        }
        NoFigure::ZeroBaseline => {
            "no visitor who got the control did it, so there is nothing to be relative to"
        }
        NoFigure::NegativeBaseline => {
            "the control's mean, or with a covariate its adjusted mean, is below zero, so a share of it says nothing"
        }
        NoFigure::UnboundedLift => {
            "what is compared is too near zero for a relative figure to have bounds"
        }
        NoFigure::ImpossibleSums => "its sums cannot be right",
        NoFigure::ZeroDenominator => "there is nothing to divide by",
        NoFigure::ImpossibleWeights => "fewer than two variations have a weight",
        NoFigure::BeforePlannedEnd => "the planned end is not reached",
        NoFigure::AfterPlannedEnd => "the planned end is over",
        NoFigure::ImpossiblePlan => "no number of visitors answers this",
        NoFigure::OneLookOnly => "a quantile has an interval for one look at the end only",
    }
}

/// The same of a figure that is missing.
pub(super) fn missing(why: Option<NoFigure>) -> &'static str {
    reason(why.unwrap_or(NoFigure::ImpossibleSums))
}

/// The title of a metric.
pub(super) fn metric_title(metric: &MetricResult) -> String {
    let MetricResult { event, .. } = metric;
    if let Some(name) = &metric.name {
        return name.clone();
    }
    match metric.kind {
        MetricKind::Sum => format!("{event}, value"),
        MetricKind::Revenue => format!("{event}, revenue"),
        MetricKind::Conversion
        | MetricKind::Count
        | MetricKind::Mean
        | MetricKind::Ratio
        | MetricKind::Quantile => event.clone(),
    }
}

/// In what its figures are, and how a metric of the document is counted, as far as its title does not say.
pub(super) fn metric_settings(metric: &MetricResult) -> String {
    if metric.id.is_none() {
        return metric.unit().unwrap_or_default().to_owned();
    }
    metric.description(percent).join(" · ")
}

/// A share of the document, with the digits that it has there.
fn percent(share: f64) -> String {
    format!("{}\u{202f}%", (share * 10_000.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use app::results::MetricKind;

    use super::{amount, lift, mean, p_value, probability, total_decimals};

    fn plain(text: &str) -> String {
        text.replace('\u{202f}', " ")
    }

    #[test]
    fn figures_are_easy_to_read() {
        let totals = |all: [f64; 2]| all.map(|one| plain(&amount(one, total_decimals(all))));
        assert_eq!(totals([1_961.0, 514_073.0]), ["1,961", "514,073"]);
        assert_eq!(totals([1_961.0, 39_123.456]), ["1,961.00", "39,123.46"]);
        assert_eq!(plain(&mean(MetricKind::Conversion, 0.098_1)), "9.81 %");
        assert_eq!(mean(MetricKind::Sum, 0.436_5), "0.4365");
        assert_eq!(plain(&lift(0.226)), "+22.6 %");
        assert_eq!(lift(f64::NEG_INFINITY), "−∞");
        assert_eq!([p_value(0.000_02), p_value(0.061)], ["< 0.001", "0.061"]);
        let probabilities = [0.000_4, 0.123_4, 0.999_6].map(|one| plain(&probability(one)));
        assert_eq!(probabilities, ["< 0.1 %", "12.3 %", "> 99.9 %"]);
    }
}
