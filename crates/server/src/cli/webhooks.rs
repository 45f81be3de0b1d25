//! Where webhooks may go.

use std::net::IpAddr;
use std::sync::Arc;

use app::webhooks::WebhookSender;
use clap::Args;
use ipnet::IpNet;

use crate::webhook_sender::HttpWebhooks;

/// Where webhooks may go.
#[derive(Debug, Clone, Args)]
pub(crate) struct WebhookArguments {
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

impl WebhookArguments {
    pub(crate) fn sender(&self) -> Arc<dyn WebhookSender> {
        Arc::new(HttpWebhooks::allowing(&self.networks))
    }
}

/// A network, or an address that stands for itself.
fn network(text: &str) -> Result<IpNet, &'static str> {
    let address = || text.parse::<IpAddr>().ok().map(IpNet::from);
    let network = text.parse::<IpNet>().ok().or_else(address);
    network.ok_or("expected a network such as `10.1.2.0/24`, or an address")
}
