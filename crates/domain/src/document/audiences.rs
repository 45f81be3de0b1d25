//! Decodes audiences, and the trees of audiences that experiments target.

use std::collections::HashMap;

use super::conditions::{Subject, conditions};
use super::cycle::find_cycle;
use super::fields::{Fields, all};
use super::identity::{Identity, Scope, entities};
use super::names::reference;
use super::operators::{Operation, operation};
use super::reader::{At, Decoded, Reader};
use super::scalars::{boolean, description};
use crate::{Audience, AudienceId, AudienceTree, Audiences, Conditions, Kind};

/// Words with a special meaning where an audience's key may stand.
const RESERVED_KEYS: [&str; 4] = ["everyone", "and", "or", "not"];

/// Decodes the project's audiences.
pub(super) fn audiences(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Audience>> {
    let keep = |reader: &mut Reader<'_>, names| reader.audiences = names;
    let audiences = entities(reader, at, Scope::of(Kind::Audience), keep, audience)?;
    refuse_cycle(reader, at, &audiences)?;
    Ok(audiences)
}

fn audience(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<AudienceId>>,
) -> Decoded<Audience> {
    let mut fields = Fields::of_entity(reader, at)?;
    let description = fields.optional("description", description);
    let conditions = fields.or("conditions", Conditions::default(), |reader, at| {
        conditions(reader, at, Subject::Audience)
    });
    let archived = fields.or("archived", false, boolean);
    fields.finish();
    let Identity { id, key, name } = identity?;
    if RESERVED_KEYS.contains(&key.as_str()) {
        let at = at.field_or_self("key");
        let message = format!("an audience cannot have the key `{key}`");
        return reader.refuse(&at, at.error("reserved_key", message));
    }
    Ok(Audience {
        id,
        key,
        name,
        description: description?,
        conditions: conditions?,
        archived: archived?,
    })
}

/// An audience must not depend on itself.
fn refuse_cycle(reader: &mut Reader<'_>, at: &At<'_>, audiences: &[Audience]) -> Decoded<()> {
    let places: HashMap<AudienceId, usize> =
        audiences.iter().enumerate().map(|(place, audience)| (audience.id, place)).collect();
    let edges: Vec<Vec<usize>> = audiences
        .iter()
        .map(|audience| mentioned(audience).filter_map(|id| places.get(&id).copied()).collect())
        .collect();
    let Some(cycle) = find_cycle(&edges) else { return Ok(()) };
    let keys: Vec<&str> = cycle.iter().map(|place| audiences[*place].key.as_str()).collect();
    let message = format!("audiences depend on each other in a circle: {}", keys.join(" → "));
    let at = at.element(cycle[0]);
    reader.refuse(&at, at.error("audience_cycle", message))
}

fn mentioned(audience: &Audience) -> impl Iterator<Item = AudienceId> {
    audience.conditions.tree.leaves().into_iter().filter_map(|condition| condition.kind.audience())
}

/// Decodes which visitors an experiment targets: `everyone`, an audience, or a tree of them.
pub(super) fn whom(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Audiences> {
    match at.node.text() {
        Some("everyone") => Ok(Audiences::Everyone),
        _ if at.elements().is_some_and(|elements| elements.len() == 0) => {
            // As a tree it would hold for no visitor, but most authors who write it mean every visitor.
            let fault = at.error("no_audience", "no audience is named");
            reader.refuse(at, fault.hint("write `everyone`, or leave `audiences` out"))
        }
        _ => tree(reader, at, 1).map(Audiences::Tree),
    }
}

fn tree(reader: &mut Reader<'_>, at: &At<'_>, depth: usize) -> Decoded<AudienceTree> {
    let Some(elements) = at.elements() else {
        return reference(reader, at, "audience", |reader| &reader.audiences)
            .map(AudienceTree::Audience);
    };
    match operation(reader, at, elements, depth)? {
        Operation::And(operands) => trees(reader, &operands, depth).map(AudienceTree::And),
        Operation::Or(operands) | Operation::Implied(operands) => {
            trees(reader, &operands, depth).map(AudienceTree::Or)
        }
        Operation::Not(operand) => {
            let operand = tree(reader, &operand, depth + 1)?;
            Ok(AudienceTree::Not(Box::new(operand)))
        }
    }
}

fn trees(reader: &mut Reader<'_>, operands: &[At<'_>], depth: usize) -> Decoded<Vec<AudienceTree>> {
    all(operands.iter().map(|operand| tree(reader, operand, depth + 1)))
}
