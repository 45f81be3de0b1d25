//! Decodes the plans of campaigns: `{effect: 5%, power: 80%, confidence: 95%, until: 2026-12-24, method: hybrid}`.

use std::ops::RangeInclusive;

use super::fields::Fields;
use super::reader::{At, Decoded, Reader};
use super::scalars::{share, text, word};
use crate::limits::{PLAN_CONFIDENCE, PLAN_POWER};
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
    fields.finish();
    let (effect, until) = (effect?, until?);
    if effect.is_none() && until.is_none() {
        let fault =
            at.error("missing_field", "a plan needs an `effect`, or a day `until` which it runs");
        return reader.refuse(at, fault);
    }
    Ok(Plan { effect, power: power?, confidence: confidence?, until, method: method? })
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
    let [least, most] = [*range.start(), *range.end()].map(percent);
    let fault = at.error("bad_range", format!("{} does not fit here", percent(share.get())));
    reader.refuse(at, fault.expected(format!("{least} to {most}")))
}

fn percent(basis_points: u16) -> String {
    let text = format!("{}.{:02}", basis_points / 100, basis_points % 100);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

fn day(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<CalendarDay> {
    let given = text(reader, at)?;
    if let Ok(day) = given.parse() {
        return Ok(day);
    }
    let fault = at.error("bad_day", format!("`{given}` is no day"));
    reader.refuse(at, fault.expected("a day of the calendar, such as `2026-12-24`"))
}
