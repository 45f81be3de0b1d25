//! The arguments of `assay serve`. Each flag is also an environment variable.

use std::path::PathBuf;

use app::{EVENTS_PER_MINUTE, HEAVY_READS_PER_MINUTE, WRITES_PER_MINUTE};
use clap::Args;
use oauth::Lifetime;

use super::{
    EventKeepingArguments, IdentityArguments, MailArguments, Network, Role, WebhookArguments,
};
use crate::data_place::DataPlace;
use crate::logging::LogFormat;

pub(super) const EXAMPLES: &str = "Example:
  assay serve shop.yaml --data ./data --public-url https://experiments.example.com --trusted-proxy 127.0.0.1";

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// The project file to serve. Assay watches it and publishes each valid change; after a faulty one the last good revision stays live.
    pub(crate) project_file: Option<PathBuf>,
    /// Serve an embedded project with a demo shop at /demo/, a ready member and OAuth application, and temporary data unless
    /// --data or --database is given.
    #[arg(long, env = "ASSAY_DEMO", conflicts_with = "project_file")]
    pub(crate) demo: bool,
    /// Publish this project file once, if there is no project with its id yet, or a project file has managed it so far. From then on the
    /// store is the truth: the server never overwrites changes of members and programs.
    #[arg(long, env = "ASSAY_SEED", value_name = "FILE", conflicts_with_all = ["project_file", "demo"])]
    pub(crate) seed: Option<PathBuf>,
    /// What this process does, where several share a PostgreSQL database.
    #[arg(
        long,
        env = "ASSAY_ROLE",
        value_enum,
        default_value = "all",
        conflicts_with_all = ["project_file", "demo", "seed", "copy_events", "sink"]
    )]
    pub(crate) role: Role,
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) network: Network,
    #[command(flatten)]
    pub(crate) mail: MailArguments,
    #[command(flatten)]
    pub(crate) identity: IdentityArguments,
    #[command(flatten)]
    pub(crate) events: EventKeepingArguments,
    #[command(flatten)]
    pub(crate) webhooks: WebhookArguments,
    /// How long to keep entries of the audit log, in days. [default: 400]
    #[arg(long, env = "ASSAY_AUDIT_DAYS", value_name = "DAYS", value_parser = days)]
    pub(crate) audit_days: Option<Lifetime>,
    /// How many changes an application may make over REST for one member, per minute.
    #[arg(long, env = "ASSAY_WRITES_PER_MINUTE", value_name = "NUMBER", default_value_t = WRITES_PER_MINUTE)]
    pub(crate) writes_per_minute: u32,
    /// How many reads of a whole document (a comparison, a document) an application may make over REST for one member, per
    /// minute.
    #[arg(long, env = "ASSAY_HEAVY_READS_PER_MINUTE", value_name = "NUMBER", default_value_t = HEAVY_READS_PER_MINUTE)]
    pub(crate) heavy_reads_per_minute: u32,
    /// How many events of a project pages and apps may send, per minute; what comes with a token is not counted. Each process counts for
    /// itself.
    #[arg(long, env = "ASSAY_EVENTS_PER_MINUTE", value_name = "NUMBER", default_value_t = EVENTS_PER_MINUTE, value_parser = clap::value_parser!(u32).range(500..))]
    pub(crate) events_per_minute: u32,
    /// For how many seconds the server goes on after SIGTERM, while `/readyz` is 503, so that a balancer sends requests elsewhere. A second
    /// signal ends that.
    #[arg(long, env = "ASSAY_DRAIN", value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=3600))]
    pub(crate) drain: u32,
    /// How each line of the log is written. The variable `ASSAY_LOG` sets what is logged, such as `info`.
    #[arg(long, env = "ASSAY_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub(crate) log_format: LogFormat,
    /// Once ready, write addresses and the demo's credentials to this file as JSON (readable by you alone), and remove it at the end.
    #[arg(long, env = "ASSAY_READY_FILE", value_name = "FILE")]
    pub(crate) ready_file: Option<PathBuf>,
}

/// From a day to a hundred years.
fn days(text: &str) -> Result<Lifetime, String> {
    let days = text.parse().ok().filter(|days| (1..=36_500).contains(days));
    let days: i64 = days.ok_or_else(|| "expected a number of days, 1 to 36500".to_owned())?;
    Ok(Lifetime::from_seconds(days * 86_400))
}

#[cfg(test)]
mod tests {
    use oauth::Lifetime;

    use super::days;

    #[test]
    fn the_audit_log_is_kept_for_a_day_at_least() {
        assert_eq!(days("30"), Ok(Lifetime::from_seconds(2_592_000)));
        for text in ["", "0", "-1", "1.5", "36501", "7d"] {
            assert!(days(text).is_err(), "{text}");
        }
    }
}
