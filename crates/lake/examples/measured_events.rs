//! What `bench/event-files/` measures: writes so many synthetic events of four weeks, or adds up one metric of them.
//!
//! `cargo run --release -p lake --example measured_events -- write FOLDER EVENTS`, then `… fold FOLDER`

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use events::{
    Amount, Arm, Assignment, Assignments, Day, Epoch, EventId, Exposure, Marks, Millis, Record,
    Recorded, Rule, Step, Visitor, fold,
};
use lake::{Only, Wanted, read_file, write_file};

const FIRST_DAY: i32 = 20_779;
const DAYS: u64 = 28;
const MILLIS_OF_DAY: u64 = 86_400_000;
const NAMES: [&str; 4] = ["purchase", "signup", "search", "download"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["write", folder, events] => write(Path::new(folder), events.parse()?),
        ["fold", folder] => add_up(Path::new(folder)),
        _ => Err("write FOLDER EVENTS or fold FOLDER is missing".into()),
    }
}

/// As many events every day; four in ten are exposures to one of three experiments.
fn write(folder: &Path, events: u64) -> Result<(), Box<dyn Error>> {
    let visitors = events / 4;
    for day in 0..DAYS {
        let first = day * (events / DAYS);
        let records = (first..first + events / DAYS).map(|number| record(number, day, visitors));
        let day = Day(FIRST_DAY + i32::try_from(day)?);
        write_file(folder, "1000", day, records.collect())?;
    }
    Ok(())
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
        Recorded::Exposure { campaign: 3_001, experiment, variation: 5_000 + visitor % 2 }
    } else {
        let name = NAMES[usize::try_from(mixed(random) % 4).unwrap_or(0)];
        let cents = (mixed(random + 1) % 20_000).cast_signed();
        let is_worth = name == "purchase";
        Recorded::Event {
            name: name.to_owned(),
            revenue: is_worth.then_some(cents),
            value: is_worth.then(|| Amount::from_millionths(cents * 10_000)),
            properties: BTreeMap::new(),
        }
    };
    let id = [mixed(random + 2).to_be_bytes(), mixed(random + 3).to_be_bytes()].concat();
    Record {
        id: EventId::from_bytes(id.try_into().unwrap_or_default()),
        visitor: Visitor::from_number((mixed(visitor) >> 1).cast_signed()),
        at: Millis(at),
        received: Millis(at + (mixed(random + 4) % 5_000).cast_signed()),
        what,
        marks: Marks::default(),
    }
}

/// What visitors of experiment 4001 spend within 14 days, and prints variation, visitors, sum and sum of squares.
fn add_up(folder: &Path) -> Result<(), Box<dyn Error>> {
    let wanted = Wanted {
        exposures: Only::These([4_001].into()),
        events: Only::These(["purchase".to_owned()].into()),
        visitors: Wanted::all_visitors(),
    };
    let mut told = Told::default();
    for path in files(folder)? {
        for group in read_file(&path, &wanted)? {
            group?.into_iter().for_each(|record| told.add(&record));
        }
    }
    let Told { exposures, steps } = told;
    let rule = Rule { window_hours: Some(336), cap: Some(50_000), ..Rule::SUM };
    let series = fold(&Assignments::of(exposures), rule, steps)?;
    for arm in 0..2 {
        let sums = series.total(Epoch(0), Arm(arm))?;
        let (visitors, sum, squares) = (sums.visitors, sums.first, sums.first_squares);
        writeln!(std::io::stdout(), "{} {visitors} {sum} {squares}", 5_000 + arm)?;
    }
    Ok(())
}

/// What was read, ready to be added up.
#[derive(Default)]
struct Told {
    exposures: Vec<Exposure>,
    steps: Vec<Step>,
}

impl Told {
    fn add(&mut self, record: &Record) {
        let (visitor, at) = (record.visitor, record.at);
        match record.what {
            Recorded::Exposure { variation, .. } => {
                let arm = Arm(u16::from(variation == 5_001));
                let assignment = Assignment { arm, epoch: Epoch(0), at };
                self.exposures.push(Exposure { visitor, assignment });
            }
            Recorded::Event { revenue, .. } => {
                self.steps.push(Step { visitor, at, first: revenue.unwrap_or(0), second: 0 });
            }
        }
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for day in fs::read_dir(folder.join("project=1000"))? {
        for file in fs::read_dir(day?.path())? {
            files.push(file?.path());
        }
    }
    Ok(files)
}
