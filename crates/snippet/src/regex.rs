//! Checks that the browser can run a regular expression, in a time that visitors do not notice.

use decide::PatternFault;
use domain::Pointer;
use oxc::allocator::Allocator;
use oxc::regular_expression::{LiteralParser, Options};

use crate::fault::{CodeFault, fault};

/// What is wrong with `pattern` as a JavaScript regular expression without flags; `None` if nothing is.
pub(crate) fn check(pointer: &Pointer, pattern: &str) -> Option<CodeFault> {
    let allocator = Allocator::default();
    let parsed = LiteralParser::new(&allocator, pattern, None, Options::default()).parse();
    if let Err(diagnostic) = parsed {
        return Some(fault(pointer, pattern, 0, &diagnostic));
    }
    let slow = decide::Pattern::new(pattern).err()?;
    Some(CodeFault {
        pointer: pointer.clone(),
        line: 1,
        column: 1,
        message: slow.to_string(),
        hint: Some(cure(&slow).to_owned()),
    })
}

fn cure(fault: &PatternFault) -> &'static str {
    match fault {
        PatternFault::Unsupported(_) | PatternFault::Malformed(_) => {
            "use several conditions, or a `custom_code` condition"
        }
        PatternFault::Doubling(_) => {
            "let each text be taken in one way only, such as `(\\w+\\.)+` for `(\\w+\\.?)+`"
        }
        PatternFault::TooSlow => {
            "say what may not be repeated, such as `[^/]*` for `.*`, or begin with `^`"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_without_faults_passes() {
        for pattern in ["^https?://shop\\.test/(a|b)+$", "", "[/]", "\\d{2,3}"] {
            assert_eq!(check(&Pointer::root(), pattern), None, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_may_run_too_long_is_a_fault() {
        for pattern in ["(a+)+$", ".*.*x", "a(?=b)", r"(a)\1"] {
            let fault = check(&Pointer::root(), pattern).unwrap();

            assert!(fault.hint.is_some(), "{pattern}: {}", fault.message);
        }
    }

    #[test]
    fn broken_pattern_is_a_fault_with_a_place() {
        let fault = check(&Pointer::root(), "/shop/(").unwrap();

        assert!(fault.message.contains("Unterminated"), "{}", fault.message);
        assert_eq!((fault.line, fault.column), (1, 7));
    }
}
