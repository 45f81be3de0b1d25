//! `assay results`: who won, from files of exposures and events that were measured anywhere, without a server; or from what a running one counted.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use app::results::{Measured, Results, SegmentBy, find_results, results_csv, results_text};
use events::{
    ColumnNames, EventRow, ExposureRow, ReadRows, Row, RowFormat, read_rows, with_properties,
};
use flate2::read::MultiGzDecoder;
use lake::{TableError, read_table};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::cli::ResultsArguments;
use crate::failure::Failure;
use crate::remote::{Question, Remote};
use crate::{output, project_file};

/// More of one file would not fit into the memory of most machines.
const UNPACKED_BYTES_AT_MOST: u64 = 4 << 30;

/// The fields that a column can be named for.
const FIELDS: [&str; 10] = [
    "visitor",
    "time",
    "variation",
    "experiment",
    "browser",
    "device",
    "page",
    "name",
    "value",
    REVENUE,
];

/// A property that each event has a place for.
const REVENUE: &str = "revenue";

/// What the name of a property's field begins with.
const PROPERTY: &str = "properties.";

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
        named.clone()
    };
    let format = match (arguments.json, arguments.csv) {
        (true, _) => "json",
        (false, true) => "csv",
        (false, false) => "text",
    };
    let segment = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let (id, campaign) = (segment(&project), segment(&arguments.campaign));
    let split = arguments.segment.map(|segment| SegmentBy::from(segment).word());
    let split = split.map(|word| format!("&segment={word}")).unwrap_or_default();
    let path = format!("/v1/projects/{id}/campaigns/{campaign}/results?format={format}{split}");
    let found = remote.ask(&Question { method: "GET", path, headers: &[], body: None })?;
    let found = found.ok_or_else(|| {
        let told = format_args!("the server has no campaign `{}` live in a project `{project}` whose results the token may read", arguments.campaign);
        Failure::input(told)
    })?;
    output::print_exactly(&found.text);
    Ok(())
}

/// What was measured anywhere.
fn measured(arguments: &ResultsArguments) -> Result<(), Failure> {
    let file = project_file::read(Path::new(&arguments.project))?;
    let given = columns(&arguments.columns)?;
    let columns = with_properties(given, file.checked.project.measured_properties());
    let (exposures, wrong_exposures) = read_all::<ExposureRow>(&arguments.exposures, &columns)?;
    let (events, wrong_events) = read_all::<EventRow>(&arguments.events, &columns)?;
    let measured =
        Measured::of_rows(&exposures, &events).split(arguments.segment.map(SegmentBy::from));
    let found = find_results(&file.checked.project, &arguments.campaign, &measured);
    let found = found.map_err(Failure::input)?;
    if arguments.csv {
        output::print_exactly(&results_csv(&found));
    } else {
        found.iter().for_each(if arguments.json { show_json } else { show_text });
    }
    match wrong_exposures + wrong_events {
        0 => Ok(()),
        1 => Err(Failure::input("1 row cannot be read, and is not counted; see above")),
        wrong => {
            let told = format_args!("{wrong} rows cannot be read, and are not counted; see above");
            Err(Failure::input(told))
        }
    }
}

fn show_json(results: &Results) {
    output::print(serde_json::to_string(results).expect("results are always JSON"));
}

fn show_text(results: &Results) {
    output::print_exactly(&results_text(results));
}

pub(super) fn columns(named: &[(String, String)]) -> Result<ColumnNames, Failure> {
    let is_known = |field: &str| FIELDS.contains(&field) || field.starts_with(PROPERTY);
    let unknown = named.iter().find(|(field, _)| !is_known(field));
    if let Some((field, _)) = unknown {
        let known = FIELDS.map(|field| format!("`{field}`")).join(", ");
        return Err(Failure::input(format_args!("no column is for `{field}`; fields are {known}")));
    }
    let field = |field: &str| match field {
        REVENUE => format!("{PROPERTY}{REVENUE}"),
        field => field.to_owned(),
    };
    Ok(named.iter().map(|(name, column)| (field(name), column.clone())).collect())
}

/// The rows of all files, and how many are wrong.
pub(super) fn read_all<R: Row>(
    paths: &[PathBuf],
    columns: &ColumnNames,
) -> Result<(Vec<R>, u64), Failure> {
    let (mut rows, mut wrong) = (Vec::new(), 0);
    for path in paths {
        let read = read::<R>(path, columns)?;
        let untold = read.faulty - read.faults.len() as u64;
        for fault in &read.faults {
            output::complain(format_args!("{}: {fault}", path.display()));
        }
        if untold > 0 {
            output::complain(format_args!("{}: {untold} more rows are wrong", path.display()));
        }
        wrong += read.faulty;
        rows.extend(read.rows);
    }
    Ok((rows, wrong))
}

fn read<R: Row>(path: &Path, columns: &ColumnNames) -> Result<ReadRows<R>, Failure> {
    let shown = path.display();
    // Only the columns of this kind of row can be in its file.
    let is_own = |field: &str| {
        R::FIELDS.iter().any(|(own, _)| *own == field)
            || R::HAS_PROPERTIES && field.starts_with(PROPERTY)
    };
    let own = columns.iter().filter(|(field, _)| is_own(field));
    let own = own.map(|(field, column)| (field.clone(), column.clone())).collect();
    let unreadable = |error: &io::Error| Failure::unreadable(format_args!("`{shown}`"), error);
    let (inner, is_packed) = match path.extension() {
        Some(ending) if ending == "gz" => (path.with_extension(""), true),
        Some(_) | None => (path.to_owned(), false),
    };
    let format = match inner.extension().and_then(|ending| ending.to_str()) {
        Some("csv" | "tsv") => RowFormat::Csv,
        Some("ndjson" | "jsonl") => RowFormat::Ndjson,
        Some("parquet") if !is_packed => {
            return read_table(path, &own).map_err(|error| match error {
                TableError::Io(error) => unreadable(&error),
                error @ (TableError::Damaged(_)
                | TableError::MissingColumn { .. }
                | TableError::WrongType(_)) => Failure::input(format_args!("{shown}: {error}")),
            });
        }
        _ => {
            let told = format_args!(
                "`{shown}` is no .csv, .tsv, .ndjson, .jsonl, one of these with .gz, or .parquet"
            );
            return Err(Failure::input(told));
        }
    };
    let text = if is_packed { unpacked(path) } else { fs::read_to_string(path) };
    let text = text.map_err(|error| unreadable(&error))?;
    read_rows(&text, format, &own).map_err(|fault| Failure::input(format_args!("{shown}: {fault}")))
}

/// The text of a file that gzip made; of several, one after the other.
fn unpacked(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let unpacking = MultiGzDecoder::new(io::BufReader::new(fs::File::open(path)?));
    let wrong = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    unpacking.take(UNPACKED_BYTES_AT_MOST + 1).read_to_string(&mut text).map_err(wrong)?;
    if text.len() as u64 > UNPACKED_BYTES_AT_MOST {
        return Err(wrong(io::Error::other("it has more than 4 GiB unpacked; split it")));
    }
    Ok(text)
}
