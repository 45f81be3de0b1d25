//! The nodes of a tree, each with its fields and buttons. A template shows a node with the nodes in it.

use std::fmt;

use askama::Template;
use askama::filters::HtmlSafe;
use domain::Project;
use domain::limits::MAX_TREE_DEPTH;

use crate::choices;
use crate::conditions::kinds::{Answer, Kind, Subject, kind_of};
use crate::edit::Form;
use crate::edit::field::{Choice, Field, PartErrors};

/// A group of conditions, or one condition.
pub(crate) enum Node {
    Group(Box<Group>),
    Leaf(Leaf),
}

/// Conditions of which all hold, or one.
#[derive(Template)]
#[template(path = "conditions/group.html")]
pub(crate) struct Group {
    position: NodePosition,
    claim: &'static str,
    operator: Field,
    wrong: PartErrors,
    nodes: Vec<Node>,
    kinds: Vec<&'static Kind>,
    only_kind: Option<&'static str>,
    can_nest: bool,
}

/// One condition.
#[derive(Template)]
#[template(path = "conditions/leaf.html")]
pub(crate) struct Leaf {
    position: NodePosition,
    title: &'static str,
    wrong: PartErrors,
    fields: Vec<Field>,
}

/// Where a node stands.
struct NodePosition {
    /// Its pointer.
    at: String,
    /// That of the `not` around it, if there is one.
    outer: String,
    is_negated: bool,
    /// Its number among its neighbours, for people; none for the whole tree.
    number: Option<usize>,
}

/// The templates escape what they show.
impl HtmlSafe for Node {}

impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(group) => group.fmt(formatter),
            Self::Leaf(leaf) => leaf.fmt(formatter),
        }
    }
}

/// The whole tree at a place of a form.
pub(crate) fn root(form: &Form<'_>, project: &Project, at: &str, subject: Subject) -> Node {
    let at = at.to_owned();
    let position = NodePosition { outer: at.clone(), at, is_negated: false, number: None };
    Builder { form, project, subject }.node(position, 1)
}

struct Builder<'b> {
    form: &'b Form<'b>,
    project: &'b Project,
    subject: Subject,
}

impl Builder<'_> {
    /// The node at a position inside so many lists. A tree that is too deep is refused before it is stored, so this ends.
    fn node(&self, position: NodePosition, depth: usize) -> Node {
        if self.form.at(&position.at).is_array() && depth <= MAX_TREE_DEPTH {
            return Node::Group(Box::new(self.group(position, depth)));
        }
        Node::Leaf(self.leaf(position))
    }

    fn group(&self, position: NodePosition, depth: usize) -> Group {
        let operands = self.form.elements(&position.at).into_iter().skip(1);
        let nodes = operands.enumerate().map(|(index, outer)| {
            let is_negated = self.form.at(&format!("{outer}/0")) == "not";
            let at = if is_negated { format!("{outer}/1") } else { outer.clone() };
            let depth = depth + 1 + usize::from(is_negated);
            self.node(NodePosition { at, outer, is_negated, number: Some(index + 1) }, depth)
        });
        let operators =
            choices::words(&[("and", "All of these hold"), ("or", "At least one of these holds")]);
        Group {
            claim: if position.number.is_none() { self.subject.claim() } else { "Group" },
            operator: self.form.choice(&format!("{}/0", position.at), "Together", "", operators),
            wrong: self.form.wrong(&position.at, "Conditions"),
            nodes: nodes.collect(),
            kinds: self.subject.kinds().collect(),
            only_kind: self.subject.only_kind(),
            can_nest: depth < MAX_TREE_DEPTH,
            position,
        }
    }

    fn leaf(&self, position: NodePosition) -> Leaf {
        let at = &position.at;
        let is_membership = self.form.at(&format!("{at}/audience")) != &serde_json::Value::Null
            || self.form.at(&format!("{at}/type")).is_null();
        let word = if is_membership { "audience" } else { self.form.text(&format!("{at}/type")) };
        let kind = kind_of(word);
        let title = kind.map_or("Unknown condition", |kind| kind.title);
        let wrong = self.form.wrong(at, title);
        let fields = kind.map(|kind| self.fields(at, kind)).unwrap_or_default();
        Leaf { position, title, wrong, fields }
    }

    fn fields(&self, at: &str, kind: &Kind) -> Vec<Field> {
        let form = self.form;
        let name = kind.name.map(|label| match kind.word {
            "custom_attribute" => {
                let attributes = choices::attributes(self.project);
                form.choice(&format!("{at}/name"), label, "", attributes)
            }
            _ => form.field(&format!("{at}/name"), label, ""),
        });
        let compared = (!kind.matches.is_empty())
            .then(|| form.choice(&format!("{at}/match"), "Comparison", "", kind.match_choices()));
        name.into_iter().chain(compared).chain(self.values(at, kind)).collect()
    }

    fn values(&self, at: &str, kind: &Kind) -> Vec<Field> {
        let (form, value) = (self.form, format!("{at}/value"));
        match kind.value {
            Answer::Nothing => Vec::new(),
            Answer::Text => vec![form.line(&value, "Value", kind.hint)],
            Answer::Code => vec![form.field(&value, "Code", kind.hint).javascript()],
            Answer::Choice(words) => {
                vec![form.choice(&value, "Value", kind.hint, choices::words(words))]
            }
            Answer::Audience => {
                let audiences = choices::audiences(self.project);
                vec![form.choice(&format!("{at}/audience"), "Audience", kind.hint, audiences)]
            }
            Answer::Behavior => self.behavior(&value),
        }
    }

    fn behavior(&self, at: &str) -> Vec<Field> {
        let form = self.form;
        let events = self.project.events.iter().filter(|event| !event.archived).map(|event| {
            let key = event.key.to_string();
            Choice::new(key.clone(), event.name.clone().unwrap_or(key))
        });
        let events = std::iter::once(Choice::new("", "No event")).chain(events).collect();
        let pages = choices::pages(self.project, "No page");
        vec![
            form.choice(
                &format!("{at}/event"),
                "Event",
                "An event, or the view of a page.",
                events,
            ),
            form.choice(&format!("{at}/page"), "Page", "", pages),
            form.field(&format!("{at}/at_least"), "Times at least", ""),
            form.field(&format!("{at}/at_most"), "Times at most", "Empty is without a limit."),
            form.field(
                &format!("{at}/within_days"),
                "Days that count",
                "Including today: 1 to 365.",
            ),
        ]
    }
}
