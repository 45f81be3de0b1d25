//! `assay token`: tokens for pipelines. All commands work while a server runs on the same data, and take effect there within a second.

use app::SentMoment;
use app::tokens::Expiry;
use clap::{Args, Subcommand};

use super::member::RoleArguments;
use super::values::lifetime;
use crate::data_place::DataPlace;

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token, shown once: of a service with a role of its own, or of a member. Works while a server runs on the same data.
    #[command(
        after_help = "Examples:\n  assay token add deploy --scope config:read,config:write,publish --service --role publisher --project 1000 --expires 90d\n  assay token add laptop --scope config:read --member ada@example.com --data ./data"
    )]
    Add(TokenAddArguments),
    /// List the tokens and when they were last used, newest first. Expired ones stay for 30 days.
    #[command(after_help = "Example:\n  assay token list --data ./data")]
    List(TokenListArguments),
    /// Remove a token, and its service if it is of one: it opens nothing any more.
    #[command(after_help = "Example:\n  assay token remove c0ffee0123456789c0ffee01 --data ./data")]
    Remove(TokenRemoveArguments),
}

#[derive(Debug, Args)]
pub(crate) struct TokenAddArguments {
    /// The token's name for people; that of the service if it is for one.
    pub(crate) name: String,
    /// What the token allows; `all` is everything that its roles allow.
    #[arg(long, value_name = "SCOPE", required = true, value_delimiter = ',')]
    pub(crate) scope: Vec<String>,
    /// The e-mail address of the member for whom the token acts.
    #[arg(
        long,
        value_name = "EMAIL",
        conflicts_with = "service",
        required_unless_present = "service"
    )]
    pub(crate) member: Option<String>,
    /// Make a service, which acts with a role of its own and outlives its maker.
    #[arg(long, requires = "role")]
    pub(crate) service: bool,
    /// The service's role: viewer, analyst, editor, publisher, admin or owner.
    #[arg(long, value_name = "ROLE", requires = "service")]
    pub(crate) role: Option<String>,
    #[command(flatten)]
    pub(crate) counting: RoleArguments,
    /// How long the token works, such as `90d`, or until when, such as `2027-01-31T12:00:00Z`; 366 days at most. [default: 90d]
    #[arg(long, value_name = "TIME", value_parser = expiry)]
    pub(crate) expires: Option<Expiry>,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TokenListArguments {
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TokenRemoveArguments {
    /// The id of the token; `assay token list` shows it.
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

fn expiry(text: &str) -> Result<Expiry, String> {
    let at = || text.parse().map(|SentMoment(at)| Expiry::At(at));
    let neither = |error| format!("{error}, or a moment such as `2027-01-31T12:00:00Z`");
    lifetime(text).map(Expiry::After).or_else(|error| at().map_err(|_| neither(error)))
}

#[cfg(test)]
mod tests {
    use oauth::{Lifetime, Timestamp};

    use super::*;

    #[test]
    fn a_token_expires_after_a_time_or_at_a_moment() {
        let moment = Timestamp::from_milliseconds(1_801_393_200_000);

        assert_eq!(expiry("2d"), Ok(Expiry::After(Lifetime::from_seconds(172_800))));
        for text in ["2027-01-31T11:00:00Z", "2027-01-31T12:00:00+01:00"] {
            assert_eq!(expiry(text), Ok(Expiry::At(moment)), "{text}");
        }
        for text in ["", "2027-01-31", "2027-01-31T11:00:00", "tomorrow"] {
            assert!(expiry(text).unwrap_err().contains("2027-01-31T12:00:00Z"), "{text}");
        }
    }
}
