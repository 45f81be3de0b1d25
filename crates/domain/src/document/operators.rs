//! Logical operators: `["and", …]`, `["or", …]`, `["not", …]`, and lists without an operator, which
//! are an `or`.
//!
//! Trees of conditions and trees of audiences are written the same way.

use super::reader::{At, Decoded, Reader};
use crate::limits::MAX_TREE_DEPTH;

/// A list's operator, with its operands.
pub(super) enum Operation<'n> {
    And(Vec<At<'n>>),
    Or(Vec<At<'n>>),
    /// The list has no operator, which means `or`.
    Implied(Vec<At<'n>>),
    Not(At<'n>),
}

/// The operation of the list of `elements`, `depth` lists deep.
pub(super) fn operation<'n>(
    reader: &mut Reader<'_>,
    at: &At<'n>,
    elements: impl ExactSizeIterator<Item = At<'n>>,
    depth: usize,
) -> Decoded<Operation<'n>> {
    if depth > MAX_TREE_DEPTH {
        let fault = at.error("tree_too_deep", "too many lists inside each other");
        return reader.refuse(at, fault.expected(format!("{MAX_TREE_DEPTH} at most")));
    }
    let elements: Vec<At<'n>> = elements.collect();
    let operator = elements.first().and_then(|first| first.node.text());
    let operands = |elements: Vec<At<'n>>| elements.into_iter().skip(1);
    match operator {
        Some("and") => Ok(Operation::And(operands(elements).collect())),
        Some("or") => {
            if elements.len() == 1 && !reader.is_idle {
                let message = "`or` without anything after it never holds";
                reader.report(at, at.warning("empty_or", message).hint("say of what one holds"));
            }
            Ok(Operation::Or(operands(elements).collect()))
        }
        Some("not") => match <[At<'n>; 2]>::try_from(elements) {
            Ok([_, operand]) => Ok(Operation::Not(operand)),
            Err(elements) => {
                let message = format!("`not` has {} operands", elements.len() - 1);
                reader.refuse(at, at.error("not_takes_one", message).expected("exactly one"))
            }
        },
        _ => Ok(Operation::Implied(elements)),
    }
}
