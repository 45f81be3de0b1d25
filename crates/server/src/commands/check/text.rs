//! Findings for people: the message, the line of the file with a caret below, and what to do.

use std::io;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::{AutoStream, ColorChoice};
use domain::{CampaignStatus, Fault, Project, Severity};

use super::marked::line_at;
use super::{Findings, sentence};
use crate::cli::Color;
use crate::output;
use crate::project_file::Texts;

/// More keys would hide the sentence.
const NAMED_AT_MOST: usize = 10;

/// Tells faults on standard error, and which files are valid on standard output.
pub(super) fn tell(findings: &[Findings], color: Color) {
    let is_coloured = match color {
        Color::Auto => AutoStream::choice(&io::stderr()) != ColorChoice::Never,
        Color::Always => true,
        Color::Never => false,
    };
    let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
    for found in findings {
        for fault in &found.faults {
            output::complain_styled(format_args!("{}\n", shown(fault, &found.texts, &renderer)));
        }
        match &found.project {
            Some(project) => {
                let count = project.campaigns.len();
                let campaigns = if count == 1 { "campaign" } else { "campaigns" };
                output::print(format_args!(
                    "{}: project `{}` with {count} {campaigns} is valid{}",
                    found.file,
                    project.key,
                    waiting(project)
                ));
            }
            None => output::complain(format_args!("{}: {}", found.file, counts(found))),
        }
    }
}

/// What does not run. A campaign without a `status` is `not_started`, which is easily missed.
fn waiting(project: &Project) -> String {
    if project.served().next().is_none() {
        return ", and nothing runs".to_owned();
    }
    let campaigns = project.campaigns.iter();
    let waiting = campaigns.filter(|campaign| campaign.status == CampaignStatus::NotStarted);
    let keys: Vec<_> = waiting.map(|campaign| format!("`{}`", campaign.key)).collect();
    match keys.as_slice() {
        [] => String::new(),
        keys if keys.len() > NAMED_AT_MOST => {
            format!(", and {} campaigns wait for their start", keys.len())
        }
        keys => format!(", and not started: {}", keys.join(", ")),
    }
}

fn counts(found: &Findings) -> String {
    let counted = |severity, word: &str| match found.count(severity) {
        0 => None,
        1 => Some(format!("1 {word}")),
        count => Some(format!("{count} {word}s")),
    };
    let counts = [counted(Severity::Error, "error"), counted(Severity::Warning, "warning")];
    counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn shown(fault: &Fault, texts: &Texts, renderer: &Renderer) -> String {
    let level = match fault.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(sentence(fault)).id(fault.code));
    if let Some(place) = &fault.place {
        group = match line_at(texts, place) {
            Some((line, span)) => group.element(
                Snippet::source(line)
                    .line_start(place.line as usize)
                    .path(&place.file)
                    .annotation(AnnotationKind::Primary.span(span)),
            ),
            None => group.element(
                Origin::path(&place.file)
                    .line(place.line as usize)
                    .char_column(place.column as usize),
            ),
        };
    }
    let path = fault.pointer.path();
    if !path.is_empty() {
        group = group.element(Level::NOTE.no_name().message(format!("in {path}")));
    }
    if let Some(hint) = &fault.hint {
        group = group.element(Level::HELP.with_name("hint").message(output::harmless(hint)));
    }
    renderer.render(&[group])
}
