//! Groups: campaigns of which a visitor is given one.

use serde_json::{Value, json};

use crate::export_location::At;
use crate::identity::{Keys, id_text};
use crate::importer::Importer;

const KINDS: &[(&str, &str)] = &[
    ("Campaign", "campaign"),
    ("campaign", "campaign"),
    ("Experiment", "experiment"),
    ("experiment", "experiment"),
];

/// The project's groups, and the campaigns that may not run because theirs is not complete.
pub(crate) struct ImportedGroups {
    pub(crate) groups: Vec<Value>,
    pub(crate) stopped: Vec<StoppedCampaign>,
}

/// A campaign that may not run, and why.
pub(crate) struct StoppedCampaign {
    pub(crate) key: String,
    pub(crate) flaw: String,
}

impl<'e> Importer<'e> {
    /// The project's groups, and the keys of campaigns that may not run because theirs is not
    /// complete. Comes after campaigns.
    pub(crate) fn groups(&mut self) -> ImportedGroups {
        let mut keys = Keys::default();
        let mut stopped = Vec::new();
        let resources = self.resources("groups");
        let groups =
            resources.iter().filter_map(|at| self.group(at, &mut keys, &mut stopped)).collect();
        ImportedGroups { groups, stopped }
    }

    fn group(
        &mut self,
        at: &At<'e>,
        keys: &mut Keys,
        stopped: &mut Vec<StoppedCampaign>,
    ) -> Option<Value> {
        let resource = self.begin(at, "group")?;
        let id = resource.id.clone().unwrap_or_default();
        let name = resource.name.clone().unwrap_or_default();
        let key = keys.give([name.as_str(), &format!("group {id}")]);
        let mut members: Vec<(String, u64)> = Vec::new();
        let mut is_complete = resource.keeps_id;
        for at in at.list("entities") {
            match self.member(&at) {
                Some(member) => members.push(member),
                None => is_complete = false,
            }
        }
        let refusal = self.any_rejection(at);
        if let Some(reason) = refusal {
            self.ledger.left_out(at, reason, "make the group by hand");
        }
        if !is_complete || refusal.is_some() {
            let flaw =
                format!("its group `{key}` is not as it was, so visitors would change campaigns");
            stopped.extend(members.iter().map(|(campaign, _)| StoppedCampaign {
                key: campaign.clone(),
                flaw: flaw.clone(),
            }));
        }
        if refusal.is_some() {
            return None;
        }
        if let Some(at) = at.field("description") {
            self.ledger.left_out(&at, "Assay's groups have no description", "");
        }
        let mut fields = self.start(at, &resource, &key);
        if self.archived(at) {
            fields.insert("archived".to_owned(), json!(true));
        }
        let members: Vec<Value> = members
            .into_iter()
            .map(|(campaign, weight)| json!({"campaign": campaign, "weight": weight}))
            .collect();
        fields.insert("members".to_owned(), json!(members));
        Some(self.finish(at, fields))
    }

    fn member(&mut self, at: &At<'e>) -> Option<(String, u64)> {
        let kind = self.word(at, "kind", KINDS).ok()?.unwrap_or("campaign");
        let id_at = at.field("id")?;
        let id = id_text(id_at.value)?;
        let known = if kind == "campaign" { &self.campaigns } else { &self.stand_alone };
        let campaign = known.get(&id).map(|target| target.key.clone());
        let Some(campaign) = campaign else {
            let message = format!("no imported campaign is Optimizely's {kind} `{id}`");
            self.ledger.left_out(at, message, "");
            return None;
        };
        self.ledger.settle(&id_at);
        let weight = self.share(at, "weight").ok()??;
        Some((campaign, weight))
    }
}
