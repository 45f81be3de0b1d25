//! The member's JavaScript: functions in Optimizely, function bodies in Assay.

/// What a piece of code is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its value counts: conditions, polling, destinations.
    Value,
    /// It is given `activate`.
    Activation,
}

/// A function body that does what `code` does, in the way that comes after the ways that were
/// refused. There, code is a function or an expression; sometimes it is a function body already.
pub(crate) fn body(code: &str, purpose: Purpose, refused: usize) -> Option<String> {
    let expression = code.trim().trim_end_matches(';').trim_end();
    match (refused, purpose) {
        _ if expression.is_empty() => None,
        (0, Purpose::Value) if is_function(expression) => {
            Some(format!("return ({expression}\n)();\n"))
        }
        (0, Purpose::Activation) if is_function(expression) => {
            Some(format!("({expression}\n)(activate, {{}});\n"))
        }
        (0, Purpose::Value) => Some(format!(
            "const code = ({expression}\n);\nreturn typeof code === \"function\" ? code() : code;\n"
        )),
        (0, Purpose::Activation) => Some(format!(
            "const code = ({expression}\n);\nif (typeof code === \"function\") code(activate, {{}});\n"
        )),
        // Code without `return` has no value.
        (1, Purpose::Value) => code.contains("return").then(|| code.to_owned()),
        (1, Purpose::Activation) => Some(code.to_owned()),
        _ => None,
    }
}

fn is_function(expression: &str) -> bool {
    expression.starts_with("function") && expression.ends_with('}')
}

/// Whether the code seems to need jQuery, which Optimizely can include in its snippet.
pub(crate) fn seems_to_need_jquery(code: &str) -> bool {
    ["$(", "$.", "jQuery"].iter().any(|sign| code.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_called_and_an_expression_evaluated() {
        assert_eq!(
            body(" function f(go) { go(); }; ", Purpose::Activation, 0).as_deref(),
            Some("(function f(go) { go(); }\n)(activate, {});\n")
        );
        assert_eq!(
            body("go => go()", Purpose::Activation, 0).as_deref(),
            Some(
                "const code = (go => go()\n);\nif (typeof code === \"function\") code(activate, {});\n"
            )
        );
        assert!(body("a // why", Purpose::Value, 0).is_some_and(|body| body.contains("why\n)")));
    }

    #[test]
    fn code_that_is_refused_as_an_expression_may_be_a_function_body() {
        let statements = "var a = 1; return a;";

        assert_eq!(body(statements, Purpose::Value, 1).as_deref(), Some(statements));
        assert_eq!(body("var a = 1;", Purpose::Value, 1), None);
        assert_eq!(body(statements, Purpose::Value, 2), None);
        assert_eq!(body(" ; ", Purpose::Value, 0), None);
    }
}
