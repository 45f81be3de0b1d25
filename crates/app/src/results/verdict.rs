//! What results come to, in a sentence.

use domain::GoodDirection;
use events::Day;

use crate::results::plan::day_in_words;
use crate::results::report::{
    ComparisonResult, ComparisonVerdict, HealthReport, MetricKind, MetricResult, MetricRole,
    PlanReport, VariationResult, VariationShare, VerdictCode, VerdictReport,
};

/// What a verdict takes into account beside the figures.
pub(super) struct Circumstances<'r> {
    /// Whether no visitor takes part any more: then nothing is advised.
    pub(super) has_ended: bool,
    pub(super) health: &'r HealthReport,
    pub(super) plan: Option<&'r PlanReport>,
    pub(super) today: Day,
}

/// The verdict by the primary metrics; figures of every metric are in the order of `variations`. Of what has ended, it advises nothing.
pub(super) fn verdict(
    metrics: &[MetricResult],
    variations: &[VariationShare],
    Circumstances { has_ended, health, plan, today }: Circumstances<'_>,
) -> VerdictReport {
    let report = |code, text: &str| VerdictReport {
        code,
        text: text.to_owned(),
        variation: None,
        stands: true,
        guardrails: Vec::new(),
    };
    if health.sample_ratio.is_alarmed {
        let text = "Do not trust these figures: visitors did not come in the shares of the weights, so something takes visitors from a variation. Find out what, first.";
        return report(VerdictCode::SampleRatioMismatch, text);
    }
    if metrics.is_empty() {
        return report(VerdictCode::NoMetric, "There is no event to measure by.");
    }
    let findings: Vec<Finding<'_>> = findings(metrics, MetricRole::Primary).collect();
    if findings.is_empty() {
        return report(
            VerdictCode::NoMetric,
            "No metric of this campaign is primary, so nothing is decided.",
        );
    }
    let is_over = plan.is_some_and(|plan| plan.ended_on.is_some());
    let Decided { code, mut text, place, stands, advice } = match decided(&findings) {
        Decided { code: VerdictCode::TooEarly, text, .. } => {
            let low_risk = plan.and_then(|plan| low_risk(metrics, plan.tolerated_loss?, &text));
            low_risk.unwrap_or_else(|| undecided(&text, plan, today))
        }
        one => one,
    };
    let guardrails = against(metrics, place, code);
    if guardrails.is_empty() && !has_ended {
        text.push_str(if is_over && !advice.is_empty() { " The plan is over." } else { advice });
    }
    let variation = place.and_then(|place| variations.get(place)).map(|one| one.id.clone());
    VerdictReport { code, text, variation, stands, guardrails }
}

/// What is said, and of which variation.
struct Decided {
    code: VerdictCode,
    text: String,
    place: Option<usize>,
    /// Whether what is known today says the same.
    stands: bool,
    /// What to do, if no guardrail speaks against it.
    advice: &'static str,
}

impl Decided {
    /// What is decided of a variation, by what is known of it now.
    fn of(code: VerdictCode, one: &Finding<'_>, advice: &'static str) -> Self {
        let (place, text, stands) = (Some(one.place), one.as_it_stands(), one.stands());
        Self { code, text, place, stands, advice: if stands { advice } else { "" } }
    }
}

fn decided(findings: &[Finding<'_>]) -> Decided {
    let is_worse = |place: usize| {
        findings.iter().find(|other| {
            other.place == place && other.comparison.decided == ComparisonVerdict::Worse
        })
    };
    let better = findings.iter().filter(|one| one.comparison.decided == ComparisonVerdict::Better);
    let best = |mixed: bool| {
        let among = better.clone().filter(move |one| is_worse(one.place).is_some() == mixed);
        among.max_by(|one, other| {
            let by_effect = one.improvement().total_cmp(&other.improvement());
            one.stands().cmp(&other.stands()).then(by_effect)
        })
    };
    if let Some(best) = best(false) {
        let mut decided = Decided::of(VerdictCode::Better, best, best.stopping());
        decided.text.push_str(&also_better(best, findings));
        return decided;
    }
    if let Some((best, worse)) = best(true).and_then(|best| Some((best, is_worse(best.place)?))) {
        let stands = best.stands() && worse.stands();
        let weigh = if stands { " Weigh them." } else { "" };
        let text = format!("{} But: {}{weigh}", best.as_it_stands(), worse.as_it_stands());
        let (code, place) = (VerdictCode::Mixed, Some(best.place));
        return Decided { code, text, place, stands, advice: "" };
    }
    let worse = findings.iter().filter(|one| one.comparison.decided == ComparisonVerdict::Worse);
    let lowest = worse.min_by(|one, other| {
        let by_effect = one.improvement().total_cmp(&other.improvement());
        other.stands().cmp(&one.stands()).then(by_effect)
    });
    if let Some(lowest) = lowest {
        return Decided::of(VerdictCode::Worse, lowest, " You can stop it.");
    }
    let mut sentences = Vec::new();
    for sentence in findings.iter().map(Finding::sentence) {
        // Of a variation without figures, every metric says the same.
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    open(VerdictCode::TooEarly, sentences.join(" "))
}

/// By which other metrics a winner is better, if it is.
fn also_better(best: &Finding<'_>, findings: &[Finding<'_>]) -> String {
    let others = findings.iter().filter(|one| {
        let is_other = !std::ptr::eq(*one, best) && one.place == best.place;
        is_other && one.comparison.decided == ComparisonVerdict::Better && one.stands()
    });
    let mut names: Vec<_> = others.map(|one| format!("`{}`", one.name())).collect();
    names.dedup();
    if names.is_empty() {
        String::new()
    } else {
        format!(" It is also better by {}.", names.join(", "))
    }
}

/// Nothing is decided.
fn open(code: VerdictCode, text: String) -> Decided {
    Decided { code, text, place: None, stands: true, advice: "" }
}

/// What a Bayesian plan can stop with, if nothing is known to be better: what costs least by all primary metrics, if each tolerates that.
fn low_risk(metrics: &[MetricResult], tolerated: f64, sentences: &str) -> Option<Decided> {
    let primary = metrics.iter().filter(|metric| metric.role == MetricRole::Primary);
    let results = primary.clone().map(|metric| metric.variations.len()).min()?;
    let loss = |place: usize| {
        let risks = primary.clone().map(|metric| {
            metric.variations[place].posterior.filter(|one| one.is_low_risk)?.expected_loss
        });
        risks.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
    };
    let losses = (0..results).filter_map(|place| Some((place, loss(place)?)));
    let (place, loss) = losses.min_by(|one, other| one.1.total_cmp(&other.1))?;
    let name = &primary.clone().next()?.variations[place].variation;
    let [loss, tolerated] = [loss, tolerated].map(|share| format!("{:.2} %", share * 100.0));
    let takes = if place == 0 { "keeping" } else { "taking" };
    let text = format!(
        "No variation is known to be better, but little is at stake: {takes} `{name}` loses {loss} on average, and the plan tolerates {tolerated}. {sentences}"
    );
    let advice = " You can stop with it.";
    Some(Decided { code: VerdictCode::LowRisk, text, place: Some(place), stands: true, advice })
}

/// When it is not too early any more, or that the plan ended without a decision.
fn undecided(sentences: &str, plan: Option<&PlanReport>, today: Day) -> Decided {
    let day = |day: &String| day_in_words(day, today);
    let ended = plan.and_then(|plan| plan.ended_on.as_ref()).map(day);
    if let Some(ended) = ended {
        let text = format!("The plan ended on {ended}, and nothing is clear. {sentences}");
        return open(VerdictCode::Inconclusive, text);
    }
    let effect = plan.and_then(|plan| plan.effect).unwrap_or_default();
    let shows = plan.and_then(|plan| plan.shows_by.as_ref()).map(|shows| {
        format!("at today's traffic a {} effect shows by {}", percent(effect), day(shows))
    });
    let ends = plan.and_then(|plan| plan.until.as_ref());
    let ends = ends.map(|until| format!("the plan ends on {}", day(until)));
    let known: Vec<String> = shows.into_iter().chain(ends).collect();
    let begin = match known.as_slice() {
        [] => "Too early to say.".to_owned(),
        known => format!("Too early: {}.", known.join("; ")),
    };
    open(VerdictCode::TooEarly, format!("{begin} {sentences}").trim_end().to_owned())
}

/// What guardrails say against a variation that is better, or against any if none is: of a winner, even that they cannot tell yet.
fn against(metrics: &[MetricResult], place: Option<usize>, code: VerdictCode) -> Vec<String> {
    let guardrails = findings(metrics, MetricRole::Guardrail);
    let guardrails = guardrails.filter(|one| place.is_none_or(|place| one.place == place));
    let sentences = guardrails.filter_map(|one| {
        let (name, variation) = (one.name(), &one.result.variation);
        match one.comparison.decided {
            ComparisonVerdict::Worse if one.stands() => {
                Some(format!("The guardrail `{name}` fails: {}", one.sentence()))
            }
            ComparisonVerdict::Worse => {
                Some(format!("The guardrail `{name}` failed: {}", one.wore_off()))
            }
            ComparisonVerdict::Inconclusive
                if matches!(code, VerdictCode::Better | VerdictCode::LowRisk) =>
            {
                let margin = percent(one.metric.margin.unwrap_or_default());
                Some(format!(
                    "The guardrail `{name}` is not clear yet: `{variation}` may make it worse by more than {margin}."
                ))
            }
            ComparisonVerdict::Inconclusive
            | ComparisonVerdict::Better
            | ComparisonVerdict::NoWorse
            | ComparisonVerdict::NotJudged => None,
        }
    });
    sentences.collect()
}

/// What a metric says of a variation.
struct Finding<'r> {
    metric: &'r MetricResult,
    control: &'r str,
    /// The variation's place.
    place: usize,
    result: &'r VariationResult,
    comparison: &'r ComparisonResult,
}

/// All variations but the control, of every metric in this role.
fn findings(metrics: &[MetricResult], role: MetricRole) -> impl Iterator<Item = Finding<'_>> {
    let metrics = metrics.iter().filter(move |metric| metric.role == role);
    metrics.flat_map(|metric| {
        let control = metric.variations.first().map_or("", |result| result.variation.as_str());
        let results = metric.variations.iter().enumerate();
        results.filter_map(move |(place, result)| {
            Some(Finding {
                metric,
                control,
                place,
                result,
                comparison: result.comparison.as_ref()?,
            })
        })
    })
}

impl Finding<'_> {
    fn name(&self) -> &str {
        self.metric.name.as_deref().unwrap_or(&self.metric.event)
    }

    /// What a variation does, as far as is known, and what is believed of that.
    fn sentence(&self) -> String {
        let sentence = self.effect();
        let chance = self.result.posterior.and_then(|posterior| posterior.chance_to_beat_control);
        let Some(chance) = chance else { return sentence };
        format!("{sentence} It is better with a probability of {}.", probability(chance))
    }

    /// What to do with a winner. A Bayesian one may be there because members looked often.
    fn stopping(&self) -> &'static str {
        if self.result.posterior.is_some() {
            " You can stop by the rule of the plan; the more often you look, the likelier a winner is a false one."
        } else {
            " You can stop now: looking early did not bias this result."
        }
    }

    /// By how much the variation changes the metric: in percent or, where the control is not above zero or nearly zero, in the metric's unit.
    fn effect(&self) -> String {
        let (variation, control, name) = (&self.result.variation, self.control, self.name());
        let is_relative = self.control_mean().is_none_or(|mean| mean > 0.0);
        let kind = self.metric.kind;
        let lift =
            self.comparison.lift.filter(|_| is_relative).map(|lift| kind.possible_lift(lift));
        let difference = self.comparison.difference.map(|one| kind.possible_difference(one));
        let (bounds, told, of): (_, fn(f64) -> String, _) = match (lift, difference) {
            (Some([_, lower, upper]), _) => ([lower, upper], percents, ""),
            (None, Some([_, lower, upper])) if kind == MetricKind::Conversion => {
                ([lower, upper], hundredths, " of 100")
            }
            (None, Some([_, lower, upper])) => ([lower, upper], three_digits, ""),
            (None, None) => return format!("Nothing can be said of `{variation}` yet."),
        };
        if self.metric.name.is_some() {
            let words = match of {
                "" => ["lower", "higher"],
                _ => ["percentage points lower", "percentage points higher"],
            };
            let amount = between(bounds, words, told);
            return format!("With `{variation}`, `{name}` is {amount} than with `{control}`.");
        }
        let amount = between(bounds, ["fewer", "more"], told);
        match kind {
            MetricKind::Sum => {
                format!("`{variation}` yields {amount} of `{name}` per visitor than `{control}`.")
            }
            MetricKind::Revenue => {
                format!("`{variation}` earns {amount} by `{name}` per visitor than `{control}`.")
            }
            MetricKind::Conversion
            | MetricKind::Count
            | MetricKind::Mean
            | MetricKind::Ratio
            | MetricKind::Quantile => {
                format!(
                    "With `{variation}`, {amount}{of} visitors convert on `{name}` than with `{control}`."
                )
            }
        }
    }

    /// What was decided, by what is known of it now.
    fn as_it_stands(&self) -> String {
        if self.stands() { self.sentence() } else { self.wore_off() }
    }

    fn wore_off(&self) -> String {
        let ComparisonResult { decided, decided_on, .. } = self.comparison;
        let day = decided_on.as_deref().unwrap_or("an earlier day");
        let (variation, today) = (&self.result.variation, self.sentence());
        format!(
            "`{variation}` was {} on {day}; that may have worn off since. {today}",
            decided.phrase()
        )
    }

    fn stands(&self) -> bool {
        self.metric.stands(self.result)
    }

    fn control_mean(&self) -> Option<f64> {
        self.metric.variations.first()?.mean
    }

    /// The effect in the direction that is good, as a share of the control where it has one.
    fn improvement(&self) -> f64 {
        let difference = self.comparison.difference.map_or(0.0, |[difference, ..]| difference);
        let control = self.control_mean().map(f64::abs).filter(|mean| *mean > 0.0);
        let effect = difference / control.unwrap_or(1.0);
        match self.metric.good {
            GoodDirection::Up => effect,
            GoodDirection::Down => -effect,
        }
    }
}

/// A share in percent, as the document has it.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", (share * 10_000.0).round() / 100.0)
}

/// A probability in percent that claims no certainty.
pub(super) fn probability(share: f64) -> String {
    let percent = format!("{:.1} %", share * 100.0);
    match percent.as_str() {
        "100.0 %" => "more than 99.9 %".to_owned(),
        "0.0 %" => "less than 0.1 %".to_owned(),
        _ => percent,
    }
}

/// An interval in words: `between 1.2 % fewer and 4.0 % more`.
fn between([lower, upper]: [f64; 2], [less, more]: [&str; 2], told: fn(f64) -> String) -> String {
    if lower >= 0.0 {
        format!("between {} and {} {more}", told(lower), told(upper))
    } else if upper <= 0.0 {
        format!("between {} and {} {less}", told(upper), told(lower))
    } else {
        format!("between {} {less} and {} {more}", told(lower), told(upper))
    }
}

fn percents(lift: f64) -> String {
    format!("{:.1} %", lift.abs() * 100.0)
}

fn hundredths(share: f64) -> String {
    format!("{:.2}", share.abs() * 100.0)
}

/// An amount as exactly as an interval is worth.
fn three_digits(amount: f64) -> String {
    let amount = amount.abs();
    if amount > 0.0 && amount < 0.001 {
        return format!("{amount:.2e}");
    }
    let places = [100.0, 10.0, 1.0, 0.1, 0.01].iter().filter(|least| amount < **least).count();
    format!("{amount:.places$}")
}
