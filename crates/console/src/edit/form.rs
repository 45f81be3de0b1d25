//! What the templates of editors ask for: the fields of the form, each with its value, its faults and the focus.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use domain::Fault;
use serde_json::Value;

use crate::edit::blamed::at_field;
use crate::edit::field::{Choice, Control, Field, PartErrors, Text};
use crate::edit::shape::{Shape, Shapes, shape_of};
use crate::edit::trial::Trial;
use crate::fields::Fields;
use crate::folded::Folded;
use crate::words::fault_with_hint;

/// Lines of an area at first, and at most; its member can make it larger.
const AREA_LINES: (usize, usize) = (3, 16);

/// The same where nothing can be typed: a member without a mouse cannot scroll such an area.
const READ_LINES: (usize, usize) = (1, 1_000);

/// A form that is being shown.
pub(crate) struct Form<'a> {
    /// The resource as the form shows it.
    pub(crate) value: &'a Value,
    /// What was sent, if the form was: fields that are no part of the resource.
    sent: Option<&'a Fields>,
    /// What came of trying its conditions, if the member did.
    pub(crate) trial: Option<&'a Trial>,
    shapes: Shapes,
    faults: Vec<Fault>,
    /// The element where the member goes on.
    focus: Option<&'a str>,
    only_reads: bool,
    is_focused: Cell<bool>,
    /// The labels of the fields and parts shown so far, by their pointers.
    shown: RefCell<BTreeMap<String, String>>,
}

/// A fault in the summary of a form.
pub(crate) struct SummaryLine {
    /// The field or part it is about.
    pub(crate) target: Option<String>,
    pub(crate) label: String,
    pub(crate) words: String,
}

impl<'a> Form<'a> {
    pub(crate) fn new(
        value: &'a Value,
        shapes: Shapes,
        (sent, trial): (Option<&'a Fields>, Option<&'a Trial>),
        (faults, focus): (&'a [Fault], Option<&'a str>),
    ) -> Self {
        let (is_focused, shown) = (Cell::new(false), RefCell::default());
        let faults = faults.iter().map(|fault| at_field(fault, value, shapes)).collect();
        Self { value, sent, trial, shapes, faults, focus, only_reads: false, is_focused, shown }
    }

    /// The same form for a member who may not change anything, if there is a reason why not.
    pub(crate) fn only_reads(self, reason: Option<&str>) -> Self {
        Self { only_reads: reason.is_some(), ..self }
    }

    /// Whether a field has the focus, of those that were shown so far.
    pub(crate) fn has_focus(&self) -> bool {
        self.is_focused.get()
    }

    /// The value at a pointer; null if there is none.
    pub(crate) fn at(&self, pointer: &str) -> &'a Value {
        self.value.pointer(pointer).unwrap_or(&Value::Null)
    }

    /// The text at a pointer; empty if there is none.
    pub(crate) fn text(&self, pointer: &str) -> &'a str {
        self.at(pointer).as_str().unwrap_or_default()
    }

    /// What was typed into a field that is no part of the resource.
    pub(crate) fn typed(&self, name: &str) -> &'a str {
        self.sent.map_or("", |sent| sent.get(name))
    }

    /// The pointers of a list's elements.
    pub(crate) fn elements(&self, list: &str) -> Vec<String> {
        let count = self.at(list).as_array().map_or(0, Vec::len);
        (0..count).map(|index| format!("{list}/{index}")).collect()
    }

    /// A field to type in, or a box to check.
    pub(crate) fn field(&self, at: &str, label: &str, hint: &'static str) -> Field {
        let shape = self.shape(at);
        let control = match shape {
            Shape::Line | Shape::Minute | Shape::Choices => Control::Line("text"),
            Shape::Number | Shape::Percent => Control::Line("decimal"),
            Shape::YesNo => Control::Box,
            Shape::Text | Shape::Trimmed | Shape::Lines => {
                let (least, most) = if self.only_reads { READ_LINES } else { AREA_LINES };
                Control::Area(shape.shown(self.at(at)).lines().count().clamp(least, most))
            }
        };
        self.with_control(at, (label, hint), control)
    }

    /// A line to type in, where several are possible but unusual.
    pub(crate) fn line(&self, at: &str, label: &str, hint: &'static str) -> Field {
        if self.text(at).contains(['\r', '\n']) {
            return self.field(at, label, hint);
        }
        self.with_control(at, (label, hint), Control::Line("text"))
    }

    /// A field with these values: one of them, or, for a list, any.
    pub(crate) fn choice(
        &self,
        at: &str,
        label: &str,
        hint: &'static str,
        choices: Vec<Choice>,
    ) -> Field {
        let shape = self.shape(at);
        let (shown, is_one) = (shape.shown(self.at(at)), shape != Shape::Choices);
        let values = if is_one { [shown.as_str()].into() } else { shown.lines().collect() };
        let choices = Choice::chosen(choices, values);
        let control = if is_one {
            Control::Select(choices)
        } else {
            Control::Boxes(Folded::of(choices, |choice| choice.is_chosen))
        };
        self.with_control(at, (label, hint), control)
    }

    /// What is wrong with a part that has this pointer as its id: the part itself, not the fields in it.
    pub(crate) fn wrong(&self, at: &str, label: &str) -> PartErrors {
        self.shown.borrow_mut().insert(at.to_owned(), label.to_owned());
        let faults = self.faults.iter().filter(|fault| fault.pointer.as_str() == at);
        PartErrors { errors: faults.map(fault_with_hint).collect() }
    }

    /// Every fault, with the field or part it is about. For after all of these are shown.
    pub(crate) fn summary(&self) -> Vec<SummaryLine> {
        let shown = self.shown.borrow();
        let lines = self.faults.iter().map(|fault| {
            let pointer = fault.pointer.as_str();
            let about = shown
                .iter()
                .filter(|(at, _)| is_within(pointer, at))
                .max_by_key(|(at, _)| at.len());
            let label = about.map(|(at, label)| self.whole_label(&shown, at, label));
            let label = label.unwrap_or_default();
            SummaryLine {
                target: about.map(|(at, _)| at.clone()),
                label,
                words: fault_with_hint(fault),
            }
        });
        lines.collect()
    }

    /// A label with the parts around it, as far as they have others beside them: `Variation 2 (Blue), Name`.
    fn whole_label(&self, shown: &BTreeMap<String, String>, at: &str, label: &str) -> String {
        let around = at.match_indices('/').map(|(end, _)| &at[..end]).filter_map(|part| {
            let words = shown.get(part).map_or("Entry", String::as_str);
            Some(format!("{words} {}", self.place(part)?))
        });
        let own = match self.place(at) {
            Some(place) => format!("{label} {place}"),
            None => label.to_owned(),
        };
        around.chain([own]).collect::<Vec<_>>().join(", ")
    }

    /// Which of several elements of a list is at a pointer, counted from 1, and its name; `None` for what is no element or the only one.
    fn place(&self, at: &str) -> Option<String> {
        let (list, index) = at.rsplit_once('/')?;
        let (elements, index) = (self.at(list).as_array()?, index.parse::<usize>().ok()?);
        // A list of conditions begins with its operator.
        let operators = elements.iter().take_while(|element| element.is_string()).count();
        let is_only = elements.len() <= operators + 1;
        let number = (index + 1).checked_sub(operators).filter(|_| !is_only)?;
        // The name of a change is that of a property or an attribute.
        let name = if list.ends_with("/changes") { "" } else { self.text(&format!("{at}/name")) };
        Some(if name.is_empty() { number.to_string() } else { format!("{number} ({name})") })
    }

    fn with_control(
        &self,
        at: &str,
        (label, hint): (&str, &'static str),
        control: Control,
    ) -> Field {
        self.shown.borrow_mut().insert(at.to_owned(), label.to_owned());
        let faults: Vec<_> =
            self.faults.iter().filter(|fault| is_within(fault.pointer.as_str(), at)).collect();
        let wrong_lines = faults.iter().filter_map(|fault| fault.inside).map(|inside| inside.line);
        let is_next = self.focus.is_some_and(|focus| is_within(at, focus));
        Field {
            at: at.to_owned(),
            label: label.to_owned(),
            hint,
            value: self.shape(at).shown(self.at(at)),
            control,
            wrong_lines: wrong_lines.collect(),
            text: Text::Words,
            errors: faults.into_iter().map(fault_with_hint).collect(),
            has_focus: is_next && !self.is_focused.replace(true),
        }
    }

    fn shape(&self, at: &str) -> Shape {
        shape_of(self.shapes, at).unwrap_or(Shape::Line)
    }
}

/// Whether a pointer leads to a part or into it.
fn is_within(pointer: &str, part: &str) -> bool {
    pointer.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use domain::{Fault, Pointer};
    use serde_json::{Value, json};

    use super::Form;
    use crate::edit::shape::{Shape, Shapes};

    const SHAPES: Shapes =
        &[("/list/*/name", Shape::Line), ("/list/*/changes/*/name", Shape::Line)];

    /// The labels of the summary, for a fault in the name of each element and in that of its change.
    fn labels(value: &Value) -> Vec<String> {
        let list = Pointer::root().field("list");
        let count = value["list"].as_array().map_or(0, Vec::len);
        let fault = |pointer: Pointer| Fault::error("bad", pointer, "wrong");
        let mut faults: Vec<_> =
            (0..count).map(|at| fault(list.element(at).field("name"))).collect();
        faults.push(fault(list.element(0)));
        faults.push(fault(list.element(0).field("changes").element(1).field("name")));
        let form = Form::new(value, SHAPES, (None, None), (&faults, None));
        for at in form.elements("/list") {
            form.wrong(&at, "Variation");
            form.field(&format!("{at}/name"), "Name", "");
            for change in form.elements(&format!("{at}/changes")) {
                form.wrong(&change, "Change");
                form.field(&format!("{change}/name"), "Property", "");
            }
        }
        form.summary().into_iter().map(|line| line.label).collect()
    }

    #[test]
    fn each_line_of_the_summary_says_which_part_it_is_about() {
        let changes = json!([{"name": "color"}, {"name": "width"}]);
        let several =
            json!({"list": [{"name": null, "changes": changes}, {"name": "Blue"}, {"name": null}]});
        let only = json!({"list": [{"name": "Blue", "changes": changes}]});

        assert_eq!(
            labels(&several),
            [
                "Variation 1, Name",
                "Variation 2 (Blue), Name",
                "Variation 3, Name",
                "Variation 1",
                "Variation 1, Change 2, Property",
            ]
        );
        assert_eq!(labels(&only), ["Name", "Variation", "Change 2, Property"]);
    }
}
