//! Removes fields with their default value from a document, so that readers see what the author decided.
//!
//! A field that this file does not know stays: the document is then longer, but still correct.

use serde_json::{Value, json};

use crate::{Plan, SnippetSettings, VisitorIdSource};

/// The document without the fields that have their default value.
pub(super) fn brief(mut document: Value) -> Value {
    if let Some(project) = document.get_mut("project") {
        brief_project(project);
    }
    let defaults = Defaults::new();
    each(&mut document, "attributes", |attribute| defaults.resource.leave_out_of(attribute));
    each(&mut document, "pages", |page| brief_page(page, &defaults));
    each(&mut document, "audiences", |audience| defaults.audience.leave_out_of(audience));
    each(&mut document, "events", |event| defaults.event.leave_out_of(event));
    each(&mut document, "metrics", |metric| brief_metric(metric, &defaults));
    each(&mut document, "campaigns", |campaign| brief_campaign(campaign, &defaults));
    each(&mut document, "groups", |group| defaults.resource.leave_out_of(group));
    each(&mut document, "applications", leave_out_nulls);
    each(&mut document, "integrations", leave_out_nulls);
    if let Some(sections) = document.as_object_mut() {
        sections.retain(|_, section| !is_empty_list(section));
    }
    document
}

/// The default values of a resource's fields.
struct Fields(Value);

impl Fields {
    fn leave_out_of(&self, resource: &mut Value) {
        if let Some(fields) = resource.as_object_mut() {
            fields.retain(|name, value| self.0.get(name) != Some(value));
        }
    }
}

/// The defaults of each kind of resource.
struct Defaults {
    resource: Fields,
    page: Fields,
    tag: Fields,
    audience: Fields,
    event: Fields,
    metric: Fields,
    measured: Fields,
    campaign: Fields,
    experiment: Fields,
    variation: Fields,
    change: Fields,
}

impl Defaults {
    fn new() -> Self {
        let plain = json!({"name": null, "archived": false});
        let with = |fields: Value| Fields(merged(&plain, &fields));
        Self {
            page: with(json!({
                "category": null, "conditions": [], "activation": {"type": "immediate"},
                "deactivation": false, "undo_changes": false, "tags": [], "metadata": {},
            })),
            tag: Fields(
                json!({"category": null, "locator": null, "locator_type": null, "value_type": null}),
            ),
            audience: with(json!({"description": null, "conditions": []})),
            event: with(json!({
                "type": "custom", "category": "other", "page": null, "selector": null,
                "properties": [],
            })),
            metric: with(json!({
                "where": {}, "value": null, "per": null, "quantile": null, "window": null,
                "cap": null, "covariate": null, "good": "up",
            })),
            measured: Fields(json!({"where": {}, "value": null})),
            campaign: with(json!({
                "status": "not_started", "pages": [], "holdback": 0, "changes": [],
                "description": null, "tags": [], "hypothesis": null, "owner": null,
                "shipped": false, "schedule": null, "metrics": {}, "plan": null,
            })),
            experiment: with(json!({"audiences": "everyone", "winner": null})),
            variation: with(json!({"changes": [], "paused": false})),
            change: Fields(json!({
                "id": null, "page": null, "async": false, "depends_on": [],
                "preserve_parameters": false, "allow_chain": false,
            })),
            resource: Fields(plain),
        }
    }
}

fn merged(fields: &Value, more: &Value) -> Value {
    let entries = [fields, more].into_iter().filter_map(Value::as_object).flatten();
    Value::Object(entries.map(|(name, value)| (name.clone(), value.clone())).collect())
}

fn brief_project(project: &mut Value) {
    if let Some(settings) = project.get_mut("snippet") {
        leave_out_defaults(settings, SnippetSettings::default());
        if let Some(visitor_id) = settings.get_mut("visitor_id") {
            leave_out_defaults(visitor_id, VisitorIdSource::default());
        }
    }
    let defaults = json!({"name": null, "holdback": 0, "archived": false, "results": "off", "origins": [], "snippet": {}});
    Fields(defaults).leave_out_of(project);
}

fn leave_out_defaults(fields: &mut Value, default: impl serde::Serialize) {
    if let Ok(default) = serde_json::to_value(default) {
        Fields(default).leave_out_of(fields);
    }
}

fn brief_page(page: &mut Value, defaults: &Defaults) {
    if let Some(activation) = page.get_mut("activation") {
        Fields(json!({"code": null})).leave_out_of(activation);
    }
    each(page, "tags", |tag| defaults.tag.leave_out_of(tag));
    defaults.page.leave_out_of(page);
}

fn brief_metric(metric: &mut Value, defaults: &Defaults) {
    if let Some(per) = metric.get_mut("per") {
        defaults.measured.leave_out_of(per);
    }
    defaults.metric.leave_out_of(metric);
}

fn brief_campaign(campaign: &mut Value, defaults: &Defaults) {
    Fields(json!({"priorities": one_group(campaign)})).leave_out_of(campaign);
    each(campaign, "changes", |change| brief_change(change, defaults));
    each(campaign, "experiments", |experiment| {
        each(experiment, "variations", |variation| {
            each(variation, "changes", |change| brief_change(change, defaults));
            defaults.variation.leave_out_of(variation);
        });
        defaults.experiment.leave_out_of(experiment);
    });
    if let Some(schedule) = campaign.get_mut("schedule") {
        leave_out_nulls(schedule);
    }
    if let Some(roles) = campaign.get_mut("metrics").and_then(Value::as_object_mut) {
        roles.retain(|_, metrics| !is_empty_list(metrics));
    }
    if let Some(plan) = campaign.get_mut("plan") {
        let [power, confidence] = [Plan::DEFAULT_POWER, Plan::DEFAULT_CONFIDENCE];
        let is_bayesian = plan["method"] == "bayesian";
        let max_loss = is_bayesian.then_some(Plan::DEFAULT_MAX_LOSS);
        Fields(json!({"effect": null, "power": power, "confidence": confidence, "until": null, "method": "hybrid", "max_loss": max_loss}))
            .leave_out_of(plan);
    }
    defaults.campaign.leave_out_of(campaign);
}

/// Puts `type` first, where readers look for it.
fn brief_change(change: &mut Value, defaults: &Defaults) {
    defaults.change.leave_out_of(change);
    if let Some(fields) = change.as_object_mut() {
        let rest = std::mem::take(fields);
        let kind = rest.get("type").map(|kind| ("type".to_owned(), kind.clone()));
        fields.extend(kind);
        fields.extend(rest);
    }
}

fn leave_out_nulls(resource: &mut Value) {
    if let Some(fields) = resource.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
}

/// The default priorities of a campaign.
fn one_group(campaign: &Value) -> Value {
    let experiments = campaign.get("experiments").and_then(Value::as_array).into_iter().flatten();
    let keys: Vec<&Value> = experiments.filter_map(|experiment| experiment.get("key")).collect();
    json!([keys])
}

fn is_empty_list(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
}

fn each(parent: &mut Value, field: &str, change: impl FnMut(&mut Value)) {
    parent.get_mut(field).and_then(Value::as_array_mut).into_iter().flatten().for_each(change);
}
