//! `assay plan`: how many visitors and days an experiment needs, before it starts.

use app::numerals::thousands;
use app::results::{
    ExperimentLength, LengthQuestion, MethodLength, PlannedVariations, Today, experiment_length,
};

use crate::cli::{Figure, PlanArguments};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(arguments: &PlanArguments) -> Result<(), Failure> {
    let question = LengthQuestion {
        today: today(arguments)?,
        minimum_effect: arguments.minimum_effect,
        visitors_per_day: arguments.visitors_per_day.map(f64::from),
        variations: arguments
            .weights
            .unwrap_or_else(|| PlannedVariations::even(arguments.variations)),
        power: arguments.power,
        confidence: arguments.confidence,
    };
    let length = experiment_length(&question).map_err(|_| {
        Failure::input(
            "no number of visitors answers this: expected a share between 0% and 100%, with the effect too, or a mean that is not 0, and an effect that is not 0%",
        )
    })?;
    if arguments.json {
        output::print(serde_json::to_string(&length).expect("numbers are always JSON"));
    } else {
        output::print(text(&question, &length));
    }
    Ok(())
}

fn today(arguments: &PlanArguments) -> Result<Today, Failure> {
    match (arguments.baseline, arguments.deviation) {
        (Figure::Share(share), None) => Ok(Today::Share(share)),
        (Figure::Mean(mean), Some(deviation)) => Ok(Today::Mean { mean, deviation }),
        (Figure::Share(_), Some(_)) => Err(Failure::input(
            "a share of visitors has no `--deviation`: expected a mean without a percent sign, such as `--baseline 12.40`",
        )),
        (Figure::Mean(_), None) => Err(Failure::input(
            "`--baseline` is neither a share such as `5%` nor a mean with its `--deviation`, such as `--baseline 12.40 --deviation 31`",
        )),
    }
}

fn text(question: &LengthQuestion, length: &ExperimentLength) -> String {
    let LengthQuestion { variations, power, confidence, .. } = *question;
    let variations = variations.count();
    let rows = [
        ("always valid: look whenever you like, stop when it is clear", length.always_valid),
        ("hybrid: look whenever you like, sharper at the planned end", length.hybrid),
        ("fixed horizon: one look, at the planned end", length.fixed_horizon),
    ];
    let rows = rows.map(|(words, MethodLength { visitors, days })| {
        let days = days.map(|days| match days {
            1 => "1 day".to_owned(),
            days => format!("{} days", thousands(days)),
        });
        let days = days.unwrap_or_default();
        let line = format!("  {:>15}  {days:>12}  {words}", thousands(visitors));
        line.trim_end().to_owned()
    });
    format!(
        "{} in {:.0} % of such experiments, with intervals of {:.0} % and {variations} variations, visitors of all together:\n\n{}",
        question.sought(),
        power * 100.0,
        confidence * 100.0,
        rows.join("\n")
    )
}
