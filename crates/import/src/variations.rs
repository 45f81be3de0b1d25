//! Variations, with their shares and their changes on each page.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::changes::{Scope, Target};
use crate::export_location::At;
use crate::field::ALL;
use crate::identity::{Keys, id_text};
use crate::importer::Importer;

const STATUSES: &[(&str, &str)] =
    &[("active", "active"), ("paused", "paused"), ("archived", "archived")];

/// What an experiment's variations are made with.
pub(crate) struct Frame<'f> {
    /// The pages of the campaign.
    pub(crate) pages: &'f [String],
    /// Why the campaign may not run.
    pub(crate) flaws: &'f mut Vec<String>,
}

/// A variation, and whether visitors are in it.
struct Drafted<'e> {
    at: At<'e>,
    fields: serde_json::Map<String, Value>,
    weight: u64,
    is_shown: bool,
}

impl<'e> Importer<'e> {
    /// The variations of an experiment.
    pub(crate) fn variations(&mut self, experiment: &At<'e>, frame: &mut Frame<'_>) -> Vec<Value> {
        let mut keys = Keys::default();
        let list = experiment.list("variations");
        let mut drafted: Vec<Drafted<'e>> = Vec::new();
        for at in list {
            match self.variation(&at, &mut keys, frame) {
                Some(variation) => drafted.push(variation),
                None => frame.flaws.push("a variation is left out".to_owned()),
            }
        }
        for index in 0..drafted.len() {
            let shifts_others =
                drafted[index + 1..].iter().any(|other| other.is_shown && other.weight > 0);
            let Drafted { at, fields, weight, is_shown } = &mut drafted[index];
            if *is_shown || *weight == 0 {
                continue;
            }
            let message =
                format!("a variation that is not shown has the weight {weight}, and gets 0");
            self.ledger.note(
                crate::Outcome::Changed,
                &at.location,
                message,
                "share its weight out",
            );
            fields.insert("weight".to_owned(), json!(0));
            if shifts_others {
                let flaw = "without the weight of a variation that is not shown, visitors would change theirs";
                frame.flaws.push(flaw.to_owned());
            }
        }
        self.take_out_excess(experiment, &mut drafted, frame);
        drafted.into_iter().map(|Drafted { at, fields, .. }| self.finish(&at, fields)).collect()
    }

    /// Shares of more than all visitors mean nothing in Assay: a member must decide what was meant.
    fn take_out_excess(
        &mut self,
        experiment: &At<'e>,
        drafted: &mut [Drafted<'e>],
        frame: &mut Frame<'_>,
    ) {
        let weights =
            drafted.iter().filter_map(|variation| variation.fields.get("weight")?.as_u64());
        let total: u64 = weights.sum();
        if total <= ALL {
            return;
        }
        let message =
            format!("the weights add up to {total}, expected {ALL} at most: all become 0");
        let location = experiment
            .field("variations")
            .map_or_else(|| experiment.location.clone(), |at| at.location);
        self.ledger.note(crate::Outcome::LeftOut, &location, message, "set them by hand");
        frame.flaws.push(format!("the weights of `variations` add up to {total}"));
        for variation in drafted {
            variation.fields.insert("weight".to_owned(), json!(0));
        }
    }

    fn variation(
        &mut self,
        at: &At<'e>,
        keys: &mut Keys,
        frame: &mut Frame<'_>,
    ) -> Option<Drafted<'e>> {
        let resource = self.begin(at, "variation")?;
        let key_there = self.text(at, "key");
        let name = resource.name.clone().unwrap_or_default();
        let id = resource.id.clone().unwrap_or_default();
        let wanted = [key_there.as_deref().unwrap_or(&name), &name, &format!("variation {id}")];
        let key = keys.give(wanted);
        if let Some(key_there) = &key_there {
            self.tell_of_new_key(at, key_there, &key, "its own programs");
        }
        let mut fields = self.start(at, &resource, &key);
        let weight = self.share(at, "weight");
        if weight == Err(()) || weight == Ok(None) {
            frame.flaws.push("a variation has no weight".to_owned());
        }
        let weight = weight.unwrap_or_default().unwrap_or_default();
        fields.insert("weight".to_owned(), json!(weight));
        let is_archived = self.archived(at);
        let status = self.word(at, "status", STATUSES).unwrap_or_default().unwrap_or("active");
        if is_archived || status == "archived" {
            fields.insert("archived".to_owned(), json!(true));
        } else if status == "paused" {
            fields.insert("paused".to_owned(), json!(true));
        }
        if let Some(at) = at.field("description") {
            self.ledger.left_out(&at, "Assay's variations have no description", "");
        }
        let changes = self.actions(at, frame);
        fields.insert("changes".to_owned(), json!(changes));
        // A visitor in a paused variation stays in it, in Assay as in Optimizely.
        let is_shown = !is_archived && status != "archived";
        Some(Drafted { at: at.clone(), fields, weight, is_shown })
    }

    /// The changes of a variation, page by page.
    fn actions(&mut self, variation: &At<'e>, frame: &mut Frame<'_>) -> Vec<Value> {
        let mut ids = HashSet::new();
        let mut changes = Vec::new();
        for at in variation.list("actions") {
            self.pass_over(&at, "action");
            let page_at = at.field("page_id");
            let id = page_at.as_ref().and_then(|at| id_text(at.value));
            let Some(page) = id.as_deref().and_then(|id| self.pages.get(id)).cloned() else {
                let message = "the export has no such page, so these changes belong nowhere";
                self.ledger.left_out(&at, message, "make the changes by hand");
                frame.flaws.push("changes on a page that the export does not have".to_owned());
                continue;
            };
            self.ledger.settle_any(page_at.as_ref());
            frame.flaws.extend(page.flaw);
            let is_only_page = *frame.pages == [page.key.clone()];
            let scope = if is_only_page { Scope::AllPages } else { Scope::OnePage };
            let (page, flaws) = (Some(page.key), &mut *frame.flaws);
            let mut target = Target { page, scope, flaws, ids: &mut ids };
            changes.extend(self.changes(&at.list("changes"), &mut target));
        }
        changes
    }
}
