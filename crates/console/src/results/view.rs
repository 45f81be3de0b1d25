//! The results of an experiment as the page shows them, put together of its parts.

use app::numerals::quantity;
use app::results::{KnownForPlan, Results, Today};

use super::check::{Check, CheckState, summary};
use super::checks::checks;
use super::days::{DayRow, days, over_time, visitors};
use super::figures::metric_title;
use super::metrics::{MetricTable, forest};
use super::notes::{is_one_look, notes};
use super::segments::ShownSegments;
use super::shares::{ShareRow, share_rows};
use super::verdict::ShownVerdict;
use crate::charts::{Band, Forest, VisitorChart};

/// An experiment.
pub(super) struct ExperimentResults {
    /// Its place on the page, which makes ids of elements.
    pub(super) place: usize,
    pub(super) title: String,
    pub(super) period: String,
    pub(super) verdict: ShownVerdict,
    pub(super) health: (CheckState, &'static str),
    pub(super) checks: Vec<Check>,
    pub(super) forest: Option<Forest>,
    pub(super) metrics: Vec<MetricTable>,
    /// The title of the primary metric, and a chart of each variation.
    pub(super) over_time: Vec<Band>,
    pub(super) primary: String,
    pub(super) days: Vec<DayRow>,
    pub(super) visitors: Option<VisitorChart>,
    pub(super) shares: Vec<ShareRow>,
    /// The same figures of each browser or device, if they were asked for.
    pub(super) segments: Option<ShownSegments>,
    /// The variations that are compared with the control.
    pub(super) compared: Vec<String>,
    pub(super) control: String,
    pub(super) confidence: String,
    /// Whether there is one look, at the planned end.
    pub(super) is_one_look: bool,
    /// If results are Bayesian, the expected loss that a verdict may take, and the lifts that are believed before the data.
    pub(super) bayesian: Option<[String; 2]>,
    /// The query of the planner, filled in by what is known, while it is too early.
    pub(super) planner: Option<String>,
    /// How weights and the plan bear on the figures, a sentence each.
    pub(super) notes: Vec<String>,
}

impl ExperimentResults {
    pub(super) fn of(place: usize, results: &Results) -> Self {
        let checks = checks(results);
        let primary = results.metrics.iter().find(|metric| metric.is_primary);
        let names = results.variations.iter().map(|one| one.name.clone());
        let names: Vec<_> = names.collect();
        let Results { first_day, last_day, .. } = results;
        let period = if first_day == last_day {
            first_day.clone()
        } else {
            format!("{first_day} to {last_day}")
        };
        Self {
            place,
            title: results.experiment.clone(),
            period: format!("{}, {period}", quantity(results.visitors(), "visitor", "visitors")),
            verdict: ShownVerdict::of(results),
            health: summary(&checks),
            checks,
            forest: forest(place, results),
            metrics: results.metrics.iter().map(MetricTable::of).collect(),
            over_time: primary.map(|metric| over_time(place, metric)).unwrap_or_default(),
            primary: primary.map(metric_title).unwrap_or_default(),
            days: days(results, primary),
            visitors: visitors(place, results),
            shares: share_rows(results),
            segments: ShownSegments::of(place, results),
            compared: names.iter().skip(1).cloned().collect(),
            control: names.into_iter().next().unwrap_or_default(),
            confidence: confidence(results.confidence),
            is_one_look: is_one_look(results),
            bayesian: bayesian(results),
            planner: results.known_for_plan().map(planner),
            notes: notes(results),
        }
    }
}

fn confidence(share: f64) -> String {
    format!("{}\u{202f}%", (share * 1_000.0).round() / 10.0)
}

/// The planner's query, filled in by what is known.
fn planner(known: KnownForPlan) -> String {
    let KnownForPlan { today, visitors_per_day, shares, confidence, minimum_effect } = known;
    let percent = |share: f64| (share * 1e4).round() / 100.0;
    let today = match today {
        Today::Share(share) => format!("baseline={}", (share * 1e6).round() / 1e4),
        Today::Mean { mean, deviation } => format!("baseline={mean:.6}&deviation={deviation:.6}"),
    };
    let is_even = shares.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.005);
    let variations = if is_even || shares.contains(&0.0) {
        shares.len().to_string()
    } else {
        let shares: Vec<_> = shares.into_iter().map(|share| percent(share).to_string()).collect();
        shares.join("/")
    };
    let effect = minimum_effect.map_or_else(String::new, |one| format!("&effect={}", percent(one)));
    let confidence = percent(confidence);
    format!(
        "{today}&visitors={visitors_per_day}&variations={variations}&confidence={confidence}{effect}"
    )
}

fn bayesian(results: &Results) -> Option<[String; 2]> {
    let plan = results.plan.as_ref()?;
    let percent = |share: f64| format!("{}\u{202f}%", (share * 10_000.0).round() / 100.0);
    Some([plan.tolerated_loss?, plan.prior_deviation?].map(percent))
}
