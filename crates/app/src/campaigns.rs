//! Campaigns begin, rest and end. That goes live at once, and with it nothing that anybody else is still working on.

mod act;
mod new_phase;
mod phase_variations;
mod transition;

pub use act::{Acted, act_on_campaign, campaign_of_experiment};
pub use new_phase::{Phase, start_phase};
pub use transition::CampaignAction;
