//! What an experiment's verdict says on the page, and what to do about it.

use app::results::{Results, VerdictCode};

use super::notes::is_one_look;

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

impl ShownVerdict {
    pub(super) fn of(results: &Results) -> Self {
        let verdict = &results.verdict;
        let VerdictWords { class, title, advice } = words(verdict.code);
        let title = if verdict.stands { title } else { worn_off(verdict.code).unwrap_or(title) };
        let (class, advice) = if !verdict.stands {
            (
                "early",
                "Let it run until you know why: what comes now does not say the same any more.",
            )
        } else if verdict.code == VerdictCode::TooEarly && is_one_look(results) {
            (
                class,
                "Let it run to the end of its plan: there is one look, and none before it says anything. To stop when you know enough, take another method.",
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

/// The title of a verdict of an earlier day that today's interval does not confirm.
fn worn_off(code: VerdictCode) -> Option<&'static str> {
    match code {
        VerdictCode::Better => Some("Better once, unclear now"),
        VerdictCode::Worse => Some("Worse once, unclear now"),
        VerdictCode::TooEarly
        | VerdictCode::LowRisk
        | VerdictCode::SampleRatioMismatch
        | VerdictCode::Inconclusive
        | VerdictCode::Mixed
        | VerdictCode::NoMetric => None,
    }
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
