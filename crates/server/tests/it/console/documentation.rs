//! `/docs`: the documentation of this version, which the server brings along.

use std::collections::BTreeMap;

use axum::http::Method;

use crate::site::Site;

/// The values of an attribute in a page.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let before = format!(" {attribute}=\"");
    html.split(&before as &str).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn every_document_is_there_and_every_link_leads_to_its_place() {
    let site = Site::start();
    let mut pages = BTreeMap::new();
    let mut waiting = vec!["/docs".to_owned()];
    while let Some(path) = waiting.pop() {
        if pages.contains_key(&path) {
            continue;
        }
        let answer = site.get(&path).await;
        assert_eq!(answer.status, 200, "{path}");
        let links =
            values(&answer.body, "href").into_iter().map(|link| link.split('#').next().unwrap());
        waiting.extend(links.filter(|link| link.starts_with("/docs")).map(str::to_owned));
        pages.insert(path, answer.body);
    }

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let written = walk(std::path::Path::new(folder));
    assert!(pages.len() >= written, "{} of {written}", pages.len());
    for (path, html) in &pages {
        let links = values(html, "href").into_iter().filter_map(|link| link.split_once('#'));
        for (target, id) in links {
            let target = [target, path][usize::from(target.is_empty())];
            let ids = pages.get(target).map(|page| values(page, "id"));
            assert!(ids.is_none_or(|ids| ids.contains(&id)), "{path}: {target}#{id}");
        }
    }
}

/// How many documents there are, without the list of them.
fn walk(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let count = |path: std::path::PathBuf| match path.extension() {
        _ if path.is_dir() => walk(&path),
        Some(ending) if ending == "md" && !path.ends_with("SUMMARY.md") => 1,
        Some(_) | None => 0,
    };
    entries.map(count).sum()
}

#[tokio::test]
async fn a_document_has_its_list_and_a_strange_one_is_not_there() {
    let site = Site::start();

    let page = site.get("/docs/guides/troubleshooting").await;
    assert!(page.body.contains("<title>Troubleshooting · Assay</title>"), "{}", page.body);
    assert!(page.body.contains("href=\"/docs/guides/troubleshooting\" aria-current=\"page\""));
    assert!(page.body.contains("id=\"results-stay-empty\""));

    for path in
        ["/docs/nothing", "/docs/SUMMARY", "/docs/../Cargo", "/docs/index.md", "/docs/nothing/"]
    {
        assert_eq!(site.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_slash_at_the_end_leads_to_the_document() {
    let site = Site::start();

    for (path, document) in [("/docs/", "/docs"), ("/docs/guides/moving/", "/docs/guides/moving")] {
        let answer = site.get(path).await;

        assert_eq!((answer.status.as_u16(), answer.header("location")), (308, document));
    }
}

#[tokio::test]
async fn pages_show_the_pictures_of_their_documents() {
    let site = Site::start();

    let page = site.get("/docs").await;
    let pictures: Vec<_> =
        values(&page.body, "src").into_iter().filter(|path| path.starts_with("/docs/")).collect();
    let picture = site.call(Method::HEAD, pictures[0]).await;

    assert_eq!(pictures, ["/docs/pictures/demo.png"]);
    assert_eq!((picture.status.as_u16(), picture.header("content-type")), (200, "image/png"));
    assert!(page.header("content-security-policy").contains("img-src data: 'self';"));
}
