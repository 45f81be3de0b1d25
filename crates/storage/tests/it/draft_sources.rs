//! The project files that drafts were applied from.

use storage::{AuditEvent, DraftSource, NewProject, Store};

use crate::revisions::{draft_of, entry, project};

fn source(text: &str) -> DraftSource {
    DraftSource { text: text.to_owned(), draft_tag: format!("\"{}\"", text.len()) }
}

pub(crate) async fn a_draft_has_one_source_byte_for_byte_and_a_new_one_takes_its_place(
    store: &dyn Store,
) {
    for id in [1000, 1001] {
        let (draft, entry) = (draft_of(id, "One"), entry(AuditEvent::ProjectAdded, id));
        store.add_project(NewProject { id: project(id), draft, entry }).await.unwrap();
    }
    let (shop, blog) = (project(1000), project(1001));
    assert_eq!(store.find_draft_source(shop).await, Ok(None));
    let [first, second] = ["\u{feff}# É\r\nversion: 1\t# one\r\n", "version: 1 # two"].map(source);

    assert_eq!(store.set_draft_source(shop, 1, first.clone()).await, Ok(true));
    assert_eq!(store.find_draft_source(shop).await, Ok(Some(first.clone())));
    assert_eq!(store.set_draft_source(shop, 2, second.clone()).await, Ok(false));
    assert_eq!(store.find_draft_source(shop).await, Ok(Some(first)));
    assert_eq!(store.set_draft_source(shop, 1, second.clone()).await, Ok(true));
    assert_eq!(store.find_draft_source(shop).await, Ok(Some(second)));
    assert_eq!(store.find_draft_source(blog).await, Ok(None));
    assert_eq!(store.set_draft_source(project(9), 1, source("x")).await, Ok(false));
}
