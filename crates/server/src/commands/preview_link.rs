//! `assay preview-link`: a link that shows variations which visitors do not see yet.

use app::dto::json_of;
use app::previews::{
    MakePreviewLinkError, PreviewLinkDto, PreviewRequest, PreviewSource, make_preview_link,
};
use app::roles::Actor;
use domain::ProjectId;
use oauth::Moment;

use crate::cli::PreviewLinkArguments;
use crate::failure::Failure;
use crate::{offline, output};

/// Makes a link and prints it.
pub(crate) fn run(arguments: &PreviewLinkArguments) -> Result<(), Failure> {
    let id = project_id(&arguments.project)?;
    let request = PreviewRequest {
        url: arguments.url.clone(),
        variations: arguments.variations.clone(),
        source: if arguments.draft { PreviewSource::Draft } else { PreviewSource::Live },
        is_switchable: arguments.switchable,
        lifetime: arguments.expires_in,
    };
    let link = offline::run(&arguments.place, async |app| {
        make_preview_link(app, &Actor::Command, id, &request).await.map_err(failure)
    })?;
    if arguments.json {
        output::print(json_of(&PreviewLinkDto::from(link)));
    } else {
        output::print(&link.url);
        let expires_at = Moment::from(link.kept.expires_at);
        output::complain(format_args!("valid until {}", expires_at.words()));
    }
    Ok(())
}

/// The typed id of a project.
pub(super) fn project_id(text: &str) -> Result<ProjectId, Failure> {
    text.parse().map_err(|wrong| Failure::input(format_args!("project `{text}`: {wrong}")))
}

fn failure(error: MakePreviewLinkError) -> Failure {
    match error {
        MakePreviewLinkError::UnknownProject
        | MakePreviewLinkError::TooMany
        | MakePreviewLinkError::Role(_) => Failure::input(error),
        MakePreviewLinkError::SwitchedOff => {
            Failure::input(format_args!("{error}\n  hint: publish it with `snippet.preview: true`"))
        }
        MakePreviewLinkError::Faults(faults) => Failure::Faults(faults),
        MakePreviewLinkError::Storage(error) => Failure::environment(error),
    }
}
