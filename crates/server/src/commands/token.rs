//! `assay token`: tokens for pipelines.

use app::dto::json_of;
use app::roles::Actor;
use app::tokens::{
    AddApiTokenError, AddedApiToken, ApiTokenDto, Expiry, ListedApiToken, NewToken, TokenFor,
    add_api_token, list_api_tokens, remove_api_token,
};
use oauth::{Moment, ScopeSet};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use storage::{ApiTokenLine, ListRange, roles_in_words};

use super::member;
use crate::cli::{TokenAddArguments, TokenCommand, TokenListArguments, TokenRemoveArguments};
use crate::failure::Failure;
use crate::{offline, output};

/// More tokens than a server has.
const ALL: ListRange = ListRange { page: 1, per_page: 10_000 };

/// Runs one of the commands.
pub(crate) fn run(command: &TokenCommand) -> Result<(), Failure> {
    match command {
        TokenCommand::Add(arguments) => add(arguments),
        TokenCommand::List(arguments) => list(arguments),
        TokenCommand::Remove(arguments) => remove(arguments),
    }
}

/// Makes a token and shows it, once.
fn add(arguments: &TokenAddArguments) -> Result<(), Failure> {
    let scope = ScopeSet::parse(&arguments.scope.join(" ")).map_err(|error| {
        Failure::input(format_args!(
            "--scope: {error}\n  hint: expected some of `{}`, or `all`",
            ScopeSet::ALL
        ))
    })?;
    let role = arguments.role.as_deref().map(|role| member::grant(role, &arguments.counting));
    let role = role.transpose()?;
    let added = offline::run(&arguments.place, async |app| {
        let holder = match (&arguments.member, role) {
            (Some(email), _) => TokenFor::Member(member::known(app, email).await?.id),
            (None, role) => TokenFor::Service(role.into_iter().collect()),
        };
        let (name, expiry) = (arguments.name.clone(), arguments.expires.unwrap_or(Expiry::Usual));
        let new = NewToken { name, scope: Some(scope), expiry, holder };
        add_api_token(app, &Actor::Command, new).await.map_err(failure)
    })?;
    show(arguments, &added);
    Ok(())
}

fn show(arguments: &TokenAddArguments, added: &AddedApiToken) {
    let token = added.token.expose_secret();
    if arguments.json {
        let mut json = json_of(&ApiTokenDto::from(&added.kept));
        json["token"] = token.into();
        output::print(json);
        return;
    }
    let until = Moment::from(added.kept.expires_at).words();
    output::print(format_args!(
        "token    {token}\nid       {}\nworks    until {until}\n\nThe token is shown only once.",
        added.kept.id
    ));
}

fn failure(error: AddApiTokenError) -> Failure {
    match error {
        AddApiTokenError::Faults(faults) => member::unknown_project(&faults),
        wrong @ (AddApiTokenError::Role(_)
        | AddApiTokenError::ByApiToken
        | AddApiTokenError::NameTaken
        | AddApiTokenError::TooManyOfMember
        | AddApiTokenError::TooManyOfServices) => Failure::input(wrong),
        AddApiTokenError::Storage(error) => Failure::environment(error),
    }
}

fn list(arguments: &TokenListArguments) -> Result<(), Failure> {
    let (tokens, _) = offline::run(&arguments.place, async |app| {
        list_api_tokens(app, &Actor::Command, ALL).await.map_err(Failure::environment)
    })?;
    if arguments.json {
        let json = |listed: &ListedApiToken| json_of(&ApiTokenDto::from(&listed.token));
        output::print(tokens.iter().map(json).collect::<Value>());
    } else if !tokens.is_empty() {
        output::print(
            tokens.iter().map(|listed| line(&listed.token)).collect::<Vec<_>>().join("\n"),
        );
    }
    Ok(())
}

fn line(token: &ApiTokenLine) -> String {
    let until = Moment::from(token.expires_at).words();
    let used = token.last_used_at.map_or("never used".to_owned(), |used| {
        format!("last used {}", Moment::from(used).words())
    });
    let kind = if token.is_service { "service" } else { "personal" };
    let ApiTokenLine { id, name, holder_name, scope, .. } = token;
    let roles = if token.is_service {
        format!(" as {}", roles_in_words(&token.service_roles))
    } else {
        String::new()
    };
    format!("{id}  {kind:<8}  {name}  for {holder_name}{roles}  {scope}  until {until}  {used}")
}

fn remove(arguments: &TokenRemoveArguments) -> Result<(), Failure> {
    let id = &arguments.id;
    let is_known = offline::run(&arguments.place, async |app| {
        remove_api_token(app, &Actor::Command, id).await.map_err(Failure::environment)
    })?;
    if !is_known {
        return Err(Failure::input(format_args!(
            "there is no token `{id}`\n  hint: `assay token list` shows all"
        )));
    }
    if arguments.json {
        output::print(json!({"id": id, "status": "removed"}));
    } else {
        output::print(format_args!("removed token {id}"));
    }
    Ok(())
}
