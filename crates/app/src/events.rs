//! Events: what pages and servers say that visitors saw and did, taken in batches, kept in the log and later in files.

mod accept;
mod aside;
mod compact;
mod copies;
mod delete;
mod export;
mod folder;
mod forget;
mod import;
mod import_file;
mod kept;
mod key;
mod logged;
mod missing;
mod names;
mod read;
mod reading;
mod retention;
mod room;
mod seal;
mod simulated;
mod sink;
mod taken_out;
mod visitor_events;
mod visitors;

pub use accept::{AcceptError, AcceptedEvents, RejectedEvent, Sender, accept_events};
pub(crate) use aside::SetAside;
pub use compact::compact_event_files;
pub use copies::{
    CopiedEvents, CopyEventsError, EventCopies, EventCopyError, copy_event_files,
    list_all_event_files, owns_event_files,
};
pub use delete::{DeleteEventsError, DeletedEvents, delete_events};
pub use export::{ExportError, ExportFormat, export_events};
pub(crate) use folder::OpenFolder;
pub use folder::{EventFilesError, EventKeeping};
pub use forget::{Forgotten, forget_visitor};
pub use import::{
    ImportError, Imported, ImportedRows, RefusedRow, import_rows, measured_properties,
};
pub use import_file::{FileFormat, ImportFileError, ImportedFile, RowKind, SentFile, import_file};
pub use kept::{KeptEvents, count_events};
pub use key::{EventsKeyDto, find_events_key, remove_events_key, renew_events_key};
pub use missing::check_event_files;
pub use names::EventNamesCache;
pub(crate) use read::{Asked, Gather, gather};
pub use retention::{EVENTS_KEPT_DAYS, OldEvents, delete_old_events, events_kept_since};
pub use room::{EventRoom, FREE_BYTES_AT_LEAST};
pub use seal::{Sealed, seal_events, tidy_event_folder};
pub use simulated::{Behavior, Effect, SimulatedVisitors, Simulation, SimulationError};
pub use sink::{EventSink, SendEventsError, SentEvents, SinkError, send_event_files};
pub use visitor_events::{ExportedVisitor, VisitorEvents, export_visitor, list_visitor_events};
pub(crate) use visitors::ServerSecret;
pub use visitors::VisitorName;
