//! Decodes trees of conditions.
//!
//! Decodes each subtree twice: into its meaning, and into its written form, in which code replaces file names and keys replace ids.
//! `condition_rules.rs` says which fields a condition may have.

use serde_json::{Value, json};

use super::behavior::behavior;
use super::code_text::returning;
use super::condition_references::write_key;
use super::condition_rules::{check_match, check_name};
use super::fields::{Fields, all};
use super::mistaken::warn_if_mistaken;
use super::names::reference;
use super::never_holds::warn_if_it_never_holds;
use super::operators::{Operation, operation};
use super::reader::{At, Decoded, Reader};
use super::scalars::{line, one_of, word};
use crate::limits::{MAX_LINE_LENGTH, MAX_TREE_LEAVES};
use crate::{Condition, ConditionKind, ConditionTree, Conditions};

/// What the conditions belong to, which decides what they may ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Page,
    Audience,
}

impl Subject {
    /// Whether its conditions may be of this kind.
    pub(super) fn may_ask_about(self, kind: ConditionKind) -> bool {
        match self {
            Self::Page => matches!(kind, ConditionKind::Url | ConditionKind::CustomCode),
            Self::Audience => kind != ConditionKind::Url,
        }
    }
}

/// Decodes the conditions of a page or an audience.
pub(super) fn conditions(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    subject: Subject,
) -> Decoded<Conditions> {
    if at.elements().is_some_and(|elements| elements.len() == 0) {
        return Ok(Conditions::default());
    }
    let conditions = subtree(reader, at, Level { subject, depth: 0 })?;
    let leaves = conditions.tree.leaves().len();
    if leaves > MAX_TREE_LEAVES {
        let fault = at.error("too_many_conditions", format!("there are {leaves} conditions"));
        return reader.refuse(at, fault.expected(format!("{MAX_TREE_LEAVES} at most")));
    }
    Ok(conditions)
}

/// Where in a tree the decoder is.
#[derive(Clone, Copy)]
struct Level {
    subject: Subject,
    depth: usize,
}

fn subtree(reader: &mut Reader<'_>, at: &At<'_>, level: Level) -> Decoded<Conditions> {
    if let Some(elements) = at.elements() {
        return list(reader, at, elements, Level { depth: level.depth + 1, ..level });
    }
    if at.node.is_object() {
        return condition(reader, at, level.subject);
    }
    match at.node.text() {
        Some(given) => refuse_operator(reader, at, given),
        None => reader.refuse_sort(at, "a condition, or a list of conditions"),
    }
}

fn refuse_operator<T>(reader: &mut Reader<'_>, at: &At<'_>, given: &str) -> Decoded<T> {
    let fault = at
        .error("unknown_operator", format!("`{given}` stands where a condition belongs"))
        .expected("a condition, or `and`, `or` or `not` at the start of the list");
    let fault = reader.did_you_mean(fault, given, ["and", "or", "not"]);
    reader.refuse(at, fault)
}

fn list<'n>(
    reader: &mut Reader<'_>,
    at: &At<'n>,
    elements: impl ExactSizeIterator<Item = At<'n>>,
    level: Level,
) -> Decoded<Conditions> {
    let (operator, operands, join): (_, _, fn(Vec<ConditionTree>) -> ConditionTree) =
        match operation(reader, at, elements, level.depth)? {
            Operation::And(operands) => (Some("and"), operands, ConditionTree::And),
            Operation::Or(operands) => (Some("or"), operands, ConditionTree::Or),
            Operation::Implied(operands) => (None, operands, ConditionTree::Or),
            Operation::Not(operand) => return negation(reader, &operand, level),
        };
    let decoded: Vec<Conditions> = all(operands.iter().map(|at| subtree(reader, at, level)))?;
    let (written, trees): (Vec<Value>, Vec<ConditionTree>) =
        decoded.into_iter().map(|operand| (operand.written, operand.tree)).unzip();
    let operator = operator.map(Value::from);
    Ok(Conditions { written: operator.into_iter().chain(written).collect(), tree: join(trees) })
}

fn negation(reader: &mut Reader<'_>, operand: &At<'_>, level: Level) -> Decoded<Conditions> {
    let Conditions { written, tree } = subtree(reader, operand, level)?;
    Ok(Conditions { written: json!(["not", written]), tree: ConditionTree::Not(Box::new(tree)) })
}

fn condition(reader: &mut Reader<'_>, at: &At<'_>, subject: Subject) -> Decoded<Conditions> {
    let mut condition = match at.field("audience") {
        Some(_) if subject == Subject::Audience => membership(reader, at)?,
        _ => question(reader, at, subject)?,
    };
    let mut written = at.node.to_value();
    if let Some((place, code)) = written.get_mut("value").zip(condition.code.as_ref()) {
        *place = Value::from(code.as_str());
    }
    write_key(reader, &mut written, &mut condition);
    Ok(Conditions { written, tree: ConditionTree::Leaf(condition) })
}

/// `{audience: key}`.
fn membership(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Condition> {
    let mut fields = Fields::of(reader, at)?;
    let id = fields.required("audience", |reader, at| {
        reference(reader, at, "audience", |reader| &reader.audiences)
    });
    fields.finish();
    let kind = ConditionKind::Audience(id?);
    Ok(Condition { kind, name: None, match_kind: None, value: None, code: None, behavior: None })
}

/// `{type: …, name: …, match: …, value: …}`.
fn question(reader: &mut Reader<'_>, at: &At<'_>, subject: Subject) -> Decoded<Condition> {
    let mut fields = Fields::of(reader, at)?;
    let kind = fields.required("type", |reader, at| kind(reader, at, subject))?;
    let name = fields.optional("name", line);
    let match_kind = fields.optional("match", word);
    let (value, code, behavior) = if kind == ConditionKind::CustomCode {
        let code = fields
            .required("value", |reader, at| returning(reader, at, "the condition never holds"));
        (Ok(None), code.map(Some), Ok(None))
    } else if kind == ConditionKind::Behavior {
        (Ok(None), Ok(None), fields.required("value", behavior).map(Some))
    } else {
        (fields.optional("value", value), Ok(None), Ok(None))
    };
    fields.finish();
    let condition = Condition {
        kind,
        name: name?,
        match_kind: match_kind?,
        value: value?,
        code: code?,
        behavior: behavior?,
    };
    check_name(reader, at, &condition)?;
    check_match(reader, at, &condition)?;
    if !warn_if_it_never_holds(reader, at, &condition) {
        warn_if_mistaken(reader, at, &condition);
    }
    warn_of_opposite(reader, at, &condition);
    Ok(condition)
}

/// `first_session` takes no value, whatever people write; they mean the opposite by `false`.
fn warn_of_opposite(reader: &mut Reader<'_>, at: &At<'_>, condition: &Condition) {
    let denies = |value: &Value| match value {
        Value::Bool(holds) => !holds,
        Value::String(text) => ["false", "no", "0"].contains(&text.trim().to_lowercase().as_str()),
        Value::Number(number) => number.as_u64() == Some(0),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    if condition.kind == ConditionKind::FirstSession && condition.value.as_ref().is_some_and(denies)
    {
        let at = at.field_or_self("value");
        let message = "the value is ignored: this holds in the visitor's first session";
        let hint = "for later sessions, put the condition into a `not`";
        reader.report(&at, at.warning("ignored_value", message).hint(hint));
    }
}

/// Any value; values with which the condition never holds get a warning.
fn value(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Value> {
    let length = at.node.text().map_or(0, |text| text.chars().count());
    if length > MAX_LINE_LENGTH {
        let fault = at.error("bad_length", format!("the text has {length} characters"));
        return reader.refuse(at, fault.expected(format!("{MAX_LINE_LENGTH} at most")));
    }
    Ok(at.node.to_value())
}

fn kind(reader: &mut Reader<'_>, at: &At<'_>, subject: Subject) -> Decoded<ConditionKind> {
    one_of(
        reader,
        at,
        ConditionKind::WRITTEN.into_iter().filter(|(_, kind)| subject.may_ask_about(*kind)),
    )
}
