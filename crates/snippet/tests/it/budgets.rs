//! The bytes a visitor pays. Exact, so they may fail the build.

use crate::project::{EMPTY, ab_test, compile};

/// Budgets in bytes of brotli.
const EMPTY_PROJECT_MAX: usize = 2_000;
const TEXT_TEST_MAX: usize = 4_000;

#[test]
fn empty_project_is_within_its_budget() {
    let bytes = compile(EMPTY).brotli().len();

    assert!(bytes <= EMPTY_PROJECT_MAX, "{bytes} bytes {}", compile(EMPTY).javascript);
}

#[test]
fn text_test_is_within_its_budget() {
    let bytes =
        compile(&ab_test("[{type: text, selector: h1, value: Ship faster}]")).brotli().len();

    assert!(bytes <= TEXT_TEST_MAX, "{bytes} bytes");
}
