//! Whether requests go to webhooks, and where they may go.

use std::net::IpAddr;
use std::sync::Arc;

use app::webhooks::WebhookSender;
use clap::{Args, ValueEnum};
use ipnet::IpNet;

use crate::webhook_sender::HttpWebhooks;

/// Whether requests go to webhooks, and where they may go.
#[derive(Debug, Clone, Args)]
pub(crate) struct WebhookArguments {
    /// Whether webhooks hear of what happens. `off` is for a copy of a server, such as a restored backup that is tried.
    #[arg(
        long = "webhooks",
        env = "ASSAY_WEBHOOKS",
        value_enum,
        value_name = "WHETHER",
        default_value = "on"
    )]
    pub(crate) sending: Sending,
    /// Networks where webhooks may go beside the public internet, such as 10.1.2.0/24, separated by commas; there also over plain http. Members
    /// who may edit a project can have requests sent there
    #[arg(
        long = "webhook-network",
        env = "ASSAY_WEBHOOK_NETWORK",
        value_name = "CIDR",
        value_delimiter = ',',
        value_parser = network
    )]
    pub(crate) networks: Vec<IpNet>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sending {
    /// What happens is announced to webhooks and delivered.
    On,
    /// Nothing is announced, and what waits is not delivered.
    Off,
}

impl WebhookArguments {
    /// What sends to webhooks, if anything does.
    pub(crate) fn sender(&self) -> Option<Arc<dyn WebhookSender>> {
        match self.sending {
            Sending::On => Some(Arc::new(HttpWebhooks::allowing(&self.networks))),
            Sending::Off => None,
        }
    }
}

/// A network, or an address that stands for itself.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
    let network = text.parse::<IpNet>().ok().or_else(address);
    network.ok_or("expected a network such as `10.1.2.0/24`, or an address")
}
