//! Audiences, and the trees over them that experiments are for.

use serde_json::{Value, json};

use crate::conditions::Subject;
use crate::export_location::At;
use crate::identity::{Known, id_text};
use crate::importer::{Importer, Resource};
use crate::tree;

/// An audience while its conditions are carried over.
struct Draft<'e> {
    at: At<'e>,
    resource: Resource,
    key: String,
    is_archived: bool,
}

impl<'e> Importer<'e> {
    /// The project's audiences. They may name each other, so all have keys before any has
    /// conditions.
    pub(crate) fn audiences(&mut self) -> Vec<Value> {
        let resources = self.resources("audiences");
        let drafts: Vec<Draft<'e>> =
            resources.into_iter().filter_map(|at| self.audience_key(at)).collect();
        let mut named = Vec::new();
        let audiences = drafts.into_iter().map(|draft| self.audience(draft, &mut named)).collect();
        self.spread_flaws(&named);
        audiences
    }

    fn audience_key(&mut self, at: At<'e>) -> Option<Draft<'e>> {
        let resource = self.begin(&at, "audience")?;
        let id = resource.id.clone().unwrap_or_default();
        let name = resource.name.clone().unwrap_or_default();
        let key = self.audiences.keys.give([name.as_str(), &format!("audience {id}")]);
        self.audiences.add(&id, &key);
        let is_archived = self.archived(&at);
        Some(Draft { at, resource, key, is_archived })
    }

    fn audience(&mut self, draft: Draft<'e>, named: &mut Vec<(String, String)>) -> Value {
        let Draft { at, resource, key, is_archived } = draft;
        let id = resource.id.clone().unwrap_or_default();
        let mut fields = self.start(&at, &resource, &key);
        if let Some(description) = self.text(&at, "description") {
            fields.insert("description".to_owned(), json!(description));
        }
        let carried = self.conditions(&at, Subject::Audience);
        let conditions = match (carried, at.field("conditions")) {
            (Ok((conditions, inside)), place) => {
                self.ledger.settle_any(place.as_ref());
                named.extend(inside.into_iter().map(|inside| (inside, id.clone())));
                conditions
            }
            (Err(reason), place) => {
                let advice = "the audience contains no visitors: rewrite its conditions, then start its campaigns";
                self.ledger.left_out(&place.unwrap_or_else(|| at.clone()), &reason, advice);
                let flaw = format!("the conditions of the audience `{key}` are left out");
                self.audiences.flaw(&id, &flaw);
                json!([])
            }
        };
        if is_archived {
            fields.insert("archived".to_owned(), json!(true));
        }
        fields.insert("conditions".to_owned(), conditions);
        self.finish(&at, fields)
    }

    /// What names an audience that cannot be relied on cannot be relied on either. `named` has
    /// pairs: the audience that is named, and the one that names it.
    fn spread_flaws(&mut self, named: &[(String, String)]) {
        let next = |audiences: &Known| {
            named.iter().find_map(|(inside, outside)| {
                let reason = audiences.get(inside)?.flaw.clone()?;
                let is_sound = audiences.get(outside)?.flaw.is_none();
                is_sound.then_some((outside, reason))
            })
        };
        while let Some((outside, reason)) = next(&self.audiences) {
            self.audiences.flaw(outside, &reason);
        }
    }

    /// Notes what the conditions of audiences need that can be asked for.
    pub(crate) fn need_what_audiences_name(&mut self, audiences: &[Value]) {
        loop {
            let before = self.needed.len();
            let asked: Vec<&Value> =
                audiences.iter().filter(|audience| self.can_be_asked_for(audience)).collect();
            for audience in asked {
                self.need_in(audience.get("conditions").unwrap_or(&Value::Null));
            }
            if self.needed.len() == before {
                return;
            }
        }
    }

    fn can_be_asked_for(&self, audience: &Value) -> bool {
        let key = audience.get("key").and_then(Value::as_str).unwrap_or_default();
        audience.get("archived").is_none() || self.needed.contains(&("audience", key.to_owned()))
    }

    fn need_in(&mut self, conditions: &Value) {
        if let Some(elements) = conditions.as_array() {
            for element in elements {
                self.need_in(element);
            }
            return;
        }
        let text = |field: &str| conditions.get(field).and_then(Value::as_str);
        if let Some(key) = text("audience") {
            self.needed.insert(("audience", key.to_owned()));
        }
        if let Some(key) = text("name").filter(|_| text("type") == Some("custom_attribute")) {
            self.needed.insert(("attribute", key.to_owned()));
        }
    }

    /// Whom an experiment is for, and the keys of the audiences that says. Flaws are why the
    /// campaign may not run.
    pub(crate) fn whom(&mut self, experiment: &At<'e>, flaws: &mut Vec<String>) -> Value {
        let Some(at) = experiment.field("audience_conditions") else { return json!("everyone") };
        let is_everyone =
            at.value.as_str().is_some_and(|text| ["everyone", ""].contains(&text.trim()));
        if is_everyone {
            self.ledger.settle(&at);
            return json!("everyone");
        }
        let refused = self.rejections.against(&experiment.location, "audiences").last();
        let mapped = tree::read(&at).and_then(|tree| {
            tree::map(&tree, &mut |leaf| {
                let id = leaf.get("audience_id").and_then(id_text);
                let id = id.ok_or_else(|| "an operand names no audience".to_owned())?;
                let missing = || format!("the export has no audience `{id}`");
                let audience = self.audiences.get(&id).ok_or_else(missing)?;
                flaws.extend(audience.flaw.clone());
                Ok(json!(audience.key))
            })
        });
        let mapped = match (mapped, refused) {
            (Ok(_), Some(reason)) => Err(reason.clone()),
            (Ok(tree), None) if tree == json!([]) => Err("it names no audience".to_owned()),
            (mapped, _) => mapped,
        };
        match mapped {
            Ok(tree) => {
                self.ledger.settle(&at);
                tree
            }
            Err(reason) => self.no_visitors(&at, &reason, flaws),
        }
    }

    fn no_visitors(&mut self, at: &At<'e>, reason: &str, flaws: &mut Vec<String>) -> Value {
        let advice = "the experiment reaches no visitors: name its audiences, then start it";
        self.ledger.left_out(at, reason, advice);
        flaws.push(format!("whom it is for is left out: {reason}"));
        json!(["or"])
    }
}
