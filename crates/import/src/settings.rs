//! The project itself, and how its snippet behaves.

use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::export_location::At;
use crate::identity::Keys;
use crate::importer::Importer;
use crate::project::Chosen;
use crate::rejections::FROM;

/// The cookie in which Optimizely keeps the visitor's id.
const COOKIE_THERE: &str = "optimizelyEndUserId";

/// The name under which pages reach Optimizely's API.
const GLOBAL_THERE: &str = "optimizely";

impl<'e> Importer<'e> {
    /// What the document says of the project itself.
    pub(crate) fn project(&mut self, chosen: &Chosen<'e>) -> Value {
        let Some(at) = &chosen.resource else { return self.nameless_project(&chosen.id) };
        let Some(resource) = self.begin(at, "project") else {
            return self.nameless_project(&chosen.id);
        };
        let fallback = format!("project_{}", chosen.id);
        let key = Keys::default().give([resource.name.as_deref().unwrap_or_default(), &fallback]);
        let mut fields = self.start(at, &resource, &key);
        if let Some(at) = at.field("platform") {
            self.ledger.settle(&at);
        }
        if self.word(at, "status", &[("active", ""), ("archived", "archived")])
            == Ok(Some("archived"))
        {
            fields.insert("archived".to_owned(), json!(true));
        }
        if let Some(at) = at.field("confidence_threshold") {
            let message = "each campaign's plan has a confidence of its own in Assay";
            self.ledger.left_out(&at, message, "set `plan: {confidence: …}` where it is not 95%");
        }
        if let Some(at) = at.field("description") {
            self.ledger.left_out(&at, "Assay's projects have no description", "");
        }
        let snippet = self.snippet(Some(at));
        fields.insert("snippet".to_owned(), snippet);
        self.finish(at, fields)
    }

    fn nameless_project(&mut self, id: &str) -> Value {
        let message = "the export does not have the project itself: its settings are ours";
        self.added(message, "add `projects.json`, the answer to `GET /v2/projects`");
        let snippet = self.snippet(None);
        json!({"id": id, "key": format!("project_{id}"), "snippet": snippet})
    }

    /// What lets pages and visitors go on without noticing.
    fn own_settings(&mut self) -> Map<String, Value> {
        let message = format!(
            "`window[\"{GLOBAL_THERE}\"]` is our API, too, so that integrations and code on the pages find it"
        );
        self.added(&message, "remove it from `global_aliases` once nothing uses it");
        let aliases = ("global_aliases".to_owned(), json!([GLOBAL_THERE]));
        std::iter::once(aliases).collect()
    }

    /// Where visitors have their id who were not given one otherwise.
    fn cookie_there(&mut self) -> Value {
        let message = format!(
            "visitors who have the cookie `{COOKIE_THERE}` keep their id, and with it their variations"
        );
        self.added(&message, "take `visitor_id` out when those cookies have run out");
        json!({"source": "cookie", "name": COOKIE_THERE})
    }

    fn added(&mut self, message: &str, advice: &str) {
        if let Some(at) = self.export.wholes().next() {
            self.ledger.note(Outcome::Added, &at.location, message, advice);
        }
    }

    fn snippet(&mut self, project: Option<&At<'e>>) -> Value {
        let mut settings = self.own_settings();
        let at = project.and_then(|project| project.field("web_snippet"));
        let Some(at) = at.filter(|at| at.value.is_object()) else {
            settings.insert("visitor_id".to_owned(), self.cookie_there());
            return Value::Object(settings);
        };
        settings.insert(FROM.to_owned(), self.mark(&at));
        self.pass_over(&at, "web_snippet");
        // Missing settings have Optimizely's defaults.
        let exclude_names = self.said(&at, "exclude_names").unwrap_or(true);
        settings.insert("exclude_names".to_owned(), json!(exclude_names));
        let allow_force = self.flag(&at, "enable_force_variation");
        settings.insert("allow_force".to_owned(), json!(allow_force));
        let visitor_id = self.visitor_id(&at);
        settings.insert("visitor_id".to_owned(), visitor_id);
        self.project_javascript(&at, &mut settings);
        self.jquery(&at);
        if let Some(at) = at.field("ip_filter") {
            let advice = "exclude these visitors where you compute results";
            self.ledger.left_out(&at, "Assay does not distinguish visitors by IP address", advice);
        }
        self.finish(&at, settings)
    }

    fn visitor_id(&mut self, at: &At<'e>) -> Value {
        let sources = [
            ("cookie", "cookie"),
            ("query", "query"),
            ("localStorage", "local_storage"),
            ("js", "javascript"),
        ];
        let source = self.word(at, "visitor_id_locator_type", &sources);
        let name = self.text(at, "visitor_id_locator_name");
        if self.rejection(at, "visitor_id").is_none() {
            match (source, name) {
                (Ok(source), Some(name)) => {
                    return json!({"source": source.unwrap_or("cookie"), "name": name});
                }
                (Ok(None | Some("cookie")), None) => return self.cookie_there(),
                (Err(()), _) | (Ok(Some(_)), None) => {}
            }
        }
        let reason = "it cannot be told where the visitor's id comes from";
        self.flaw_of_all.get_or_insert_with(|| reason.to_owned());
        json!({})
    }

    fn project_javascript(&mut self, at: &At<'e>, settings: &mut Map<String, Value>) {
        let Some(code) = self.text(at, "project_javascript") else { return };
        let Some(place) = at.field("project_javascript") else { return };
        if let Some(reason) = self.rejection(at, "javascript") {
            self.ledger.left_out(&place, format!("the project's code: {reason}"), "mend the code");
            self.flaw_of_all = Some("the project's code is left out".to_owned());
            return;
        }
        self.check_code(&place, &code);
        settings.insert("javascript".to_owned(), json!(code));
    }

    /// Their snippet can bring jQuery; ours brings nothing that the project does not use.
    fn jquery(&mut self, at: &At<'e>) {
        let library = self.text(at, "library");
        let Some(at) = at.field("include_jquery") else { return };
        if at.value.as_bool() == Some(false) {
            self.ledger.settle(&at);
            return;
        }
        let library = library.unwrap_or_else(|| "jQuery".to_owned());
        let message = format!("`{library}` is not part of Assay's snippet");
        let advice = "load it before the snippet if code of the pages or of changes relies on `$`";
        self.ledger.left_out(&at, message, advice);
    }

    /// Tells of code that relies on what the snippet does not bring.
    pub(crate) fn check_code(&mut self, at: &At<'e>, code: &str) {
        if crate::code::seems_to_need_jquery(code) {
            let message = "the code seems to use jQuery, which the snippet does not include";
            let advice = "load jQuery before the snippet, or rewrite the code";
            self.ledger.note(Outcome::Check, &at.location, message, advice);
        }
    }
}
