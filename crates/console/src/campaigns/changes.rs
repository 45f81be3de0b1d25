//! Changes: what the form asks for each type, and what each does in a sentence.

use askama::Template;
use askama::filters::HtmlSafe;
use domain::Project;
use serde_json::{Value, json};

use crate::choices;
use crate::edit::Form;
use crate::edit::field::{Field, Further, PartErrors};

/// The types of changes, as buttons call them.
const CHANGE_TYPES: &[(&str, &str)] = &[
    ("text", "Text"),
    ("html", "HTML"),
    ("style", "Style"),
    ("class", "Class"),
    ("attribute", "Attribute"),
    ("insert", "Insert"),
    ("move", "Move"),
    ("remove", "Removal"),
    ("css", "Style sheet"),
    ("javascript", "JavaScript"),
    ("redirect", "Redirect"),
];

const POSITIONS: &[(&str, &str)] = &[
    ("before", "Before it"),
    ("after", "After it"),
    ("prepend", "Inside, first"),
    ("append", "Inside, last"),
];

/// The changes of a variation, or of all of them, in a form.
#[derive(Template)]
#[template(path = "edit/changes.html")]
pub(super) struct ChangeList {
    at: String,
    /// The variation that makes them.
    whose: String,
    wrong: PartErrors,
    changes: Vec<ShownChange>,
}

/// The template escapes what it shows.
impl HtmlSafe for ChangeList {}

/// A change in a form.
struct ShownChange {
    at: String,
    title: &'static str,
    sentence: String,
    wrong: PartErrors,
    fields: Vec<Field>,
    further: Further,
}

impl ChangeList {
    pub(super) fn of(form: &Form<'_>, project: &Project, at: &str, whose: &str) -> Self {
        let changes = form.elements(at).into_iter();
        let changes = changes.map(|at| ShownChange::of(form, project, at)).collect();
        let wrong = form.wrong(at, "Changes");
        Self { at: at.to_owned(), whose: whose.to_owned(), wrong, changes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

impl ShownChange {
    fn of(form: &Form<'_>, project: &Project, at: String) -> Self {
        let change = form.at(&at);
        let word = change["type"].as_str().unwrap_or_default();
        let known = CHANGE_TYPES.iter().find(|(known, _)| *known == word);
        Self {
            title: known.map_or("Change", |(_, words)| words),
            sentence: if is_begun(change) { change_words(change) } else { String::new() },
            wrong: form.wrong(&at, "Change"),
            fields: fields(form, word, &at),
            further: Further::of(further(form, project, &at)),
            at,
        }
    }
}

/// A new change of this type.
pub(super) fn new_change(word: &str) -> Option<Value> {
    let (word, _) = CHANGE_TYPES.iter().find(|(known, _)| *known == word)?;
    Some(match *word {
        "remove" => json!({"type": word, "selector": null}),
        "css" | "javascript" => json!({"type": word, "value": null}),
        "move" => json!({"type": word, "selector": null, "to": null, "position": "before"}),
        "insert" => json!({"type": word, "selector": null, "value": null, "position": "append"}),
        "style" | "attribute" => {
            json!({"type": word, "selector": null, "name": null, "value": null})
        }
        "redirect" => json!({"type": word, "destination": null, "preserve_parameters": true}),
        word => json!({"type": word, "selector": null, "value": null}),
    })
}

fn fields(form: &Form<'_>, word: &str, at: &str) -> Vec<Field> {
    let field = |name: &str, label: &str, hint| form.field(&format!("{at}/{name}"), label, hint);
    let line = |name: &str, label: &str, hint| form.line(&format!("{at}/{name}"), label, hint);
    let selector =
        || field("selector", "CSS selector", "The elements of the page: `#buy`, `main h1`.");
    let position =
        |label: &str| form.choice(&format!("{at}/position"), label, "", choices::words(POSITIONS));
    match word {
        "text" => vec![selector(), line("value", "New text", "")],
        "html" => vec![selector(), field("value", "New content", "HTML.").code()],
        "style" => vec![
            selector(),
            field("name", "Property", "A CSS property such as `color`."),
            line("value", "Value", "Empty removes the property."),
        ],
        "class" => vec![selector(), line("value", "Classes to add", "Separated by spaces.")],
        "attribute" => vec![
            selector(),
            field("name", "Attribute", "Such as `href` or `alt`."),
            line("value", "Value", "Empty removes the attribute."),
        ],
        "insert" => vec![selector(), position("Where"), field("value", "Content", "HTML.").code()],
        "move" => vec![
            selector(),
            position("Where"),
            field("to", "Selector of the other element", "It goes beside or inside this one."),
        ],
        "remove" => vec![selector()],
        "css" => vec![field("value", "Style sheet", "CSS.").code()],
        "javascript" => vec![field("value", "Code", "A JavaScript function body.").javascript()],
        "redirect" if form.at(&format!("{at}/destination_code")).is_string() => vec![
            field(
                "destination_code",
                "Code",
                "A JavaScript function body that returns the address.",
            )
            .javascript(),
            field("preserve_parameters", "Keep the page's query parameters", ""),
        ],
        "redirect" => vec![
            field("destination", "Address", "Absolute, or relative to the page."),
            field("preserve_parameters", "Keep the page's query parameters", ""),
        ],
        _ => Vec::new(),
    }
}

fn further(form: &Form<'_>, project: &Project, at: &str) -> Vec<Field> {
    let field = |name: &str, label: &str, hint| form.field(&format!("{at}/{name}"), label, hint);
    let pages = choices::pages(project, "Every page of the campaign");
    let mut further = vec![
        form.choice(&format!("{at}/page"), "Only on this page", "", pages),
        field("async", "Make it a little later, so that it never delays the first paint", ""),
        field("id", "Id", "By which later changes wait for it."),
        field("depends_on", "After", "Ids of changes that come first, one per line."),
    ];
    if form.text(&format!("{at}/type")) == "redirect" {
        further.push(field("allow_chain", "Redirect visitors who came by a redirect, too", ""));
    }
    further
}

/// Whether it says of which element it is, if it is of one.
fn is_begun(change: &Value) -> bool {
    change
        .get("selector")
        .is_none_or(|selector| selector.as_str().is_some_and(|text| !text.is_empty()))
}

/// What a change does, in words that quote names in backticks.
pub(crate) fn change_words(change: &Value) -> String {
    let text = |name: &str| short(change[name].as_str().unwrap_or_default());
    let (selector, value, name) = (text("selector"), text("value"), text("name"));
    let position = match change["position"].as_str() {
        Some("before") => "before",
        Some("after") => "after",
        Some("prepend") => "inside, at the start of",
        _ => "inside, at the end of",
    };
    let is_removed = change["value"].is_null();
    match change["type"].as_str() {
        Some("text") => format!("Sets the text of `{selector}` to “{value}”"),
        Some("html") => format!("Replaces the content of `{selector}`"),
        Some("style") if is_removed => format!("Removes the style `{name}` of `{selector}`"),
        Some("style") => format!("Sets the style `{name}` of `{selector}` to `{value}`"),
        Some("class") => format!("Adds the class `{value}` to `{selector}`"),
        Some("attribute") if is_removed => {
            format!("Removes the attribute `{name}` of `{selector}`")
        }
        Some("attribute") => format!("Sets the attribute `{name}` of `{selector}` to `{value}`"),
        Some("insert") => format!("Inserts content {position} `{selector}`"),
        Some("move") => format!("Moves `{selector}` {position} `{}`", text("to")),
        Some("remove") => format!("Removes `{selector}`"),
        Some("css") => "Adds a style sheet".to_owned(),
        Some("javascript") => "Runs JavaScript".to_owned(),
        Some("redirect") if change["destination"].is_string() => {
            format!("Redirects to `{}`", text("destination"))
        }
        Some("redirect") => "Redirects to an address that code computes".to_owned(),
        _ => String::new(),
    }
}

/// Long texts are cut, and backticks would end the quotation.
fn short(text: &str) -> String {
    const CHARACTERS_SHOWN: usize = 80;
    let plain = text.replace('`', "'");
    let mut characters = plain.chars();
    let start: String = characters.by_ref().take(CHARACTERS_SHOWN).collect();
    if characters.next().is_some() { format!("{start}…") } else { start }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{CHANGE_TYPES, change_words, is_begun, new_change};

    #[test]
    fn a_new_change_of_an_element_is_told_once_it_names_one() {
        let (new, named) = (new_change("text").unwrap(), json!({"type": "text", "selector": "h1"}));

        assert!(!is_begun(&new) && is_begun(&named) && is_begun(&new_change("css").unwrap()));
    }

    #[test]
    fn every_type_of_change_can_be_added_and_told() {
        for (word, _) in CHANGE_TYPES {
            let change = new_change(word).unwrap();
            assert_eq!(change["type"], *word);
            assert!(!change_words(&change).is_empty(), "{word}");
        }
        assert_eq!(new_change("unknown"), None);
    }

    #[test]
    fn long_and_quoted_texts_stay_readable() {
        let change = json!({"type": "text", "selector": "a`b", "value": "x".repeat(90)});
        let told = change_words(&change);

        assert!(told.starts_with("Sets the text of `a'b` to “xxx"), "{told}");
        assert!(told.ends_with("x…”"), "{told}");
    }
}
