//! A project to start with: its name, its home page at the site's address, previews on, and no campaign yet.

use domain::{Fault, Key, SharedDocument};
use serde_json::{Value, json};
use url::Url;

use crate::documents::check_shared;
use crate::setup::fault::{SetUpFault, SetUpField};

/// The project to make, as a person typed it.
#[derive(Debug, Clone)]
pub struct FirstProject {
    /// Its name.
    pub name: String,
    /// Its key; if empty, the name makes it, or a number where the name has no letter for it.
    pub key: String,
    /// The address of the site, or of any page on it.
    pub site: String,
}

impl FirstProject {
    /// The project's document, or what is wrong with the fields. Without an id, the key makes one.
    pub(super) fn document(&self, id: Option<&str>) -> Result<Value, Vec<SetUpFault>> {
        let site = origin_of(&self.site).ok_or_else(|| {
            SetUpFault::new(SetUpField::Site, "expected an address such as `https://shop.example`")
        });
        let home = site
            .as_deref()
            .map_or_else(|_| "https://site.invalid/".to_owned(), |origin| format!("{origin}/"));
        let name = self.name.trim();
        let mut document = json!({
            "version": 1,
            "project": {
                "key": self.key(),
                "name": name,
                "snippet": {"preview": true},
            },
            "pages": [{
                "key": "home",
                "name": "Home page",
                "conditions": ["or", {"type": "url", "match": "simple", "value": home}],
            }],
        });
        if let Some(id) = id {
            document["project"]["id"] = id.into();
        }
        let checked = SharedDocument::of(document.clone()).and_then(|shared| check_shared(&shared));
        let mut faults: Vec<_> = checked.err().into_iter().flatten().map(fault_of).collect();
        if name.is_empty() {
            // What its key would be made of is missing, too.
            faults.retain(|fault| {
                fault.field == SetUpField::Key && !self.key.trim().is_empty()
                    || fault.field == SetUpField::Site
            });
            faults.push(SetUpFault::new(SetUpField::Name, "the project needs a name"));
        }
        faults.extend(site.err());
        if faults.is_empty() { Ok(document) } else { Err(faults) }
    }

    /// Whether it has a name, and neither a key nor a letter in the name to make one of, as in Arabic.
    pub(super) fn needs_key(&self) -> bool {
        !self.name.trim().is_empty() && self.key().is_empty()
    }

    fn key(&self) -> String {
        let key = self.key.trim();
        let made = || Key::from_name(&self.name).map(|made| made.to_string()).unwrap_or_default();
        if key.is_empty() { made() } else { key.to_owned() }
    }
}

/// The key of a project whose name makes none.
pub(super) fn numbered_key(number: u32) -> String {
    format!("project_{number}")
}

/// The field of the form that a fault of the document is about.
fn fault_of(fault: Fault) -> SetUpFault {
    let pointer = fault.pointer.to_string();
    let field = match pointer.as_str() {
        "/project/name" => SetUpField::Name,
        "/project/key" => SetUpField::Key,
        _ => SetUpField::Site,
    };
    let expected = fault.expected.map(|expected| format!(", expected {expected}"));
    let message = format!("{}{}", fault.message, expected.unwrap_or_default());
    SetUpFault { field, message, hint: fault.hint }
}

/// The origin of a site that a person names by its host or by the address of a page.
fn origin_of(site: &str) -> Option<String> {
    let site = site.trim();
    let address = if site.contains("://") { site.to_owned() } else { format!("https://{site}") };
    let url = Url::parse(&address).ok()?;
    let is_site = matches!(url.scheme(), "http" | "https") && url.username().is_empty();
    is_site.then(|| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::{FirstProject, origin_of};
    use crate::setup::fault::SetUpField;

    fn project(name: &str, key: &str, site: &str) -> FirstProject {
        FirstProject { name: name.to_owned(), key: key.to_owned(), site: site.to_owned() }
    }

    #[test]
    fn a_site_is_known_by_its_host_or_any_of_its_pages() {
        for site in ["shop.example", " https://Shop.example/a?b#c ", "https://shop.example:443"] {
            assert_eq!(origin_of(site).as_deref(), Some("https://shop.example"), "{site}");
        }
        assert_eq!(origin_of("localhost:3000").as_deref(), Some("https://localhost:3000"));
        assert_eq!(origin_of("http://localhost:3000").as_deref(), Some("http://localhost:3000"));
        for wrong in ["", " ", "ftp://shop.example", "javascript://x", "https://", "a b"] {
            assert_eq!(origin_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_name_makes_the_key_where_the_form_names_none() {
        let made = project("Ada's Shop", "", "shop.example").document(None).unwrap();

        assert_eq!(made["project"]["key"], "ada_s_shop");
        assert_eq!(made["project"]["snippet"]["preview"], true);
        assert_eq!(made["pages"][0]["conditions"][1]["value"], "https://shop.example/");
    }

    #[test]
    fn each_fault_is_beside_its_field() {
        let fields = |project: FirstProject| {
            let faults = project.document(None).unwrap_err();
            faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
        };

        assert_eq!(fields(project("Shop", "My Shop", "shop.example")), [SetUpField::Key]);
        assert_eq!(fields(project(&"x".repeat(201), "shop", "shop.example")), [SetUpField::Name]);
        assert_eq!(fields(project("Shop", "shop", "")), [SetUpField::Site]);
        assert_eq!(fields(project("  ", "", "shop.example")), [SetUpField::Name]);
        assert_eq!(fields(project("", "A b", "")).len(), 3);
        assert_eq!(fields(project("", "", "")), [SetUpField::Name, SetUpField::Site]);
    }

    #[test]
    fn a_fault_says_what_would_be_right() {
        let faults = project("Shop", "My Shop", "shop.example").document(None).unwrap_err();

        assert!(faults[0].message.contains(", expected "), "{faults:?}");
    }

    #[test]
    fn a_name_without_latin_letters_needs_a_key() {
        for (name, key, needs) in [
            ("متجر الأكواب", "", true),
            ("Магазин", "shop", false),
            ("Shop", "", false),
            (" ", "", false),
        ] {
            assert_eq!(project(name, key, "shop.example").needs_key(), needs, "{name}");
        }
    }
}
