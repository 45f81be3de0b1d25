//! Writes random events into files below a folder, and beside them, in `expected.json`, what the fold makes of them. `e2e/eventFiles/` compares that with what another
//! engine makes of the same files.
//!
//! `cargo build --release --workspace --example random_events`, then `target/release/examples/random_events FOLDER SEED`

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use events::{
    Amount, Assignment, Assignments, Browser, Counting, Day, Device, Epoch, EventId, Exposure,
    Marks, Millis, Occurrence, Record, Rule, Series, Step, UserAgent, VariationIndex, Visitor,
    fold, without_doubles,
};
use lake::{Wanted, compact_files, read_file, write_file};
use serde_json::{Value, json};

const FIRST_DAY: i64 = 20_779;
const DAYS: u64 = 20;
const MILLIS_OF_DAY: i64 = 86_400_000;
const PROJECT: &str = "1000";
const EXPERIMENTS: [u64; 2] = [4_001, 4_002];
const NAMES: [&str; 3] = ["purchase", "sign up", "été"];

/// Numbers that look random, the same for the same seed (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn once_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    fn signed(&mut self, bound: u32) -> i64 {
        let bound = i64::from(bound);
        i64::try_from(self.below(2 * bound.unsigned_abs())).unwrap_or(0) - bound
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, seed] = &arguments[..] else { return Err("FOLDER SEED are missing".into()) };
    let folder = Path::new(folder);
    let mut numbers = Numbers(seed.parse()?);
    let mut names = write(folder, &mut numbers)?;
    names.push(old_file(folder)?);
    let mut records = Vec::new();
    for name in names {
        for group in read_file(&folder.join(name), &Wanted::all())? {
            records.extend(group?);
        }
    }
    let records = without_doubles(records);
    let rules = rules();
    let cases = rules.iter().map(|asked| expected(&records, asked));
    let cases = cases.collect::<Result<Vec<_>, _>>()?;
    fs::write(folder.join("expected.json"), json!(cases).to_string())?;
    Ok(())
}

/// Writes the files, several for each day, and makes one of those of every other day.
fn write(folder: &Path, numbers: &mut Numbers) -> Result<Vec<String>, Box<dyn Error>> {
    let mut told: BTreeMap<(Day, u64), Vec<Record>> = BTreeMap::new();
    let mut received = 0;
    for number in 0..40_000_u64 {
        let record = record(numbers, number);
        let times = if numbers.once_in(10) { 2 } else { 1 };
        for _ in 0..times {
            // Every telling comes at a moment of its own, so that it is clear which one is first.
            received += 1;
            let moved = if numbers.once_in(3) { numbers.signed(50_000_000) } else { 0 };
            let at = Millis(record.at.0 + moved);
            let record = Record { at, received: Millis(received ^ 0x3F), ..record.clone() };
            told.entry((at.day(), numbers.below(3))).or_default().push(record);
        }
    }
    let mut names: BTreeMap<Day, Vec<String>> = BTreeMap::new();
    for ((day, _), records) in told {
        names.entry(day).or_default().push(write_file(folder, PROJECT, day, records)?.name);
    }
    for (day, names) in names.iter_mut().step_by(2) {
        let one = compact_files(folder, PROJECT, *day, names)?;
        for name in names.iter().filter(|name| **name != one.name) {
            fs::remove_file(folder.join(name))?;
        }
        *names = vec![one.name];
    }
    Ok(names.into_values().flatten().collect())
}

/// A file of schema 1 beside the others, as it is in folders that an earlier version began.
fn old_file(folder: &Path) -> Result<String, Box<dyn Error>> {
    let name = format!("project={PROJECT}/day=2026-11-22/75269208206850a7f3763de04a8f7f70.parquet");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old/schema-1.parquet");
    fs::copy(old, folder.join(&name))?;
    Ok(name)
}

fn record(numbers: &mut Numbers, number: u64) -> Record {
    let visitor = numbers.below(3_000);
    let millis = i64::try_from(numbers.below(DAYS * MILLIS_OF_DAY.unsigned_abs())).unwrap_or(0);
    let what = if numbers.once_in(5) {
        let experiment = EXPERIMENTS[usize::from(numbers.once_in(3))];
        // Few are given another variation than before.
        let index = if numbers.once_in(30) { numbers.below(3) } else { visitor % 3 };
        let place = |number: u64| usize::try_from(number).unwrap_or(0);
        let agent = UserAgent {
            browser: Browser::ALL.get(place(visitor % 9)).copied(),
            device: Device::ALL.get(place(visitor % 5)).copied(),
        };
        let page = (index > 0).then_some(1_000 + visitor % 4);
        Occurrence::Exposure { campaign: 3_001, experiment, variation: 5_000 + index, agent, page }
    } else {
        let value = Amount::from_millionths(numbers.signed(2_000_000_000));
        Occurrence::Event {
            name: NAMES[usize::try_from(numbers.below(3)).unwrap_or(0)].to_owned(),
            revenue: (!numbers.once_in(8)).then(|| numbers.signed(30_000)),
            value: (!numbers.once_in(8)).then_some(value),
            properties: [("plan".into(), "pro".into())].into_iter().collect(),
        }
    };
    Record {
        id: EventId::of(&number.to_string()),
        visitor: Visitor::of(&[7; 32], &visitor.to_string()),
        at: Millis(FIRST_DAY * MILLIS_OF_DAY + millis),
        received: Millis(0),
        what,
        marks: Marks {
            is_held_back: numbers.once_in(20),
            is_forced: numbers.once_in(40),
            is_previewed: numbers.once_in(40),
            is_bot: numbers.once_in(12),
            is_trusted: numbers.once_in(2),
            is_late: numbers.once_in(9),
            may_flicker: numbers.once_in(15),
        },
    }
}

/// What is asked: a rule, and what of an event it adds up.
struct Question {
    experiment: u64,
    name: &'static str,
    rule: Rule,
    amount: &'static str,
}

fn rules() -> Vec<Question> {
    let mut rules = Vec::new();
    for (experiment, name) in
        [(4_001, "purchase"), (4_002, "été"), (4_003, "purchase"), (4_001, "none")]
    {
        for window_hours in [None, Some(336), Some(1), Some(24)] {
            let rule = Rule { window_hours, ..Rule::CONVERSION };
            rules.push(Question { experiment, name, rule, amount: "one" });
            for (amount, cap) in [
                ("revenue", None),
                ("revenue", Some(50_000)),
                ("value", None),
                ("value", Some(3_000_000_000)),
            ] {
                let rule = Rule { window_hours, cap, ..Rule::SUM };
                rules.push(Question { experiment, name, rule, amount });
            }
        }
    }
    rules
}

/// What the fold makes of the records.
fn expected(records: &[Record], asked: &Question) -> Result<Value, Box<dyn Error>> {
    let Question { experiment, name, rule, amount } = *asked;
    let counted =
        || records.iter().filter(|record| !record.marks.is_bot && !record.marks.is_previewed);
    let exposures = counted().filter_map(|record| match record.what {
        Occurrence::Exposure { experiment: other, variation, agent, .. }
            if other == experiment && !record.marks.is_forced && !record.marks.is_held_back =>
        {
            let index = VariationIndex(u16::try_from(variation - 5_000).ok()?);
            let assignment = Assignment { agent, ..Assignment::new(index, Epoch(0), record.at) };
            Some(Exposure { visitor: record.visitor, assignment })
        }
        Occurrence::Exposure { .. } | Occurrence::Event { .. } => None,
    });
    let steps = counted().filter_map(|record| match &record.what {
        Occurrence::Event { name: other, revenue, value, .. } if other == name => {
            let first = match amount {
                "one" => 1,
                "revenue" => revenue.unwrap_or(0),
                _ => value.map_or(0, Amount::millionths),
            };
            Some(Step { visitor: record.visitor, at: record.at, first, second: 0 })
        }
        Occurrence::Event { .. } | Occurrence::Exposure { .. } => None,
    });
    let series = fold(&Assignments::of(exposures), rule, &steps.collect())?;
    Ok(json!({
        "experiment": experiment,
        "name": name,
        "amount": if rule.counting == Counting::Once { "one" } else { amount },
        "windowHours": rule.window_hours,
        "cap": rule.cap,
        "rows": rows(&series)?,
    }))
}

/// Variation, day, visitors, sum and sum of squares, all as texts: JSON's numbers are not large enough.
fn rows(series: &Series) -> Result<Vec<[String; 5]>, Box<dyn Error>> {
    let mut rows = Vec::new();
    for index in 0..3 {
        for (day, sums) in series.up_to_each_day(Epoch(0), VariationIndex(index))? {
            rows.push([
                (5_000 + u64::from(index)).to_string(),
                day.0.to_string(),
                sums.visitors.to_string(),
                sums.first.to_string(),
                sums.first_squares.to_string(),
            ]);
        }
    }
    Ok(rows)
}
