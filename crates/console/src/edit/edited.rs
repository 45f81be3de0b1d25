//! The resource of a form in its states: as the member got it, and as it is with what they typed.

use serde_json::{Map, Value};

use crate::edit::Editor;
use crate::edit::copied::copied;
use crate::edit::merge_patch::merge_patch;
use crate::edit::overlay::overlay;
use crate::fields::Fields;

/// Fields that say when a resource changed: they are no part of what a member edits.
pub(crate) const TOLD: [&str; 4] = ["created_at", "updated_at", "updated_by", "etag"];

/// A resource in a form.
pub(crate) struct Edited {
    /// As the member got it; empty for a new one.
    pub(crate) was: Map<String, Value>,
    /// As the form shows it.
    pub(crate) now: Value,
    /// Of the version that the member got.
    pub(crate) etag: String,
}

impl Edited {
    /// A new resource, with the fields that the address of the page fills in.
    pub(crate) fn blank(editor: &Editor, query: &Fields) -> Self {
        let mut now = (editor.opened)((editor.blank)());
        overlay(&mut now, editor.shapes, query.iter());
        Self { was: Map::new(), now, etag: String::new() }
    }

    /// A stored resource.
    pub(crate) fn stored(editor: &Editor, resource: &Value) -> Self {
        let mut was = resource.as_object().cloned().unwrap_or_default();
        for field in TOLD {
            was.shift_remove(field);
        }
        let now = (editor.opened)(Value::Object(was.clone()));
        Self { was, now, etag: resource["etag"].as_str().unwrap_or_default().to_owned() }
    }

    /// A new resource that is like a stored one, beside the others of its kind.
    pub(crate) fn copied<'r>(
        editor: &Editor,
        resource: &Value,
        others: impl Iterator<Item = &'r Value>,
    ) -> Self {
        let Self { was, .. } = Self::stored(editor, resource);
        let now = (editor.opened)(Value::Object(copied(editor.kind, was, others)));
        Self { was: Map::new(), now, etag: String::new() }
    }

    /// The resource of a form that was sent; `None` if no form of ours is so.
    pub(crate) fn sent(editor: &Editor, fields: &Fields) -> Option<Self> {
        let was: Map<String, Value> = serde_json::from_str(fields.get("was")).ok()?;
        let now: Map<String, Value> = serde_json::from_str(fields.get("now")).ok()?;
        let mut now = Value::Object(now);
        overlay(&mut now, editor.shapes, fields.iter());
        Some(Self { was, now, etag: fields.get("etag").to_owned() })
    }

    /// The resource as the member wants it. What the member left as it was shown stays as it was written.
    pub(crate) fn wanted(&self, editor: &Editor) -> Map<String, Value> {
        let unchanged = (editor.closed)((editor.opened)(Value::Object(self.was.clone())));
        let Value::Object(mut wanted) = (editor.closed)(self.now.clone()) else {
            return self.was.clone();
        };
        for (name, value) in &self.was {
            if wanted.get(name) == unchanged.get(name) {
                wanted.insert(name.clone(), value.clone());
            }
        }
        wanted
    }

    /// What the member changed to get what they want, as a merge patch.
    pub(crate) fn changes(&self, wanted: &Map<String, Value>) -> Map<String, Value> {
        merge_patch(&self.was, wanted)
    }

    /// Its name for people.
    pub(crate) fn title(&self) -> Option<&str> {
        let named = [self.was.get("name"), self.was.get("key"), self.was.get("id")];
        named.into_iter().flatten().find_map(Value::as_str)
    }
}

#[cfg(test)]
mod tests {
    use app::documents::ResourceKind;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::Edited;
    use crate::edit::shape::Shape;
    use crate::edit::{Editor, no_element, refuses_nothing};
    use crate::fields::Fields;
    use crate::project_frame::Tab;

    /// Shows a list of names and values instead of an object.
    fn opened(mut resource: Value) -> Value {
        let entries = resource["map"].as_object().cloned().unwrap_or_default();
        let entries = entries.into_iter().map(|(key, value)| json!({"key": key, "value": value}));
        resource["map"] = entries.collect();
        resource
    }

    fn closed(mut resource: Value) -> Value {
        let entries = resource["map"].as_array().cloned().unwrap_or_default();
        let entries = entries.into_iter().map(|entry| {
            (entry["key"].as_str().unwrap_or_default().to_owned(), entry["value"].clone())
        });
        resource["map"] = Value::Object(entries.collect());
        resource
    }

    static EDITOR: Editor = Editor {
        kind: ResourceKind::Attribute,
        tab: Tab::Attributes,
        blank: || json!({"name": null, "map": {}}),
        shapes: &[
            ("/name", Shape::Line),
            ("/map/*/value", Shape::Line),
            ("/share", Shape::Percent),
        ],
        element: no_element,
        opened,
        closed,
        refuses: refuses_nothing,
        content: |_, _| String::new(),
        form_path: "",
        listing: None,
        above: |_, _| (String::new(), String::new()),
    };

    /// The form of a resource as a browser sends it back.
    fn sent(edited: &Edited, more: &[(&str, &str)]) -> Fields {
        let was = Value::Object(edited.was.clone()).to_string();
        let now = edited.now.to_string();
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs([("was", &was), ("now", &now), ("etag", &edited.etag)]);
        form.extend_pairs(more);
        Fields::read(form.finish().as_bytes()).unwrap()
    }

    proptest! {
        #[test]
        fn a_form_that_is_sent_as_it_was_shown_changes_nothing(
            name in prop::option::of("[a-c \r\n]{0,5}"), share in any::<i16>(), value in any::<i64>(), is_text: bool,
        ) {
            let value = if is_text { json!(value.to_string()) } else { json!(value) };
            let resource = json!({"id": "1", "name": name, "share": share, "map": {"a": value, "b": null}, "etag": "\"x\""});
            let edited = Edited::stored(&EDITOR, &resource);
            let shown = ["/name", "/share"].map(|at| {
                let shape = super::super::shape::shape_of(EDITOR.shapes, at).unwrap();
                (at, shape.shown(edited.now.pointer(at).unwrap()))
            });
            let fields: Vec<_> = shown.iter().map(|(at, value)| (*at, value.as_str())).collect();

            let back = Edited::sent(&EDITOR, &sent(&edited, &fields)).unwrap();

            prop_assert_eq!(&back.now, &edited.now);
            prop_assert!(back.changes(&back.wanted(&EDITOR)).is_empty(), "{:?}", back.changes(&back.wanted(&EDITOR)));
        }
    }

    #[test]
    fn only_what_a_member_changed_is_sent_on() {
        let resource = json!({"id": "1", "name": "A", "map": {"a": 1, "b": "x"}, "updated_by": "ann", "etag": "\"x\""});
        let edited = Edited::stored(&EDITOR, &resource);

        let back = Edited::sent(&EDITOR, &sent(&edited, &[("/map/1/value", "y"), ("/id", "2")]));

        let back = back.unwrap();
        assert_eq!(Value::Object(back.changes(&back.wanted(&EDITOR))), json!({"map": {"b": "y"}}));
        assert_eq!((back.title(), back.etag.as_str()), (Some("A"), "\"x\""));
    }

    #[test]
    fn a_copy_is_new() {
        let resource = json!({"id": "1", "key": "a", "name": "A", "map": {"a": 1}, "archived": true, "etag": "\"x\""});

        let copy = Edited::copied(&EDITOR, &resource, std::iter::once(&resource));

        assert!(copy.was.is_empty() && copy.etag.is_empty());
        assert_eq!(
            Value::Object(copy.wanted(&EDITOR)),
            json!({"name": "A (copy)", "map": {"a": 1}})
        );
    }

    #[test]
    fn what_is_no_form_of_ours_is_not_read() {
        for text in ["", "was={}", "was={}&now=[]", "was=1&now={}", "was={}&now={"] {
            assert!(
                Edited::sent(&EDITOR, &Fields::read(text.as_bytes()).unwrap()).is_none(),
                "{text}"
            );
        }
        let deep = format!("was={{}}&now={{\"a\":{}", "[".repeat(100_000));
        assert!(Edited::sent(&EDITOR, &Fields::read(deep.as_bytes()).unwrap()).is_none());
    }
}
