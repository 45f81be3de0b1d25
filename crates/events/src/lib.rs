//! What visitors saw and did, and the sums that results are made of: pure, without input and output.
//!
//! An [`Exposure`] says that a visitor was given a variation of a comparison, a [`Step`] that they did something that a metric counts.
//! [`Assignments`] find the first exposure of each visitor, and [`fold`] adds up the steps after it, by day, so that `stats` can compare the
//! variations at every day of the experiment. All sums are whole numbers: every engine that adds up the same events gets the same sums, to the last digit.

mod amount;
mod assignments;
mod batch;
mod browser;
mod clock;
mod crawler;
mod day;
mod device;
mod doubtful;
mod event_id;
mod fold;
pub mod limits;
mod properties;
mod record;
mod rows;
mod rule;
mod search;
mod series;
mod sums;
mod user_agent;
mod visitor;

pub use amount::{Amount, UnreadableAmount};
pub use assignments::{
    Assignment, AssignmentSearch, Assignments, Epoch, Exposure, PageNumber, VariationIndex,
};
pub use batch::{
    Batch, BatchEntry, BatchError, EventDetails, EventFault, FaultCode, Marks, ReceivedEvent,
};
pub use browser::Browser;
pub use clock::{HappenedAt, corrected};
pub use crawler::is_crawler;
pub use day::{Day, Millis};
pub use device::Device;
pub use doubtful::{Doubtful, Known, RepeatedId, SeenIds};
pub use event_id::EventId;
pub use fold::{Step, Steps, fold, values_by_variation};
pub use properties::Properties;
pub use record::{About, Occurrence, Record, without_doubles};
pub use rows::{
    ColumnNames, DoubtfulNumber, EventRow, ExposureRow, FileProperties, ReadRows, Row, RowFault,
    RowFormat, UnknownField, column_place, columns_named, is_id, named_columns, plain_number,
    read_rows, refuse_export, wanted_properties,
};
pub use rule::{Counting, Rule};
pub use series::{Series, VariationSeries};
pub use sums::{Sums, TooLarge};
pub use user_agent::UserAgent;
pub use visitor::{Visitor, VisitorSearch, Visitors};
