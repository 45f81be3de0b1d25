//! Fills the store of a server with synthetic events in files, for `bench/event-files/`. The server has to have its project already.
//!
//! `cargo run --release -p app --example measured_events -- DATA EVENTS`

use std::error::Error;
use std::path::Path;

use domain::ProjectId;
use events::{
    Amount, Browser, Day, Device, EventId, Marks, Millis, Occurrence, Properties, Record,
    UserAgent, Visitor,
};
use lake::write_file;
use oauth::Timestamp;
use storage::{EventFile, EventStore as _, MovedEvents, SqliteStore};

const PROJECT: &str = "1000";
/// 2026-09-01: results end with today.
const FIRST_DAY: i32 = 20_697;
const DAYS: u64 = 28;
const MILLIS_OF_DAY: u64 = 86_400_000;
const NAMES: [&str; 4] = ["purchase", "signup", "search", "download"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [data, events] = &arguments[..] else {
        return Err("the folder of the server's data and the number of events are missing".into());
    };
    let (data, events): (_, u64) = (Path::new(data), events.parse()?);
    let store = SqliteStore::open(&data.join("assay.db"))?;
    let mut moved = MovedEvents::of(PROJECT.parse::<ProjectId>()?);
    for day in 0..DAYS {
        moved.to_files.push(file_of(&data.join("events"), day, events)?);
    }
    store.move_events(moved).await?;
    Ok(())
}

/// As many events every day; four in ten are exposures to one of three experiments.
fn file_of(folder: &Path, day: u64, events: u64) -> Result<EventFile, Box<dyn Error>> {
    let first = day * (events / DAYS);
    let records = (first..first + events / DAYS).map(|number| record(number, day, events / 4));
    let records: Vec<Record> = records.collect();
    let times = || records.iter().map(|record| record.at.0);
    let (first_at, last_at) = (times().min().unwrap_or(0), times().max().unwrap_or(0));
    let day = Day(FIRST_DAY + i32::try_from(day)?);
    let written = write_file(folder, PROJECT, day, records)?;
    Ok(EventFile {
        name: written.name,
        day: day.0.into(),
        events: written.rows,
        bytes: written.bytes,
        first_at,
        last_at,
        received_until: Timestamp::from_milliseconds(last_at),
        sealed_at: Timestamp::from_milliseconds(last_at),
    })
}

/// `SplitMix64`.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

fn record(number: u64, day: u64, visitors: u64) -> Record {
    let random = mixed(number);
    let visitor = (random >> 20) % visitors;
    let at = ((u64::from(FIRST_DAY.unsigned_abs()) + day) * MILLIS_OF_DAY + random % MILLIS_OF_DAY)
        .cast_signed();
    let what = if random % 10 < 4 {
        let experiment = 4_001 + mixed(visitor) % 3;
        let share = |number: u64| usize::try_from(mixed(visitor + number) % 8).unwrap_or(0);
        let agent = UserAgent {
            browser: Browser::ALL.get(share(1)).copied(),
            device: Device::ALL.get(share(2)).copied(),
        };
        let (variation, page) = (5_000 + visitor % 2, Some(1_000 + mixed(visitor) % 3));
        Occurrence::Exposure { campaign: 3_001, experiment, variation, agent, page }
    } else {
        let name = NAMES[usize::try_from(mixed(random) % 4).unwrap_or(0)];
        let cents = (mixed(random + 1) % 20_000).cast_signed();
        let is_worth = name == "purchase";
        Occurrence::Event {
            name: name.to_owned(),
            revenue: is_worth.then_some(cents),
            value: is_worth.then(|| Amount::from_millionths(cents * 10_000)),
            properties: Properties::default(),
        }
    };
    Record {
        id: EventId::of(&mixed(random + 2).to_string()),
        visitor: Visitor::from_number((mixed(visitor) >> 1).cast_signed()),
        at: Millis(at),
        received: Millis(at + (mixed(random + 4) % 5_000).cast_signed()),
        what,
        marks: Marks::default(),
    }
}
