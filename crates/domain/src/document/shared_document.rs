//! A project document in memory that shares its resources with the documents made from it: of ten thousand resources, an edit changes one.
//! References are ids, and every default is written out, unless an author has just edited it.

use std::collections::HashMap;
use std::sync::Arc;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::parse_value;
use crate::{Campaign, Fault, Project};

/// A document; the cost of a copy grows with its longest list.
#[derive(Debug, Clone, Default)]
pub struct SharedDocument {
    fields: Vec<(String, Field)>,
}

/// A field of the document itself.
#[derive(Debug, Clone)]
pub(super) enum Field {
    Value(Value),
    List(Vec<Arc<Value>>),
}

impl SharedDocument {
    /// The document that an author has written.
    ///
    /// # Errors
    /// If it is not an object, as a document must be.
    pub fn of(document: Value) -> Result<Self, Vec<Fault>> {
        match document {
            Value::Object(fields) => {
                let fields = fields.into_iter().map(|(name, value)| (name, Field::of(value)));
                Ok(Self { fields: fields.collect() })
            }
            other @ (Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)) => Err(parse_value(&other).err().unwrap_or_default()),
        }
    }

    /// The document of a project.
    #[must_use]
    pub fn of_project(project: &Project) -> Self {
        Self::with_known(project, &HashMap::new())
    }

    /// The same, next to the document of another state of the project: both documents share the campaigns that the projects share.
    #[must_use]
    pub fn of_project_beside(project: &Project, (other, document): (&Project, &Self)) -> Self {
        let known = other.campaigns.iter().map(Arc::as_ptr).zip(document.list("campaigns"));
        Self::with_known(project, &known.collect())
    }

    fn with_known(project: &Project, known: &HashMap<*const Campaign, &Arc<Value>>) -> Self {
        let Ok(mut document) = Self::of(project.to_value_without_campaigns()) else {
            return Self::default();
        };
        let campaigns = project.campaigns.iter().map(|campaign| {
            let known = known.get(&Arc::as_ptr(campaign));
            known.map_or_else(|| Arc::new(campaign.to_value_by_ids()), |known| Arc::clone(known))
        });
        document.set("campaigns", Field::List(campaigns.collect()));
        document
    }

    /// The fields, in their order.
    pub(super) fn fields(&self) -> &[(String, Field)] {
        &self.fields
    }

    /// The names of its fields, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| name.as_str())
    }

    /// A field that is not a list; null if there is none.
    #[must_use]
    pub fn value(&self, name: &str) -> &Value {
        match self.field(name) {
            Some(Field::Value(value)) => value,
            Some(Field::List(_)) | None => &Value::Null,
        }
    }

    /// The same field, to change; `None` if there is none.
    pub fn value_mut(&mut self, name: &str) -> Option<&mut Value> {
        match self.field_mut(name)? {
            Field::Value(value) => Some(value),
            Field::List(_) => None,
        }
    }

    /// The resources of a list; none if there is no such list.
    #[must_use]
    pub fn list(&self, name: &str) -> &[Arc<Value>] {
        match self.field(name) {
            Some(Field::List(resources)) => resources,
            Some(Field::Value(_)) | None => &[],
        }
    }

    /// A resource of a list, to change in this document alone.
    pub fn resource_mut(&mut self, list: &str, place: usize) -> Option<&mut Value> {
        match self.field_mut(list)? {
            Field::List(resources) => resources.get_mut(place).map(Arc::make_mut),
            Field::Value(_) => None,
        }
    }

    /// Adds a resource at the end of a list, if the list exists.
    pub fn push(&mut self, list: &str, resource: Value) {
        if let Some(Field::List(resources)) = self.field_mut(list) {
            resources.push(Arc::new(resource));
        }
    }

    /// A copy of a field, list or not; null if there is none.
    #[must_use]
    pub fn to_value(&self, name: &str) -> Value {
        match self.field(name) {
            Some(Field::Value(value)) => value.clone(),
            Some(Field::List(resources)) => {
                resources.iter().map(|resource| (**resource).clone()).collect()
            }
            None => Value::Null,
        }
    }

    fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, field)| field)
    }

    fn field_mut(&mut self, name: &str) -> Option<&mut Field> {
        self.fields.iter_mut().find(|(known, _)| known == name).map(|(_, field)| field)
    }

    fn set(&mut self, name: &str, field: Field) {
        match self.field_mut(name) {
            Some(place) => *place = field,
            None => self.fields.push((name.to_owned(), field)),
        }
    }
}

impl Field {
    fn of(value: Value) -> Self {
        match value {
            Value::Array(resources) => Self::List(resources.into_iter().map(Arc::new).collect()),
            other @ (Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_)) => Self::Value(other),
        }
    }
}

impl Serialize for SharedDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, field) in &self.fields {
            match field {
                Field::Value(value) => map.serialize_entry(name, value)?,
                Field::List(resources) => map.serialize_entry(name, resources)?,
            }
        }
        map.end()
    }
}
