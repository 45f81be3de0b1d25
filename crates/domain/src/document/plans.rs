//! Decodes the plans of campaigns: `{effect: 5%, power: 80%, confidence: 95%, until: 2026-12-24, method: hybrid}`.

use std::ops::RangeInclusive;

use super::fields::Fields;
use super::reader::{At, Decoded, Reader};
use super::scalars::{percent, share, text, word};
use crate::limits::{PLAN_CONFIDENCE, PLAN_MAX_LOSS, PLAN_POWER};
use crate::{BasisPoints, CalendarDay, Plan, PlanMethod};

/// Decodes a plan. Its end may be past: a document stays valid while time goes on.
pub(super) fn plan(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Plan> {
    let mut fields = Fields::of(reader, at)?;
    let everything = BasisPoints::ALL.get();
    let effect = fields.optional("effect", |reader, at| within(reader, at, &(1..=everything)));
    let power =
        fields.or("power", Plan::DEFAULT_POWER, |reader, at| within(reader, at, &PLAN_POWER));
    let confidence = fields.or("confidence", Plan::DEFAULT_CONFIDENCE, |reader, at| {
        within(reader, at, &PLAN_CONFIDENCE)
    });
    let until = fields.optional("until", day);
    let method = fields.or("method", PlanMethod::Hybrid, word);
    let max_loss = max_loss(&mut fields, method.as_ref().ok().copied());
    fields.finish();
    let (effect, until, method) = (effect?, until?, method?);
    if effect.is_none() && until.is_none() && method != PlanMethod::Bayesian {
        let fault =
            at.error("missing_field", "a plan needs an `effect`, or a day `until` which it runs");
        return reader.refuse(at, fault);
    }
    let (power, confidence, max_loss) = (power?, confidence?, max_loss?);
    Ok(Plan { effect, power, confidence, until, method, max_loss })
}

/// What a Bayesian plan tolerates; other methods have no loss to speak of.
fn max_loss(
    fields: &mut Fields<'_, '_, '_>,
    method: Option<PlanMethod>,
) -> Decoded<Option<BasisPoints>> {
    let read = |reader: &mut Reader<'_>, at: &At<'_>| within(reader, at, &PLAN_MAX_LOSS);
    match method {
        Some(PlanMethod::Bayesian) => fields.or("max_loss", Plan::DEFAULT_MAX_LOSS, read).map(Some),
        Some(method @ (PlanMethod::Hybrid | PlanMethod::FixedHorizon)) => {
            let why = format!(
                "`{method}` decides by error rates, not by the expected loss: that is `bayesian`"
            );
            fields.absent("max_loss", &why)
        }
        None => fields.optional("max_loss", read),
    }
}

fn within(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    range: &RangeInclusive<u16>,
) -> Decoded<BasisPoints> {
    let share = share(reader, at)?;
    if range.contains(&share.get()) {
        return Ok(share);
    }
    let [least, most] = [*range.start(), *range.end()].map(|end| percent(end.into()));
    let fault = at.error("bad_range", format!("{} does not fit here", percent(share.get().into())));
    reader.refuse(at, fault.expected(format!("{least} to {most}")))
}

fn day(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<CalendarDay> {
    let given = text(reader, at)?;
    if let Ok(day) = given.parse() {
        return Ok(day);
    }
    let fault = at.error("bad_day", format!("`{given}` is not a day"));
    reader.refuse(at, fault.expected("a day of the calendar, such as `2026-12-24`"))
}
