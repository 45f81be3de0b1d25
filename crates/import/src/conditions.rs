//! Conditions: those of pages, about addresses, and those of audiences, about visitors.
//!
//! A tree is carried over only if every leaf means the same in Assay as in Optimizely. Those types are in
//! the table; any other field of a leaf makes the whole tree one that cannot be carried over.

use serde_json::{Map, Value, json};

use crate::code::{Purpose, body};
use crate::export_location::At;
use crate::field::shown;
use crate::identity::id_text;
use crate::importer::Importer;
use crate::location;
use crate::tree;

/// Whose conditions they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    Page,
    Audience,
}

/// The types of audience conditions that mean the same in Assay, and their names there.
const TYPES: &[(&str, &str)] = &[
    ("query", "query"),
    ("cookies", "cookies"),
    ("cookie", "cookies"),
    ("custom_attribute", "custom_attribute"),
    ("custom_dimension", "custom_attribute"),
    ("campaign", "campaign"),
    ("referrer", "referrer"),
    ("source_type", "source_type"),
    ("device", "device"),
    ("device_type", "device_type"),
    ("browser", "browser_version"),
    ("browser_version", "browser_version"),
    ("platform", "platform"),
    ("os", "platform"),
    ("language", "language"),
    ("time_and_day", "time_and_day"),
    ("location", "location"),
    ("first_session", "first_session"),
];

/// The fields of a condition.
const FIELDS: &[&str] = &["type", "name", "value", "match_type", "match", "audience_id"];

const CODE_TYPES: &[&str] = &["custom_code", "code"];

impl<'e> Importer<'e> {
    /// The conditions in a field, with the audiences that they name. `Err` says why they cannot be
    /// carried over.
    pub(crate) fn conditions(
        &mut self,
        resource: &At<'e>,
        subject: Subject,
    ) -> Result<(Value, Vec<String>), String> {
        let Some(at) = resource.field("conditions") else { return Ok((json!([]), Vec::new())) };
        let refused = self.rejections.against(&resource.location, "conditions");
        let mut audiences = Vec::new();
        let tree = tree::read(&at)?;
        let mapped = tree::map(&tree, &mut |leaf| {
            let leaf = Leaf::read(leaf)?;
            if let Some(code) = leaf.code()? {
                self.check_code(&at, code);
                return leaf.carry_code(code, refused);
            }
            if let Some(id) = leaf.audience() {
                audiences.push(id.clone());
                let audience = self.audiences.get(&id);
                let missing = || format!("the export has no audience `{id}`");
                return Ok(json!({"audience": audience.ok_or_else(missing)?.key}));
            }
            match subject {
                Subject::Page => leaf.carry("url", Some("match")),
                Subject::Audience => self.audience_leaf(&at, &leaf),
            }
        })?;
        match refused.last() {
            Some(reason) if !has_code(&tree) || refused.len() > 1 => Err(reason.clone()),
            _ => Ok((mapped, audiences)),
        }
    }

    fn audience_leaf(&mut self, at: &At<'e>, leaf: &Leaf<'_>) -> Result<Value, String> {
        let kind = leaf.kind()?;
        if kind == "visitor" {
            return leaf.visitor();
        }
        let known = TYPES.iter().find(|(there, _)| *there == kind);
        let (_, ours) =
            known.ok_or_else(|| format!("conditions of type `{kind}` are unknown to Assay"))?;
        if *ours == "location" {
            let message = "a condition on the visitor's location waits until the page pushes it";
            let advice = "push `{type: \"location\", …}`, see the section on conditions in docs/project-file.md";
            self.ledger.note(crate::Outcome::Check, &at.location, message, advice);
        }
        let mut carried = leaf.carry(ours, None)?;
        if *ours == "first_session" {
            return first_session(carried);
        }
        if *ours == "location"
            && let Some(value) = carried.get_mut("value")
        {
            let there = value.as_str().unwrap_or_default().to_owned();
            let here = location::written(&there)?;
            if here != there {
                let message =
                    format!("the location {} is {} in Assay", shown(value), shown(&json!(here)));
                self.ledger.note(crate::Outcome::Changed, &at.location, message, "");
            }
            *value = json!(here);
        }
        if *ours == "custom_attribute"
            && let Some(name) = carried.get_mut("name")
        {
            let asked = id_text(name).or_else(|| name.as_str().map(str::to_owned));
            let key = asked.as_deref().and_then(|asked| self.attributes.key_of(asked));
            let missing = || format!("the export has no attribute {}", shown(name));
            let key = key.ok_or_else(missing)?.to_owned();
            *name = json!(key);
        }
        Ok(carried)
    }
}

/// A condition on the first session, which has no value in Assay.
fn first_session(mut carried: Value) -> Result<Value, String> {
    let value = carried.as_object_mut().and_then(|fields| fields.shift_remove("value"));
    let is_wanted = match &value {
        None => Some(true),
        Some(value) => value.as_bool().or_else(|| value.as_str()?.parse().ok()),
    };
    match is_wanted {
        Some(true) => Ok(carried),
        Some(false) => Ok(json!(["not", carried])),
        None => {
            let value = shown(&value.unwrap_or_default());
            Err(format!(
                "a condition on the first session asks for {value}, neither `true` nor `false`"
            ))
        }
    }
}

/// Whether a second way to carry the tree over is left.
fn has_code(tree: &Value) -> bool {
    if let Some(elements) = tree.as_array() {
        return elements.iter().any(has_code);
    }
    let kind = tree.get("type").and_then(Value::as_str);
    kind.is_some_and(|kind| CODE_TYPES.contains(&kind))
}

/// A single condition.
struct Leaf<'v>(&'v Map<String, Value>);

impl<'v> Leaf<'v> {
    fn read(value: &'v Value) -> Result<Self, String> {
        let fields =
            value.as_object().ok_or_else(|| format!("{} is not a condition", shown(value)))?;
        let unknown = fields
            .iter()
            .find(|(name, value)| !value.is_null() && !FIELDS.contains(&name.as_str()));
        match unknown {
            Some((name, _)) => Err(format!("a condition has `{name}`, which Assay does not know")),
            None => Ok(Self(fields)),
        }
    }

    fn get(&self, name: &str) -> Option<&'v Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn kind(&self) -> Result<&'v str, String> {
        let kind = self.get("type").and_then(Value::as_str);
        kind.ok_or_else(|| "a condition has no `type`".to_owned())
    }

    /// The audience whose members it asks for.
    fn audience(&self) -> Option<String> {
        let by_type = || self.get("value").filter(|_| self.kind() == Ok("audience"));
        id_text(self.get("audience_id").or_else(by_type)?)
    }

    fn code(&self) -> Result<Option<&'v str>, String> {
        if !self.kind().is_ok_and(|kind| CODE_TYPES.contains(&kind)) {
            return Ok(None);
        }
        let code = self.get("value").and_then(Value::as_str);
        code.map(Some).ok_or_else(|| "a condition on code has no code".to_owned())
    }

    fn carry_code(&self, code: &str, refused: &[String]) -> Result<Value, String> {
        let is_more = ["name", "match_type", "match"].iter().any(|name| self.get(name).is_some());
        if is_more {
            return Err("a condition on code has a name or a match".to_owned());
        }
        let body = body(code, Purpose::Value, refused.len());
        let reason = || refused.last().cloned().unwrap_or_else(|| "there is no code".to_owned());
        Ok(json!({"type": "custom_code", "value": body.ok_or_else(reason)?}))
    }

    /// The same condition as one of type `ours`; pages take only that type.
    fn carry(&self, ours: &str, only: Option<&str>) -> Result<Value, String> {
        if only.is_some() && self.kind()? != ours {
            return Err(format!("conditions of type `{}` are unknown to Assay", self.kind()?));
        }
        let mut carried = Map::new();
        carried.insert("type".to_owned(), json!(ours));
        let parts = [
            ("name", self.get("name")),
            ("match", self.get("match_type").or_else(|| self.get("match"))),
            ("value", self.get("value")),
        ];
        for (name, value) in parts {
            let Some(value) = value else { continue };
            if value.is_array() || value.is_object() {
                return Err(format!("the `{name}` of a condition is not a single value"));
            }
            carried.insert(name.to_owned(), value.clone());
        }
        Ok(Value::Object(carried))
    }

    /// New and returning visitors.
    fn visitor(&self) -> Result<Value, String> {
        let first = json!({"type": "first_session"});
        match self.get("value").and_then(Value::as_str) {
            _ if self.get("name").is_some() => Err("a condition on visitors has a name".to_owned()),
            Some("new") => Ok(first),
            Some("returning") => Ok(json!(["not", first])),
            _ => Err("a condition on visitors asks for neither `new` nor `returning`".to_owned()),
        }
    }
}
