//! How events are kept.

use std::path::PathBuf;

use app::events::{EVENTS_KEPT_DAYS, EventKeeping, EventSink as _};
use clap::Args;

use crate::data_place::DataPlace;
use crate::event_sink::HttpSink;
use crate::failure::Failure;
use crate::object_storage::{ObjectStorage, Patience};
use crate::opening;

/// Where files of events are.
#[derive(Debug, Clone, Args)]
pub(crate) struct EventFolder {
    /// The folder of Parquet files in which events are kept; `off` keeps them in the database. Processes that share a PostgreSQL database share
    /// the folder. [default: `events` beside the SQLite file; `off` with PostgreSQL]
    #[arg(long, env = "ASSAY_EVENTS", value_name = "DIR|off")]
    pub(crate) events: Option<PathBuf>,
}

/// How long events are kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct KeptDays {
    /// How long to keep events, in days.
    #[arg(long, env = "ASSAY_KEEP_EVENTS", value_name = "DAYS", default_value_t = EVENTS_KEPT_DAYS, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(crate) keep_events: u32,
}

/// How events are kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct EventKeepingArguments {
    #[command(flatten)]
    pub(crate) folder: EventFolder,
    #[command(flatten)]
    pub(crate) kept: KeptDays,
    /// After how many seconds events leave the database for files.
    #[arg(long, env = "ASSAY_SEAL_EVENTS", value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(0..=86_400))]
    pub(crate) seal_events: u32,
    /// Keep copies of the files of events in S3-compatible object storage, where other tools read them. Its keys, region and address come from the same
    /// environment variables as for the tools of AWS
    #[arg(long, env = "ASSAY_COPY_EVENTS", value_name = "s3://BUCKET/PREFIX")]
    pub(crate) copy_events: Option<String>,
    /// Send all events to another system by HTTP, as lines of JSON: `clickhouse+https://HOST:8443/DATABASE/TABLE`, or the address of anything that
    /// takes such lines.
    #[arg(long, env = "ASSAY_SINK", value_name = "URL")]
    pub(crate) sink: Option<String>,
    /// The file with the headers that the sink needs, one in each line, such as `X-ClickHouse-Key: …`.
    #[arg(long, env = "ASSAY_SINK_HEADERS", value_name = "FILE", requires = "sink")]
    pub(crate) sink_headers: Option<PathBuf>,
}

impl EventFolder {
    /// The folder, if there is one.
    pub(crate) fn of(&self, place: &DataPlace) -> Option<PathBuf> {
        match &self.events {
            Some(named) if named.as_os_str() == "off" => None,
            Some(named) => Some(named.clone()),
            None => opening::event_folder(place),
        }
    }

    /// For commands, which keep events as they are.
    pub(crate) fn keeping(&self, place: &DataPlace) -> EventKeeping {
        EventKeeping { folder: self.of(place), ..EventKeeping::default() }
    }
}

impl KeptDays {
    /// For commands, which leave what is older to the server.
    pub(crate) fn keeping(&self) -> EventKeeping {
        EventKeeping { days: Some(self.keep_events), ..EventKeeping::default() }
    }
}

impl EventKeepingArguments {
    /// Where copies of the files go, if anywhere.
    pub(crate) fn copies(
        &self,
        place: &DataPlace,
        patience: Patience,
    ) -> Result<Option<ObjectStorage>, Failure> {
        let Some(address) = &self.copy_events else { return Ok(None) };
        if self.folder.of(place).is_none() {
            let message = "--copy-events: there are no files to copy: name a folder with --events";
            return Err(Failure::input(message));
        }
        ObjectStorage::of(address, patience).map(Some)
    }

    /// The other system that takes events, if any.
    pub(crate) fn sink(&self, place: &DataPlace) -> Result<Option<HttpSink>, Failure> {
        let Some(address) = &self.sink else { return Ok(None) };
        if self.folder.of(place).is_none() {
            let message = "--sink: there are no files to send: name a folder with --events";
            return Err(Failure::input(message));
        }
        HttpSink::of(address, self.sink_headers.as_deref()).map(Some)
    }

    pub(crate) fn keeping(&self, place: &DataPlace) -> EventKeeping {
        EventKeeping {
            folder: self.folder.of(place),
            days: Some(self.kept.keep_events),
            logged_ms: i64::from(self.seal_events) * 1_000,
            // What is wrong with it is told elsewhere.
            sink: self.sink(place).ok().flatten().map(|sink| sink.id().to_owned()),
        }
    }
}
