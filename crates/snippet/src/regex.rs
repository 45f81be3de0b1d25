//! Checks that a condition's regular expression is one the browser can run.

use domain::Pointer;
use oxc::allocator::Allocator;
use oxc::regular_expression::{LiteralParser, Options};

use crate::fault::{CodeFault, fault};

/// What is wrong with `pattern` as a JavaScript regular expression without flags; `None` if nothing is.
pub(crate) fn check(pointer: &Pointer, pattern: &str) -> Option<CodeFault> {
    let allocator = Allocator::default();
    let parsed = LiteralParser::new(&allocator, pattern, None, Options::default()).parse();
    parsed.err().map(|diagnostic| fault(pointer, pattern, &diagnostic))
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
    fn broken_pattern_is_a_fault_with_a_place() {
        let fault = check(&Pointer::root(), "/shop/(").unwrap();

        assert!(fault.message.contains("Unterminated"), "{}", fault.message);
        assert_eq!((fault.line, fault.column), (1, 7));
    }
}
