//! Fields of the export that say nothing a project document could hold: facts about the other
//! product's account, editor or results, and what follows from other fields.

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
    row("everything", "account_id", "names the account there"),
    row("everything", "created", "the audit log tells when a resource came into the project here"),
    row("everything", "last_modified", "revisions tell when a resource changed here"),
    row("project", "is_classic", "tells which product the project was made for"),
    row("project", "is_flags_enabled", "tells which product the project was made for"),
    row("project", "sdks", "names libraries of another product"),
    row("web_snippet", "code_revision", "counts publications there"),
    row("web_snippet", "js_file_size", "is the size of the other snippet"),
    row("web_snippet", "exclude_disabled_experiments", "only what runs is in a snippet here"),
    row("web_snippet", "ip_anonymization", "no IP address of a visitor is kept here"),
    row("page", "edit_url", "is the address that the editor there opens"),
    row("page", "page_type", "follows from the conditions"),
    row("page", "single_use", "tells how the page was made"),
    row("url_targeting", "edit_url", "is the address that the editor there opens"),
    row("audience", "experiment_count", "follows from the experiments"),
    row("audience", "segmentation", "is about results there"),
    row("campaign", "earliest", "is when results there begin"),
    row("campaign", "latest", "is when results there end"),
    row("experiment", "earliest", "is when results there begin"),
    row("experiment", "latest", "is when results there end"),
    row("experiment", "allocation_policy", "follows from the type"),
    row("action", "share_link", "is a preview there"),
    row("change", "id", "is kept where another change waits for it"),
    row("change", "name", "is shown by the editor there only"),
    row("change", "src", "is made from the other fields"),
];

/// The fields of a kind of resource that are passed over.
pub(crate) fn fields_of(resource: &str) -> impl Iterator<Item = &'static str> {
    let is_meant =
        move |row: &&PassedOver| row.resource == resource || row.resource == "everything";
    PASSED_OVER.iter().filter(is_meant).map(|row| row.field)
}
