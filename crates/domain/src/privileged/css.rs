//! Which CSS can load nothing: only known functions, rules and properties, no escapes, and nothing that browsers might parse differently
//! than we do.

/// Functions that use only their arguments. `url`, `image-set`, `image`, `cross-fade`, `element` and `src` load; `expression` once ran
/// code.
const FUNCTIONS: &[&str] = &[
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "blur",
    "brightness",
    "calc",
    "circle",
    "clamp",
    "color",
    "color-mix",
    "conic-gradient",
    "contrast",
    "cos",
    "cubic-bezier",
    "drop-shadow",
    "ellipse",
    "env",
    "exp",
    "fit-content",
    "grayscale",
    "hsl",
    "hsla",
    "hue-rotate",
    "hwb",
    "hypot",
    "inset",
    "invert",
    "lab",
    "lch",
    "light-dark",
    "linear",
    "linear-gradient",
    "log",
    "matrix",
    "matrix3d",
    "max",
    "min",
    "minmax",
    "mod",
    "oklab",
    "oklch",
    "opacity",
    "path",
    "perspective",
    "polygon",
    "pow",
    "radial-gradient",
    "rect",
    "rem",
    "repeat",
    "repeating-conic-gradient",
    "repeating-linear-gradient",
    "repeating-radial-gradient",
    "rgb",
    "rgba",
    "rotate",
    "rotate3d",
    "round",
    "saturate",
    "scale",
    "sepia",
    "sin",
    "skew",
    "steps",
    "tan",
    "translate",
];

/// Functions that take an axis as a suffix.
const AXES: &[&str] = &["rotate", "scale", "skew", "translate"];

/// Names before a parenthesis in selectors. `var` is in [`is_known_function`].
const SELECTORS: &[&str] = &[
    "dir",
    "has",
    "host",
    "is",
    "lang",
    "not",
    "nth-child",
    "nth-last-child",
    "nth-last-of-type",
    "nth-of-type",
    "part",
    "where",
];

/// Rules that only state conditions or animations. `@import` and `@font-face` load.
const RULES: &[&str] = &["container", "keyframes", "media", "supports"];

/// Properties by the first word of their names. Not `behavior`, `-moz-binding`, or anything that names what the page may load.
const PROPERTIES: &[&str] = &[
    "accent",
    "align",
    "all",
    "animation",
    "appearance",
    "aspect",
    "backdrop",
    "backface",
    "background",
    "block",
    "border",
    "bottom",
    "box",
    "break",
    "caption",
    "caret",
    "clear",
    "clip",
    "color",
    "column",
    "columns",
    "contain",
    "content",
    "counter",
    "cursor",
    "direction",
    "display",
    "empty",
    "fill",
    "filter",
    "flex",
    "float",
    "flood",
    "font",
    "gap",
    "grid",
    "hanging",
    "height",
    "hyphens",
    "image",
    "inline",
    "inset",
    "isolation",
    "justify",
    "left",
    "letter",
    "line",
    "list",
    "margin",
    "mask",
    "max",
    "min",
    "mix",
    "object",
    "opacity",
    "order",
    "orphans",
    "outline",
    "overflow",
    "overscroll",
    "padding",
    "place",
    "pointer",
    "position",
    "resize",
    "right",
    "rotate",
    "row",
    "scale",
    "scroll",
    "shape",
    "stroke",
    "tab",
    "table",
    "text",
    "top",
    "touch",
    "transform",
    "transition",
    "translate",
    "user",
    "vertical",
    "visibility",
    "will",
    "zoom",
];

/// More properties, by full name: their first words are too general.
const MORE_PROPERTIES: &[&str] = &[
    "perspective",
    "quotes",
    "unicode-bidi",
    "white-space",
    "widows",
    "width",
    "word-break",
    "word-spacing",
    "z-index",
];

/// Whether a style sheet can load nothing.
pub(super) fn is_inert(sheet: &str) -> bool {
    let Some(plain) = plain(sheet) else { return false };
    if !has_known_functions(&plain) || !has_known_rules(&plain) {
        return false;
    }
    let mut rest = plain.as_str();
    while let Some(end) = rest.find(['{', '}', ';']) {
        // Text before an opening brace is a selector or the head of a rule.
        if !rest[end..].starts_with('{') && !is_declaration(&rest[..end]) {
            return false;
        }
        rest = &rest[end + 1..];
    }
    is_declaration(rest)
}

/// Whether the value of a `style` attribute can load nothing.
pub(super) fn are_inert_declarations(text: &str) -> bool {
    !text.contains(['{', '}', '@']) && is_inert(text)
}

/// Whether one property with this value can load nothing.
pub(super) fn is_inert_declaration(name: &str, value: &str) -> bool {
    !value.contains([';', '{', '}', '@'])
        && plain(value).is_some_and(|plain| has_known_functions(&plain) && is_known(name, &plain))
}

/// The text in lower case, without comments and with empty strings; `None` if any of it is hard to parse.
fn plain(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        match character {
            '\\' | '<' => return None,
            '/' if rest.starts_with("/*") => {
                let end = rest[2..].find("*/")?;
                plain.push(' ');
                rest = &rest[end + 4..];
                continue;
            }
            '"' | '\'' => {
                let end = rest[1..].find([character, '\n', '\r', '\u{c}', '\\'])? + 1;
                if !rest[end..].starts_with(character) {
                    return None;
                }
                plain.push_str("\"\"");
                rest = &rest[end + 1..];
                continue;
            }
            '\t' | '\n' | '\r' => plain.push(' '),
            _ if character.is_control() => return None,
            _ => plain.push(character.to_ascii_lowercase()),
        }
        rest = &rest[character.len_utf8()..];
    }
    Some(plain)
}

fn has_known_functions(plain: &str) -> bool {
    plain.match_indices('(').all(|(at, _)| is_known_function(name_before(&plain[..at])))
}

/// The name directly before a parenthesis; empty where it only groups.
fn name_before(text: &str) -> &str {
    let is_of_name = |character: char| {
        !character.is_ascii() || character.is_ascii_alphanumeric() || "-_".contains(character)
    };
    let start = text.trim_end_matches(is_of_name).len();
    &text[start..]
}

fn is_known_function(name: &str) -> bool {
    let is_with_axis = name
        .strip_suffix(['x', 'y', 'z'])
        .or_else(|| name.strip_suffix("3d"))
        .is_some_and(|stem| AXES.contains(&stem));
    ["", "var"].contains(&name)
        || is_with_axis
        || FUNCTIONS.contains(&name)
        || SELECTORS.contains(&name)
}

fn has_known_rules(plain: &str) -> bool {
    plain.split('@').skip(1).all(|rule| {
        let name = rule
            .split(|character: char| !character.is_ascii_alphanumeric() && character != '-')
            .next();
        name.is_some_and(|name| RULES.contains(&name))
    })
}

/// An empty text is one, too.
fn is_declaration(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || text.split_once(':').is_some_and(|(name, value)| is_known(name.trim(), value))
}

/// Other rules may read a custom property's string as an address.
fn is_known(name: &str, value: &str) -> bool {
    is_known_property(name) && !(name.starts_with("--") && value.contains('"'))
}

fn is_known_property(name: &str) -> bool {
    let is_written_plainly = |name: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !name.is_empty() && name.bytes().all(is_allowed)
    };
    if let Some(custom) = name.strip_prefix("--") {
        return is_written_plainly(custom);
    }
    let name = name.to_ascii_lowercase();
    let standard = name.strip_prefix("-webkit-").unwrap_or(&name);
    let first = standard.split('-').next().unwrap_or_default();
    is_written_plainly(standard)
        && (PROPERTIES.contains(&first) || MORE_PROPERTIES.contains(&standard))
}

#[cfg(test)]
mod tests {
    use super::{is_inert, is_inert_declaration};

    #[test]
    fn looks_are_content() {
        for (name, value) in [
            ("color", "#f00"),
            ("background", "linear-gradient(90deg, rgb(0 0 0 / 50%), var(--accent))"),
            ("margin-top", "calc((1em + 2px) * 3) !important"),
            ("transform", "translateX(10px) rotate3d(0, 1, 0, 30deg)"),
            ("--accent", "red"),
            ("-webkit-line-clamp", "2"),
            ("font-family", "\"Open Sans\", sans-serif"),
            ("display", ""),
            ("animation", "x 1s ease-in"),
        ] {
            assert!(is_inert_declaration(name, value), "{name}: {value}");
        }
        for sheet in [
            ".hero > h1:not(.small)::before { content: \"a } b\"; color: red } /* done */",
            "@media (min-width: 40em) and (max-width: 60em) { a:hover { color: red; } }",
            "@keyframes x { from { opacity: 0 } 50% { opacity: .5 } to { opacity: 1 } }",
            "a[href^='https://']:nth-child(2n+1) { display: none !important }",
            "",
        ] {
            assert!(is_inert(sheet), "{sheet}");
        }
    }

    #[test]
    fn whatever_loads_or_is_unclear_is_code() {
        for (name, value) in [
            ("background", "url(//other.example)"),
            ("background", "URL(x)"),
            ("background", r"\75rl(x)"),
            ("background", "u/**/rl(x)"),
            ("background-image", "image-set('x' 1x)"),
            ("background", "-webkit-image-set(url(x) 1x)"),
            ("background", "cross-fade(url(x), red)"),
            ("width", "expression(x())"),
            ("content", "attr(data-x type(<url>))"),
            ("-moz-binding", "none"),
            ("behavior", "none"),
            ("src", "local(x)"),
            ("color", "red; background: url(x)"),
            ("col\\6fr", "red"),
            ("color:red;background", "red"),
            ("--x", "'//other.example'"),
            ("color", "\"unclosed"),
        ] {
            assert!(!is_inert_declaration(name, value), "{name}: {value}");
        }
        for sheet in [
            "@import '//other.example'",
            "@IMPORT url(x);",
            "@im\\port 'x'",
            "@font-face { font-family: a; src: local(b) }",
            "@charset 'x';",
            "@namespace 'x';",
            "@layer a; @import 'x' layer(b);",
            "a { background: url(x) }",
            "a { background: image-set('x' 1x) }",
            "a { b: src('x') }",
            "a { --x: '//other.example' }",
            "a { color: red } /* ",
            "a { content: 'x\n' } b { background: url(y) } '",
            "a { -moz-binding: none }",
            "<!-- a { color: red } -->",
            "a { background: \\000075rl(x) }",
        ] {
            assert!(!is_inert(sheet), "{sheet}");
        }
    }
}
