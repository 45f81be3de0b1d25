//! Regular expressions that match no address, as people write them by habit.

/// What is wrong with a pattern that is compared with whole addresses, and what to write instead.
pub(super) fn unmet_pattern(pattern: &str) -> Option<(&'static str, String)> {
    let path = pattern.strip_prefix("^/").or_else(|| pattern.strip_prefix(r"^\/"));
    let path = path.filter(|path| !path.starts_with(['/', '?', '*', '{']) && !path.contains('|'));
    if let Some(path) = path {
        let message = "an address begins with its scheme and host, and not with its path";
        return Some((message, format!("write `^https?://[^/]+/{path}`")));
    }
    if let Some(scheme) = pattern.strip_prefix('^').filter(|rest| begins_in_capitals(rest)) {
        let (upper, rest) = scheme.split_at(scheme.find(':').unwrap_or(scheme.len()));
        let message = "browsers write the scheme in small letters";
        return Some((message, format!("write `^{}{rest}`", upper.to_lowercase())));
    }
    if let Some(inner) = within_slashes(pattern) {
        let message = "the slashes and flags of JavaScript are no part of a pattern";
        return Some((message, format!("write `{inner}`")));
    }
    has_misplaced_anchor(pattern).then(|| {
        let message =
            "`^` is the beginning of the address and `$` its end: nothing comes before or after it";
        (message, r"write `\^` or `\$` for the character itself".to_owned())
    })
}

/// The pattern for an address in which `*` stands for any characters. A query may follow.
pub(super) fn of_wildcards(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.trim_start_matches("//");
    let pattern = with_wildcards(rest.strip_prefix("www.").unwrap_or(rest));
    match pattern.strip_suffix(".*") {
        // What ends with any characters needs no end.
        Some(open) => format!(r"^https?://(www\.)?{open}"),
        None => format!(r"^https?://(www\.)?{pattern}([?#]|$)"),
    }
}

/// The same for a part of an address.
pub(super) fn of_part_with_wildcards(part: &str) -> String {
    with_wildcards(part.trim_matches('*'))
}

fn with_wildcards(text: &str) -> String {
    let mut pattern = String::new();
    for character in text.chars() {
        match character {
            '*' => pattern.push_str(".*"),
            '.' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' | '|' | '\\' => {
                pattern.push('\\');
                pattern.push(character);
            }
            _ => pattern.push(character),
        }
    }
    pattern
}

fn begins_in_capitals(rest: &str) -> bool {
    rest.starts_with("HTTP")
}

/// What stands in `/…/i`. Without flags, slashes may be meant.
fn within_slashes(pattern: &str) -> Option<&str> {
    let (inner, flags) = pattern.strip_prefix('/')?.rsplit_once('/')?;
    // Others, such as `us`, are names of folders as well.
    let are_flags = ["i", "g", "gi", "ig"].contains(&flags);
    (are_flags && !inner.is_empty()).then_some(inner)
}

/// Whether something has to come before a `^` or after a `$`. False where a quantifier or a choice may leave it out.
fn has_misplaced_anchor(pattern: &str) -> bool {
    if pattern.contains(['*', '?', '{', '|', '(']) {
        return false;
    }
    let mut is_escaped = false;
    let mut is_in_class = false;
    for (place, character) in pattern.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_in_class = true,
            ']' => is_in_class = false,
            '^' if !is_in_class && place > 0 => return true,
            '$' if !is_in_class && place + 1 < pattern.len() => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{of_part_with_wildcards, of_wildcards, unmet_pattern};

    #[test]
    fn wildcards_become_a_pattern() {
        for (address, pattern) in [
            ("https://www.shop.example/*", r"^https?://(www\.)?shop\.example/"),
            ("*.shop.example/", r"^https?://(www\.)?.*\.shop\.example/([?#]|$)"),
            ("https://shop.example/*/a", r"^https?://(www\.)?shop\.example/.*/a([?#]|$)"),
        ] {
            assert_eq!(of_wildcards(address), pattern);
        }
        assert_eq!(of_part_with_wildcards("/cart*"), "/cart");
        assert_eq!(of_part_with_wildcards("*/cart/*/pay"), "/cart/.*/pay");
    }

    #[test]
    fn patterns_that_match_no_address_are_found() {
        for pattern in
            ["^/cart", r"^\/cart$", "/cart/i", "a^b", "$/cart", "^HTTPS://shop.example", r"a\.b$c"]
        {
            assert!(unmet_pattern(pattern).is_some(), "{pattern}");
        }
        for pattern in [
            r"^https://shop\.example/cart$",
            "/cart/",
            "/product/[0-9]+/",
            "[^/]+$",
            r"\$5",
            r"\^",
            "^//",
            "^/?x",
            "(^|/)cart($|/)",
            "x*^https",
            "/a/images",
            "/shop/us",
            "^/cart|checkout",
        ] {
            assert_eq!(unmet_pattern(pattern), None, "{pattern}");
        }
    }
}
