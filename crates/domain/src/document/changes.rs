//! Decodes lists of changes.

use super::change_order::check_order;
use super::code_text::returning;
use super::fields::{Fields, list};
use super::names::reference;
use super::reader::{At, Decoded, Reader};
use super::scalars::{boolean, check_size, content, fitting, line, one_of, text, word};
use super::selectors::selector;
use super::styles::{style_name, style_sheet, style_value};
use crate::limits::MAX_CHANGES;
use crate::{Change, ChangeKind, Destination};

/// What a change does, before its fields are read.
#[derive(Clone, Copy)]
pub(super) enum ChangeType {
    Text,
    Html,
    Style,
    Class,
    Attribute,
    Insert,
    Move,
    Remove,
    Css,
    Javascript,
    Redirect,
}

/// The document's words for them.
pub(super) const CHANGE_TYPES: [(&str, ChangeType); 11] = [
    ("text", ChangeType::Text),
    ("html", ChangeType::Html),
    ("style", ChangeType::Style),
    ("class", ChangeType::Class),
    ("attribute", ChangeType::Attribute),
    ("insert", ChangeType::Insert),
    ("move", ChangeType::Move),
    ("remove", ChangeType::Remove),
    ("css", ChangeType::Css),
    ("javascript", ChangeType::Javascript),
    ("redirect", ChangeType::Redirect),
];

/// Decodes a list of changes.
pub(super) fn changes(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Change>> {
    let changes = list(reader, at, MAX_CHANGES, change)?;
    check_order(reader, at, &changes)?;
    Ok(changes)
}

fn change(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Change> {
    let mut fields = Fields::of(reader, at)?;
    let id = fields.optional("id", line);
    let page =
        fields.optional("page", |reader, at| reference(reader, at, "page", |reader| &reader.pages));
    let is_async = fields.or("async", false, boolean);
    let depends_on =
        fields.or("depends_on", Vec::new(), |reader, at| list(reader, at, MAX_CHANGES, line));
    let kind =
        fields.required("type", |reader, at| one_of(reader, at, CHANGE_TYPES.into_iter()))?;
    let kind = kind_of(&mut fields, kind);
    fields.finish();
    Ok(Change { id: id?, page: page?, is_async: is_async?, depends_on: depends_on?, kind: kind? })
}

/// What a change of this type does. Each type asks for all of its fields before it misses one, so that it reports all faults.
fn kind_of(fields: &mut Fields<'_, '_, '_>, kind: ChangeType) -> Decoded<ChangeKind> {
    match kind {
        ChangeType::Text => {
            let (selector, value) =
                (fields.required("selector", selector), fields.required("value", content));
            Ok(ChangeKind::Text { selector: selector?, value: value? })
        }
        ChangeType::Html => {
            let (selector, value) =
                (fields.required("selector", selector), fields.required("value", content));
            Ok(ChangeKind::Html { selector: selector?, value: value? })
        }
        ChangeType::Style => {
            let (selector, name) =
                (fields.required("selector", selector), fields.required("name", style_name));
            let value = fields.nullable("value", style_value);
            Ok(ChangeKind::Style { selector: selector?, name: name?, value: value? })
        }
        ChangeType::Class => {
            let (selector, value) =
                (fields.required("selector", selector), fields.required("value", line));
            Ok(ChangeKind::Class { selector: selector?, value: value? })
        }
        ChangeType::Attribute => {
            let (selector, name) =
                (fields.required("selector", selector), fields.required("name", attribute_name));
            let value = fields.nullable("value", attribute_value);
            Ok(ChangeKind::Attribute { selector: selector?, name: name?, value: value? })
        }
        ChangeType::Insert => {
            let (selector, value) =
                (fields.required("selector", selector), fields.required("value", content));
            let position = fields.required("position", word);
            Ok(ChangeKind::Insert { selector: selector?, value: value?, position: position? })
        }
        ChangeType::Move => {
            let (selector, to) =
                (fields.required("selector", selector), fields.required("to", selector));
            let position = fields.required("position", word);
            Ok(ChangeKind::Move { selector: selector?, to: to?, position: position? })
        }
        ChangeType::Remove => {
            Ok(ChangeKind::Remove { selector: fields.required("selector", selector)? })
        }
        ChangeType::Css => Ok(ChangeKind::Css { value: fields.required("value", style_sheet)? }),
        ChangeType::Javascript => {
            Ok(ChangeKind::Javascript { value: fields.required("value", content)? })
        }
        ChangeType::Redirect => redirect(fields),
    }
}

fn redirect(fields: &mut Fields<'_, '_, '_>) -> Decoded<ChangeKind> {
    let destination =
        fields.optional("destination", destination).map(|url| url.map(Destination::Url));
    let code = fields.optional("destination_code", |reader, at| {
        returning(reader, at, "the redirect leads nowhere")
    });
    let code = code.map(|code| code.map(Destination::Code));
    let preserve_parameters = fields.or("preserve_parameters", false, boolean);
    let allow_chain = fields.or("allow_chain", false, boolean);
    let destination = match (destination?, code?) {
        (Some(destination), None) | (None, Some(destination)) => Ok(destination),
        (None, None) => fields
            .refuse("missing_field", "a redirect needs a `destination` or a `destination_code`"),
        (Some(_), Some(_)) => fields.refuse(
            "two_destinations",
            "a redirect has either a `destination` or a `destination_code`",
        ),
    };
    Ok(ChangeKind::Redirect {
        destination: destination?,
        preserve_parameters: preserve_parameters?,
        allow_chain: allow_chain?,
    })
}

/// An address to which a redirect leads. Browsers take a host without a scheme for a page beside this one.
fn destination(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let address = address(reader, at)?;
    if looks_like_host(address.split(['/', '?', '#']).next().unwrap_or_default()) {
        let message = format!("`{address}` is taken for a page beside the one that redirects");
        let hint = format!("write `https://{address}`, or `./{address}` if that is meant");
        reader.report(at, at.warning("host_without_scheme", message).hint(hint));
    }
    Ok(address)
}

/// Whether the beginning of an address is rather a host than the name of a file.
fn looks_like_host(start: &str) -> bool {
    let end = start.rsplit_once('.').filter(|(name, _)| !name.is_empty()).map(|(_, end)| end);
    end.is_some_and(|end| {
        let is_file = FILE_ENDS.contains(&end.to_ascii_lowercase().as_str());
        !is_file && end.len() > 1 && end.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

/// How files that servers show as pages end.
const FILE_ENDS: [&str; 19] = [
    "action", "asp", "aspx", "cfm", "cgi", "do", "htm", "html", "jsf", "json", "jsp", "jspx",
    "pdf", "php", "phtml", "shtml", "txt", "xhtml", "xml",
];

/// A web address, absolute or relative. Others, such as `javascript:`, would run code or lead nowhere.
fn address(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let expected = "an `http` or `https` address, or one relative to the page";
    fitting(reader, at, expected, |address| {
        let start = address.split(['/', '?', '#']).next();
        let scheme = start.and_then(|start| start.split_once(':')).map(|(scheme, _)| scheme);
        scheme
            .is_none_or(|scheme| ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()))
    })
}

fn attribute_name(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |character: char| {
        !character.is_whitespace() && !matches!(character, '"' | '\'' | '<' | '>' | '/' | '=')
    };
    fitting(reader, at, "an attribute such as `href`", |name| name.chars().all(is_allowed))
}

/// May be empty, as in `disabled=""`.
fn attribute_value(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let value = text(reader, at)?;
    check_size(reader, at, value)?;
    Ok(value.to_owned())
}
