//! Events: what pages and servers say that visitors saw and did, taken in batches, kept in the log and later in files.

mod accept;
mod compact;
mod copies;
mod count;
mod damaged_files;
mod delete;
mod export;
mod folder;
mod forget;
mod gather;
mod give_up;
mod import;
mod import_file;
mod key;
mod log;
mod lost;
mod names;
mod of_deleted_project;
mod query;
mod retention;
mod room;
mod seal;
mod sender;
mod simulated;
mod sink;
mod sources;
mod take_out;
mod visitor_events;
mod visitors;

pub use accept::{AcceptError, AcceptedEvents, RejectedEvent, SentBatch, accept_events};
pub use compact::compact_event_files;
pub use copies::{
    CopiedEvents, CopyEventsError, EventCopies, EventCopyError, copy_event_files,
    list_all_event_files, owns_event_files,
};
pub use count::{KeptEvents, count_events};
pub(crate) use damaged_files::DamagedFiles;
pub use delete::{DeletedEvents, delete_events};
pub use export::{ExportFormat, export_events};
pub(crate) use folder::OpenFolder;
pub use folder::{EventFilesError, EventKeeping, KeptEventsError, event_folder_owner};
pub use forget::{Forgotten, forget_visitor};
pub(crate) use gather::gather;
pub use give_up::{GiveUpError, LostEvents, find_lost_events, give_up_events};
pub use import::{
    ImportError, Imported, ImportedRows, RefusedRow, import_rows, measured_properties,
    with_measured,
};
pub use import_file::{FileFormat, ImportFileError, ImportedFile, RowKind, SentFile, import_file};
pub use key::{EventsKeyDto, find_events_key, remove_events_key, renew_events_key};
pub use lost::{
    LostFiles, check_event_files, day_in_words, days_in_words, events_of, lost_days_json,
};
pub(crate) use lost::{days_of, lost_event_files};
pub use names::EventNamesCache;
pub(crate) use of_deleted_project::delete_project_with_events;
pub(crate) use query::{EventQuery, Gather};
pub use retention::{EVENTS_KEPT_DAYS, delete_old_events, events_kept_since};
pub use room::{EventRoom, FREE_BYTES_AT_LEAST, RoomShare};
pub use seal::{Sealed, seal_events, tidy_event_folder};
pub use sender::Sender;
pub use simulated::{Behavior, Effect, SimulatedVisitors, Simulation, SimulationError};
pub use sink::{EventSink, SendEventsError, SentEvents, SinkError, send_event_files};
pub use visitor_events::{ExportedVisitor, VisitorEvents, export_visitor, list_visitor_events};
pub(crate) use visitors::ServerSecret;
pub use visitors::VisitorName;
