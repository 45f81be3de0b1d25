//! Campaigns: personalizations with their experiences, and what stand-alone experiments become.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::experiments::ImportedExperience;
use crate::export_location::At;
use crate::identity::{Keys, id_text};
use crate::importer::{Importer, Resource};

const STATUSES: &[(&str, &str)] = &[
    ("not_started", "not_started"),
    ("running", "running"),
    ("paused", "paused"),
    ("campaign_paused", "paused"),
    ("concluded", "concluded"),
    ("archived", "archived"),
];

/// What is said of metrics, and what to do.
pub(crate) const METRICS: [&str; 2] = [
    "metrics are not taken over",
    "write them as `metrics` of the project, and name them in the campaign",
];

/// A campaign before it is known whether it may run.
pub(crate) struct Draft<'e> {
    pub(crate) at: At<'e>,
    pub(crate) key: String,
    pub(crate) fields: Map<String, Value>,
    pub(crate) status: &'static str,
    /// Why it may not run.
    pub(crate) flaws: Vec<String>,
}

impl<'e> Importer<'e> {
    /// The project's campaigns. Comes after pages and audiences.
    pub(crate) fn campaigns(&mut self) -> Vec<Draft<'e>> {
        let campaigns = self.resources("campaigns");
        let experiments = self.resources("experiments");
        let is_personal = |at: &At<'e>| text(at, "type") == Some("personalization");
        let (personal, others): (Vec<At<'e>>, Vec<At<'e>>) =
            campaigns.into_iter().partition(is_personal);
        let mut inside: HashMap<String, Vec<At<'e>>> =
            personal.iter().filter_map(|at| Some((id(at, "id")?, Vec::new()))).collect();
        let mut others: HashMap<String, At<'e>> =
            others.into_iter().map(|at| (id(&at, "id").unwrap_or_default(), at)).collect();
        let mut alone = Vec::new();
        for at in experiments {
            match id(&at, "campaign_id").and_then(|id| inside.get_mut(&id)) {
                Some(experiments) => experiments.push(at),
                None if is_personal(&at) => {
                    let advice = "add `campaigns.json`, the answer to `GET /v2/campaigns`";
                    self.ledger.left_out(&at, "the export does not have its campaign", advice);
                }
                None => alone.push(at),
            }
        }
        let mut drafts = Vec::new();
        for at in &personal {
            let experiments = id(at, "id").and_then(|id| inside.remove(&id)).unwrap_or_default();
            drafts.extend(self.personalization(at, &experiments));
        }
        for at in &alone {
            let campaign = id(at, "campaign_id").and_then(|id| others.remove(&id));
            if let Some(campaign) = &campaign {
                let _told = self.word(
                    campaign,
                    "type",
                    &[("other", ""), ("a/b", ""), ("multivariate", "")],
                );
            }
            drafts.extend(self.stand_alone(at, campaign.as_ref()));
        }
        for at in others.values() {
            self.ledger.left_out(at, "the export has no experiment of this campaign", "");
        }
        drafts
    }

    fn personalization(&mut self, at: &At<'e>, experiments: &[At<'e>]) -> Option<Draft<'e>> {
        let resource = self.begin(at, "campaign")?;
        if experiments.is_empty() {
            self.ledger.left_out(at, "the export has no experience of this campaign", "");
            return None;
        }
        let is_without = |at: &At<'e>, importer: &mut Self| importer.is_without_variations(at);
        let empty: Vec<bool> = experiments.iter().map(|at| is_without(at, self)).collect();
        if empty.iter().all(|is_empty| *is_empty) {
            let message = "the export has no experience of this campaign that has variations";
            self.ledger.left_out(at, message, "");
            return None;
        }
        self.ledger.settle_any(at.field("type").as_ref());
        let id = resource.id.clone().unwrap_or_default();
        let name = resource.name.clone().unwrap_or_default();
        let key = self.campaigns.keys.give([name.as_str(), &format!("campaign {id}")]);
        self.campaigns.add(&id, &key);
        let mut draft = self.draft(at, &resource, key);
        let pages = self.page_keys(at, &draft.key, &mut draft.flaws);
        let mut keys = Keys::default();
        let mut known = HashMap::new();
        let mut experiences = Vec::new();
        for at in experiments {
            match self.experience(at, &mut keys, &pages, &mut draft) {
                Some(ImportedExperience { id, key, experiment }) => {
                    known.insert(id, key);
                    experiences.push(experiment);
                }
                None => draft.flaws.push("an experience is left out".to_owned()),
            }
        }
        let priorities = self.priorities(at, &known);
        draft.fields.insert("pages".to_owned(), json!(pages));
        draft.fields.insert("experiments".to_owned(), json!(experiences));
        draft.fields.insert("priorities".to_owned(), json!(priorities));
        Some(draft)
    }

    fn draft(&mut self, at: &At<'e>, resource: &Resource, key: String) -> Draft<'e> {
        let mut flaws = Vec::new();
        if !resource.keeps_id {
            flaws.push(
                "the campaign has another id, so visitors would see other experiences".to_owned(),
            );
        }
        let mut fields = self.start(at, resource, &key);
        fields.insert("type".to_owned(), json!("personalization"));
        if let Some(description) = self.text(at, "description") {
            fields.insert("description".to_owned(), json!(description));
        }
        match self.share(at, "holdback") {
            Ok(holdback) => {
                fields.insert("holdback".to_owned(), json!(holdback.unwrap_or_default()));
            }
            Err(()) => flaws.push("its holdback is left out".to_owned()),
        }
        let changes = self.shared_changes(&at.list("changes"), &mut flaws);
        fields.insert("changes".to_owned(), json!(changes));
        if let Some(at) = at.field("metrics").filter(|at| at.value != &json!([])) {
            self.ledger.left_out(&at, METRICS[0], METRICS[1]);
        }
        let status = self.status(at);
        Draft { at: at.clone(), key, fields, status, flaws }
    }

    fn priorities(&mut self, at: &At<'e>, known: &HashMap<String, String>) -> Vec<Vec<String>> {
        let lists = at.list("experiment_priorities");
        let priorities = lists.iter().map(|at| self.equals(at, known));
        priorities.filter(|equals| !equals.is_empty()).collect()
    }

    /// Experiences of the same importance.
    fn equals(&mut self, at: &At<'e>, known: &HashMap<String, String>) -> Vec<String> {
        let mut equals = Vec::new();
        for at in at.elements() {
            match id_text(at.value).and_then(|id| known.get(&id)) {
                Some(key) => {
                    self.ledger.settle(&at);
                    equals.push(key.clone());
                }
                None => {
                    self.ledger.left_out(&at, "the imported campaign has no such experience", "");
                }
            }
        }
        equals
    }

    /// The status of a campaign; without one it is not started.
    pub(crate) fn status(&mut self, at: &At<'e>) -> &'static str {
        self.word(at, "status", STATUSES).unwrap_or_default().unwrap_or("not_started")
    }

    /// The pages on which a campaign runs.
    pub(crate) fn page_keys(
        &mut self,
        at: &At<'e>,
        key: &str,
        flaws: &mut Vec<String>,
    ) -> Vec<String> {
        let mut pages = self.named_pages(at, flaws);
        let Some(targeting) = at.field("url_targeting") else { return pages };
        let named = id(&targeting, "page_id");
        if named.as_ref().is_some_and(|id| self.pages.get(id).is_some()) || !pages.is_empty() {
            let message = "its addresses are those of the pages that it names";
            self.ledger.left_out(&targeting, message, "see whether they are the same");
            if let Some(page) = named.and_then(|id| self.pages.get(&id)).cloned() {
                flaws.extend(page.flaw);
                pages.extend(Some(page.key).filter(|key| !pages.contains(key)));
            }
            return pages;
        }
        pages.extend(self.own_page(at, &targeting, key, flaws));
        pages
    }

    fn named_pages(&mut self, at: &At<'e>, flaws: &mut Vec<String>) -> Vec<String> {
        let mut pages = Vec::new();
        for (at, id) in self.ids(at, "page_ids") {
            if let Some(page) = self.pages.get(&id).cloned() {
                flaws.extend(page.flaw);
                pages.push(page.key);
            } else {
                self.ledger.left_out(&at, format!("the export has no page `{id}`"), "");
                flaws.push(format!("the export has no page `{id}`"));
            }
        }
        let mut seen = HashSet::new();
        pages.retain(|page| seen.insert(page.clone()));
        pages
    }

    /// The page that an experiment has for itself. Its id is the one that the changes name.
    fn own_page(
        &mut self,
        experiment: &At<'e>,
        targeting: &At<'e>,
        key: &str,
        flaws: &mut Vec<String>,
    ) -> Option<String> {
        if !targeting.value.is_object() {
            self.ledger.left_out(targeting, "this is not an object", "");
            flaws.push("its addresses are left out".to_owned());
            return None;
        }
        self.pass_over(targeting, "url_targeting");
        self.ledger.settle_any(targeting.field("page_id").as_ref());
        let actions = experiment.list("variations").into_iter().flat_map(|at| at.list("actions"));
        let mut unknown: Vec<String> = actions
            .filter_map(|at| id(&at, "page_id"))
            .filter(|id| self.pages.get(id).is_none())
            .collect();
        unknown.dedup();
        let page_id = id(targeting, "page_id").or_else(|| unknown.into_iter().next());
        let keeps_id = page_id.as_deref().is_some_and(crate::identity::can_be_kept);
        let resource = Resource { id: page_id, name: None, keeps_id };
        let page_key = self.page(targeting, &resource, key);
        let message = format!("the addresses of the experiment are now the page `{page_key}`");
        self.ledger.note(Outcome::Changed, &targeting.location, message, "");
        let id = resource.id.as_deref().unwrap_or_default();
        flaws.extend(self.pages.get(id).and_then(|page| page.flaw.clone()));
        Some(page_key)
    }

    /// The campaign in the document. With a flaw it may be neither live nor paused,
    /// from where it would go on with a click.
    pub(crate) fn settled(&mut self, mut draft: Draft<'e>) -> Value {
        draft.flaws.extend(self.flaw_of_all.clone());
        let mut told = HashSet::new();
        draft.flaws.retain(|flaw| told.insert(flaw.clone()));
        let schedule = self.schedule(&draft.at, &draft.flaws);
        if let Some(schedule) = schedule {
            draft.fields.insert("schedule".to_owned(), schedule);
        }
        if matches!(draft.status, "running" | "paused") && !draft.flaws.is_empty() {
            let at = draft.at.field("status").unwrap_or_else(|| draft.at.clone());
            let message = format!(
                "the campaign `{}` is `{}` in Optimizely and not started in Assay: {}",
                draft.key,
                draft.status,
                draft.flaws.join("; ")
            );
            let advice = "fix what the other notes name, then start it";
            self.ledger.note(Outcome::Changed, &at.location, message, advice);
            draft.status = "not_started";
        }
        draft.fields.insert("status".to_owned(), json!(draft.status));
        if !matches!(draft.status, "archived" | "concluded") {
            self.need(&draft.fields);
        }
        self.finish(&draft.at, draft.fields)
    }

    /// Notes what a campaign that can run needs.
    fn need(&mut self, campaign: &Map<String, Value>) {
        for (name, value) in campaign {
            match name.as_str() {
                "audiences" => self.need_each("audience", value),
                "pages" | "page" => self.need_each("page", value),
                _ => {
                    let resources = value.as_array().into_iter().flatten();
                    resources.filter_map(Value::as_object).for_each(|resource| self.need(resource));
                }
            }
        }
    }

    fn need_each(&mut self, kind: &'static str, keys: &Value) {
        if let Some(elements) = keys.as_array() {
            for element in elements {
                self.need_each(kind, element);
            }
        } else {
            self.needed.extend(keys.as_str().map(|key| (kind, key.to_owned())));
        }
    }
}

fn text<'e>(at: &At<'e>, field: &str) -> Option<&'e str> {
    at.value.get(field)?.as_str()
}

fn id(at: &At<'_>, field: &str) -> Option<String> {
    id_text(at.value.get(field)?)
}
