//! The first page, and starting a project.

use app::deleted_projects::delete_project;
use app::drafts::{ExpectedVersion, readable_draft};
use app::resources::{Archiving, archive_project};
use app::roles::Actor;
use storage::Role;

use super::{browser_of, shop};
use crate::browser::{Browser, form_token};
use crate::site::{Answer, Site};

/// Sends the form of `/projects/new`.
async fn start(browser: &Browser<'_>, fields: [&str; 3]) -> Answer {
    let page = browser.open("/projects/new").await;
    let [name, site, key] = fields;
    let fields = [("csrf", form_token(&page)), ("name", name), ("site", site), ("key", key)];
    browser.post("/projects/new/start", &fields).await
}

async fn owner(site: &Site) -> Browser<'_> {
    let member = site.member().await;
    let browser = Browser::new(site);
    browser.sign_in_at_home(&member).await;
    browser
}

#[tokio::test]
async fn an_owner_starts_a_project_and_installs_its_snippet() {
    let site = shop().await;
    let browser = owner(&site).await;

    let started = start(&browser, ["Ada's <b>Books", " books.example ", ""]).await;

    let id = started.location().strip_prefix("/projects/").unwrap();
    let id = id.strip_suffix("/install").unwrap();
    assert_eq!(site.get(&format!("/js/{id}.js")).await.status.as_u16(), 200, "it is live");
    let install = browser.open(started.location()).await.body;
    assert!(install.contains(&format!("/js/{id}.js")) && install.contains("1 of 5 done"));
    let draft = readable_draft(&site.app, &Actor::Command, id.parse().unwrap()).await.unwrap();
    assert_eq!(
        (draft.project.key.as_str(), draft.project.snippet.preview),
        ("ada_s_b_books", true)
    );
    let list = browser.open("/").await.body;
    assert!(list.contains("Ada&#39;s &#60;b&#62;Books</a>"), "{list}");
}

#[tokio::test]
async fn the_first_page_says_of_each_project_what_is_live() {
    let site = shop().await;
    let browser = owner(&site).await;
    start(&browser, ["Books", "books.example", "books"]).await;

    let list = browser.open("/").await.body;

    let (of_shop, of_books) = {
        let at = |title: &str| list.find(&format!(">{title}</a></h2>")).unwrap();
        let (shop, books) = (at("Shop"), at("Books"));
        if shop < books {
            (&list[shop..books], &list[books..])
        } else {
            (&list[shop..], &list[books..shop])
        }
    };
    assert!(of_shop.contains("not published") && of_shop.contains("2 campaigns"), "{list}");
    assert!(of_books.contains("Revision 1, published"), "{list}");
    assert!(!of_books.contains("unpublished changes"), "{list}");
}

/// The names in a list of projects, in their order.
fn listed(page: &Answer) -> Vec<&str> {
    let links = page.body.split("<h2><a href=\"/projects/").skip(1);
    let names = links.map(|link| link.split_once("<bdi>").unwrap().1.split("</bdi>").next());
    names.map(Option::unwrap).collect()
}

#[tokio::test]
async fn of_many_projects_a_member_finds_one_by_its_words_and_the_archived_ones() {
    let site = shop().await;
    let browser = owner(&site).await;
    for name in ["Zoo", "Ada Bücher", "Books", "Cars", "Dogs", "Elks", "Fish", "Gold"] {
        let host = name.replace(' ', "").to_ascii_lowercase().replace('ü', "u");
        start(&browser, [name, &format!("{host}.example"), ""]).await;
    }
    let zoo = site.app.store().find_project_by_key("zoo").await.unwrap().unwrap();
    archive_project(&site.app, &Actor::Command, zoo, Archiving::Archive, ExpectedVersion::any())
        .await
        .unwrap();
    start(&browser, ["Hats", "hats.example", ""]).await;

    let all = browser.open("/").await;
    let found = browser.open("/?text=bucher+ADA").await;
    let archived = browser.open("/?archived=yes").await;

    let names = ["Ada Bücher", "Books", "Cars", "Dogs", "Elks", "Fish", "Gold", "Hats", "Shop"];
    assert_eq!(listed(&all), names);
    assert!(all.body.contains("9 in all."), "{}", all.body);
    assert_eq!(listed(&found), ["Ada Bücher"]);
    assert_eq!(listed(&archived), ["Zoo"]);
}

#[tokio::test]
async fn the_key_of_a_deleted_project_starts_another_one() {
    let site = shop().await;
    let browser = owner(&site).await;
    let books = ["Books", "books.example", ""];
    let first = start(&browser, books).await.location().to_owned();
    let id = site.app.store().find_project_by_key("books").await.unwrap().unwrap();
    let command = Actor::Command;
    archive_project(&site.app, &command, id, Archiving::Archive, ExpectedVersion::any())
        .await
        .unwrap();
    delete_project(&site.app, &command, id, ("books", ExpectedVersion::any())).await.unwrap();

    let second = start(&browser, books).await;

    assert_eq!(second.status.as_u16(), 303, "{}", second.body);
    assert_ne!(second.location(), first);
}

#[tokio::test]
async fn a_form_with_faults_starts_nothing_and_keeps_what_was_typed() {
    let site = shop().await;
    let browser = owner(&site).await;

    let wrong = start(&browser, ["A <b>", "?", "A"]).await;
    let taken = start(&browser, ["Shop", "shop.example", "shop"]).await;
    let twice = start(&browser, ["Books", "books.example", ""]).await;
    let again = start(&browser, ["Books", "books.example", ""]).await;

    assert_eq!(wrong.status.as_u16(), 422);
    assert_eq!(wrong.body.matches("class=\"wrong\"").count(), 2, "{}", wrong.body);
    assert!(wrong.body.contains("value=\"A &#60;b&#62;\""), "{}", wrong.body);
    assert_eq!(twice.status.as_u16(), 303);
    for taken in [taken, again] {
        assert_eq!(taken.status.as_u16(), 422);
        assert!(taken.body.contains("Another project has this key"), "{}", taken.body);
    }
}

#[tokio::test]
async fn another_member_learns_who_starts_projects_and_no_forged_form_does() {
    let site = shop().await;
    let (admin, owner) = (browser_of(&site, "ada", Role::Admin).await, owner(&site).await);
    let first = admin.open("/").await.body;

    let page = admin.open("/projects/new").await.body;
    let refused = start(&admin, ["Mine", "mine.example", "mine"]).await;
    let fields = [("csrf", "x"), ("name", "Mine"), ("site", "mine.example"), ("key", "")];
    let forged = owner.post("/projects/new/start", &fields).await;

    assert!(first.contains("An owner of this server starts new projects."), "{first}");
    assert!(page.contains("An owner of this server can.") && page.contains(" disabled "), "{page}");
    assert_eq!((refused.status.as_u16(), forged.status.as_u16()), (403, 403));
    assert!(!owner.open("/").await.body.contains("Mine"));
}

#[tokio::test]
async fn a_name_without_latin_letters_gets_a_free_key() {
    let site = shop().await;
    let browser = owner(&site).await;

    let mut keys = Vec::new();
    for name in ["متجر الأكواب", "Магазин"] {
        let started = start(&browser, [name, "shop.example", ""]).await;
        let id = started.location().strip_prefix("/projects/").expect(&started.body);
        let id = id.strip_suffix("/install").unwrap().parse().unwrap();
        let draft = readable_draft(&site.app, &Actor::Command, id).await.unwrap();
        keys.push(draft.project.key.to_string());
    }
    let blank = start(&browser, ["   ", "shop.example", ""]).await.body;
    let key = start(&browser, ["Shop", "shop.example", "My Shop"]).await.body;

    assert_eq!(keys, ["project_1", "project_2"]);
    assert!(
        blank.contains("The project needs a name.") && !blank.contains("key is empty"),
        "{blank}"
    );
    assert!(key.contains("expected"), "it says what a key is: {key}");
}
