//! Which attributes can neither run nor load anything, on any element.

use super::{class, css, text};

/// What people and assistive technology read, and how large elements are. A browser may follow, load or run any other attribute (`href`,
/// `srcdoc`, `sandbox`, a script's `type`), and so may a framework of the page (`x-init`, `@click`, `v-html`, `data-bind`).
const INERT: &[&str] = &[
    "abbr",
    "alt",
    "autocapitalize",
    "checked",
    "cols",
    "colspan",
    "dir",
    "enterkeyhint",
    "headers",
    "height",
    "hidden",
    "high",
    "inert",
    "inputmode",
    "label",
    "lang",
    "low",
    "max",
    "maxlength",
    "min",
    "minlength",
    "multiple",
    "open",
    "optimum",
    "placeholder",
    "readonly",
    "required",
    "reversed",
    "role",
    "rows",
    "rowspan",
    "scope",
    "selected",
    "size",
    "span",
    "spellcheck",
    "start",
    "step",
    "summary",
    "tabindex",
    "title",
    "translate",
    "valign",
    "value",
    "width",
    "wrap",
];

/// Whether it can neither run nor load anything. HTML ignores case in attribute names.
pub(super) fn is_inert(name: &str, value: Option<&str>) -> bool {
    let name = name.to_ascii_lowercase();
    let value = value.unwrap_or_default();
    if name == "style" {
        return css::are_inert_declarations(value);
    }
    if name == "class" {
        return class::are_inert(value);
    }
    let is_aria = name.strip_prefix("aria-").is_some_and(is_word);
    (is_aria || INERT.contains(&name.as_str())) && !text::is_template(value)
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::is_inert;

    #[test]
    fn what_people_read_is_content() {
        for (name, value) in [
            ("title", "Save 20 % (today)"),
            ("ALT", "A mug"),
            ("aria-label", "Close"),
            ("placeholder", "Your e-mail address"),
            ("class", "big red"),
            ("style", "color: red; margin: calc(1px + 2em) 0 !important"),
        ] {
            assert!(is_inert(name, Some(value)), "{name}");
        }
        assert!(is_inert("hidden", None) && is_inert("style", None));
    }

    #[test]
    fn everything_else_is_code() {
        let names = [
            "onclick",
            "OnClick",
            "href",
            "xlink:href",
            "src",
            "srcset",
            "srcdoc",
            "action",
            "content",
            "http-equiv",
            "values",
            "x-init",
            "x-on:click",
            "x-data",
            "@click",
            ":href",
            "ng-init",
            "data-ng-init",
            "hx-on:click",
            "hx-get",
            "data-hx-get",
            "v-html",
            "v-on:click",
            "v-bind:is",
            "sandbox",
            "allow",
            "type",
            "is",
            "id",
            "name",
            "rel",
            "target",
            "media",
            "nonce",
            "integrity",
            "data-bind",
            "data-action",
            "ping",
            "background",
            "poster",
            "cite",
            "formaction",
            "download",
            "autofocus",
            "contenteditable",
            "slot",
            "for",
            "aria-",
            "aria-x:y",
            "style.color",
            "",
            " title",
            "popovertarget",
            "disabled",
        ];
        for name in names {
            assert!(!is_inert(name, Some("x")), "{name}");
            assert!(!is_inert(name, None), "{name} removed");
        }
        assert!(!is_inert("title", Some("{{constructor.constructor('x()')()}}")));
        assert!(!is_inert("style", Some("background: url(x)")));
        assert!(!is_inert("CLASS", Some("red ng-init:x()")));
    }
}
