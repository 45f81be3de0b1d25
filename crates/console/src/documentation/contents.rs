//! The list of the documents, as `docs/SUMMARY.md` has it.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::PATH;
use super::markdown::target_of;

/// A heading of the list, and what is under it.
pub(super) struct Chapter {
    pub(super) title: String,
    pub(super) pages: Vec<Entry>,
}

pub(super) struct Entry {
    pub(super) title: String,
    pub(super) address: String,
}

pub(super) fn contents(summary: &str) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = Vec::new();
    let (mut text, mut address) = (String::new(), None);
    for event in Parser::new(summary) {
        match event {
            Event::Start(Tag::Heading { .. }) => text.clear(),
            Event::Start(Tag::Link { dest_url, .. }) => {
                text.clear();
                address = Some(target_of("", &dest_url));
            }
            Event::Text(words) | Event::Code(words) => text.push_str(&words),
            Event::End(TagEnd::Heading(_)) => {
                chapters.push(Chapter { title: std::mem::take(&mut text), pages: Vec::new() });
            }
            Event::End(TagEnd::Link) => {
                let entry = Entry {
                    title: std::mem::take(&mut text),
                    address: address.take().unwrap_or_default(),
                };
                // The first page stands above all chapters.
                let chapter = chapters.last_mut().filter(|_| entry.address != PATH);
                if let Some(chapter) = chapter {
                    chapter.pages.push(entry);
                }
            }
            _ => {}
        }
    }
    chapters.retain(|chapter| !chapter.pages.is_empty());
    chapters
}
