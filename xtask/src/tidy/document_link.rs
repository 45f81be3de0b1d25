//! Links between documents lead somewhere: to a file, and to a heading of it. Those of `docs/` also lead there on
//! the site that is made of this folder, and its table of contents lists every page.

use std::collections::HashMap;

use super::Finding;
use crate::repository::{Repository, root};
use crate::source_file::{SourceFile, numbered};

const SITE: &str = "docs/";
const CONTENTS: &str = "docs/SUMMARY.md";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let documents = || repository.files.iter().filter(|file| file.extension() == "md");
    let dead = documents().flat_map(|file| dead_links(repository, file));
    dead.chain(unlisted(repository, documents())).collect()
}

fn dead_links(repository: &Repository, file: &SourceFile) -> Vec<Finding> {
    let links = prose(file.text()).flat_map(|(number, line)| {
        targets(&line).map(|target| (number, target.to_owned())).collect::<Vec<_>>()
    });
    links
        .filter_map(|(number, target)| {
            let fault = fault(repository, file.path(), &target)?;
            Some(Finding::in_file(file, number, format!("the link `{target}` is dead: {fault}")))
        })
        .collect()
}

fn fault(repository: &Repository, from: &str, target: &str) -> Option<String> {
    let is_address = target.contains("://") || target.starts_with("mailto:");
    if is_address {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { from.to_owned() } else { resolved(from, path)? };
    let named = repository.file(&path);
    if named.is_none() && !root().join(&path).exists() {
        return Some(format!("there is no `{path}`"));
    }
    if from.starts_with(SITE) && !path.starts_with(SITE) {
        return Some(format!("the site has no `{path}`; name the file without a link"));
    }
    let is_there =
        anchor.is_empty() || named.is_some_and(|file| anchors(file).iter().any(|id| id == anchor));
    (!is_there).then(|| format!("`{path}` has no heading `#{anchor}`"))
}

/// The path from the root of the repository; `None` for one that leaves it, as an address of the site may.
fn resolved(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The table of contents makes pages: what it does not list is not on the site.
fn unlisted<'r>(
    repository: &Repository,
    documents: impl Iterator<Item = &'r SourceFile>,
) -> Vec<Finding> {
    let Some(contents) = repository.file(CONTENTS) else { return Vec::new() };
    let lines = prose(contents.text()).map(|(_, line)| line);
    let listed: Vec<String> = lines
        .flat_map(|line| {
            targets(&line).filter_map(|target| resolved(CONTENTS, target)).collect::<Vec<_>>()
        })
        .collect();
    let pages = documents.filter(|file| file.path().starts_with(SITE) && file.path() != CONTENTS);
    pages
        .filter(|page| listed.iter().all(|path| path != page.path()))
        .map(|page| {
            Finding::in_file(page, 1, format!("the site lacks this page; list it in {CONTENTS}"))
        })
        .collect()
}

/// What follows `](` up to the end of the link or its title.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let ends = |character: char| character == ')' || character.is_whitespace();
    line.split("](").skip(1).filter_map(move |rest| rest.split(ends).next())
}

/// The lines outside of code blocks, without the code in them.
fn prose(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut is_code = false;
    numbered(text).filter_map(move |(number, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then(|| (number, line.split('`').step_by(2).collect()))
    })
}

/// The ids that headings get, on the site as at the usual hosts of repositories.
fn anchors(file: &SourceFile) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut is_code = false;
    let headings = file.text().lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code && line.starts_with('#')
    });
    headings
        .map(|heading| {
            let id = id(heading.trim_start_matches('#').trim());
            let earlier = seen.entry(id.clone()).or_default();
            *earlier += 1;
            if *earlier == 1 { id } else { format!("{id}-{}", *earlier - 1) }
        })
        .collect()
}

fn id(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|character| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase)
        .map(|character| if character == ' ' { '-' } else { character })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repository::Repository;
    use crate::source_file::SourceFile;

    fn objections(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let files = files.iter().map(|(path, text)| SourceFile::new(path, *text)).collect();
        let found = check(&Repository { files, ..Repository::default() }).into_iter();
        found.map(|finding| (finding.path, finding.line)).collect()
    }

    #[test]
    fn a_link_leads_to_a_file_and_a_heading_of_it() {
        let other = ("docs/zz-b.md", "# Where `events` are, and why\n\n## Again\n## Again\n");
        let fine = "[a](zz-b.md#where-events-are-and-why), [b](zz-b.md#again-1), [c](#here)\n# Here\n[d](https://a.example/b)";
        assert_eq!(objections(&[("docs/zz-a.md", fine), other]), []);

        let dead = "[a](zz-c.md)\n[b](zz-b.md#where)\n[c](#there)\n[d](zz-b.md#again-2)";
        let lines = [1, 2, 3, 4].map(|line| ("docs/zz-a.md".to_owned(), line));
        assert_eq!(objections(&[("docs/zz-a.md", dead), other]), lines);
    }

    #[test]
    fn code_is_no_link() {
        let text = "`[a](b.md)`\n```md\n[a](b.md)\n# A heading\n```\n[c](#a-heading)";
        assert_eq!(objections(&[("docs/zz-a.md", text)]), [("docs/zz-a.md".to_owned(), 6)]);
    }

    #[test]
    fn the_site_has_every_page_and_no_link_out_of_it() {
        let contents = ("docs/SUMMARY.md", "- [A](zz-a.md)\n");
        assert_eq!(objections(&[contents, ("docs/zz-a.md", "")]), []);
        assert_eq!(
            objections(&[
                contents,
                ("docs/zz-a.md", "[readme](../README.md)"),
                ("docs/zz-b.md", "")
            ]),
            [("docs/zz-a.md".to_owned(), 1), ("docs/zz-b.md".to_owned(), 1)],
        );
    }
}
