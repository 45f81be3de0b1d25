//! The results of an experiment as the page shows them.

use app::numerals::{quantity, thousands};
use app::results::{
    ComparisonResult, IntervalMethod, JudgedTogether, KnownForPlan, MetricResult, MetricRole,
    PlanReport, Results, VariationResult, VerdictCode,
};

use super::checks::{Check, CheckState, ShareRow, checks, share_rows, summary};
use super::figures::{
    amount, lift, mean, metric_settings, metric_title, missing, p_value, probability, share,
    total_decimals,
};
use super::segments::ShownSegments;
use crate::charts::{Band, BandPoint, BandWords, DayAxis, DayBar, Forest, ForestRow, VisitorChart};

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

/// What it comes to.
pub(super) struct ShownVerdict {
    pub(super) class: &'static str,
    pub(super) word: &'static str,
    pub(super) text: String,
    /// What guardrails say against it.
    pub(super) guardrails: Vec<String>,
    pub(super) advice: &'static str,
    /// The id and the name of the variation that won.
    pub(super) winner: Option<(String, String)>,
    /// Whether it is time to end it.
    pub(super) is_over: bool,
}

/// The figures of a metric.
pub(super) struct MetricTable {
    pub(super) title: String,
    /// How it is counted.
    pub(super) settings: String,
    /// What it is to the campaign, if it is more than shown.
    pub(super) role: Option<&'static str>,
    pub(super) rows: Vec<VariationRow>,
}

/// The figures of a variation.
pub(super) struct VariationRow {
    pub(super) class: &'static str,
    pub(super) variation: String,
    pub(super) visitors: String,
    pub(super) total: String,
    pub(super) mean: String,
    /// Against the control.
    pub(super) lift: String,
    pub(super) interval: String,
    pub(super) evidence: String,
    /// The probability to be the best of all, and what taking it loses on average, if results are Bayesian.
    pub(super) best: String,
    pub(super) loss: String,
    /// The verdict.
    pub(super) decided: String,
    /// The day on which it was clear.
    pub(super) since: Option<String>,
}

/// A day of the tables below the charts.
pub(super) struct DayRow {
    pub(super) day: String,
    /// New visitors by variation.
    pub(super) visitors: Vec<String>,
    /// The lift of the primary metric so far, by variation, or why there is none.
    pub(super) lifts: Vec<String>,
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
    let KnownForPlan { baseline, visitors_per_day, variations, confidence, minimum_effect } = known;
    let effect = minimum_effect
        .map_or_else(String::new, |one| format!("&effect={}", (one * 1e4).round() / 100.0));
    format!(
        "baseline={}&visitors={visitors_per_day}&variations={variations}&confidence={}{effect}",
        (baseline * 1e6).round() / 1e4,
        (confidence * 1e4).round() / 100.0,
    )
}

fn is_one_look(results: &Results) -> bool {
    results.method == IntervalMethod::FixedHorizon
}

fn bayesian(results: &Results) -> Option<[String; 2]> {
    let plan = results.plan.as_ref()?;
    let percent = |share: f64| format!("{}\u{202f}%", (share * 10_000.0).round() / 100.0);
    Some([plan.tolerated_loss?, plan.prior_deviation?].map(percent))
}

/// What the plan does to the figures.
fn plan_note(results: &Results, plan: &PlanReport) -> Option<String> {
    let needed = plan.needed_visitors.map(|needed| quantity(needed, "visitor", "visitors"));
    let is_bayesian = plan.tolerated_loss.is_some();
    let hybrid = "The campaign has a plan: looks before its end take a tenth of the error, the end takes the rest, and intervals get sharper there.";
    Some(match (&plan.ended_on, needed) {
        (Some(day), _) if is_one_look(results) || is_bayesian => format!(
            "The plan ended on {day}: figures are those of the end of that day, and what came later does not count."
        ),
        (None, Some(needed)) if is_bayesian => format!(
            "No verdict is given before some {needed} of the control and one variation came, as many as a test with one look needs for the planned effect."
        ),
        (None, None) if is_bayesian => return None,
        (None, Some(needed)) if is_one_look(results) => {
            format!("The planned effect needs some {needed} of the control and one variation.")
        }
        (None, None) if is_one_look(results) => {
            "How many visitors the planned effect needs is not known yet.".to_owned()
        }
        (Some(day), _) => format!(
            "The plan ended on {day}: figures are those of the end of that day, and what came later does not count. Intervals are nearly as sharp there as those of a test with one look."
        ),
        (None, Some(needed)) => {
            format!("{hybrid} Its effect needs some {needed} of the control and one variation.")
        }
        (None, None) => hybrid.to_owned(),
    })
}

/// What it does to the figures that several comparisons are judged together.
fn together_note(together: JudgedTogether) -> String {
    let JudgedTogether { comparisons, interval_confidence, are_wider } = together;
    let intervals = if are_wider {
        let each = (interval_confidence * 10_000.0).round() / 100.0;
        format!(", and their intervals are wider, at {each}\u{202f}% each")
    } else {
        String::new()
    };
    format!(
        "{comparisons} comparisons by primary metrics are judged together: their p-values are adjusted (Benjamini–Hochberg){intervals}."
    )
}

/// What many comparisons, the plan and changed weights do to the figures.
fn notes(results: &Results) -> Vec<String> {
    let plan = results.plan.as_ref().and_then(|plan| plan_note(results, plan));
    let days = results.epochs.iter().filter_map(|epoch| epoch.since.clone());
    let days: Vec<_> = days.collect();
    let weights = (!days.is_empty()).then(|| format!(
        "The weights changed on {}. Visitors who came between two changes are compared among themselves, and these comparisons are put together; totals and rates above are of all visitors, so a lift can differ from what they seem to say.",
        days.join(", ")
    ));
    let together = results.judged_together().map(together_note);
    together.into_iter().chain(plan).chain(results.ended_sentence()).chain(weights).collect()
}

impl ShownVerdict {
    fn of(results: &Results) -> Self {
        let verdict = &results.verdict;
        let VerdictWords { class, title, advice } = words(verdict.code);
        let (class, advice) = if !verdict.stands {
            (
                "early",
                "Let it run until you know why: what comes now does not say the same any more.",
            )
        } else if verdict.code.takes_a_variation() && !verdict.guardrails.is_empty() {
            ("early", beside_guardrails(verdict.code))
        } else if results.is_of_holdback {
            (class, of_holdback(verdict.code).unwrap_or(advice))
        } else {
            (class, advice)
        };
        Self {
            class,
            word: title,
            advice,
            text: verdict.text.clone(),
            guardrails: verdict.guardrails.clone(),
            winner: results.winner().map(|one| (one.id.clone(), one.name.clone())),
            is_over: results.can_end(),
        }
    }
}

/// How a verdict is shown.
struct VerdictWords {
    class: &'static str,
    title: &'static str,
    /// What to do.
    advice: &'static str,
}

fn words(code: VerdictCode) -> VerdictWords {
    let (class, title, advice) = match code {
        VerdictCode::Better => (
            "better",
            "A winner",
            "Conclude the campaign with this winner and ship it, or let it run on for a narrower interval.",
        ),
        VerdictCode::Worse => (
            "worse",
            "Worse than the control",
            "Conclude the campaign without a winner, or change the variation and begin a new phase.",
        ),
        VerdictCode::TooEarly => (
            "early",
            "Too early",
            "Let it run. The interval narrows with every visitor; if all it still holds is too small to matter to you, you can stop as well.",
        ),
        VerdictCode::LowRisk => (
            "early",
            "Little at stake",
            "Conclude with it if you want to move on: it is not known to be better, and costs no more than the plan tolerates, on average. Or let it run on to learn more.",
        ),
        VerdictCode::SampleRatioMismatch => (
            "alarm",
            "Not to be trusted",
            "Decide nothing by these figures. The check below names the usual causes.",
        ),
        VerdictCode::Inconclusive => (
            "early",
            "Nothing clear",
            "The plan is over. What the interval still holds is all that is known: if it is too small to matter to you, conclude without a winner.",
        ),
        VerdictCode::Mixed => (
            "early",
            "Better and worse",
            "It is better by one primary metric and worse by another. Which one matters more is your decision.",
        ),
        VerdictCode::NoMetric => (
            "early",
            "No metric",
            "Add an event to the project, and send it when visitors do what you want them to; or give the campaign a primary metric.",
        ),
    };
    VerdictWords { class, title, advice }
}

/// What to do with what can be taken, while guardrails speak against it.
fn beside_guardrails(code: VerdictCode) -> &'static str {
    if code == VerdictCode::LowRisk {
        "Check the guardrails before you conclude with it: by the primary metrics little is at stake, but it may do harm elsewhere."
    } else {
        "Check the guardrails before you conclude: it wins, and may do harm elsewhere."
    }
}

/// What to do with a campaign that is compared with those who are held back from it: to conclude it would end what works.
fn of_holdback(code: VerdictCode) -> Option<&'static str> {
    match code {
        VerdictCode::Better => Some(
            "Overall, the campaign helps. Let it run on; to show it to those who are held back as well, set its holdback to 0.",
        ),
        VerdictCode::LowRisk | VerdictCode::Inconclusive => Some(
            "It is not known whether the campaign is worthwhile overall. Its experiments, above, may say more.",
        ),
        VerdictCode::Worse => Some(
            "Overall, the campaign hurts. Find out which of its experiments does, or pause it.",
        ),
        VerdictCode::TooEarly
        | VerdictCode::SampleRatioMismatch
        | VerdictCode::Mixed
        | VerdictCode::NoMetric => None,
    }
}

/// The variations of a metric that are compared with the control.
fn compared(metric: &MetricResult) -> impl Iterator<Item = (&VariationResult, &ComparisonResult)> {
    metric.variations.iter().filter_map(|result| Some((result, result.comparison.as_ref()?)))
}

fn forest(place: usize, results: &Results) -> Option<Forest> {
    let has_one = results.variations.len() <= 2;
    let rows = results.metrics.iter().flat_map(|metric| {
        compared(metric).map(move |(result, comparison)| ForestRow {
            label: if has_one {
                metric_title(metric)
            } else {
                format!("{}: {}", metric_title(metric), result.variation)
            },
            lift: comparison.lift.ok_or_else(|| missing(comparison.reason).to_owned()),
            decided: comparison.decided.word(),
            is_primary: metric.is_primary,
        })
    });
    let rows: Vec<_> = rows.collect();
    let words = "Lift of every metric with its interval".to_owned();
    (!rows.is_empty()).then(|| Forest::new(format!("lifts-{place}"), words, &rows))
}

impl MetricTable {
    fn of(metric: &MetricResult) -> Self {
        let rows =
            metric.variations.iter().map(|result| VariationRow::of(metric, result)).collect();
        let role = match metric.role {
            MetricRole::Primary => Some("primary"),
            MetricRole::Secondary => None,
            MetricRole::Guardrail => Some("guardrail"),
        };
        Self { title: metric_title(metric), settings: metric_settings(metric), role, rows }
    }
}

impl VariationRow {
    fn of(metric: &MetricResult, result: &VariationResult) -> Self {
        let nothing = String::new;
        let row = Self {
            class: "",
            variation: result.variation.clone(),
            visitors: thousands(result.visitors),
            total: amount(
                result.total,
                total_decimals(metric.variations.iter().map(|result| result.total)),
            ),
            mean: result.mean.map_or_else(|| "–".to_owned(), |one| mean(metric.kind, one)),
            lift: nothing(),
            interval: nothing(),
            evidence: nothing(),
            best: result.posterior.map_or_else(nothing, |one| probability(one.probability_best)),
            loss: result.posterior.and_then(|one| one.expected_loss).map_or_else(nothing, share),
            decided: "control".to_owned(),
            since: None,
        };
        let Some(comparison) = &result.comparison else { return row };
        let (decided, since) =
            (comparison.decided.phrase().to_owned(), comparison.decided_on.clone());
        let (lift, interval) = match comparison.lift.map(|lift| metric.kind.possible_lift(lift)) {
            Some(figures) => (lift(figures[0]), interval(figures)),
            None => ("–".to_owned(), missing(comparison.reason).to_owned()),
        };
        let evidence = comparison.p_value.map_or_else(|| "–".to_owned(), p_value);
        Self { class: comparison.decided.word(), lift, interval, evidence, decided, since, ..row }
    }
}

fn interval([_, lower, upper]: [f64; 3]) -> String {
    format!("{} to {}", lift(lower), lift(upper))
}

fn over_time(place: usize, metric: &MetricResult) -> Vec<Band> {
    let series = compared(metric).map(|(result, comparison)| {
        let points =
            comparison.series.iter().map(|day| BandPoint { day: day.day.clone(), lift: day.lift });
        (result, comparison, points.collect::<Vec<_>>())
    });
    let series: Vec<_> =
        series.filter(|(.., points)| points.iter().any(|one| one.lift.is_some())).collect();
    let days = series.iter().flat_map(|(.., points)| points.iter().map(|point| point.day.as_str()));
    let Some(axis) = DayAxis::of(days) else { return Vec::new() };
    let scale = Band::scale(series.iter().map(|(.., points)| points.as_slice()));
    let charts = series.iter().enumerate().map(|(variation, (result, comparison, points))| {
        let words = BandWords {
            name: result.variation.clone(),
            title: format!("Lift of {} with {} over time", metric_title(metric), result.variation),
            description: course(points),
        };
        let decided = (comparison.decided.word(), comparison.decided_on.as_deref());
        Band::new(format!("over-time-{place}-{variation}"), words, (axis, scale), points, decided)
    });
    charts.collect()
}

/// The first and the last interval in words.
fn course(points: &[BandPoint]) -> String {
    let mut known = points.iter().filter_map(|point| Some((point.day.as_str(), point.lift?)));
    let words = |(day, figures): (&str, [f64; 3])| format!("{} on {day}", interval(figures));
    let Some(first) = known.next() else { return "Nothing is known yet.".to_owned() };
    match known.next_back() {
        Some(last) => format!("The interval was {} and is {}.", words(first), words(last)),
        None => format!("The interval is {}.", words(first)),
    }
}

fn visitors(place: usize, results: &Results) -> Option<VisitorChart> {
    let bars = results
        .days
        .iter()
        .map(|day| DayBar { day: day.day.clone(), visitors: day.visitors.clone() });
    let bars: Vec<_> = bars.collect();
    let per_variation = results
        .variations
        .iter()
        .map(|one| format!("{}: {}", one.name, quantity(one.visitors, "visitor", "visitors")));
    let description = format!("{}.", per_variation.collect::<Vec<_>>().join(", "));
    VisitorChart::new(format!("visitors-{place}"), description, &bars)
}

/// All days on which anything is known.
fn days(results: &Results, primary: Option<&MetricResult>) -> Vec<DayRow> {
    let series =
        primary.map(|metric| compared(metric).map(|(_, one)| &one.series).collect::<Vec<_>>());
    let series = series.unwrap_or_default();
    let known =
        series.first().map(|series| series.iter().map(|day| day.day.clone())).into_iter().flatten();
    let mut all: Vec<String> =
        known.chain(results.days.iter().map(|day| day.day.clone())).collect();
    all.sort();
    all.dedup();
    let row = |day: String| {
        let new = results.days.iter().find(|one| one.day == day);
        let visitors = results.variations.iter().enumerate().map(|(place, _)| {
            new.and_then(|one| one.visitors.get(place))
                .map_or_else(|| "0".to_owned(), |one| thousands(*one))
        });
        let lifts = series.iter().map(|series| {
            let known = series.iter().find(|one| one.day == day);
            known.map_or_else(
                || "–".to_owned(),
                |one| match one.lift {
                    Some(figures) => format!("{} ({})", lift(figures[0]), interval(figures)),
                    None => missing(one.reason).to_owned(),
                },
            )
        });
        DayRow { visitors: visitors.collect(), lifts: lifts.collect(), day }
    };
    all.into_iter().map(row).collect()
}
