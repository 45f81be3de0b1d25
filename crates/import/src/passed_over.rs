//! Fields of the export for which a project document has no place: facts about Optimizely's account,
//! editor or results, and values that follow from other fields.

/// A field that is passed over without a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassedOver {
    /// The resource that has the field; `everything` for all resources.
    pub resource: &'static str,
    /// The field.
    pub field: &'static str,
    /// Why nothing is lost.
    pub reason: &'static str,
}

const fn row(resource: &'static str, field: &'static str, reason: &'static str) -> PassedOver {
    PassedOver { resource, field, reason }
}

/// Every field that is passed over, and why.
pub const PASSED_OVER: &[PassedOver] = &[
    row("everything", "account_id", "names the Optimizely account"),
    row("everything", "created", "Assay's audit log records when a resource was created"),
    row("everything", "last_modified", "Assay's revisions record when a resource changed"),
    row("project", "is_classic", "names the Optimizely product of the project"),
    row("project", "is_flags_enabled", "names the Optimizely product of the project"),
    row("project", "sdks", "names SDKs of another Optimizely product"),
    row("web_snippet", "code_revision", "counts Optimizely's publications"),
    row("web_snippet", "js_file_size", "is the size of Optimizely's snippet"),
    row("web_snippet", "exclude_disabled_experiments", "Assay's snippet contains only what runs"),
    row("web_snippet", "ip_anonymization", "Assay stores no IP addresses of visitors"),
    row("page", "edit_url", "is the address that Optimizely's editor opens"),
    row("page", "page_type", "follows from the conditions"),
    row("page", "single_use", "says how the page was created"),
    row("url_targeting", "edit_url", "is the address that Optimizely's editor opens"),
    row("audience", "experiment_count", "follows from the experiments"),
    row("audience", "segmentation", "concerns Optimizely's results"),
    row("campaign", "earliest", "is when Optimizely's results begin"),
    row("campaign", "latest", "is when Optimizely's results end"),
    row("experiment", "earliest", "is when Optimizely's results begin"),
    row("experiment", "latest", "is when Optimizely's results end"),
    row("experiment", "allocation_policy", "follows from the type"),
    row("action", "share_link", "is an Optimizely preview"),
    row("change", "id", "is kept if another change depends on it"),
    row("change", "name", "is shown only in Optimizely's editor"),
    row("change", "src", "follows from the other fields"),
];

/// The fields of a kind of resource that are passed over.
pub(crate) fn fields_of(resource: &str) -> impl Iterator<Item = &'static str> {
    let is_meant =
        move |row: &&PassedOver| row.resource == resource || row.resource == "everything";
    PASSED_OVER.iter().filter(is_meant).map(|row| row.field)
}
