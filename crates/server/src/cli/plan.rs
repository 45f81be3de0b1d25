//! The arguments of `assay plan`.

use clap::Args;

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
    /// The visitors of the campaign on a day, if you know them: then the days are told.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) visitors_per_day: Option<u32>,
    /// All variations, with the control.
    #[arg(long, value_name = "NUMBER", default_value_t = 2)]
    pub(crate) variations: u16,
    /// The probability to find the effect, if it is there.
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "80%")]
    pub(crate) power: f64,
    /// How sure intervals are.
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "95%")]
    pub(crate) confidence: f64,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A share in percent. Without the sign, 5 could be 5 % or 500 %.
fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let percent = percent.filter(|percent| percent.is_finite());
    percent.map(|percent| percent / 100.0).ok_or_else(|| "expected a share such as `5%`".to_owned())
}
