//! Decodes groups of campaigns that exclude each other.

use std::collections::HashSet;

use super::experiments::{AS_PERCENTS, total};
use super::fields::{Fields, list};
use super::identity::{Identity, Scope, entities};
use super::names::reference;
use super::reader::{At, Decoded, Reader};
use super::scalars::{boolean, percent, share};
use crate::limits::MAX_ENTITIES;
use crate::{CampaignId, Group, GroupId, GroupMember, Kind};

/// Decodes the project's groups. A campaign is in one group at most, archived ones not counted.
pub(super) fn groups(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Group>> {
    let mut grouped = HashSet::new();
    entities(
        reader,
        at,
        Scope::of(Kind::Group),
        |_, _| (),
        |reader, at, identity| group(reader, at, identity, &mut grouped),
    )
}

fn group(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<GroupId>>,
    grouped: &mut HashSet<CampaignId>,
) -> Decoded<Group> {
    let mut fields = Fields::of_entity(reader, at)?;
    let members = fields.required("members", |reader, at| {
        let members = list(reader, at, MAX_ENTITIES, |reader, at| member(reader, at, grouped))?;
        let total = total(reader, at, members.iter().map(|member| member.weight))?;
        if (1..=100).contains(&total) && members.len() > 1 {
            let message =
                format!("weights add up to {}, so few visitors see any of these", percent(total));
            reader.report(at, at.warning("weights_like_percents", message).hint(AS_PERCENTS));
        }
        Ok(members)
    });
    let archived = fields.or("archived", false, boolean);
    fields.finish();
    let Identity { id, key, name } = identity?;
    Ok(Group { id, key, name, members: members?, archived: archived? })
}

fn member(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    grouped: &mut HashSet<CampaignId>,
) -> Decoded<GroupMember> {
    let mut fields = Fields::of(reader, at)?;
    let campaign = fields.required("campaign", |reader, at| {
        let campaign = reference(reader, at, "campaign", |reader| &reader.campaigns)?;
        if reader.is_idle || grouped.insert(campaign) {
            return Ok(campaign);
        }
        reader.refuse(at, at.error("repeated", "the campaign is in a group already"))
    });
    let weight = fields.required("weight", share);
    fields.finish();
    Ok(GroupMember { campaign: campaign?, weight: weight? })
}
