//! An import goes in rounds: make a document, have it checked, and make it again without what was
//! objected to, until nothing is.

use domain::{Fault, NoFiles, Project, Severity, Source};
use serde_json::{Value, json};
use thiserror::Error;

use crate::groups::{ImportedGroups, StoppedCampaign};
use crate::importer::Importer;
use crate::project::{Chosen, choose};
use crate::rejections::{Origins, Rejections, reason};
use crate::report::Count;
use crate::{Export, ExportLocation, Note, Outcome, Report, Unsuitable};

/// What came of an export.
#[derive(Debug)]
pub struct Imported {
    /// A valid project.
    pub project: Project,
    /// The differences.
    pub report: Report,
}

/// Why nothing came of an export.
#[derive(Debug, Error)]
pub enum Refusal {
    /// It has no project that can be imported.
    #[error(transparent)]
    Unsuitable(#[from] Unsuitable),
    /// The document that was made of it has faults which do not come from any part of the export.
    #[error("{}", lines(.0))]
    Faults(Vec<Fault>),
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Reads and checks a document, with the warnings if it is valid: [`domain::parse`], or more.
pub type Check<'c> = &'c dyn Fn(&Source<'_>) -> Result<(Project, Vec<Fault>), Vec<Fault>>;

/// Makes a project of an export: of the project with the id `asked`, or of the only one. What
/// `check` objects to is left out.
///
/// # Errors
/// The export has no such project, or is too large for a document.
pub fn import(export: &Export, asked: Option<&str>, check: Check<'_>) -> Result<Imported, Refusal> {
    let chosen = choose(export, asked)?;
    let mut rejections = Rejections::default();
    loop {
        let round = round(export, &chosen, &rejections);
        let text = round.document.to_string();
        let source = Source { name: "imported.json", text: &text, files: &NoFiles };
        match check(&source) {
            Ok((project, warnings)) => {
                let report = report(&round, &project, &warnings);
                return Ok(Imported { project, report });
            }
            Err(faults) if !rejections.learn(&faults, &round.origins) => {
                // Their locations are in a document that members do not see.
                let faults = faults.into_iter().map(|fault| fault.at(None));
                return Err(Refusal::Faults(faults.collect()));
            }
            Err(_) => {}
        }
    }
}

/// What one round makes.
struct Round {
    document: Value,
    origins: Origins,
    notes: Vec<Note>,
}

fn round<'e>(export: &'e Export, chosen: &Chosen<'e>, rejections: &'e Rejections) -> Round {
    let mut importer = Importer::new(export, rejections, chosen);
    let project = importer.project(chosen);
    let mut attributes = importer.attributes();
    importer.pages();
    let mut events = importer.events();
    let mut audiences = importer.audiences();
    let mut drafts = importer.campaigns();
    let ImportedGroups { groups, stopped } = importer.groups();
    for StoppedCampaign { key, flaw } in stopped {
        let grouped = drafts.iter_mut().filter(|draft| draft.key == key);
        grouped.for_each(|draft| draft.flaws.push(flaw.clone()));
    }
    let campaigns: Vec<Value> = drafts.into_iter().map(|draft| importer.settled(draft)).collect();
    let mut pages = std::mem::take(&mut importer.all_pages);
    importer.need_what_audiences_name(&audiences);
    importer.restore_needed("attribute", &mut attributes);
    importer.restore_needed("page", &mut pages);
    importer.restore_needed("audience", &mut audiences);
    importer.restore_needed("event", &mut events);
    importer.leave_out_unknown(chosen);
    let mut document = json!({
        "version": 1, "project": project, "attributes": attributes, "events": events,
        "pages": pages, "audiences": audiences, "campaigns": campaigns, "groups": groups,
    });
    if let Some(sections) = document.as_object_mut() {
        sections.retain(|_, section| section != &json!([]));
    }
    let origins = Origins::take_out_of(&mut document, importer.locations());
    Round { document, origins, notes: importer.ledger.into_notes() }
}

impl Importer<'_> {
    /// A resource that a runnable campaign needs is not archived in Assay, even if it is in Optimizely.
    fn restore_needed(&mut self, kind: &'static str, resources: &mut [Value]) {
        for resource in resources {
            let key = resource.get("key").and_then(Value::as_str).unwrap_or_default().to_owned();
            let is_needed = self.needed.contains(&(kind, key.clone()));
            let Some(fields) = resource.as_object_mut().filter(|_| is_needed) else { continue };
            if fields.shift_remove("archived").is_none() {
                continue;
            }
            let mark = fields.get(crate::rejections::FROM).and_then(Value::as_u64);
            let location =
                mark.and_then(|mark| self.locations().get(usize::try_from(mark).ok()?)).cloned();
            if let Some(location) = location {
                let message = format!(
                    "the {kind} `{key}` is archived in Optimizely, but in use, so not archived in Assay"
                );
                let advice = "archive it in Assay once nothing that can run uses it";
                self.ledger.note(Outcome::Changed, &location, message, advice);
            }
        }
    }

    /// Names everything that nothing became of.
    fn leave_out_unknown(&mut self, chosen: &Chosen<'_>) {
        for at in self.export.unknown_files() {
            self.ledger.left_out(&at, "the file's name is none that we know", "");
        }
        let whole_kinds = [
            (
                "extensions",
                "extensions are unknown to Assay: the changes that use them are left out",
                "make the changes by hand",
            ),
            (
                "list_attributes",
                "Assay has no lists of values",
                "write a condition on code instead",
            ),
        ];
        for (kind, message, advice) in whole_kinds {
            for at in self.export.lists(kind) {
                self.ledger.left_out(&at, message, advice);
            }
        }
        for at in self.export.resources("projects") {
            let is_chosen =
                chosen.resource.as_ref().is_some_and(|chosen| chosen.location == at.location);
            if !is_chosen {
                self.ledger.left_out(&at, "this is another project", "import it apart");
            }
        }
        for at in self.export.wholes() {
            self.ledger.name_the_rest(&at);
        }
    }
}

/// The report: the notes, and the warnings of the check, in the order of the export.
fn report(round: &Round, project: &Project, warnings: &[Fault]) -> Report {
    let warned = warnings.iter().filter(|fault| fault.severity == Severity::Warning);
    let warned = warned.filter_map(|fault| {
        let (location, field) = round.origins.of(&fault.pointer)?;
        let message = match field.as_str() {
            "" => reason(fault),
            field => format!("`{field}`: {}", reason(fault)),
        };
        let advice = fault.hint.clone().unwrap_or_default();
        Some(Note { outcome: Outcome::Check, location, message, advice })
    });
    let mut notes: Vec<Note> = round.notes.iter().cloned().chain(warned).collect();
    notes.sort_by_cached_key(|note| order_of(&note.location));
    notes.dedup();
    let experiments = || project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
    let count = |of, count| Count { of, count };
    let carried = vec![
        count("attributes", project.attributes.len()),
        count("events", project.events.len()),
        count("pages", project.pages.len()),
        count("audiences", project.audiences.len()),
        count("campaigns", project.campaigns.len()),
        count("experiments", experiments().count()),
        count("variations", experiments().map(|experiment| experiment.variations.len()).sum()),
        count("groups", project.groups.len()),
    ];
    Report { carried, notes }
}

/// Places in the order in which people read a file: by number where elements are counted.
fn order_of(location: &ExportLocation) -> (String, Vec<(usize, String)>) {
    let token = |token: std::borrow::Cow<'_, str>| match token.parse() {
        Ok(index) => (index, String::new()),
        Err(_) => (0, token.into_owned()),
    };
    (location.file.to_string(), location.pointer.tokens().map(token).collect())
}
