//! The form of a page that edits a resource, as a browser shows it: a member fills in fields and presses buttons.

use crate::browser::Browser;
use crate::site::Answer;

/// A form with what is filled in.
#[derive(Debug, Clone)]
pub(super) struct FilledForm {
    pub(super) action: String,
    pub(super) fields: Vec<(String, String)>,
}

impl FilledForm {
    /// The form of a page that saves.
    pub(super) fn of(page: &Answer) -> Self {
        let forms =
            page.body.split("<form").skip(1).map(|form| form.split("</form>").next().unwrap());
        let form = forms
            .into_iter()
            .find(|form| attribute(form, "action").is_some_and(|action| action.ends_with("/save")));
        let form = form.unwrap_or_else(|| panic!("no form in {}", page.body));
        let fields = form.split('<').filter_map(field).collect();
        let fields = with_selected(form, fields);
        Self { action: attribute(form, "action").unwrap(), fields }
    }

    /// The same with this text in a field.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        let field = self.fields.iter_mut().rfind(|(known, _)| known == name);
        let (_, typed) = field.unwrap_or_else(|| panic!("no field {name}"));
        value.clone_into(typed);
        self
    }

    pub(super) fn value(&self, name: &str) -> &str {
        let field = self.fields.iter().rfind(|(known, _)| known == name);
        &field.unwrap_or_else(|| panic!("no field {name} in {:?}", self.fields)).1
    }

    /// Sends it with this button.
    pub(super) async fn press(&self, browser: &Browser<'_>, act: &str) -> Answer {
        let mut fields: Vec<_> =
            self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.push(("act", act));
        browser.post(&self.action, &fields).await
    }

    pub(super) async fn save(&self, browser: &Browser<'_>) -> Answer {
        self.press(browser, "save").await
    }
}

/// The field of an `input` or `textarea`, which starts this text.
fn field(tag: &str) -> Option<(String, String)> {
    let (start, text) = tag.split_once('>')?;
    let name = attribute(start, "name")?;
    if start.starts_with("textarea") {
        return Some((name, unescaped(text.strip_prefix('\n').unwrap_or(text))));
    }
    let is_sent = start.starts_with("input")
        && (!start.contains("\"checkbox\"") || start.contains(" checked"));
    is_sent.then(|| (name, attribute(start, "value").unwrap_or_default()))
}

/// Adds the fields where a member selects a value.
fn with_selected(form: &str, mut fields: Vec<(String, String)>) -> Vec<(String, String)> {
    for select in form.split("<select").skip(1) {
        let select = select.split("</select>").next().unwrap();
        let chosen = select.split("<option").find(|option| option.contains(" selected"));
        let value = chosen.and_then(|option| attribute(option, "value")).unwrap_or_default();
        fields.push((attribute(select, "name").unwrap(), value));
    }
    fields
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(unescaped(rest.split_once('"')?.0))
}

fn unescaped(text: &str) -> String {
    let plain = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    plain
        .into_iter()
        .fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}
