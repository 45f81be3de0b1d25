//! The steps to a project's first experiment.

use app::installations::record_loads;
use axum::body::Body;
use axum::http::Request;
use storage::Role;

use super::campaigns::{HERO, act};
use super::filled_form::FilledForm;
use super::{browser_of, shop};

#[tokio::test]
async fn a_new_project_lists_the_steps_to_its_first_experiment_until_all_are_done() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let viewer = browser_of(&site, "vic", Role::Viewer).await;
    let home = async || browser.open("/projects/1000").await.body;
    let list = "/experiments/0/variations";

    let new = home().await;
    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);
    let two = FilledForm::of(&form.press(&browser, &format!("add {list} variation")).await);
    let even = FilledForm::of(&two.press(&browser, &format!("even {list}")).await);
    even.save(&browser).await;
    let made = home().await;
    act(&browser, &browser.open(HERO).await, &[("action", "start")]).await;
    let started = home().await;
    let of_viewer = viewer.open("/projects/1000/install").await.body;
    let load = Request::get("/js/1000.js").header("referer", "https://shop.example/");
    site.send(load.body(Body::empty()).unwrap()).await;
    record_loads(&site.app).await.unwrap();
    let (done, installed) = (home().await, browser.open("/projects/1000/install").await.body);

    assert!(new.contains("1 of 5 done"), "a page is there: {new}");
    let next = "<li class=\"next\">\n            <h3><a href=\"/projects/1000/install\">";
    assert!(new.contains(next), "{new}");
    assert!(made.contains("2 of 5 done"), "{made}");
    assert!(started.contains("4 of 5 done"), "all but the installation: {started}");
    assert!(of_viewer.contains("4 of 5 done"), "{of_viewer}");
    assert!(!done.contains("of 5 done") && !installed.contains("of 5 done"), "{done}");
}

#[tokio::test]
async fn a_viewer_is_led_to_no_page_that_their_role_is_refused() {
    let site = shop().await;
    let editor = browser_of(&site, "eva", Role::Editor).await;
    let viewer = browser_of(&site, "vic", Role::Viewer).await;

    for page in ["/projects/1000", HERO, "/projects/1000/settings", "/projects/1000/install"] {
        let (of_editor, of_viewer) = (editor.open(page).await.body, viewer.open(page).await);
        assert_eq!(of_viewer.status.as_u16(), 200, "{page}");
        let of_viewer = of_viewer.body;

        assert!(of_editor.contains("href=\"/projects/1000/preview\""), "{page}: {of_editor}");
        for refused in ["preview", "webhooks"] {
            let link = format!("href=\"/projects/1000/{refused}\"");
            assert!(!of_viewer.contains(&link), "{page}: {of_viewer}");
        }
    }
    let settings = editor.open("/projects/1000/settings").await.body;
    assert!(settings.contains("href=\"/projects/1000/webhooks\""), "{settings}");
    assert_eq!(viewer.open("/projects/1000/preview").await.status.as_u16(), 403);
}
