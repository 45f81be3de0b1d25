//! One file per use case: a function that takes [`App`], which holds what they all need. There is no HTTP here, and no SQL.

mod app;
mod bounded_cache;
mod clock;
mod entropy;
mod heavy_work;
mod network;
mod passwords;
mod public_url;
mod quota;
mod readiness;
mod signing_key;
mod throttle;
mod ticket;

pub mod applications;
pub mod audit;
pub mod campaigns;
pub mod connections;
pub mod decisions;
pub mod described;
pub mod documents;
pub mod drafts;
pub mod dto;
pub mod grants;
pub mod members;
pub mod passkeys;
pub mod previews;
pub mod projects;
pub mod publishing;
pub mod request;
pub mod resources;
pub mod revisions;
pub mod roles;
pub mod schedules;
pub mod sessions;
pub mod tokens;

pub use app::{App, Parts};
pub use clock::Clock;
pub use entropy::Entropy;
pub use heavy_work::{BodyRoom, Overloaded, Turn, Work};
pub use network::network_of;
pub use passwords::Busy;
pub use public_url::{PublicUrl, PublicUrlError};
pub use quota::{HEAVY_READS_PER_MINUTE, Quota, WRITES_PER_MINUTE};
pub use readiness::require_writable;
pub use throttle::TooManyFailures;
