//! `assay results`: who won, from files of exposures and events that were measured anywhere, without a server; or from what a running one counted.

use app::numerals::quantity;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use app::events::with_measured;
use app::results::{Dataset, Results, SegmentBy, find_each, results_csv, results_text};
use domain::Project;
use events::{
    ColumnNames, EventRow, ExposureRow, ReadRows, Row, RowFault, RowFormat, columns_named,
    named_columns, read_rows,
};
use flate2::read::MultiGzDecoder;
use lake::{TableError, read_table};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::cli::ResultsArguments;
use crate::clock::machine_time;
use crate::failure::Failure;
use crate::remote::{self, Expected, Question, Remote};
use crate::{output, project_file};

/// More of one file, unpacked, would not fit into the memory of most machines.
const BYTES_AT_MOST: u64 = 4 << 30;

/// The endings of files that other packers than gzip made.
const PACKED: [&str; 8] = ["zst", "bz2", "xz", "zip", "br", "lz4", "7z", "tgz"];

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

pub(crate) fn run(arguments: &ResultsArguments) -> Result<(), Failure> {
    if arguments.exposures.is_empty() { counted(arguments) } else { measured(arguments) }
}

/// What a running server counted.
fn counted(arguments: &ResultsArguments) -> Result<(), Failure> {
    let server = arguments.server.as_deref().unwrap_or_default();
    let remote = Remote::of(server, arguments.token.as_ref())?;
    let named = &arguments.project;
    let project = if Path::new(named).is_file() {
        project_file::read(Path::new(named))?.checked.project.id.to_string()
    } else {
        remote::named(named).into_owned()
    };
    let (format, expected) = match (arguments.json, arguments.csv) {
        (true, _) => ("json", Expected::Field("experiments")),
        (false, true) => ("csv", Expected::Text("text/csv")),
        (false, false) => ("text", Expected::Text("text/plain")),
    };
    let segment = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let (id, campaign) = (segment(&project), segment(&arguments.campaign));
    let split = arguments.segment.map(|segment| SegmentBy::from(segment).word());
    let split = split.map(|word| format!("&segment={word}")).unwrap_or_default();
    let revision = arguments.revision.map(|number| format!("&revision={number}"));
    let revision = revision.unwrap_or_default();
    let path =
        format!("/v1/projects/{id}/campaigns/{campaign}/results?format={format}{split}{revision}");
    let question = Question { method: "GET", path, headers: &[], body: None, expected };
    let found = remote.ask(&question)?;
    let found = found.ok_or_else(|| {
        let project = project.strip_prefix("key:").unwrap_or(&project);
        let live = arguments.revision.map_or("live".to_owned(), |number| format!("in revision {number}"));
        let told = format_args!("the server has no campaign `{}` {live} in a project `{project}` whose results the token may read", arguments.campaign);
        Failure::input(told)
    })?;
    output::print_exactly(&found.text);
    Ok(())
}

/// What was measured anywhere.
fn measured(arguments: &ResultsArguments) -> Result<(), Failure> {
    let file = project_file::read(Path::new(&arguments.project))?;
    let given = columns(&arguments.columns)?;
    let format = arguments.format.map(RowFormat::from);
    let properties = file.checked.project.measured_properties();
    let columns = with_measured(given, properties);
    let (exposures, of_exposures) =
        read_all::<ExposureRow>(&arguments.exposures, format, &columns)?;
    let (events, of_events) = read_all::<EventRow>(&arguments.events, format, &columns)?;
    refuse_unseen(&[&of_exposures, &of_events])?;
    let split = arguments.segment.map(SegmentBy::from);
    let measured = Dataset::of_rows(&exposures, &events).read_at(machine_time()).split(split);
    let found = those_found(&file.checked.project, &arguments.campaign, &measured)?;
    tell_of_unknown(&file.checked.project, &events);
    tell_of_strangers((&exposures, &events), &found);
    if arguments.csv {
        output::print_exactly(&results_csv(&found));
    } else {
        found.iter().for_each(if arguments.json { show_json } else { show_text });
    }
    match of_exposures.faulty + of_events.faulty {
        0 => Ok(()),
        wrong => {
            let unread =
                quantity(wrong, "row cannot be read, and is", "rows cannot be read, and are");
            Err(Failure::input(format_args!("{unread} not counted; see above")))
        }
    }
}

/// The results of the experiments that have any; why the others have none is said beside.
fn those_found(
    project: &Project,
    campaign: &str,
    measured: &Dataset,
) -> Result<Vec<Results>, Failure> {
    let each = find_each(project, campaign, measured).map_err(Failure::input)?;
    let (found, lacking): (Vec<_>, Vec<_>) = each.into_iter().partition(Result::is_ok);
    let mut lacking = lacking.into_iter().filter_map(Result::err);
    if found.is_empty() {
        return lacking.next().map_or(Ok(Vec::new()), |error| Err(Failure::input(error)));
    }
    for error in lacking {
        output::complain(format_args!("warning: {error}"));
    }
    Ok(found.into_iter().filter_map(Result::ok).collect())
}

/// Events that no metric can count, which a capital letter is enough for.
fn tell_of_unknown(project: &Project, events: &[EventRow]) {
    let known: BTreeSet<_> = project.events.iter().map(|event| event.key.as_str()).collect();
    let mut unknown = events.iter().filter(|row| !known.contains(row.name.as_str()));
    let Some(first) = unknown.next().filter(|_| !known.is_empty()) else { return };
    let (count, name) = (1 + unknown.count(), first.name.escape_debug());
    output::complain(format_args!(
        "warning: {count} events count for no metric, since the project has no event of their name, such as `{name}`"
    ));
}

/// That no event counts, since visitors have other ids in the files of events.
fn tell_of_strangers((exposures, events): (&[ExposureRow], &[EventRow]), found: &[Results]) {
    let metrics = found.iter().flat_map(|one| &one.metrics);
    if metrics.flat_map(|metric| &metric.variations).any(|arm| arm.total != 0.0) {
        return;
    }
    let exposed: HashSet<_> = exposures.iter().map(|row| &row.visitor).collect();
    let (Some(shown), Some(done)) = (exposures.first(), events.first()) else { return };
    if events.iter().any(|row| exposed.contains(&row.visitor)) {
        return;
    }
    let [shown, done] = [&shown.visitor, &done.visitor].map(|id| id.escape_debug());
    output::complain(format_args!(
        "warning: no event is of a visitor with an exposure, so nothing counts; hint: do both files have the same ids? Exposures begin with `{shown}`, events with `{done}`"
    ));
}

fn show_json(results: &Results) {
    output::print(serde_json::to_string(results).expect("results are always JSON"));
}

fn show_text(results: &Results) {
    output::print_exactly(&results_text(results));
}

/// The columns that are named on the command line.
pub(super) fn columns(named: &[(String, String)]) -> Result<ColumnNames, Failure> {
    named_columns(named.iter().cloned()).map_err(Failure::input)
}

/// Where the rows of several files come from.
#[derive(Debug, Default)]
pub(super) struct Origin {
    /// Each file with the lines of its rows.
    files: Vec<(PathBuf, Vec<u64>)>,
    /// How many rows cannot be read.
    pub(super) faulty: u64,
    /// The columns that were named and that a file with rows has.
    seen: BTreeSet<String>,
    /// Those that none has.
    unseen: BTreeSet<String>,
}

impl Origin {
    /// The file and the line of the row at this place among all.
    pub(super) fn of(&self, place: usize) -> String {
        let mut left = place;
        for (path, lines) in &self.files {
            match lines.get(left) {
                Some(line) => return format!("{}:{line}", path.display()),
                None => left -= lines.len(),
            }
        }
        format!("row {}", place + 1)
    }
}

/// The rows of all files, and where they come from.
pub(super) fn read_all<R: Row>(
    paths: &[PathBuf],
    format: Option<RowFormat>,
    columns: &ColumnNames,
) -> Result<(Vec<R>, Origin), Failure> {
    let (mut rows, mut origin) = (Vec::new(), Origin::default());
    for path in paths {
        let read = read::<R>(path, format, columns)?;
        let untold = read.faulty - read.faults.len() as u64;
        for RowFault { line, detail } in &read.faults {
            output::complain(format_args!("{}:{line}: {detail}", path.display()));
        }
        if untold > 0 {
            let untold = quantity(untold, "more row is", "more rows are");
            output::complain(format_args!("{}: {untold} wrong", path.display()));
        }
        origin.faulty += read.faulty;
        origin.files.push((path.clone(), read.lines));
        if !read.rows.is_empty() {
            origin.seen.extend(&columns_named::<R>(columns) - &read.unseen);
            origin.unseen.extend(read.unseen);
        }
        rows.extend(read.rows);
    }
    origin.unseen = &origin.unseen - &origin.seen;
    Ok((rows, origin))
}

/// A column that was named is in one file at least, of whichever kind.
pub(super) fn refuse_unseen(kinds: &[&Origin]) -> Result<(), Failure> {
    let is_seen = |column: &String| kinds.iter().any(|kind| kind.seen.contains(column));
    let mut unseen = kinds.iter().flat_map(|kind| &kind.unseen);
    match unseen.find(|column| !is_seen(column)) {
        None => Ok(()),
        Some(column) => Err(Failure::input(format_args!(
            "no row of these files has the column `{column}`; hint: check its name"
        ))),
    }
}

fn read<R: Row>(
    path: &Path,
    format: Option<RowFormat>,
    columns: &ColumnNames,
) -> Result<ReadRows<R>, Failure> {
    let shown = path.display();
    let unreadable = |error: &io::Error| Failure::unreadable(format_args!("`{shown}`"), error);
    let (inner, is_packed) = match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("gz") => (path.with_extension(""), true),
        Some(_) | None => (path.to_owned(), false),
    };
    let ending = inner.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let format = match (ending.as_deref(), format) {
        (Some("csv" | "tsv"), _) => RowFormat::Csv,
        (Some("ndjson" | "jsonl"), _) => RowFormat::Ndjson,
        (Some("parquet"), _) if !is_packed => {
            return read_table(path, columns).map_err(|error| match error {
                TableError::Io(error) => unreadable(&error),
                error @ (TableError::Damaged(_)
                | TableError::Export(_)
                | TableError::MissingColumn { .. }
                | TableError::WrongType(_)
                | TableError::TooLong) => Failure::input(format_args!("{shown}: {error}")),
            });
        }
        (Some(packed), None) if PACKED.contains(&packed) => {
            let told = format_args!(
                "`{shown}` is packed; of packed files, those of gzip are read (`.csv.gz`)\n  hint: pack it by gzip, or unpack it into standard input and name that `-`, with `--format csv` or `--format ndjson`"
            );
            return Err(Failure::input(told));
        }
        (_, Some(format)) => format,
        (_, None) => {
            let told = format_args!(
                "`{shown}` is no .csv, .tsv, .ndjson, .jsonl, one of these with .gz, or .parquet\n  hint: `--format csv` or `--format ndjson` says what it is"
            );
            return Err(Failure::input(told));
        }
    };
    let bytes = if path.as_os_str() == STANDARD_INPUT {
        whole(io::stdin())
    } else {
        let file = fs::File::open(path).map(io::BufReader::new);
        file.and_then(|file| if is_packed { unpacked(file) } else { whole(file) })
    };
    let text = text(bytes.map_err(|error| unreadable(&error))?);
    let read = text.and_then(|text| read_rows(&text, format, columns));
    read.map_err(|RowFault { line, detail }| {
        Failure::input(format_args!("{shown}:{line}: {detail}"))
    })
}

/// The text of a file. Spreadsheets save others than UTF-8, which only people can tell apart.
fn text(bytes: Vec<u8>) -> Result<String, RowFault> {
    String::from_utf8(bytes).map_err(|error| {
        let right = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = right.split(|byte| *byte == b'\n').count() as u64;
        RowFault { line, detail: "this is not valid UTF-8; hint: save it as UTF-8".to_owned() }
    })
}

/// What is in a file that gzip made; of several, one after the other.
fn unpacked(packed: impl BufRead) -> io::Result<Vec<u8>> {
    whole(MultiGzDecoder::new(packed)).map_err(wrong)
}

fn whole(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(BYTES_AT_MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_AT_MOST {
        return Err(wrong(io::Error::other("it has more than 4 GiB; split it")));
    }
    Ok(bytes)
}

fn wrong(error: io::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
