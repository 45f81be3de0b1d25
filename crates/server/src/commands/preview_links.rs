//! `assay preview-links`: the links that were made, and how to end one.

use app::dto::json_of;
use app::previews::{PreviewLink, PreviewLinkDto, list_preview_links, revoke_preview_link};
use app::roles::Actor;
use oauth::Moment;
use serde_json::{Value, json};

use super::preview_link::project_id;
use crate::cli::{PreviewLinksCommand, PreviewLinksListArguments, PreviewLinksRevokeArguments};
use crate::failure::Failure;
use crate::{offline, output};

/// Runs one of the commands.
pub(crate) fn run(command: &PreviewLinksCommand) -> Result<(), Failure> {
    match command {
        PreviewLinksCommand::List(arguments) => list(arguments),
        PreviewLinksCommand::Revoke(arguments) => revoke(arguments),
    }
}

fn list(arguments: &PreviewLinksListArguments) -> Result<(), Failure> {
    let id = project_id(&arguments.project)?;
    let links = offline::run(&arguments.place, async |app| {
        let found = list_preview_links(app, &Actor::Command, id).await;
        found
            .map_err(Failure::environment)?
            .ok_or_else(|| Failure::input(format_args!("there is no project `{id}`")))
    })?;
    if arguments.json {
        let links = links.into_iter().map(|link| json_of(&PreviewLinkDto::from(link)));
        output::print(links.collect::<Value>());
    } else if !links.is_empty() {
        output::print(links.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    Ok(())
}

fn line(link: &PreviewLink) -> String {
    let PreviewLink { url, state, kept } = link;
    let until = Moment::from(kept.expires_at).words();
    let draft = if kept.is_draft { " (draft)" } else { "" };
    format!("{}  {:<9} until {until}  {}  {url}{draft}", kept.id, state.word(), kept.made_by)
}

fn revoke(arguments: &PreviewLinksRevokeArguments) -> Result<(), Failure> {
    let (id, link) = (project_id(&arguments.project)?, &arguments.link);
    let is_known = offline::run(&arguments.place, async |app| {
        let done = revoke_preview_link(app, &Actor::Command, id, link).await;
        done.map_err(Failure::environment)
    })?;
    if !is_known {
        return Err(Failure::input(format_args!(
            "preview link `{link}`: project {id} has no such link\n  hint: `assay preview-links list {id}` shows all"
        )));
    }
    if arguments.json {
        output::print(json!({"id": link, "state": "revoked"}));
    } else {
        output::print(format_args!("revoked preview link {link}"));
    }
    Ok(())
}
