//! `assay preview-link`: a link that shows variations which visitors do not see yet.

use app::previews::{MakePreviewLinkError, PreviewRequest, PreviewSource, make_preview_link};
use app::roles::Actor;
use domain::ProjectId;
use oauth::Moment;
use serde_json::json;

use crate::cli::PreviewLinkArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Makes a link and prints it.
pub(crate) fn run(arguments: &PreviewLinkArguments) -> Result<(), Failure> {
    let id: ProjectId = arguments.project.parse().map_err(|wrong| {
        Failure::input(format_args!("project `{}`: {wrong}", arguments.project))
    })?;
    let request = PreviewRequest {
        url: arguments.url.clone(),
        variations: arguments.variations.clone(),
        source: if arguments.draft { PreviewSource::Draft } else { PreviewSource::Live },
        lifetime: arguments.expires_in,
    };
    let link = offline::run(&arguments.place, async |app| {
        make_preview_link(app, &Actor::Command, id, &request).await.map_err(failure)
    })?;
    let expires_at = Moment::from(link.expires_at);
    if arguments.json {
        output::print(json!({"url": link.url, "expires_at": expires_at.machine()}));
    } else {
        output::print(&link.url);
        output::complain(format_args!("valid until {}", expires_at.words()));
    }
    Ok(())
}

fn failure(error: MakePreviewLinkError) -> Failure {
    match error {
        MakePreviewLinkError::UnknownProject | MakePreviewLinkError::Role(_) => {
            Failure::input(error)
        }
        MakePreviewLinkError::SwitchedOff => {
            Failure::input(format_args!("{error}\n  hint: publish it with `snippet.preview: true`"))
        }
        MakePreviewLinkError::Faults(faults) => Failure::Faults(faults),
        MakePreviewLinkError::Storage(error) => Failure::environment(error),
    }
}
