//! Trees of conditions: three-valued logic, and what is not asked.

use decide::ConditionTree::{self, And, Leaf, Not, Or};
use decide::Truth::{self, No, Unknown, Yes};

#[test]
fn and_is_only_as_sure_as_its_operands() {
    let answers = [
        (vec![], Yes),
        (vec![Yes, Yes], Yes),
        (vec![Yes, Unknown], Unknown),
        (vec![Unknown, No], No),
        (vec![No, Yes], No),
    ];
    for (operands, answer) in answers {
        assert_eq!(truth(&And(leaves(&operands))), answer, "and of {operands:?}");
    }
}

#[test]
fn or_is_met_by_one_operand() {
    let answers = [
        (vec![], No),
        (vec![No, No], No),
        (vec![No, Unknown], Unknown),
        (vec![Unknown, Yes], Yes),
        (vec![Yes, No], Yes),
    ];
    for (operands, answer) in answers {
        assert_eq!(truth(&Or(leaves(&operands))), answer, "or of {operands:?}");
    }
}

#[test]
fn not_of_unknown_is_unknown() {
    for (operand, answer) in [(Yes, No), (No, Yes), (Unknown, Unknown)] {
        assert_eq!(truth(&Not(Box::new(Leaf(operand)))), answer, "not of {operand:?}");
    }
    assert!(!Unknown.is_met());
}

#[test]
fn operands_behind_a_settled_answer_are_not_asked() {
    let broken = || Leaf(Err("broken"));
    let evaluate =
        |tree: ConditionTree<Result<Truth, &'static str>>| tree.evaluate(&mut |leaf| *leaf);

    assert_eq!(evaluate(And(vec![Leaf(Ok(No)), broken()])), Ok(No));
    assert_eq!(evaluate(Or(vec![Leaf(Ok(Yes)), broken()])), Ok(Yes));
    assert_eq!(evaluate(Or(vec![Leaf(Ok(Unknown)), broken()])), Err("broken"));
    assert_eq!(evaluate(Not(Box::new(broken()))), Err("broken"));
}

fn leaves(truths: &[Truth]) -> Vec<ConditionTree<Truth>> {
    truths.iter().copied().map(Leaf).collect()
}

fn truth(tree: &ConditionTree<Truth>) -> Truth {
    let Ok(truth) = tree.evaluate::<std::convert::Infallible>(&mut |leaf| Ok(*leaf));
    truth
}
