//! The fields of the visit form: what each asks for, in the order in which they are shown.

use app::decisions::KnownNames;

use crate::decide::visit_form::{FieldError, VisitForm};

/// How many names a hint lists before it grows too long to help.
const NAMES_IN_A_HINT: usize = 8;

/// One field of the form.
pub(super) struct Field<'f> {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) control: Control,
    pub(super) value: &'f str,
    pub(super) hint: String,
    pub(super) errors: Vec<&'f str>,
}

/// What a member types into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Control {
    /// An `input` of this type, which must be filled in.
    Needed(&'static str),
    /// An `input` of this type.
    Line(&'static str),
    /// A `textarea`.
    Lines,
}

/// The two fields without which there is no visit.
pub(super) fn needed(form: &VisitForm) -> Vec<Field<'_>> {
    vec![
        Field::new("visitor_id", "Visitor id", Control::Needed("text"), &form.visitor_id)
            .hint("The value of the visitor cookie. Any text works for a trial."),
        Field::new("url", "Address of the page", Control::Needed("url"), &form.url)
            .hint("With its query. `?experimentation_x=5002` in it forces that variation, as in the browser."),
    ]
}

/// The fields that may stay empty.
pub(super) fn optional<'f>(form: &'f VisitForm, names: &KnownNames) -> Vec<Field<'f>> {
    vec![
        Field::new("attributes", "Custom attributes", Control::Lines, &form.attributes)
            .hint(attributes_hint(names)),
        Field::new("cookies", "Cookies", Control::Lines, &form.cookies)
            .hint("One per line, as the browser shows them: `name=value`."),
        Field::new("variations", "Given earlier", Control::Lines, &form.variations)
            .hint(variations_hint(names)),
        Field::new("referrer", "Came from", Control::Line("url"), &form.referrer)
            .hint("The address of the previous page."),
        Field::new("user_agent", "User agent", Control::Line("text"), &form.user_agent)
            .hint("The browser's user agent. It determines the device."),
        Field::new("language", "Language", Control::Line("text"), &form.language)
            .hint("The browser's, such as `en-US`."),
        Field::new("local_time", "Local time", Control::Line("datetime-local"), &form.local_time)
            .hint("The visitor's local time."),
        Field::new("location", "Location", Control::Line("text"), &form.location)
            .hint("As in conditions: `US|CA|SANFRANCISCO`, then continent and market area, or part of it. If empty, campaigns that need it wait."),
    ]
}

/// The same fields, each with its faults.
pub(super) fn judged<'f>(mut fields: Vec<Field<'f>>, errors: &'f [FieldError]) -> Vec<Field<'f>> {
    for field in &mut fields {
        let own = errors.iter().filter(|error| error.field == field.name);
        field.errors = own.map(|error| error.words.as_str()).collect();
    }
    fields
}

impl<'f> Field<'f> {
    fn new(name: &'static str, label: &'static str, control: Control, value: &'f str) -> Self {
        Self { name, label, control, value, hint: String::new(), errors: Vec::new() }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: hint.into(), ..self }
    }

    pub(super) fn is_wrong(&self) -> bool {
        !self.errors.is_empty()
    }
}

fn attributes_hint(names: &KnownNames) -> String {
    let mut keys = names.attributes.iter().map(|attribute| format!("`{}`", attribute.key));
    let listed: Vec<_> = keys.by_ref().take(NAMES_IN_A_HINT).collect();
    if listed.is_empty() {
        return "This project declares none.".to_owned();
    }
    let more = if keys.next().is_some() { " and more" } else { "" };
    format!("One per line: `name=value`. This project has {}{more}.", listed.join(", "))
}

fn variations_hint(names: &KnownNames) -> String {
    let mut examples = names.experiments.iter().filter_map(|experiment| {
        Some(format!("`{}={}`", experiment.named.key, experiment.variations.last()?.key))
    });
    let example = examples.next().unwrap_or_else(|| "`experiment=variation`".to_owned());
    format!("The visitor's stored variations, one experiment per line, by key or id: {example}.")
}
