//! Members start, pause and conclude campaigns. That goes live at once, without the unpublished work of other editors.

mod act;
mod act_on_all;
mod conclude;
mod duplicate;
mod ended;
mod new_phase;
mod pause_all;
mod pause_variation;
mod phase_variations;
mod scheduled_starts;
mod start;
mod target;
mod transition;
mod warnings;

pub use act::{Act, Acted, act_on_campaign};
pub use act_on_all::{ActedOnCampaigns, CampaignsAction, act_on_all_campaigns};
pub use conclude::{Conclusion, NEW_PHASE_WAITS, Winner};
pub use duplicate::{Copied, CopyRequest, duplicate, make_new_campaign, name_of_copy};
pub use ended::ended_experiments;
pub use new_phase::{Phase, start_phase};
pub use pause_all::list_running_campaigns;
pub use pause_variation::{ActedOnVariation, VariationAction, act_on_variation};
pub use scheduled_starts::{ScheduledStart, list_scheduled_starts};
pub use start::{AtStart, at_start};
pub use target::Target;
pub use transition::CampaignAction;
pub use warnings::{CampaignWarnings, warnings_once_running};
