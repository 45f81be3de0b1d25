//! The resources of a project as the choices of a field.

use std::fmt::Display;

use domain::{Key, Metric, Project};

use crate::edit::field::Choice;

/// A page, or none.
pub(crate) fn pages(project: &Project, none: &str) -> Vec<Choice> {
    std::iter::once(Choice::new("", none)).chain(in_use_pages(project)).collect()
}

/// Pages, of which several may be chosen.
pub(crate) fn in_use_pages(project: &Project) -> Vec<Choice> {
    let pages = project.pages.iter().filter(|page| !page.archived);
    pages.map(|page| choice(page.id, page.name.as_deref(), &page.key)).collect()
}

/// A custom attribute.
pub(crate) fn attributes(project: &Project) -> Vec<Choice> {
    let attributes = project.attributes.iter().filter(|one| !one.archived);
    attributes.map(|one| choice(one.id, one.name.as_deref(), &one.key)).collect()
}

/// An audience.
pub(crate) fn audiences(project: &Project) -> Vec<Choice> {
    let audiences = project.audiences.iter().filter(|one| !one.archived);
    audiences.map(|one| choice(one.id, one.name.as_deref(), &one.key)).collect()
}

/// An event.
pub(crate) fn events(project: &Project) -> Vec<Choice> {
    let events = project.events.iter().filter(|one| !one.archived);
    events.map(|one| choice(one.id, one.name.as_deref(), &one.key)).collect()
}

/// A metric.
pub(crate) fn metrics(project: &Project) -> Vec<Choice> {
    metrics_that(project, |_| true)
}

/// A metric that can decide: a quantile cannot.
pub(crate) fn deciding_metrics(project: &Project) -> Vec<Choice> {
    metrics_that(project, Metric::can_decide)
}

fn metrics_that(project: &Project, fits: impl Fn(&Metric) -> bool) -> Vec<Choice> {
    let metrics = project.metrics.iter().filter(|one| !one.archived && fits(one));
    metrics.map(|one| choice(one.id, one.name.as_deref(), &one.key)).collect()
}

/// A campaign that is not over.
pub(crate) fn campaigns(project: &Project) -> Vec<Choice> {
    let campaigns = project.campaigns.iter();
    let campaigns = campaigns.filter(|one| one.status != domain::CampaignStatus::Archived);
    campaigns.map(|one| choice(one.id, one.name.as_deref(), &one.key)).collect()
}

fn choice(id: impl Display, name: Option<&str>, key: &Key) -> Choice {
    let words = name.map_or_else(|| key.to_string(), |name| format!("{name} ({key})"));
    Choice::new(format!("{id}"), words)
}

/// Words of the document with what they mean.
pub(crate) fn words(words: &[(&str, &str)]) -> Vec<Choice> {
    words.iter().map(|(word, meaning)| Choice::new(*word, *meaning)).collect()
}
