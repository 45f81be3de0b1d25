//! Checks the order of changes: ids are unique in their list, and the order that `depends_on` asks for exists.

use std::collections::HashMap;

use super::cycle::find_cycle;
use super::fields::all;
use super::reader::{At, Decoded, Reader};
use crate::Change;

/// Checks the order of the list of changes at `at`.
pub(super) fn check_order(reader: &mut Reader<'_>, at: &At<'_>, changes: &[Change]) -> Decoded<()> {
    if changes.iter().all(|change| change.id.is_none() && change.depends_on.is_empty()) {
        return Ok(());
    }
    let places = places(reader, at, changes)?;
    let edges: Vec<Vec<usize>> = all(changes.iter().enumerate().map(|(place, change)| {
        let given = at.element(place).field_or_self("depends_on");
        let ids = change.depends_on.iter().enumerate();
        all(ids.map(|(index, id)| place_of(reader, &given.element(index), id, &places)))
    }))?;
    let Some(cycle) = find_cycle(&edges) else { return Ok(()) };
    let ids: Vec<&str> = cycle.iter().filter_map(|place| changes[*place].id.as_deref()).collect();
    let message = format!("changes depend on each other in a circle: {}", ids.join(" → "));
    let at = at.element(cycle[0]).field_or_self("depends_on");
    reader.refuse(&at, at.error("change_cycle", message))
}

/// The place of each change that has an id.
fn places<'c>(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    changes: &'c [Change],
) -> Decoded<HashMap<&'c str, usize>> {
    let mut places = HashMap::new();
    for (place, change) in changes.iter().enumerate() {
        let Some(id) = change.id.as_deref() else { continue };
        if places.insert(id, place).is_some() {
            let at = at.element(place).field_or_self("id");
            let message = format!("another change of this list has the id `{id}`, too");
            return reader.refuse(&at, at.error("duplicate_id", message));
        }
    }
    Ok(places)
}

fn place_of(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    id: &str,
    places: &HashMap<&str, usize>,
) -> Decoded<usize> {
    if let Some(place) = places.get(id) {
        return Ok(*place);
    }
    let message = format!("no change of this list has the id `{id}`");
    let fault = at.error("dangling_reference", message);
    let fault = reader.did_you_mean(fault, id, places.keys().copied());
    reader.refuse(at, fault)
}
