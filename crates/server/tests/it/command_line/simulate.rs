//! `assay simulate`: made-up visitors come to a server that runs.

use super::binary::{Folder, project_with, stderr, stdout};

#[test]
fn the_first_file_is_tried_with_visitors_of_its_site() {
    let folder = Folder::new();
    folder.assay(&["init", "shop.yaml"]);
    let server = folder.serve(&["shop.yaml"]);
    let (site, to) = ("http://localhost:3000/", server.url(""));
    let flags = ["--url", site, "--visitors", "20", "--event", "sign_up=10%", "--server", &to];

    let came = folder.assay(&[&["simulate", "shop.yaml"], &flags[..]].concat());

    assert_eq!(came.status.code(), Some(0), "{}", stderr(&came));
    let told = stdout(&came);
    assert!(told.starts_with("20 of 20 visitors were given a variation"), "{told}");
}

#[test]
fn an_event_that_the_project_does_not_have_is_not_sent() {
    let folder = Folder::new();
    folder.assay(&["init", "shop.yaml"]);
    let server = folder.serve(&["shop.yaml"]);
    let (site, to) = ("http://localhost:3000/", server.url(""));
    let flags = ["--url", site, "--event", "signup=10%", "--server", &to];

    let refused = folder.assay(&[&["simulate", "shop.yaml"], &flags[..]].concat());

    assert_eq!(refused.status.code(), Some(1));
    let expected = "error: the project has no event `signup`, but `sign_up`\n";
    assert_eq!(stderr(&refused), expected);
}

#[test]
fn pages_of_other_sites_are_refused_as_the_live_project_says() {
    let folder = Folder::new();
    let fields = r#"results: on, origins: ["https://blog.example"]"#;
    folder.write("shop.yaml", &project_with(fields));
    let server = folder.serve(&["shop.yaml"]);

    let flags = ["--url", "https://shop.example/", "--server", &server.url("")];
    let refused = folder.assay(&[&["simulate", "shop.yaml"], &flags[..]].concat());

    assert_eq!(refused.status.code(), Some(1));
    let told = stderr(&refused);
    assert!(told.contains("the server says 403: the live project takes no events"), "{told}");
}

/// The same project without ids but its own.
fn without_ids(project: &str) -> String {
    let after = |id, spaces| format!("id: \"{id}\"\n{}", " ".repeat(spaces));
    let ids = [after("3001", 4), after("4001", 8), after("5002", 12), "id: \"5001\", ".to_owned()];
    ids.iter().fold(project.to_owned(), |text, id| text.replace(id, ""))
}

#[test]
fn a_file_without_ids_is_enough_but_for_the_projects() {
    let folder = Folder::new();
    let project = project_with("results: on");
    folder.write("live.yaml", &project);
    folder.write("keys.yaml", &without_ids(&project));
    folder.write("no-id.yaml", &without_ids(&project).replace("id: \"1000\", ", ""));
    let server = folder.serve(&["live.yaml"]);
    let come = |file| {
        let to = server.url("");
        let flags = ["--url", "https://shop.example/", "--visitors", "20", "--server", &to];
        folder.assay(&[&["simulate", file], &flags[..]].concat())
    };

    let (by_keys, unknown) = (come("keys.yaml"), come("no-id.yaml"));

    assert_eq!(by_keys.status.code(), Some(0), "{}", stderr(&by_keys));
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("`assay export`"), "{}", stderr(&unknown));
}
