//! Spans of traces: what a request waits for in the store. `server` sends them to a collector (docs/monitoring.md); the log leaves them out.

use std::any::type_name_of_val;

use tracing::field::Empty;
use tracing::{Instrument as _, Span, info_span};

use crate::StorageError;

/// The target of spans that are parts of traces.
pub const TRACED: &str = "assay::traced";

/// What the compiler calls a closure, after the path of the function that it is in.
const CLOSURE: &str = "::{{closure}}";

/// The span of what `SQLite` does at once, named after the operation that asks for it.
pub(crate) fn of_sqlite(work: &impl Sized) -> Span {
    info_span!(
        target: TRACED,
        "storage",
        otel.name = operation_of(type_name_of_val(work)),
        otel.status_code = Empty,
        db.system.name = "sqlite",
        error.type = Empty,
    )
}

/// The span of a round trip to PostgreSQL, named after the statement. Neither its text nor its values are told.
pub(crate) fn of_postgres(name: impl FnOnce() -> &'static str) -> Span {
    info_span!(
        target: TRACED,
        "storage",
        otel.name = name(),
        otel.kind = "client",
        otel.status_code = Empty,
        db.system.name = "postgresql",
        error.type = Empty,
    )
}

/// The span of an operation's wait for a connection to PostgreSQL, or for the server to take one.
pub(crate) fn of_wait_for_connection() -> Span {
    info_span!(
        target: TRACED,
        "storage",
        otel.name = "wait_for_connection",
        otel.status_code = Empty,
        db.system.name = "postgresql",
        error.type = Empty,
    )
}

/// Does this within its span, which then tells of a failure.
pub(crate) async fn within<T>(
    span: Span,
    work: impl Future<Output = Result<T, StorageError>>,
) -> Result<T, StorageError> {
    let done = work.instrument(span.clone()).await;
    if let Some(kind) = done.as_ref().err().and_then(StorageError::failure) {
        span.record("otel.status_code", "ERROR").record("error.type", kind);
    }
    done
}

/// The operation that a function or closure is part of: `lookup_member`, or with its module `signing_key::find`, by the path that the
/// compiler gives it. Nothing but the words in a trace depends on that.
fn operation_of(path: &str) -> &str {
    let path = path.split_once(CLOSURE).map_or(path, |(function, _)| function);
    let path = without_parameters(path);
    let Some((parents, function)) = path.rsplit_once("::") else { return path };
    let module = parents.rsplit_once("::").map_or(parents, |(_, last)| last);
    let is_module =
        module.starts_with(|first: char| first.is_ascii_lowercase()) && !module.ends_with('>');
    if is_module { &path[path.len() - module.len() - 2 - function.len()..] } else { function }
}

/// The path of a generic function without what stands for its parameters: `Store::find<'_>` is `Store::find`.
fn without_parameters(path: &str) -> &str {
    let mut depth = 0;
    for (place, character) in path.char_indices().rev() {
        match character {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if character == '<' { &path[..place] } else { path };
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use std::any::type_name_of_val;

    use super::operation_of;

    struct Store;

    trait Operations {
        fn lookup(&self) -> &'static str;
    }

    impl Operations for Store {
        fn lookup(&self) -> &'static str {
            type_name_of_val(&|| ())
        }
    }

    impl Store {
        fn find() -> &'static str {
            type_name_of_val(&|| || ())
        }
    }

    #[test]
    fn an_operation_is_named_as_in_the_code() {
        assert_eq!(operation_of(Store.lookup()), "lookup");
        assert_eq!(operation_of(Store::find()), "find");
        assert_eq!(operation_of(type_name_of_val(&operation_of)), "traced::operation_of");
        assert_eq!(
            operation_of("<a::B as c::D>::exchange<'_, e::F<g::H>>::{{closure}}"),
            "exchange"
        );
        assert_eq!(operation_of("anything"), "anything");
    }
}
