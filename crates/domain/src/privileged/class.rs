//! Which classes are only names. `AngularJS` reads directives in the `class` of each element, `ng-init: expression;`, and runs their
//! expressions.

use super::text;

/// Whether these classes can neither run nor load anything, whatever other classes the elements have.
pub(super) fn are_inert(classes: &str) -> bool {
    !text::is_template(classes) && !has_directive(classes)
}

/// Whether the name of one of `AngularJS`'s own directives stands before a colon, wherever: its regular expression, `([\w-]+)(?::([^;]+))?;?`,
/// is not bound to blanks. Other names before a colon are ordinary (`md:hover:bg-[url(x)]`).
fn has_directive(classes: &str) -> bool {
    let is_of_name =
        |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    classes.match_indices(':').any(|(at, _)| {
        let before = &classes[..at];
        let name = before.rfind(|character| !is_of_name(character));
        let start = name
            .map_or(0, |other| other + before[other..].chars().next().map_or(0, char::len_utf8));
        is_directive(&before[start..])
    })
}

/// Whether `AngularJS` makes `ngSomething` of this name, as of `ng-something`, `ng_something`, `data-ng-something` and `x-ng-something`.
fn is_directive(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let prefix = ["x-", "x_", "data-", "data_"].iter().find(|prefix| lower.starts_with(**prefix));
    let own = &name[prefix.map_or(0, |prefix| prefix.len())..];
    let Some(rest) = own.strip_prefix("ng") else { return false };
    rest.starts_with(|character: char| "-_".contains(character) || character.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::are_inert;

    #[test]
    fn names_are_content() {
        for classes in [
            "big red",
            "md:hover:bg-[url(x)] w-[calc(100%-1rem)] before:content-['x'] lg:[&>p]:mt-4",
            "ng-hide ng-cloak ng-valid data-ng-x",
            "ngx:a long-ng-name:b king:c",
            "md: ng-hide; red",
            "é:ü",
            "",
        ] {
            assert!(are_inert(classes), "{classes}");
        }
    }

    #[test]
    fn what_angularjs_runs_is_code() {
        for classes in [
            "ng-init:constructor.constructor(\"x()\")()",
            "red ng-init: x()",
            "red;ng-init:a=b",
            "é.ng-init:x",
            "md:flex;data-ng-bind:x",
            "X-ng-include:'u'",
            "x_ng_init:x",
            "DATA-ng--init:x",
            "ngInit:x",
            "{{constructor.constructor('x()')()}}",
        ] {
            assert!(!are_inert(classes), "{classes}");
        }
    }
}
