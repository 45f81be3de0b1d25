//! Changes: what a variation does to the page.
//!
//! One change in Optimizely can do several things at once, and becomes several in Assay.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::code::{Purpose, body};
use crate::export_location::At;
use crate::field::shown;
use crate::importer::Importer;
use crate::rejections::FROM;
use crate::selectors::flaw;

const POSITIONS: &[(&str, &str)] =
    &[("before", "before"), ("after", "after"), ("append", "append"), ("prepend", "prepend")];

/// What a list of changes is made for.
pub(crate) struct Target<'t> {
    /// The page that the changes are for, unless they are for all.
    pub(crate) page: Option<String>,
    /// Whether the document has to say so.
    pub(crate) scope: Scope,
    /// Why the campaign may not run.
    pub(crate) flaws: &'t mut Vec<String>,
    /// Ids that the list has already.
    pub(crate) ids: &'t mut HashSet<String>,
}

/// Where changes apply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// On all pages of the campaign.
    AllPages,
    /// On one of several pages.
    OnePage,
}

/// When a change applies.
struct Timing {
    is_async: bool,
    waits_for: Vec<String>,
}

/// The changes that one Optimizely change becomes.
type Pieces = Vec<Map<String, Value>>;

impl<'e> Importer<'e> {
    /// Carries a list of changes over.
    pub(crate) fn changes(&mut self, list: &[At<'e>], target: &mut Target<'_>) -> Vec<Value> {
        let dependencies = list.iter().flat_map(|at| at.list("dependencies"));
        let waited_for: HashSet<&str> = dependencies.filter_map(|at| at.value.as_str()).collect();
        let mut carried: Vec<(&At<'e>, Pieces)> = Vec::new();
        let mut ids: HashMap<&str, Vec<String>> = HashMap::new();
        for at in list {
            let Some(mut pieces) = self.pieces_or_flaw(at, target) else { continue };
            let id = at.field("id").and_then(|at| at.value.as_str());
            if let Some(id) = id.filter(|id| waited_for.contains(id)) {
                ids.insert(id, name_pieces(&mut pieces, id, target.ids));
            }
            carried.push((at, pieces));
        }
        let mut changes = Vec::new();
        for (at, pieces) in carried {
            let waits_for = self.dependencies(at, &ids, target);
            let timing = Timing { is_async: self.flag(at, "async"), waits_for };
            changes
                .extend(pieces.into_iter().map(|piece| self.finished(at, piece, &timing, target)));
        }
        changes
    }

    fn pieces_or_flaw(&mut self, at: &At<'e>, target: &mut Target<'_>) -> Option<Pieces> {
        let reason = match self.pieces(at) {
            Ok(pieces) => {
                target.flaws.extend(pieces.iter().filter_map(flaw));
                return Some(pieces);
            }
            Err(reason) => reason,
        };
        self.ledger.left_out(at, &reason, "make the change by hand, then start the campaign");
        let on = target.page.as_ref().map_or(String::new(), |page| format!(" of `{page}`"));
        target.flaws.push(format!("a change{on} is left out: {reason}"));
        None
    }

    fn finished(
        &mut self,
        at: &At<'e>,
        mut piece: Map<String, Value>,
        timing: &Timing,
        target: &Target<'_>,
    ) -> Value {
        piece.insert(FROM.to_owned(), self.mark(at));
        let waits = timing.is_async || !timing.waits_for.is_empty();
        if waits && piece.get("type") == Some(&json!("redirect")) {
            let message = "a redirect is followed at once, and waits for nothing";
            self.ledger.note(Outcome::Changed, &at.location, message, "");
        } else {
            piece.insert("async".to_owned(), json!(timing.is_async));
            piece.insert("depends_on".to_owned(), json!(timing.waits_for));
        }
        if target.scope == Scope::OnePage {
            piece.insert("page".to_owned(), json!(target.page));
        }
        Value::Object(piece)
    }

    fn dependencies(
        &mut self,
        at: &At<'e>,
        ids: &HashMap<&str, Vec<String>>,
        target: &mut Target<'_>,
    ) -> Vec<String> {
        let mut waits_for = Vec::new();
        for at in at.list("dependencies") {
            if let Some(ids) = at.value.as_str().and_then(|id| ids.get(id)) {
                self.ledger.settle(&at);
                waits_for.extend(ids.clone());
            } else {
                let message = format!("no change of this list has the id {}", shown(at.value));
                self.ledger.left_out(&at, message, "");
                target.flaws.push("a change waits for a missing one".to_owned());
            }
        }
        waits_for
    }

    /// What an Optimizely change does, as changes of Assay.
    fn pieces(&mut self, at: &At<'e>) -> Result<Pieces, String> {
        let rejections = self.rejections.all_against(&at.location);
        if let Some((_, reason)) = rejections.iter().find(|(field, _)| *field != "destination_code")
        {
            return Err((*reason).to_owned());
        }
        if !at.value.is_object() {
            return Err("this is not an object".to_owned());
        }
        self.pass_over(at, "change");
        let kind = self.text(at, "type").ok_or("it has no `type`")?;
        match kind.as_str() {
            "custom_code" => {
                let code = self.needed_text(at, "value")?;
                if let Some(at) = at.field("value") {
                    self.check_code(&at, &code);
                }
                Ok(vec![piece("javascript", [("value", json!(code))])])
            }
            "custom_css" => {
                Ok(vec![piece("css", [("value", json!(self.needed_text(at, "value")?))])])
            }
            "insert_html" => {
                let html = self.needed_text(at, "value")?;
                self.insert(at, &html)
            }
            "insert_image" => self.insert_image(at),
            "redirect" => self.redirect(at),
            "attribute" => self.look(at),
            other => Err(format!("changes of type `{other}` are unknown to Assay")),
        }
    }

    fn needed_text(&mut self, at: &At<'e>, field: &str) -> Result<String, String> {
        self.text(at, field).ok_or_else(|| format!("it has no `{field}`"))
    }

    fn needed_selector(&mut self, at: &At<'e>, field: &str) -> Result<String, String> {
        self.selector(at, field).ok_or_else(|| format!("it has no `{field}`"))
    }

    fn position(&mut self, at: &At<'e>) -> Result<String, String> {
        let known = self.word(at, "operator", POSITIONS);
        let given = at.field("operator").map_or_else(|| "nothing".to_owned(), |at| shown(at.value));
        let unknown =
            || format!("its `operator` is {given}, not `before`, `after`, `append` or `prepend`");
        known.ok().flatten().map(str::to_owned).ok_or_else(unknown)
    }

    fn insert(&mut self, at: &At<'e>, html: &str) -> Result<Pieces, String> {
        let selector = self.needed_selector(at, "selector")?;
        let position = self.position(at)?;
        let fields =
            [("selector", json!(selector)), ("value", json!(html)), ("position", json!(position))];
        Ok(vec![piece("insert", fields)])
    }

    /// The value is the image's address, or the element.
    fn insert_image(&mut self, at: &At<'e>) -> Result<Pieces, String> {
        let value = self.needed_text(at, "value")?;
        if value.trim_start().starts_with('<') {
            return self.insert(at, &value);
        }
        let address = value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        let pieces = self.insert(at, &format!("<img src=\"{address}\">"))?;
        if let Some(at) = at.field("value") {
            let advice = "add `alt` to the element in the change of type `insert`";
            self.ledger.note(Outcome::Check, &at.location, "the image has no `alt` text", advice);
        }
        Ok(pieces)
    }

    fn redirect(&mut self, at: &At<'e>) -> Result<Pieces, String> {
        let refused = self.rejections.against(&at.location, "destination_code");
        let destination = self.text(at, "destination");
        let function = self.text(at, "destination_function");
        let to = match (destination, function) {
            (Some(destination), None) => ("destination", destination),
            (None, Some(function)) => {
                let reason =
                    || refused.last().map_or("there is no code", String::as_str).to_owned();
                let body = body(&function, Purpose::Value, refused.len()).ok_or_else(reason)?;
                ("destination_code", body)
            }
            (None, None) => return Err("the redirect has no destination".to_owned()),
            (Some(_), Some(_)) => return Err("the redirect has two destinations".to_owned()),
        };
        let keeps_parameters = self.flag(at, "preserve_parameters");
        let may_chain = self.flag(at, "allow_additional_redirect");
        let fields = [
            (to.0, json!(to.1)),
            ("preserve_parameters", json!(keeps_parameters)),
            ("allow_chain", json!(may_chain)),
        ];
        Ok(vec![piece("redirect", fields)])
    }

    /// What an element looks like: its content, attributes, style and place.
    fn look(&mut self, at: &At<'e>) -> Result<Pieces, String> {
        let selector = json!(self.needed_selector(at, "selector")?);
        let mut pieces = Vec::new();
        if let Some(attributes) = at.field("attributes") {
            self.attributes_of(&attributes, &selector, &mut pieces)?;
        }
        if let Some(css) = at.field("css") {
            self.styles_of(&css, &selector, &mut pieces)?;
        }
        if let Some(place) = at.field("rearrange") {
            let to = self.needed_selector(&place, "insertSelector")?;
            let position = self.position(&place)?;
            let fields =
                [("selector", selector.clone()), ("to", json!(to)), ("position", json!(position))];
            pieces.push(piece("move", fields));
        }
        if let Some(attributes) = at.field("attributes")
            && self.flag(&attributes, "remove")
        {
            pieces.push(piece("remove", [("selector", selector)]));
        }
        if pieces.is_empty() {
            return Err("it changes nothing".to_owned());
        }
        Ok(pieces)
    }

    fn attributes_of(
        &mut self,
        attributes: &At<'e>,
        selector: &Value,
        pieces: &mut Pieces,
    ) -> Result<(), String> {
        let Some(fields) = attributes.value.as_object() else {
            return Err("its `attributes` are not an object".to_owned());
        };
        for name in fields.keys() {
            let Some(at) = attributes.field(name) else { continue };
            match name.as_str() {
                "remove" => {}
                "hide" => {
                    let is_hidden = self.flag(attributes, "hide");
                    pieces.extend(is_hidden.then(|| style(selector, "visibility", "hidden")));
                }
                "text" | "html" | "href" | "src" | "style" | "class" => {
                    match self.text(attributes, name) {
                        Some(value) => pieces.push(content(selector, name, &value)),
                        None => self.tell_of_empty(&at, name),
                    }
                }
                other => return Err(format!("it sets `{other}`, which Assay does not know")),
            }
        }
        Ok(())
    }

    fn tell_of_empty(&mut self, at: &At<'e>, name: &str) {
        let message = format!("an empty `{name}` counts as none");
        self.ledger.note(Outcome::Check, &at.location, message, "");
    }

    fn styles_of(
        &mut self,
        css: &At<'e>,
        selector: &Value,
        pieces: &mut Pieces,
    ) -> Result<(), String> {
        let Some(fields) = css.value.as_object() else {
            return Err("its `css` is not an object".to_owned());
        };
        for name in fields.keys() {
            let Some(at) = css.field(name) else { continue };
            let number = at.value.as_number().map(ToString::to_string);
            let Some(value) = at.value.as_str().map(str::to_owned).or(number) else {
                return Err(format!("its style `{name}` is neither text nor number"));
            };
            self.ledger.settle(&at);
            if value.is_empty() {
                self.tell_of_empty(&at, name);
            } else {
                pieces.push(style(selector, &in_css(name), &value));
            }
        }
        Ok(())
    }
}

fn piece<const N: usize>(kind: &str, fields: [(&str, Value); N]) -> Map<String, Value> {
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
    std::iter::once(("type".to_owned(), json!(kind))).chain(fields).collect()
}

/// The text, the HTML or an attribute of an element.
fn content(selector: &Value, name: &str, value: &str) -> Map<String, Value> {
    if name == "text" || name == "html" {
        return piece(name, [("selector", selector.clone()), ("value", json!(value))]);
    }
    let fields = [("selector", selector.clone()), ("name", json!(name)), ("value", json!(value))];
    piece("attribute", fields)
}

fn style(selector: &Value, name: &str, value: &str) -> Map<String, Value> {
    piece("style", [("selector", selector.clone()), ("name", json!(name)), ("value", json!(value))])
}

/// `backgroundColor` is `background-color`.
fn in_css(name: &str) -> String {
    name.chars().fold(String::new(), |name, character| match character {
        'A'..='Z' => format!("{name}-{}", character.to_ascii_lowercase()),
        other => format!("{name}{other}"),
    })
}

/// Gives the parts of a change ids, so that other changes can wait for them.
fn name_pieces(pieces: &mut Pieces, id: &str, taken: &mut HashSet<String>) -> Vec<String> {
    let mut ids = Vec::new();
    for piece in pieces {
        let numbered =
            (1..).map(|number| if number == 1 { id.to_owned() } else { format!("{id}-{number}") });
        let free = numbered.into_iter().find(|id| !taken.contains(id)).unwrap_or_default();
        taken.insert(free.clone());
        piece.insert("id".to_owned(), json!(free));
        ids.push(free);
    }
    ids
}
