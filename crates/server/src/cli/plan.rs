//! The arguments of `assay plan`.

use std::ops::RangeInclusive;

use app::results::PlannedVariations;
use clap::Args;
use domain::limits::{PLAN_CONFIDENCE, PLAN_POWER};

pub(super) const EXAMPLES: &str = "Examples:
  assay plan --baseline 5% --minimum-effect 5% --visitors-per-day 4000
  assay plan --baseline 2.5% --minimum-effect 10% --variations 3 --power 90% --json
  assay plan --baseline 12.40 --deviation 31 --minimum-effect 5% --weights 80/10/10";

#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// The share of visitors who convert today, such as `5%`; with `--deviation` the mean of a metric, such as `12.40`.
    #[arg(long, value_name = "FIGURE", value_parser = figure)]
    pub(crate) baseline: Figure,
    /// The standard deviation of a mean between visitors: results have it as `deviation`. Visitors without a value are included, as 0.
    #[arg(long, value_name = "NUMBER", value_parser = deviation)]
    pub(crate) deviation: Option<f64>,
    /// The smallest effect worth finding, relative to the baseline: `5%` of `10%` is a share of 10.5 %.
    #[arg(long, value_name = "SHARE", value_parser = share, allow_hyphen_values = true)]
    pub(crate) minimum_effect: f64,
    /// The visitors of the campaign per day, if you know them: the answer then has days, too.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) visitors_per_day: Option<u32>,
    /// All variations, with the control.
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) variations: u16,
    /// Their weights, if they differ, the control's first: `80/10/10`.
    #[arg(long, value_name = "WEIGHTS", value_parser = weights, conflicts_with = "variations")]
    pub(crate) weights: Option<PlannedVariations>,
    /// The probability to find the effect, if it is there.
    #[arg(long, value_name = "SHARE", value_parser = power, default_value = "80%")]
    pub(crate) power: f64,
    /// How sure intervals are.
    #[arg(long, value_name = "SHARE", value_parser = confidence, default_value = "95%")]
    pub(crate) confidence: f64,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a metric is today: a share of visitors, or a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Figure {
    Share(f64),
    Mean(f64),
}

fn figure(text: &str) -> Result<Figure, String> {
    if let Ok(share) = share(text) {
        return Ok(Figure::Share(share));
    }
    let mean = text.parse().ok().filter(|mean: &f64| mean.is_finite()).map(Figure::Mean);
    mean.ok_or_else(|| "expected a share such as `5%`, or a mean such as `12.40`".to_owned())
}

fn deviation(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number above 0, such as `31`".to_owned())
}

fn weights(text: &str) -> Result<PlannedVariations, String> {
    PlannedVariations::of_weights(text)
        .ok_or_else(|| "expected 2 to 100 numbers above 0, such as `80/10/10`".to_owned())
}

fn power(text: &str) -> Result<f64, String> {
    within(&PLAN_POWER, text)
}

fn confidence(text: &str) -> Result<f64, String> {
    within(&PLAN_CONFIDENCE, text)
}

/// A share that a campaign's plan may have.
fn within(range: &RangeInclusive<u16>, text: &str) -> Result<f64, String> {
    let [least, most] = [range.start(), range.end()].map(|end| f64::from(*end));
    let share = share(text)?;
    if (least..=most).contains(&(share * 10_000.0).round()) {
        return Ok(share);
    }
    Err(format!("expected {}% to {}%", least / 100.0, most / 100.0))
}

/// A share in percent. Without the sign, 5 could be 5 % or 500 %.
fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let percent = percent.filter(|percent| percent.is_finite());
    percent.map(|percent| percent / 100.0).ok_or_else(|| "expected a share such as `5%`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{confidence, power};

    #[test]
    fn power_and_confidence_are_those_of_a_campaigns_plan() {
        for good in ["80%", "99.9%"] {
            assert!(confidence(good).is_ok(), "{good}");
        }
        assert_eq!(confidence("99.95%").unwrap_err(), "expected 80% to 99.9%");
        assert_eq!(power("40%").unwrap_err(), "expected 50% to 99%");
        assert_eq!(power("0.8").unwrap_err(), "expected a share such as `5%`");
    }
}
