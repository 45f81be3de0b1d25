//! The arguments of `assay ready`.

use clap::Args;

use super::Network;

pub(super) const EXAMPLES: &str = "Examples:
  assay ready
  assay ready --listen 127.0.0.1:9000

It exits with 0 if the server is ready, and else with 3. It takes the network's flags of `assay serve` and their environment variables,
so that in a container it finds the server that the same variables started.";

#[derive(Debug, Args)]
pub(crate) struct ReadyArguments {
    #[command(flatten)]
    pub(crate) network: Network,
}
