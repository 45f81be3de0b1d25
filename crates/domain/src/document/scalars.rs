//! Decodes single values: texts, names, words, booleans, shares, code.

use super::fields::Fields;
use super::nearest::list;
use super::reader::{At, Decoded, Reader};
use super::tree::Shape;
use crate::limits::{
    MAX_DESCRIPTION_LENGTH, MAX_LINE_LENGTH, MAX_NAME_LENGTH, MAX_TAG_LENGTH, MAX_TEXT_BYTES,
};
use crate::words::Word;
use crate::{BasisPoints, Key};

/// Any text.
pub(super) fn text<'n>(reader: &mut Reader<'_>, at: &At<'n>) -> Decoded<&'n str> {
    match at.node.text() {
        Some(text) => Ok(text),
        None => reader.refuse_sort(at, "a text"),
    }
}

/// A text on one line, such as a selector or an address: not empty, without control characters.
pub(super) fn line(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let text = text(reader, at)?;
    within(reader, at, text, MAX_LINE_LENGTH)
}

/// A text on one line for which `is_fine` holds.
pub(super) fn fitting(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    expected: &str,
    is_fine: impl Fn(&str) -> bool,
) -> Decoded<String> {
    let text = line(reader, at)?;
    if is_fine(&text) {
        return Ok(text);
    }
    let fault = at.error("unsuitable_text", format!("`{text}` does not fit here"));
    reader.refuse(at, fault.expected(expected))
}

/// A display name.
pub(super) fn name(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let text = text(reader, at)?;
    within(reader, at, text, MAX_NAME_LENGTH)
}

/// A tag: a word or two by which members find a campaign.
pub(super) fn tag(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let text = text(reader, at)?;
    let tag = within(reader, at, text, MAX_TAG_LENGTH)?;
    if tag.trim() == tag {
        return Ok(tag);
    }
    let fault = at.error("unsuitable_text", "the tag begins or ends with a space");
    reader.refuse(at, fault.hint(format!("`{}`", tag.trim())))
}

/// A description: a text that may have several lines, or be empty.
pub(super) fn description(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let text = text(reader, at)?;
    let length = text.chars().count();
    if length > MAX_DESCRIPTION_LENGTH {
        let fault = at.error("bad_length", format!("the text has {length} characters"));
        return reader.refuse(at, fault.expected(format!("{MAX_DESCRIPTION_LENGTH} at most")));
    }
    if text
        .chars()
        .any(|character| character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
    {
        let message = "the text holds a control character that is not a line break";
        return reader.refuse(at, at.error("control_character", message));
    }
    Ok(text.to_owned())
}

/// A resource's key.
pub(super) fn key(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Key> {
    let text = text(reader, at)?;
    if let Ok(key) = text.parse() {
        return Ok(key);
    }
    let message = match text {
        "" => "the key is empty".to_owned(),
        _ => format!("`{text}` is not a key"),
    };
    let fault = at
        .error("bad_key", message)
        .expected("1 to 64 of `a-z`, `0-9`, `_` and `-`, the first a letter or digit");
    match Key::from_name(text) {
        Some(key) => reader.refuse(at, fault.hint(format!("`{key}` would be one"))),
        None => reader.refuse(at, fault),
    }
}

fn within(reader: &mut Reader<'_>, at: &At<'_>, text: &str, limit: usize) -> Decoded<String> {
    let length = text.chars().count();
    if length == 0 || length > limit {
        let message = format!("the text has {length} characters");
        let fault = at.error("bad_length", message);
        return reader.refuse(at, fault.expected(format!("1 to {limit}")));
    }
    if text.chars().any(char::is_control) {
        let message = "the text holds a line break or another control character";
        return reader.refuse(at, at.error("control_character", message));
    }
    Ok(text.to_owned())
}

/// A text that goes to the page: from the document, or from a file beside it.
pub(super) fn content(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let content = match at.node.text() {
        Some(text) => text.to_owned(),
        None if at.node.is_object() => file(reader, at)?,
        None => return reader.refuse_sort(at, "a text or `{file: ./name}`"),
    };
    check_size(reader, at, &content)?;
    Ok(content)
}

/// Checks the size of a text that goes to the page.
pub(super) fn check_size(reader: &mut Reader<'_>, at: &At<'_>, content: &str) -> Decoded<()> {
    if content.len() <= MAX_TEXT_BYTES {
        return Ok(());
    }
    let fault = at.error("text_too_long", format!("the text has {} bytes", content.len()));
    reader.refuse(at, fault.expected(format!("{MAX_TEXT_BYTES} at most")))
}

fn file(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let mut fields = Fields::of(reader, at)?;
    let content = fields.required("file", |reader, at| {
        let path = text(reader, at)?;
        match reader.files.read(path) {
            Ok(content) => Ok(content),
            Err(reason) => reader.refuse(at, at.error("file", reason)),
        }
    });
    fields.finish();
    content
}

/// `true` or `false`.
pub(super) fn boolean(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<bool> {
    let Shape::Bool(truth) = at.node.shape else {
        return reader.refuse_sort(at, "`true` or `false`");
    };
    Ok(truth)
}

/// One word of a closed set.
pub(super) fn word<W: Word>(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<W> {
    one_of(reader, at, W::ALL.iter().map(|value| (value.word(), *value)))
}

/// What the word at `at` stands for.
pub(super) fn one_of<T>(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    known: impl Iterator<Item = (&'static str, T)> + Clone,
) -> Decoded<T> {
    let given = text(reader, at)?;
    if let Some((_, value)) = known.clone().find(|(word, _)| *word == given) {
        return Ok(value);
    }
    let words: Vec<&str> = known.map(|(word, _)| word).collect();
    let fault = at
        .error("unknown_word", format!("`{given}` is not known here"))
        .expected(format!("one of {}", list(words.iter().copied())));
    let fault = reader.did_you_mean(fault, given, words);
    reader.refuse(at, fault)
}

/// A share of visitors: basis points, or a percentage.
pub(super) fn share(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<BasisPoints> {
    let share = match at.node.text() {
        Some(text) => BasisPoints::from_percent(text),
        None => at.node.whole_number().and_then(|number| BasisPoints::new(number.try_into().ok()?)),
    };
    if let Some(share) = share {
        return Ok(share);
    }
    let fault = match at.node.text() {
        Some(text) => at
            .error("bad_share", format!("`{text}` is not a percentage"))
            .expected("`0%` to `100%` with at most two decimals, such as `12.5%`"),
        None => at
            .error("bad_share", "this is not a share")
            .expected("a percentage such as `12.5%`, or whole basis points from 0 to 10000"),
    };
    reader.refuse(at, fault)
}

/// Basis points as authors write them: `12.5%`. A sum of shares may be more than all.
pub(crate) fn percent(basis_points: u64) -> String {
    let text = format!("{}.{:02}", basis_points / 100, basis_points % 100);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}
