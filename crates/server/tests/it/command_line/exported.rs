//! `assay export` of what was applied from a file: the file again, with what was edited since, and nothing lost silently.

use serde_json::{Value, json};

use super::binary::{stderr, stdout};
use super::remote::{Desk, shop};

const CODE: &str = "document.title = 'Sale';\n";

/// With comments, and code in a file of its own.
fn commented() -> String {
    let code = "              - {type: javascript, value: {file: ./code/hero.js}}   # reviewed\n";
    let shop = shop()
        .replace("version: 1\n", "# Größe zählt.\nversion: 1   # the only one\n")
        .replace("weight: 5000}", "weight: 50%}   # half")
        .replace("    status: running\n", "");
    format!("{shop}{code}# end")
}

impl Desk {
    async fn with_commented(text: &str) -> Self {
        let desk = Self::start().await;
        std::fs::create_dir(desk.folder.path("code")).unwrap();
        desk.folder.write("code/hero.js", CODE);
        desk.folder.write("shop.yaml", text);
        desk.stdout_of(&["apply", "shop.yaml"]);
        desk
    }

    /// What an editor in the console does: the draft changes, and no file.
    pub(super) async fn edit(&self, edit: impl FnOnce(&mut Value)) {
        let address = self.server.url("/v1/projects/2000/document");
        let client = reqwest::Client::new();
        let draft = client.get(&address).bearer_auth(&self.token).send().await.unwrap();
        let tag = draft.headers()["etag"].clone();
        let mut document = draft.json().await.unwrap();
        edit(&mut document);
        let put = client.put(&address).bearer_auth(&self.token).header("if-match", tag);
        let answer = put.json(&document).send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    }

    async fn keep_source(&self, text: &str) {
        let address = self.server.url("/v1/projects/2000/document/source");
        let put = reqwest::Client::new().put(address).bearer_auth(&self.token);
        let put = put.header("if-match", "*").json(&json!({"text": text}));
        assert_eq!(put.send().await.unwrap().status().as_u16(), 204);
    }

    fn exported(&self, more: &[&str]) -> (String, String) {
        let output = self.run(&[&["export", "2000"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        (stdout(&output), stderr(&output))
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.path(file)).unwrap()
    }
}

fn variation(document: &mut Value) -> &mut Value {
    &mut document["campaigns"][0]["experiments"][0]["variations"][1]
}

#[tokio::test]
async fn an_applied_file_is_exported_as_it_was_written() {
    let texts = [commented(), commented().replace('\n', "\r\n")];
    let desk = Desk::with_commented(&texts[0]).await;
    for text in &texts {
        desk.folder.write("shop.yaml", text);
        assert_eq!(desk.stdout_of(&["apply", "shop.yaml"]), "no differences\n");

        assert_eq!(desk.exported(&[]), (text.clone(), String::new()));
    }

    desk.edit(|document| document["campaigns"][0]["status"] = json!("running")).await;
    assert_eq!(desk.exported(&[]), (texts[1].clone(), String::new()), "the file leaves it open");
    let generated = desk.exported(&["--generate"]).0;
    assert!(!generated.contains('ö') && generated.contains("title = 'Sale'"), "{generated}");
    let json = serde_json::to_string_pretty(&json!({
        "version": 1, "project": {"id": "2000", "key": "shop"},
    }));
    desk.folder.write("shop.json", &json.unwrap());
    desk.stdout_of(&["apply", "shop.json", "--prune", "--yes"]);
    assert_eq!(desk.exported(&[]).0, desk.read("shop.json"));
}

#[tokio::test]
async fn an_export_changes_edited_values_where_they_stand_in_the_file() {
    let desk = Desk::with_commented(&commented()).await;
    desk.edit(|document| {
        variation(document)["changes"][0]["value"] = json!("Ship sooner");
        document["pages"][0]["name"] = json!("Start");
    })
    .await;

    desk.stdout_of(&["export", "2000", "-o", "shop.yaml"]);

    let expected = commented().replace("Ship faster", "Ship sooner");
    assert_eq!(desk.read("shop.yaml"), expected.replace("name: Home", "name: Start"));
    assert_eq!(desk.stdout_of(&["diff", "shop.yaml"]), "no differences\n");
}

#[tokio::test]
async fn a_file_without_the_projects_text_is_told_or_written() {
    let desk = Desk::with_commented(&commented()).await;
    desk.edit(|document| variation(document)["changes"][1]["value"] = json!("alert(1)")).await;

    let (text, told) = desk.exported(&[]);
    assert_eq!(text, commented().replace("{file: ./code/hero.js}", "alert(1)"));
    assert!(told.contains("`code/hero.js` does not have") && told.contains("`--files`"), "{told}");
    assert_eq!(desk.read("code/hero.js"), CODE);

    let (_, told) = desk.exported(&["--files", "-o", "shop.yaml"]);
    let written = (desk.read("shop.yaml"), desk.read("code/hero.js"));
    assert_eq!(written, (commented(), "alert(1)".to_owned()));
    assert!(told.contains("wrote `./code/hero.js`"), "{told}");
    assert_eq!(desk.exported(&[]), (commented(), String::new()));
}

#[tokio::test]
async fn only_files_that_the_own_project_file_refers_to_are_overwritten() {
    let desk = Desk::with_commented(&commented()).await;
    desk.folder.write("Makefile", "all:\n");
    let output = ["--files", "-o", "shop.yaml"];
    for (path, flags, text) in [
        ("Makefile", &output[..], Some("all:\n")),
        ("code/hero.js", &["--files"], Some(CODE)),
        ("build.mk", &output, None),
        ("new/hero.js", &output, Some("alert(1)")),
    ] {
        desk.folder.write("shop.yaml", &commented());
        desk.folder.write("code/hero.js", CODE);
        desk.keep_source(&commented().replace("code/hero.js", path)).await;
        desk.edit(|document| variation(document)["changes"][1]["value"] = json!("alert(1)")).await;

        let (_, told) = desk.exported(flags);

        let found = std::fs::read_to_string(desk.folder.path(path)).ok();
        assert_eq!(found.as_deref(), text, "{path}: {told}");
        let is_refused =
            told.contains("`--files` overwrites only") || told.contains("a new file is");
        assert_eq!(is_refused, text != Some("alert(1)"), "{path}: {told}");
    }
}

#[tokio::test]
async fn an_exported_file_decides_as_before_when_a_key_has_changed() {
    let ids = ["id: \"4001\"\n        ", "id: \"5001\", ", "id: \"5002\"\n            "];
    let code = "              - {type: javascript, value: {file: ./code/hero.js}}   # reviewed\n";
    let applied = ids.iter().fold(shop() + code, |text, id| text.replace(id, ""));
    let desk = Desk::with_commented(&applied).await;
    let decided = || -> Value {
        let visit = ["decide", "shop.yaml", "--visitor", "ada", "--url", "https://shop.example/"];
        let answer = desk.folder.assay(&[&visit[..], &["--json"]].concat());
        serde_json::from_slice::<Value>(&answer.stdout).unwrap()["campaigns"][0].clone()
    };
    let before = decided();
    desk.edit(|document| {
        document["campaigns"][0]["experiments"][0]["key"] = json!("headline");
        document["campaigns"][0]["priorities"] = json!([["headline"]]);
    })
    .await;

    let (_, told) = desk.exported(&["-o", "shop.yaml"]);

    let text = desk.read("shop.yaml");
    assert_eq!(told, "");
    assert!(text.contains("key: headline\n") && text.contains("hero.js}}   # reviewed"), "{text}");
    for field in ["experiment", "variation"] {
        assert_eq!(decided()[field]["id"], before[field]["id"], "{text}");
        assert!(before[field]["id"].is_string(), "{before}");
    }
}

#[tokio::test]
async fn a_file_that_is_called_json_is_json() {
    let desk = Desk::with_commented(&commented()).await;

    let (_, told) = desk.exported(&["-o", "shop.json"]);
    desk.exported(&["--generate", "-o", "generated.json"]);

    assert!(told.contains("the applied file is YAML"), "{told}");
    for file in ["shop.json", "generated.json"] {
        let json: Value = serde_json::from_str(&desk.read(file)).unwrap();
        assert_eq!(json["campaigns"][0]["key"], "hero");
        assert_eq!(desk.stdout_of(&["diff", file]), "no differences\n");
    }
}

#[tokio::test]
async fn nothing_hidden_or_outside_of_the_folder_is_written() {
    let desk = Desk::with_commented(&commented()).await;
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), desk.folder.path("linked")).unwrap();
    std::fs::create_dir(desk.folder.path(".git")).unwrap();
    for path in [".git/hook", "linked/hook"] {
        let text = commented().replace("./code/hero.js", path);
        desk.keep_source(&text).await;

        let (exported, told) = desk.exported(&["--files"]);

        assert!(exported.contains("document.title") && !exported.contains(path), "{exported}");
        assert!(told.contains("is not written"), "{told}");
        assert!(!desk.folder.path(path).exists(), "{path}");
    }
}

#[tokio::test]
async fn an_export_reports_the_comments_that_it_loses() {
    let pages = "pages:   # in this order\n  - {id: \"2002\", key: cart}\n";
    let desk = Desk::with_commented(&commented().replace("pages:\n", pages)).await;
    desk.edit(|document| document["pages"].as_array_mut().unwrap().swap(0, 1)).await;

    let (_, told) = desk.exported(&["-o", "copy.yaml"]);

    let lost = "are gone with what has changed around them, from line 4\n";
    assert!(told.contains(lost), "{told}{}", desk.read("copy.yaml"));
    assert_eq!(desk.stdout_of(&["diff", "copy.yaml"]), "no differences\n");
    assert!(desk.read("copy.yaml").starts_with("# Größe zählt.\n"));
    desk.keep_source("version: 1\nproject: {id: \"2000\"}\nnonsense: 1 # kept\n").await;
    let (text, told) = desk.exported(&[]);
    assert!(told.contains("this is a new file, without the comments"), "{told}");
    assert!(text.starts_with("# yaml-language-server") && text.contains("key: cart"), "{text}");
}
