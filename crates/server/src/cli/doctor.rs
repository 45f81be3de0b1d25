//! The arguments of `assay doctor`.

use clap::Args;

use super::{EventKeepingArguments, Network};
use crate::data_place::DataPlace;

pub(super) const EXAMPLES: &str = "Examples:
  assay doctor --data ./data --public-url https://experiments.shop.example --trusted-proxy 127.0.0.1
  systemd-run --pty --uid=assay --property=AmbientCapabilities=CAP_NET_BIND_SERVICE --property=EnvironmentFile=/etc/assay/assay.env assay doctor

It takes the flags of `assay serve` for the data, the network and where events go, with their environment variables: give it the same
ones, as the same user.";

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    pub(crate) place: DataPlace,
    #[command(flatten)]
    pub(crate) network: Network,
    #[command(flatten)]
    pub(crate) events: EventKeepingArguments,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
