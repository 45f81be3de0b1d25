//! The fields of an object that was sent, each asked for once.

use serde_json::{Map, Value};

use super::{EventFault, FaultCode};

/// Longer names of fields are cut where they are told: a stranger wrote them.
const NAME_CHARACTERS_TOLD: usize = 40;

/// The fields of an object.
pub(super) struct Fields<'v> {
    object: &'v Map<String, Value>,
    /// What the object is called.
    called: &'static str,
    known: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    /// Those of a batch.
    pub(super) fn of(batch: &'v Value) -> Result<Self, EventFault> {
        Self::of_object(batch, "a batch")
    }

    /// Those of an object that is called so.
    pub(super) fn of_object(value: &'v Value, called: &'static str) -> Result<Self, EventFault> {
        let Some(object) = value.as_object() else {
            return Err(fault(FaultCode::WrongType, format!("{called} is an object")));
        };
        Ok(Self { object, called, known: Vec::new() })
    }

    /// The same object under the name of its type.
    pub(super) fn called(self, called: &'static str) -> Self {
        Self { called, ..self }
    }

    /// The value of a field; `None` if it is not there, or null.
    pub(super) fn find(&mut self, name: &'static str) -> Option<&'v Value> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// A text of one character or more that is not blank: blanks around a visitor's id are no part of it.
    pub(super) fn text(
        &mut self,
        name: &'static str,
        characters: usize,
    ) -> Result<String, EventFault> {
        let text = self.needed(name)?.as_str();
        let text =
            text.ok_or_else(|| fault(FaultCode::WrongType, format!("`{name}` is a text")))?;
        if text.trim().is_empty() || text.chars().nth(characters).is_some() {
            let detail =
                format!("`{name}` has 1 to {characters} characters, not all of them blank");
            return Err(fault(FaultCode::BadValue, detail));
        }
        // It is shown to members, in terminals too.
        if text.contains(char::is_control) {
            let detail = format!("`{name}` has no control characters, such as line breaks");
            return Err(fault(FaultCode::BadValue, detail));
        }
        Ok(text.to_owned())
    }

    /// The same of a field that may be missing.
    pub(super) fn text_or_none(
        &mut self,
        name: &'static str,
        characters: usize,
    ) -> Result<Option<String>, EventFault> {
        self.find(name).is_some().then(|| self.text(name, characters)).transpose()
    }

    pub(super) fn whole_number(&mut self, name: &'static str) -> Result<i64, EventFault> {
        self.needed(name)?;
        self.whole_number_or_none(name)?.ok_or_else(|| missing(name))
    }

    pub(super) fn whole_number_or_none(
        &mut self,
        name: &'static str,
    ) -> Result<Option<i64>, EventFault> {
        let Some(value) = self.find(name) else { return Ok(None) };
        let number = whole_number_of(value)
            .ok_or_else(|| fault(FaultCode::WrongType, format!("`{name}` is a whole number")));
        number.map(Some)
    }

    /// True or false; false if it is not there.
    pub(super) fn is(&mut self, name: &'static str) -> Result<bool, EventFault> {
        let Some(value) = self.find(name) else { return Ok(false) };
        value
            .as_bool()
            .ok_or_else(|| fault(FaultCode::WrongType, format!("`{name}` is true or false")))
    }

    /// One of some words, by what it means; `None` if it is not there.
    pub(super) fn word<T>(
        &mut self,
        name: &'static str,
        meaning: fn(&str) -> Option<T>,
        words: impl Iterator<Item = &'static str>,
    ) -> Result<Option<T>, EventFault> {
        let Some(value) = self.find(name) else { return Ok(None) };
        let found = value.as_str().and_then(meaning);
        let unknown = || {
            let words: Vec<_> = words.map(|word| format!("`{word}`")).collect();
            fault(FaultCode::BadValue, format!("`{name}` is one of {}", words.join(", ")))
        };
        found.ok_or_else(unknown).map(Some)
    }

    pub(super) fn list(&mut self, name: &'static str) -> Result<&'v [Value], EventFault> {
        let list = self.needed(name)?.as_array();
        list.map(Vec::as_slice)
            .ok_or_else(|| fault(FaultCode::WrongType, format!("`{name}` is a list")))
    }

    /// Refuses fields that were not asked for.
    pub(super) fn end(self) -> Result<(), EventFault> {
        let unknown = self.object.keys().find(|name| !self.known.contains(&name.as_str()));
        match unknown {
            Some(name) => {
                let name: String = name.chars().take(NAME_CHARACTERS_TOLD).collect();
                let known: Vec<_> = self.known.iter().map(|name| format!("`{name}`")).collect();
                let detail = format!(
                    "{} has no field `{name}`; its fields are {}",
                    self.called,
                    known.join(", ")
                );
                Err(fault(FaultCode::UnknownField, detail))
            }
            None => Ok(()),
        }
    }

    fn needed(&mut self, name: &'static str) -> Result<&'v Value, EventFault> {
        self.find(name).ok_or_else(|| missing(name))
    }
}

pub(super) fn fault(code: FaultCode, detail: impl Into<String>) -> EventFault {
    EventFault { code, detail: detail.into() }
}

fn missing(name: &str) -> EventFault {
    fault(FaultCode::MissingField, format!("`{name}` is missing"))
}

/// A whole number, also where a sender writes `1999.0` or `1.7e12`: some languages have no other numbers.
pub(super) fn whole_number_of(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        format!("{number:.0}").parse().ok()
    })
}
