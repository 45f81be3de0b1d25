//! `assay init`, and what the command line tells of itself.

use super::binary::{Folder, stderr, stdout};

#[tokio::test]
async fn the_first_file_has_no_faults_and_runs() {
    let folder = Folder::new();

    let told =
        folder.assay(&["init", "--site", "https://shop.example", "--name", "Ann's \"shop\": #1"]);

    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    let checked = folder.assay(&["check", "--strict", "project.yaml"]);
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    let told = stdout(&told);
    let address = told.split('"').nth(1).unwrap().strip_prefix("http://127.0.0.1:8080").unwrap();
    let server = folder.serve(&["project.yaml"]);
    let snippet = reqwest::get(server.url(address)).await.unwrap();
    assert_eq!(snippet.status().as_u16(), 200, "{told}");
    assert!(snippet.text().await.unwrap().contains("Up and running"));
    let decided = folder.assay(&[
        "decide",
        "project.yaml",
        "--visitor",
        "ada",
        "--url",
        "https://shop.example/?a=1",
    ]);
    assert!(stdout(&decided).contains("headline"), "{}", stdout(&decided));
}

#[test]
fn a_file_that_is_there_stays_as_it_is() {
    let folder = Folder::new();
    let path = folder.write("project.yaml", "mine");

    let refused = folder.assay(&["init"]);

    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("`project.yaml` already exists"), "{}", stderr(&refused));
    assert_eq!(std::fs::read_to_string(path).unwrap(), "mine");
}

#[test]
fn a_first_file_may_be_json_or_go_to_standard_output() {
    let folder = Folder::new();

    let json = folder.assay(&["init", "shop.json"]);
    let printed = folder.assay(&["init", "-"]);

    assert_eq!(json.status.code(), Some(0), "{}", stderr(&json));
    let checked = folder.assay(&["check", "--strict", "shop.json"]);
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    assert!(stdout(&printed).starts_with("# What runs on your site."), "{}", stdout(&printed));
    assert!(stdout(&printed).ends_with("in a minute\"}\n") && !folder.path("-").exists());
}

#[test]
fn a_site_is_an_address_and_a_name_makes_a_key() {
    let folder = Folder::new();

    for (arguments, code, told) in [
        (["init", "--site", "shop.example"], 2, "https://shop.example"),
        (["init", "--site", "file:///shop"], 2, "expected an http or https address"),
        (["init", "--name", "日本"], 1, "`--key` gives it another"),
        (["init", "--key", "日本"], 2, "a key is 1 to 64"),
    ] {
        let refused = folder.assay(&arguments);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&refused).contains(told), "{}", stderr(&refused));
    }
    assert!(!folder.path("project.yaml").exists(), "nothing half-done stays");
    let named = folder.assay(&["init", "--name", "日本", "--key", "nippon"]);
    assert_eq!(named.status.code(), Some(0), "{}", stderr(&named));
    let checked = folder.assay(&["check", "project.yaml"]);
    assert!(stdout(&checked).contains("project `nippon`"), "{}", stderr(&checked));
}

#[test]
fn a_key_stays_what_it_is_whatever_yaml_makes_of_it() {
    for key in ["2026", "007", "1e5", "0x10", "0o17", "true", "null", "no"] {
        let folder = Folder::new();
        for arguments in [["init", "key.yaml", "--key", key], ["init", "name.yaml", "--name", key]]
        {
            let made = folder.assay(&arguments);
            assert_eq!(made.status.code(), Some(0), "{key}: {}", stderr(&made));
            let checked = stdout(&folder.assay(&["check", arguments[1]]));
            assert!(checked.contains(&format!("project `{key}` ")), "{checked}");
        }
    }
}

#[test]
fn shells_and_readers_get_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&folder.assay(&["completions", shell]));
        assert!(script.contains("preview-links"), "{shell}");
    }

    let written = folder.assay(&["man", "--output", "man1"]);

    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    let page = |name: &str| std::fs::read_to_string(folder.path("man1").join(name)).unwrap();
    assert!(page("assay.1").contains(".TH assay 1"));
    assert!(page("assay-apply.1").contains("prune"));
    for name in ["assay.1", "assay-apply.1", "assay-token-add.1"] {
        assert!(page(name).contains(".SH \"EXIT STATUS\"\n.TP\n0\nDone.\n"), "{name}");
    }
    assert!(stdout(&folder.assay(&["man"])).contains("assay\\-apply(1)"));
}
