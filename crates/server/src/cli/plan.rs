//! The arguments of `assay plan`.

use std::ops::RangeInclusive;

use clap::Args;
use domain::limits::{PLAN_CONFIDENCE, PLAN_POWER};

pub(super) const EXAMPLES: &str = "Examples:
  assay plan --baseline 5% --minimum-effect 5% --visitors-per-day 4000
  assay plan --baseline 2.5% --minimum-effect 10% --variations 3 --power 90% --json";

#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// The share of visitors who convert today, such as `5%`.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) baseline: f64,
    /// The smallest effect worth finding, relative to the baseline: `5%` of `10%` is a share of 10.5 %.
    #[arg(long, value_name = "SHARE", value_parser = share, allow_hyphen_values = true)]
    pub(crate) minimum_effect: f64,
    /// The visitors of the campaign per day, if you know them: the answer then has days, too.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) visitors_per_day: Option<u32>,
    /// All variations, with the control.
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) variations: u16,
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
