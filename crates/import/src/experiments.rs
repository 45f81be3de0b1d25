//! Experiments, and the campaigns that stand-alone ones become.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::campaigns::{Draft, METRICS};
use crate::changes::{Scope, Target};
use crate::export_location::At;
use crate::identity::{Keys, can_be_kept, id_text};
use crate::importer::{Importer, Resource};
use crate::variations::Frame;

/// The kinds of experiments that stand alone.
const TYPES: &[&str] = &["a/b", "multivariate", "multiarmed_bandit"];

/// An experience of a personalization.
pub(crate) struct ImportedExperience {
    /// Its id in Optimizely.
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) experiment: Value,
}

impl<'e> Importer<'e> {
    /// A stand-alone experiment, as a campaign. `campaign` is what the export says of its campaign,
    /// if it does.
    pub(crate) fn stand_alone(
        &mut self,
        at: &At<'e>,
        campaign: Option<&At<'e>>,
    ) -> Option<Draft<'e>> {
        let kind = at.field("type").map_or("a/b", |at| at.value.as_str().unwrap_or_default());
        if !TYPES.contains(&kind) {
            let message = format!("experiments of type `{kind}` are unknown to Assay");
            self.ledger.left_out(at, message, "");
            return None;
        }
        if self.is_without_variations(at) {
            if let Some(campaign) = campaign {
                self.ledger.left_out(campaign, "its experiment is left out", "");
            }
            return None;
        }
        let resource = self.begin(at, "experiment")?;
        let mut flaws = Vec::new();
        self.tell_of_type(at, kind);
        let own = campaign.and_then(|campaign| self.begin(campaign, "campaign"));
        let name = own.and_then(|own| own.name).or_else(|| resource.name.clone());
        let key_there = self.text(at, "key");
        let id = resource.id.clone().unwrap_or_default();
        let label = name.clone().unwrap_or_default();
        let wanted = [key_there.as_deref().unwrap_or(&label), &label, &format!("experiment {id}")];
        let key = self.campaigns.keys.give(wanted);
        if let Some(key_there) = &key_there {
            self.tell_of_new_key(at, key_there, &key, "its own programs");
        }
        let outside = Resource { name, ..self.campaign_id(at, &mut flaws) };
        if let Some(id) = &outside.id {
            self.campaigns.add(id, &key);
        }
        self.stand_alone.add(&id, &key);
        if !resource.keeps_id {
            flaws.push(
                "the experiment has another id, so visitors would change variations".to_owned(),
            );
        }
        let pages = self.pages_of(at, campaign, &key, &mut flaws);
        let mut fields = self.start(at, &outside, &key);
        fields.insert("type".to_owned(), json!("ab_test"));
        self.describe(at, campaign, &mut fields);
        let holdback = self.holdback(at, campaign, &mut flaws);
        fields.insert("holdback".to_owned(), json!(holdback));
        let around = campaign.map(|campaign| campaign.list("changes")).unwrap_or_default();
        let shared = self.shared_changes(&[around, at.list("changes")].concat(), &mut flaws);
        fields.insert("changes".to_owned(), json!(shared));
        let mut inner = self.start(at, &resource, &key);
        let audiences = self.whom(at, &mut flaws);
        inner.insert("audiences".to_owned(), audiences);
        let mut frame = Frame { pages: &pages, flaws: &mut flaws };
        let variations = self.variations(at, &mut frame);
        inner.insert("variations".to_owned(), json!(variations));
        fields.insert("pages".to_owned(), json!(pages));
        let inner = self.finish(at, inner);
        fields.insert("experiments".to_owned(), json!([inner]));
        self.what_has_no_place(at);
        let status = self.status_of(at, campaign);
        Some(Draft { at: at.clone(), key, fields, status, flaws })
    }

    /// Whether an experiment has nothing to give visitors, which leaves it out.
    pub(crate) fn is_without_variations(&mut self, at: &At<'e>) -> bool {
        let has_any = at.list("variations").iter().any(|variation| variation.value.is_object());
        let reason = match self.rejection(at, "variations") {
            None if has_any => return false,
            None => "the experiment has no variations".to_owned(),
            Some(reason) => format!("`variations`: {reason}"),
        };
        let advice = "lists tell less than single resources with some accounts: get it by `experiments/<id>`";
        self.ledger.left_out(at, reason, advice);
        true
    }

    /// The pages of a stand-alone experiment, which may be in its campaign only.
    fn pages_of(
        &mut self,
        at: &At<'e>,
        campaign: Option<&At<'e>>,
        key: &str,
        flaws: &mut Vec<String>,
    ) -> Vec<String> {
        let has_own = at.field("page_ids").is_some() || at.field("url_targeting").is_some();
        let Some(campaign) = campaign else { return self.page_keys(at, key, flaws) };
        if !has_own {
            return self.page_keys(campaign, key, flaws);
        }
        if let Some(at) = campaign.field("page_ids") {
            self.ledger.left_out(&at, "the pages of its experiment count", "");
        }
        self.page_keys(at, key, flaws)
    }

    /// A stand-alone experiment runs only if its campaign does.
    fn status_of(&mut self, at: &At<'e>, campaign: Option<&At<'e>>) -> &'static str {
        let own = self.status(at);
        let Some(outer) = campaign.map(|campaign| self.status(campaign)) else { return own };
        if own != "running" || outer == "running" {
            return own;
        }
        let message = format!("its campaign is `{outer}` in Optimizely, so it is in Assay");
        self.ledger.note(Outcome::Changed, &at.location, message, "");
        outer
    }

    fn tell_of_type(&mut self, at: &At<'e>, kind: &str) {
        let Some(at) = at.field("type") else { return };
        self.ledger.settle(&at);
        let advice = "check that this is what you mean";
        if kind == "multivariate" {
            let message = "a multivariate experiment becomes an A/B test of its combinations";
            self.ledger.changed(&at, message, advice);
        }
        if kind == "multiarmed_bandit" {
            let message = "Assay does not adapt shares to results: they stay as they are";
            self.ledger.changed(&at, message, advice);
        }
    }

    /// The campaign of a stand-alone experiment: its holdback is drawn from the id.
    fn campaign_id(&mut self, at: &At<'e>, flaws: &mut Vec<String>) -> Resource {
        let id_at = at.field("campaign_id");
        let id = id_at.as_ref().and_then(|at| id_text(at.value));
        let is_free = id.as_deref().is_some_and(|id| self.campaigns.get(id).is_none());
        let keeps_id = is_free && id.as_deref().is_some_and(can_be_kept);
        match id_at {
            Some(id_at) if keeps_id => self.ledger.settle(&id_at),
            Some(id_at) => {
                let message =
                    "the campaign has another id in Assay, so other visitors are held back";
                self.ledger.changed(&id_at, message, "");
                flaws.push("the campaign has another id".to_owned());
            }
            None => {
                let message =
                    "the export does not contain the campaign's id, so it gets another one";
                self.ledger.note(Outcome::Changed, &at.location, message, "");
            }
        }
        Resource { id: id.filter(|_| is_free), name: None, keeps_id }
    }

    fn describe(
        &mut self,
        at: &At<'e>,
        campaign: Option<&At<'e>>,
        fields: &mut Map<String, Value>,
    ) {
        let own = self.text(at, "description");
        let outer = campaign.and_then(|at| self.text(at, "description"));
        let description = match (own, outer) {
            (Some(own), Some(outer)) if own != outer => Some(format!("{outer}\n{own}")),
            (own, outer) => own.or(outer),
        };
        if let Some(description) = description {
            fields.insert("description".to_owned(), json!(description));
        }
    }

    /// The share of visitors who are shown nothing; all visitors if the export has no reliable one.
    fn holdback(&mut self, at: &At<'e>, campaign: Option<&At<'e>>, flaws: &mut Vec<String>) -> u64 {
        let own = self.share(at, "holdback");
        let outer = campaign.map_or(Ok(None), |campaign| self.share(campaign, "holdback"));
        match (own, outer) {
            (Ok(Some(own)), Ok(Some(outer))) if own != outer => {
                let message =
                    format!("its campaign has the holdback {outer}, the experiment {own}");
                let advice = "see which one counts";
                self.ledger.note(Outcome::Check, &at.location, message, advice);
                flaws.push("it has two holdbacks".to_owned());
                own.max(outer)
            }
            (Ok(own), Ok(outer)) => own.or(outer).unwrap_or_default(),
            _ => {
                flaws.push("its holdback is left out".to_owned());
                0
            }
        }
    }

    /// Code and styles that all variations share.
    pub(crate) fn shared_changes(
        &mut self,
        list: &[At<'e>],
        flaws: &mut Vec<String>,
    ) -> Vec<Value> {
        let ids = &mut HashSet::new();
        let mut target = Target { page: None, scope: Scope::AllPages, flaws, ids };
        self.changes(list, &mut target)
    }

    /// An experience of a personalization.
    pub(crate) fn experience(
        &mut self,
        at: &At<'e>,
        keys: &mut Keys,
        pages: &[String],
        draft: &mut Draft<'e>,
    ) -> Option<ImportedExperience> {
        if self.is_without_variations(at) {
            return None;
        }
        let resource = self.begin(at, "experiment")?;
        if self.word(at, "type", &[("personalization", "")]).is_err() {
            draft.flaws.push("an experience is not a personalization".to_owned());
        }
        self.ledger.settle_any(at.field("campaign_id").as_ref());
        let key_there = self.text(at, "key");
        let id = resource.id.clone().unwrap_or_default();
        let name = resource.name.clone().unwrap_or_default();
        let wanted = [key_there.as_deref().unwrap_or(&name), &name, &format!("experience {id}")];
        let key = keys.give(wanted);
        if let Some(key_there) = &key_there {
            self.tell_of_new_key(at, key_there, &key, "its own programs");
        }
        if !resource.keeps_id {
            draft.flaws.push(
                "an experience has another id, so visitors would change variations".to_owned(),
            );
        }
        self.own_targeting(at, pages, draft);
        let mut fields = self.start(at, &resource, &key);
        let audiences = self.whom(at, &mut draft.flaws);
        fields.insert("audiences".to_owned(), audiences);
        let shared = self.shared_changes(&at.list("changes"), &mut draft.flaws);
        let mut frame = Frame { pages, flaws: &mut draft.flaws };
        let mut variations = self.variations(at, &mut frame);
        for variation in &mut variations {
            put_first(variation, &shared);
        }
        fields.insert("variations".to_owned(), json!(variations));
        self.experience_status(at, draft.status, &mut fields);
        self.own_schedule(at, &mut draft.flaws);
        if let Some(at) = at.field("description") {
            self.ledger.left_out(&at, "Assay's experiences have no description", "");
        }
        self.what_has_no_place(at);
        Some(ImportedExperience { id, key, experiment: self.finish(at, fields) })
    }

    /// Experiences are for the campaign's pages and visitors; one that says otherwise cannot be so.
    fn own_targeting(&mut self, at: &At<'e>, pages: &[String], draft: &mut Draft<'e>) {
        let has_pages = at.field("page_ids").is_some() || at.field("url_targeting").is_some();
        if has_pages {
            let own = self.page_keys(at, &draft.key.clone(), &mut draft.flaws);
            if own.iter().any(|page| !pages.contains(page)) || own.len() != pages.len() {
                let message = "the experience has other pages than its campaign";
                let advice = "make it a campaign of its own";
                self.ledger.note(Outcome::LeftOut, &at.location, message, advice);
                draft.flaws.push(message.to_owned());
            }
        }
        let outer = draft.fields.get("holdback").and_then(Value::as_u64);
        let own = self.share(at, "holdback");
        if own.is_err() || own.ok().flatten().is_some_and(|own| own > 0 && Some(own) != outer) {
            let message = "the experience has a holdback of its own";
            self.ledger.note(Outcome::LeftOut, &at.location, message, "give the campaign one");
            draft.flaws.push(message.to_owned());
        }
    }

    /// Assay's experiences have no status: one that does not take part is archived.
    fn experience_status(&mut self, at: &At<'e>, campaign: &str, fields: &mut Map<String, Value>) {
        let is_paused_with_campaign =
            at.field("status").is_some_and(|at| at.value.as_str() == Some("campaign_paused"));
        let status = self.status(at);
        let takes_part = match status {
            "running" => true,
            "paused" => is_paused_with_campaign,
            "not_started" => campaign == "not_started",
            _ => false,
        };
        let is_archived = self.archived(at);
        if takes_part && !is_archived {
            return;
        }
        fields.insert("archived".to_owned(), json!(true));
        if status != "archived" && !is_archived {
            let message =
                format!("an experience that is `{status}` in Optimizely is archived in Assay");
            let advice = "restore it if it should take part";
            self.ledger.note(Outcome::Changed, &at.location, message, advice);
        }
    }

    /// Optimizely's fields of experiments for which a project document has no place.
    fn what_has_no_place(&mut self, at: &At<'e>) {
        let no_place = [
            ("metrics", METRICS[0], METRICS[1]),
            (
                "whitelist",
                "Assay does not give visitors variations by a list",
                "make preview links for people who want to see a variation",
            ),
            ("multivariate_traffic_policy", "combinations are ordinary variations in Assay", ""),
        ];
        for (field, message, advice) in no_place {
            if let Some(at) = at.field(field).filter(|at| at.value != &json!([])) {
                self.ledger.left_out(&at, message, advice);
            }
        }
        if let Some(at) = at.field("traffic_allocation") {
            self.ledger.left_out(&at, "it is the holdback that counts for web pages", "");
        }
    }
}

fn put_first(variation: &mut Value, shared: &[Value]) {
    if let Some(changes) = variation.get_mut("changes").and_then(Value::as_array_mut) {
        changes.splice(0..0, shared.iter().cloned());
    }
}
