//! Events: what pages and servers say that visitors saw and did, taken in batches and kept in the log.

mod accept;
mod names;
mod read_log;
mod simulated;
mod visitors;

pub use accept::{AcceptError, AcceptedEvents, RejectedEvent, Sender, accept_events};
pub use names::EventNamesCache;
pub(crate) use read_log::records_of;
pub use simulated::{Behavior, Effect, SimulatedVisitors, Simulation, SimulationError};
pub(crate) use visitors::ServerSecret;
