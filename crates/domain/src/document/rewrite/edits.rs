//! Changes values in a text, and leaves all else in it as it is.

use std::cmp::Reverse;
use std::ops::Range;

use serde_json::{Map, Value};

use super::differences::Change;
use super::layout::{Form, Laid};
use crate::Pointer;
use crate::document::to_yaml::{flow, write_element, write_value};

/// The changed text, and the lines of comments that went with what they stood in. `None` if a change does not fit in anywhere.
pub(super) fn apply(
    text: &str,
    root: &Laid,
    changes: &[Change<'_>],
) -> Option<(String, Vec<usize>)> {
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let mut editor = Editor { text, root, is_json, added: Vec::new(), edits: Vec::new() };
    changes.iter().try_for_each(|change| editor.change(change))?;
    std::mem::take(&mut editor.added).into_iter().try_for_each(|added| editor.add(&added))?;
    editor.finish()
}

/// A field that the text does not have yet.
struct Added {
    object: Pointer,
    name: String,
    value: Value,
}

/// Where a value stands: after its field's name, or its dash.
struct Slot<'t> {
    /// Where the name or dash is; `None` in brackets and braces, where all is on one line.
    word: Option<usize>,
    start: usize,
    laid: &'t Laid,
}

/// What comes after a value on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Free,
    /// A comment.
    Taken,
}

struct Editor<'t> {
    text: &'t str,
    root: &'t Laid,
    is_json: bool,
    added: Vec<Added>,
    edits: Vec<Edit>,
}

/// New text in the place of what is there.
struct Edit {
    range: Range<usize>,
    new: String,
    /// How deep the list or object is that it changes. Where several end, additions to the inner one come first.
    depth: usize,
}

impl Editor<'_> {
    fn change(&mut self, change: &Change<'_>) -> Option<()> {
        match change {
            Change::Set(at, value) if self.root.at(at).is_some() => self.replace(at, value),
            Change::Set(at, value) => self.plan_to_add(at, (*value).clone()),
            Change::Remove(at) => self.remove(at),
            Change::Insert(at, before, value) => self.insert(at, *before, value),
        }
    }

    fn replace(&mut self, at: &Pointer, value: &Value) -> Option<()> {
        let (parent, token) = parent_of(at)?;
        let slot = self.slot(&parent, &token)?;
        let end = slot.laid.end.max(slot.start);
        let new = match slot.word {
            None => {
                let gap = self.text.get(slot.start..slot.laid.start).unwrap_or_default();
                format!("{gap}{}", self.flow(value))
            }
            Some(word) => {
                let place = (self.column(word), self.column(slot.start));
                self.beside(value, place, self.rest_of_line(end))
            }
        };
        self.edit(&parent, slot.start..end, new);
        Some(())
    }

    fn slot(&self, parent: &Pointer, token: &str) -> Option<Slot<'_>> {
        match &self.root.at(parent)?.form {
            Form::Scalar { .. } => None,
            Form::List { is_flow: true, elements } => {
                let laid = elements.get(token.parse::<usize>().ok()?)?;
                Some(Slot { word: None, start: laid.start, laid })
            }
            Form::List { is_flow: false, elements } => {
                let laid = elements.get(token.parse::<usize>().ok()?)?;
                let dash = self.dash(laid)?;
                Some(Slot { word: Some(dash), start: dash + 1, laid })
            }
            Form::Object { is_flow, entries } => {
                let entry = entries.iter().find(|entry| entry.name == token)?;
                let word = (!is_flow).then_some(entry.start);
                Some(Slot { word, start: entry.after_colon, laid: &entry.value })
            }
        }
    }

    /// A value after its field's name or dash, which stands at column `indent` and ends at `column`.
    fn beside(&self, value: &Value, (indent, column): (usize, usize), rest: Rest) -> String {
        if self.is_json || rest == Rest::Taken {
            return format!(" {}", self.flow(value));
        }
        let mut yaml = String::new();
        write_value(&mut yaml, value, indent, column);
        yaml.pop();
        yaml
    }

    fn flow(&self, value: &Value) -> String {
        if self.is_json { value.to_string() } else { flow(value) }
    }

    /// A field may be missing with the objects around it.
    fn plan_to_add(&mut self, at: &Pointer, value: Value) -> Option<()> {
        let (parent, name) = parent_of(at)?;
        match self.root.at(&parent).map(|laid| &laid.form) {
            Some(Form::Object { .. }) => {
                let same = |one: &&mut Added| one.object == parent && one.name == name;
                match self.added.iter_mut().find(same) {
                    Some(known) => merge(&mut known.value, value),
                    None => self.added.push(Added { object: parent, name, value }),
                }
                Some(())
            }
            Some(_) => None,
            None => self.plan_to_add(&parent, Value::Object(Map::from_iter([(name, value)]))),
        }
    }

    fn add(&mut self, Added { object, name, value }: &Added) -> Option<()> {
        let laid = self.root.at(object)?;
        let Form::Object { is_flow, entries } = &laid.form else { return None };
        let is_first = name == "id";
        let name = Value::String(name.clone());
        let Some((first, last)) = entries.first().zip(entries.last()) else {
            let new = format!("{}: {}", self.flow(&name), self.flow(value));
            self.edit(object, laid.start + 1..laid.start + 1, new);
            return Some(());
        };
        if is_first {
            let end = if *is_flow {
                ", ".to_owned()
            } else {
                format!("\n{}", pad(self.column(first.start)))
            };
            let new = format!("{}: {}{end}", self.flow(&name), self.flow(value));
            self.edit(object, first.start..first.start, new);
            return Some(());
        }
        if *is_flow {
            let new = format!(", {}: {}", self.flow(&name), self.flow(value));
            self.edit(object, last.value.end..last.value.end, new);
            return Some(());
        }
        let (column, end) = (self.column(first.start), self.line_end(last.value.end));
        let name = self.flow(&name);
        let value = self.beside(value, (column, column + name.chars().count() + 1), Rest::Free);
        self.edit(object, end..end, format!("\n{}{name}:{value}", pad(column)));
        Some(())
    }

    fn insert(&mut self, at: &Pointer, before: Option<usize>, value: &Value) -> Option<()> {
        let Form::List { is_flow, elements } = &self.root.at(at)?.form else { return None };
        if *is_flow {
            let (place, new) = match before {
                Some(index) => (elements.get(index)?.end, format!(", {}", self.flow(value))),
                None => (elements.first()?.start, format!("{}, ", self.flow(value))),
            };
            self.edit(at, place..place, new);
            return Some(());
        }
        let dash = self.dash(elements.first()?)?;
        let column = self.column(dash);
        let mut yaml = String::new();
        write_element(&mut yaml, value, column);
        let yaml = yaml.strip_suffix('\n')?;
        let Some(index) = before else {
            self.edit(at, dash..dash, format!("{yaml}\n{}", pad(column)));
            return Some(());
        };
        let end = self.line_end(elements.get(index)?.end);
        self.edit(at, end..end, format!("\n{}{yaml}", pad(column)));
        Some(())
    }

    fn remove(&mut self, at: &Pointer) -> Option<()> {
        let (parent, token) = parent_of(at)?;
        let (is_flow, places, index) = match &self.root.at(&parent)?.form {
            Form::Scalar { .. } => return None,
            Form::List { is_flow, elements } => {
                let start = |one: &Laid| if *is_flow { Some(one.start) } else { self.dash(one) };
                let places = elements.iter().map(|one| Some((start(one)?, one.end)));
                (*is_flow, places.collect::<Option<Vec<_>>>()?, token.parse().ok()?)
            }
            Form::Object { is_flow, entries } => {
                let places = entries.iter().map(|entry| (entry.start, entry.value.end)).collect();
                (*is_flow, places, entries.iter().position(|entry| entry.name == token)?)
            }
        };
        let (start, end) = *places.get(index)?;
        let range = match (is_flow, index.checked_sub(1), places.get(index + 1)) {
            (false, ..) => self.whole_lines(start, end)?,
            (true, Some(before), _) => places[before].1..end,
            (true, None, Some((next, _))) => start..*next,
            (true, None, None) => start..end,
        };
        self.edit(&parent, range, String::new());
        Some(())
    }

    fn edit(&mut self, container: &Pointer, range: Range<usize>, new: String) {
        self.edits.push(Edit { range, new, depth: container.tokens().count() });
    }

    /// The lines from `start` to `end`, if nothing else stands before `start`.
    fn whole_lines(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let line = self.line_start(start);
        let is_alone = self.text[line..start].chars().all(|character| character == ' ');
        let end = self.line_end(end);
        let rest = &self.text[end..];
        let ending = ["\r\n", "\n", "\r"].into_iter().find(|ending| rest.starts_with(ending));
        is_alone.then_some(line..end + ending.map_or(0, str::len))
    }

    /// The dash before an element of a list that is not in brackets.
    fn dash(&self, element: &Laid) -> Option<usize> {
        let before = self.text[..element.start].trim_end();
        before.ends_with('-').then(|| before.len() - 1)
    }

    fn line_start(&self, place: usize) -> usize {
        self.text[..place].rfind(['\n', '\r']).map_or(0, |end| end + 1)
    }

    /// The end of the line, after its comment.
    fn line_end(&self, place: usize) -> usize {
        self.text[place..].find(['\n', '\r']).map_or(self.text.len(), |length| place + length)
    }

    fn column(&self, place: usize) -> usize {
        self.text[self.line_start(place)..place].chars().count()
    }

    fn rest_of_line(&self, place: usize) -> Rest {
        let rest = &self.text[place..self.line_end(place)];
        if rest.trim().is_empty() { Rest::Free } else { Rest::Taken }
    }

    fn finish(mut self) -> Option<(String, Vec<usize>)> {
        self.edits.sort_by_key(|edit| (edit.range.start, Reverse(edit.depth)));
        let mut pairs = self.edits.iter().zip(self.edits.iter().skip(1));
        if pairs.any(|(one, next)| one.range.end > next.range.start) {
            return None;
        }
        let ending = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let (mut text, mut from) = (String::with_capacity(self.text.len()), 0);
        for Edit { range, new, .. } in &self.edits {
            text.push_str(self.text.get(from..range.start)?);
            text.push_str(&new.replace('\n', ending));
            from = range.end;
        }
        text.push_str(self.text.get(from..)?);
        Some((text, self.lost_comments()))
    }

    /// The lines of the comments in what is replaced.
    fn lost_comments(&self) -> Vec<usize> {
        let (mut lines, mut from) = (Vec::new(), 0);
        let after_all = (self.text.len(), self.text.len());
        for (start, end) in self.root.words().into_iter().chain([after_all]) {
            let replaced = self.edits.iter().map(|edit| &edit.range);
            let between = replaced.map(|range| range.start.max(from)..range.end.min(start));
            lines.extend(between.flat_map(|range| self.comments(range)));
            from = end.max(from);
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The lines of the comments in a range without words.
    fn comments(&self, range: Range<usize>) -> Vec<usize> {
        let (start, text) = (range.start, self.text.get(range).unwrap_or_default());
        text.match_indices('#').map(|(at, _)| self.line_number(start + at)).collect()
    }

    fn line_number(&self, place: usize) -> usize {
        1 + self.text[..place].matches('\n').count()
    }
}

fn pad(column: usize) -> String {
    " ".repeat(column)
}

/// The pointer without its last token, and that token.
fn parent_of(at: &Pointer) -> Option<(Pointer, String)> {
    let tokens: Vec<_> = at.tokens().collect();
    let (last, parents) = tokens.split_last()?;
    // An index is written like a name.
    let parent = parents.iter().fold(Pointer::root(), |parent, token| parent.field(token));
    Some((parent, last.clone().into_owned()))
}

/// Both values, where they are objects; else the new one.
fn merge(value: &mut Value, new: Value) {
    match (value, new) {
        (Value::Object(fields), Value::Object(more)) => {
            for (name, value) in more {
                match fields.get_mut(&name) {
                    Some(known) => merge(known, value),
                    None => drop(fields.insert(name, value)),
                }
            }
        }
        (value, new) => *value = new,
    }
}
