//! Conditions on a page's address: the vectors, refused ones included.

use decide::{ConditionTree, Effort, PageUrl, Truth, UrlCondition};
use serde_json::Value;

use crate::vectors::each_vector;

#[test]
fn every_url_condition_vector_is_met() {
    each_vector("url-conditions.json", "vectors", |vector, context| {
        let url = PageUrl::new(vector["url"].as_str().unwrap());

        let is_active = is_always_active(&vector["conditions"])
            || tree(&vector["conditions"])
                .evaluate(&mut |leaf| leaf.truth(&url))
                .is_ok_and(Truth::is_met);

        assert_eq!(is_active, vector["active"], "{context}");
    });
}

/// A leaf as it may be written, the refused ones included.
enum Leaf {
    Url(UrlCondition),
    NoSuchMatch,
    NoSuchType,
}

struct NoSuchType;

impl Leaf {
    fn truth(&self, url: &PageUrl) -> Result<Truth, NoSuchType> {
        match self {
            Self::Url(condition) => Ok(condition.is_met_by(url, &Effort::default()).into()),
            Self::NoSuchMatch => Ok(Truth::No),
            Self::NoSuchType => Err(NoSuchType),
        }
    }
}

fn is_always_active(conditions: &Value) -> bool {
    conditions.is_null() || conditions.as_array().is_some_and(Vec::is_empty)
}

fn tree(conditions: &Value) -> ConditionTree<Leaf> {
    let Some(list) = conditions.as_array() else {
        return ConditionTree::Leaf(leaf(conditions));
    };
    let trees = |operands: &[Value]| operands.iter().map(tree).collect();
    match (list.first().and_then(Value::as_str), list.as_slice()) {
        (Some("and"), [_, operands @ ..]) => ConditionTree::And(trees(operands)),
        (Some("not"), [_, operand]) => ConditionTree::Not(Box::new(tree(operand))),
        // Any other number of operands is refused, and never met.
        (Some("not"), _) => ConditionTree::Or(Vec::new()),
        (Some("or"), [_, operands @ ..]) | (_, operands) => ConditionTree::Or(trees(operands)),
    }
}

fn leaf(condition: &Value) -> Leaf {
    if condition["type"] != "url" {
        return Leaf::NoSuchType;
    }
    let value = condition["value"].as_str().unwrap();
    match condition["match"].as_str() {
        Some("simple") => Leaf::Url(UrlCondition::simple(value)),
        Some("exact") => Leaf::Url(UrlCondition::exact(value)),
        Some("substring") => Leaf::Url(UrlCondition::substring(value)),
        Some("regex") => UrlCondition::regex(value).map_or(Leaf::NoSuchMatch, Leaf::Url),
        _ => Leaf::NoSuchMatch,
    }
}
