//! A document as HTML: links lead to pages of this server, pictures are its files, and headings have the ids that other documents link to.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use super::address_of;

/// A document, rendered.
pub(super) struct Rendered {
    pub(super) title: String,
    pub(super) html: String,
}

impl Rendered {
    /// `name` is its path below the folder of all documents, without ending.
    pub(super) fn of(name: &str, text: &str) -> Self {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut events: Vec<_> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
        let title = name_headings(&mut events).unwrap_or_else(|| name.to_owned());
        let events = events.into_iter().map(|event| match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = target_of(folder, &dest_url).into();
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = target_of(folder, &dest_url).into();
                Event::Start(Tag::Image { link_type, dest_url, title, id })
            }
            // Keyboards scroll only what has the focus.
            Event::Start(Tag::CodeBlock(_)) => Event::Html("<pre tabindex=\"0\"><code>".into()),
            Event::End(TagEnd::CodeBlock) => Event::Html("</code></pre>\n".into()),
            Event::Start(Tag::Table(alignments)) => {
                drop(alignments);
                Event::Html("<div class=\"wide\" tabindex=\"0\"><table>".into())
            }
            Event::End(TagEnd::Table) => Event::Html("</tbody></table></div>\n".into()),
            other => other,
        });
        let mut rendered = String::with_capacity(text.len() * 2);
        html::push_html(&mut rendered, events);
        Self { title, html: rendered }
    }
}

/// Where a link of a document in this folder leads: another document is a page of this server.
pub(super) fn target_of(folder: &str, link: &str) -> String {
    if link.contains(':') || link.starts_with(['#', '/']) {
        return link.to_owned();
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, id)| (path, Some(id)));
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let address = address_of(path.strip_suffix(".md").unwrap_or(&path));
    anchor.map_or_else(|| address.clone(), |anchor| format!("{address}#{anchor}"))
}

/// Gives each heading an id as mdBook and GitHub make it, and returns the text of the first one.
fn name_headings(events: &mut [Event<'_>]) -> Option<String> {
    let mut first = None;
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut start = 0;
    let mut words = String::new();
    for index in 0..events.len() {
        match &events[index] {
            Event::Start(Tag::Heading { .. }) => {
                start = index;
                words.clear();
            }
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            Event::End(TagEnd::Heading(_)) => {
                let mut name = id_of(&words);
                let count = seen.entry(name.clone()).or_default();
                if *count > 0 {
                    name = format!("{name}-{count}");
                }
                *count += 1;
                first.get_or_insert_with(|| words.clone());
                if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
                    *id = Some(CowStr::from(name));
                }
            }
            _ => {}
        }
    }
    first
}

fn id_of(heading: &str) -> String {
    let kept = heading.chars().filter_map(|character| match character {
        ' ' => Some('-'),
        '-' | '_' => Some(character),
        _ if character.is_alphanumeric() => Some(character.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::{Rendered, id_of, target_of};

    #[test]
    fn a_link_to_a_document_leads_to_its_page() {
        for (folder, link, target) in [
            ("", "results.md", "/docs/results"),
            ("guides", "../results.md#the-files", "/docs/results#the-files"),
            ("guides", "./moving.md", "/docs/guides/moving"),
            ("guides", "../index.md", "/docs"),
            ("", "#here", "#here"),
            ("", "https://shop.example/a.md", "https://shop.example/a.md"),
        ] {
            assert_eq!(target_of(folder, link), target, "{folder}: {link}");
        }
    }

    #[test]
    fn headings_are_named_as_links_expect() {
        assert_eq!(id_of("A campaign's life"), "a-campaigns-life");
        let html = Rendered::of("a", "# One\n\n## `GET` it\n\n## `GET` it\n").html;
        assert!(
            html.contains("<h2 id=\"get-it\">") && html.contains("<h2 id=\"get-it-1\">"),
            "{html}"
        );
    }

    #[test]
    fn code_and_tables_are_whole() {
        let text =
            "| a | b |\n|---|---|\n| `1` | <2> |\n\n```sh\nassay <x>\n```\n\n![picture](x.png)\n";
        let html = Rendered::of("a", text).html;
        assert!(html.contains("<code>assay &lt;x&gt;\n</code></pre>"), "{html}");
        assert_eq!(html.matches("<table>").count(), html.matches("</table>").count());
        assert!(html.contains("<img src=\"/docs/x.png\" alt=\"picture\""), "{html}");
    }
}
