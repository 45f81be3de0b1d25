//! Decodes experiments and their variations.

use super::audiences::whom;
use super::changes::changes;
use super::fields::Fields;
use super::identity::{Identity, Scope, entities};
use super::names::named;
use super::reader::{At, Decoded, Reader};
use super::scalars::{boolean, percent, share};
use crate::limits::MAX_VARIATIONS;
use crate::{Audiences, BasisPoints, Experiment, ExperimentId, Key, Kind, Variation, VariationId};

/// Decodes the experiments of the campaign with this key.
pub(super) fn experiments(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    campaign: Option<&Key>,
) -> Decoded<Vec<Experiment>> {
    let keep = |reader: &mut Reader<'_>, names| reader.experiments = names;
    let scope = Scope { kind: Kind::Experiment, campaign, experiment: None };
    entities(reader, at, scope, keep, |reader, at, identity| {
        experiment(reader, at, identity, campaign)
    })
}

fn experiment(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<ExperimentId>>,
    campaign: Option<&Key>,
) -> Decoded<Experiment> {
    let key = identity.as_ref().ok().map(|identity| &identity.key);
    let scope = Scope { kind: Kind::Variation, campaign, experiment: key };
    let mut fields = Fields::of_entity(reader, at)?;
    let audiences = fields.or("audiences", Audiences::Everyone, whom);
    let variations = fields.required("variations", |reader, at| variations(reader, at, scope));
    let winner = fields.optional("winner", winner);
    let archived = fields.or("archived", false, boolean);
    fields.finish();
    let Identity { id, key, name } = identity?;
    Ok(Experiment {
        id,
        key,
        name,
        audiences: audiences?,
        variations: variations?,
        winner: winner?,
        archived: archived?,
    })
}

/// The winner may be an archived variation.
fn winner(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<VariationId> {
    named(reader, at, "variation of this experiment", |reader| &reader.variations)
}

fn variations(reader: &mut Reader<'_>, at: &At<'_>, scope: Scope<'_>) -> Decoded<Vec<Variation>> {
    let keep = |reader: &mut Reader<'_>, names| reader.variations = names;
    let variations = entities(reader, at, scope, keep, variation)?;
    if variations.is_empty() {
        let fault = at.error("no_variations", "the experiment has no variations");
        return reader.refuse(at, fault.expected("at least one"));
    }
    reader.variation_count += variations.len();
    if reader.variation_count > MAX_VARIATIONS {
        let fault = at.error("too_many_variations", "the project has too many variations");
        return reader.refuse(at, fault.expected(format!("{MAX_VARIATIONS} at most")));
    }
    let total = total(reader, at, variations.iter().map(|variation| variation.weight))?;
    if total < BasisPoints::ALL.get().into() {
        let total_percent = percent(total);
        let message =
            format!("weights add up to {total_percent}, the other visitors stay unbucketed");
        let fault = at.warning("weights_below_total", message);
        // `[50, 50]`, `[33, 33, 33]` and `[1, 1]`.
        let are_percents = (1..=100).contains(&total);
        reader.report(at, if are_percents { fault.hint(AS_PERCENTS) } else { fault });
    }
    Ok(variations)
}

/// What to write where weights look like percents.
pub(super) const AS_PERCENTS: &str = "`50` is 0.5%: write `50%` or `5000` for a half";

fn variation(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<VariationId>>,
) -> Decoded<Variation> {
    let mut fields = Fields::of_entity(reader, at)?;
    let weight = fields.required("weight", share);
    let changes = fields.or("changes", Vec::new(), changes);
    let paused = fields.or("paused", false, boolean);
    let archived = fields.or("archived", false, boolean);
    fields.finish();
    let Identity { id, key, name } = identity?;
    let (weight, archived) = (weight?, archived?);
    if archived && weight != BasisPoints::ZERO {
        let at = at.field_or_self("weight");
        let fault = at.error("archived_weight", "an archived variation has no visitors");
        return reader.refuse(&at, fault.expected("`weight: 0`"));
    }
    Ok(Variation { id, key, name, weight, changes: changes?, paused: paused?, archived })
}

/// The total of weights, which is 10000 at most.
pub(super) fn total(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    weights: impl Iterator<Item = BasisPoints>,
) -> Decoded<u64> {
    let everyone = u64::from(BasisPoints::ALL.get());
    let total = weights.map(|weight| u64::from(weight.get())).sum();
    if total <= everyone {
        return Ok(total);
    }
    let message = format!("weights add up to {}", percent(total));
    let fault = at.error("weights_above_total", message);
    reader.refuse(at, fault.expected("100% at most"))
}
