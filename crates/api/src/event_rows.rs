//! What was measured elsewhere comes in as rows of a file, and what is known of a visitor is told or goes.

use app::App;
use app::events::{
    FileFormat, Forgotten, ImportError, ImportFileError, ImportedFile, RowKind, SentFile,
    VisitorName, forget_visitor, import_file, list_visitor_events,
};
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use domain::limits::MAX_DOCUMENT_BYTES;
use domain::{Fault, Pointer};
use events::{ColumnNames, RowFault, RowFormat, named_columns};
use oauth::Scope;
use serde_json::{Value, json};
use web::{Problem, ProblemCode};

use crate::address::{FromQuery, Parameters, Path, Query};
use crate::answers::{NO_STORE, answer};
use crate::editing::{Caller, Refusal, problem, project_id};
use crate::json_body::refuse_encoded;
use crate::openapi::Operation;
use crate::routes::{Routes, delete, get, post};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const CSV: &str = "text/csv";
const NDJSON: &str = "application/x-ndjson";
const PARQUET: &str = "application/vnd.apache.parquet";
/// What clients say of a file whose type they do not know. It comes last in the description: some generated clients send the last type with every file.
const OCTETS: &str = "application/octet-stream";

/// How each Parquet file begins.
const PARQUET_MAGIC: &[u8] = b"PAR1";

/// What spreadsheets write before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

app::dto! {
    /// What became of the rows of a file.
    pub(crate) struct ImportedRowsDto: "imported_rows" {
        /// How many are kept; they are on the disk. A row that was imported before is among them, and counts once.
        accepted: u32,
        /// How many are not kept.
        rejected: u32,
        /// What is wrong with the first 20 of these.
        faults: Vec<RowFaultDto>,
    }

    /// A row that is not kept.
    pub(crate) struct RowFaultDto: "row_fault" {
        /// Its line; in a Parquet file its number, counted from 1.
        line: u32,
        /// What is wrong, for people.
        detail: String,
    }

    /// What was deleted of a visitor.
    pub(crate) struct ForgottenVisitorDto: "forgotten_visitor" {
        /// The number of the visitor in files of events.
        visitor: String,
        /// How many events there were.
        events: u32,
    }
}

/// By what the address names a visitor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NamedBy {
    Id,
    Number,
}

/// The columns that the query names.
struct Columns(ColumnNames);

const COLUMN: &str = "What a column is called, as `field=column`, such as `visitor=user_id`. Repeat it for several. A field `id` makes a column the ids of events, `properties.plan` that of the property `plan`. `name==purchase` says it of each row. With other columns for `value` or `id`, rows that were imported before are other events.";

pub(crate) fn routes() -> Routes {
    let columns = json!({"type": "array", "items": {"type": "string", "pattern": "^[^=]+=.*$"}});
    let import = |id, summary| {
        Operation::new(id, summary)
            .needs(Scope::EventsWrite, "editor")
            .query("column", &columns, COLUMN)
            .takes_as(&[CSV, NDJSON, PARQUET, OCTETS], &file())
            .answers_dto::<ImportedRowsDto>(202)
            .may_be(&[409, 413, 415, 422])
    };
    let exposures = import("import_exposures", "Import who was given which variation");
    let events = import("import_events", "Import what visitors did");
    Routes::under("Events")
        .at("/v1/projects/{id}/imports/exposures", [post(import_exposures, exposures)])
        .at("/v1/projects/{id}/imports/events", [post(import_events, events)])
}

const NAMED_BY: &str = "By what `visitor` names the visitor: `id`, by which the site knows them, or `number`, as files of events and the audit log have it.";

pub(crate) fn of_visitors() -> Routes {
    let by = json!({"type": "string", "enum": ["id", "number"], "default": "id"});
    let read = Operation::new("read_visitor", "Read all events of a visitor")
        .needs(Scope::ResultsRead, "admin")
        .query("by", &by, NAMED_BY)
        .answers_as(200, "application/json", &visitor_events());
    let forget = Operation::new("forget_visitor", "Delete all events of a visitor")
        .needs(Scope::EventsWrite, "admin")
        .query("by", &by, NAMED_BY)
        .answers_dto::<ForgottenVisitorDto>(200);
    Routes::under("Events").at(
        "/v1/projects/{id}/visitors/{visitor}",
        [get(read_one, read).heavy(), delete(forget_one, forget)],
    )
}

async fn import_exposures(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Parameters(columns): Parameters<Columns>,
    request: Request,
) -> Result<Response, Problem> {
    import(&app, &id, caller, (RowKind::Exposures, columns, request)).await
}

async fn import_events(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Parameters(columns): Parameters<Columns>,
    request: Request,
) -> Result<Response, Problem> {
    import(&app, &id, caller, (RowKind::Events, columns, request)).await
}

async fn import(
    app: &App,
    id: &str,
    caller: Caller,
    (kind, columns, request): (RowKind, Columns, Request),
) -> Result<Response, Problem> {
    let actor = caller.actor(app, Scope::EventsWrite).await?;
    let id = project_id(app, &actor, id).await?;
    let (format, body) = sent_file(request).await?;
    let file = SentFile { kind, format, columns: columns.0, body };
    let imported = import_file(app, &actor, id, file).await.map_err(problem)?;
    Ok(answer(StatusCode::ACCEPTED, ImportedRowsDto::from(imported)))
}

impl FromQuery for NamedBy {
    fn read(query: &Query) -> Result<Self, Problem> {
        let by = query.word("by", &[("id", Self::Id), ("number", Self::Number)])?;
        Ok(by.unwrap_or(Self::Id))
    }
}

impl NamedBy {
    /// The visitor whom this names; no visitor has a number that is none.
    fn name(self, visitor: String) -> Result<VisitorName, Problem> {
        match self {
            Self::Id => Ok(VisitorName::Id(visitor)),
            Self::Number => {
                let number = visitor.parse().map_err(|_| Problem::not_found())?;
                Ok(VisitorName::Number(number))
            }
        }
    }
}

impl FromQuery for Columns {
    fn read(query: &Query) -> Result<Self, Problem> {
        let named = named_columns(query.pairs("column")?);
        let named = named.map_err(|error| {
            let fault = Fault::error("invalid_parameter", Pointer::root(), error.to_string());
            Problem::new(ProblemCode::InvalidParameter, error.to_string()).with_faults(&[fault])
        });
        named.map(Self)
    }
}

/// The body, with the format that its `Content-Type` names.
async fn sent_file(request: Request) -> Result<(FileFormat, Bytes), Problem> {
    refuse_encoded(request.headers())?;
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.map(|kind| kind.split(';').next().unwrap_or_default().trim().to_owned());
    let body = to_bytes(request.into_body(), MAX_DOCUMENT_BYTES).await;
    let body = body.map_err(|_| {
        let detail = format!(
            "a file has {MAX_DOCUMENT_BYTES} bytes at most; hint: send it in parts, or import it with `assay events import`"
        );
        Problem::new(ProblemCode::BodyTooLong, detail)
    })?;
    let format = match kind.as_deref() {
        Some(CSV) => FileFormat::Text(RowFormat::Csv),
        Some(NDJSON) => FileFormat::Text(RowFormat::Ndjson),
        Some(PARQUET) => FileFormat::Parquet,
        Some(OCTETS) => format_of(&body),
        Some(_) | None => {
            let known = format!("expected `{CSV}`, `{NDJSON}` or `{PARQUET}` as Content-Type");
            return Err(Problem::new(ProblemCode::UnsupportedMediaType, known));
        }
    };
    Ok((format, body))
}

/// The format of a file whose type is not told, by how it begins.
fn format_of(body: &[u8]) -> FileFormat {
    if body.starts_with(PARQUET_MAGIC) {
        return FileFormat::Parquet;
    }
    let text = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    let is_object = text.trim_ascii_start().starts_with(b"{");
    FileFormat::Text(if is_object { RowFormat::Ndjson } else { RowFormat::Csv })
}

async fn read_one(
    State(app): State<App>,
    Path((id, visitor)): Path<(String, String)>,
    caller: Caller,
    Parameters(by): Parameters<NamedBy>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ResultsRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let visitor = by.name(visitor)?;
    let found = list_visitor_events(&app, &actor, id, &visitor).await.map_err(problem)?;
    let headers = [(CONTENT_TYPE, JSON), (CACHE_CONTROL, NO_STORE)];
    Ok((headers, found.json).into_response())
}

async fn forget_one(
    State(app): State<App>,
    Path((id, visitor)): Path<(String, String)>,
    caller: Caller,
    Parameters(by): Parameters<NamedBy>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::EventsWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let visitor = by.name(visitor)?;
    let forgotten = forget_visitor(&app, &actor, id, &visitor).await.map_err(problem)?;
    Ok(answer(StatusCode::OK, ForgottenVisitorDto::from(forgotten)))
}

impl Refusal for ImportFileError {
    fn problem(self) -> Problem {
        let detail = self.to_string();
        match self {
            Self::Import(error) => error.problem(),
            Self::Unreadable(_) | Self::UnseenColumn(_) => {
                Problem::faults(&[Fault::error("rows", Pointer::root(), detail)])
            }
            Self::TooLong(_) => Problem::new(ProblemCode::BodyTooLong, detail),
            Self::Overloaded(error) => Problem::from(error),
        }
    }
}

impl Refusal for ImportError {
    fn problem(self) -> Problem {
        match self {
            Self::Role(error) => Problem::from(error),
            Self::NotPublished => Problem::new(ProblemCode::NotPublished, self.to_string()),
            Self::Archived => Problem::new(ProblemCode::ProjectArchived, self.to_string()),
            Self::NoRoom => Problem::disk_full(),
        }
    }
}

impl From<ImportedFile> for ImportedRowsDto {
    fn from(ImportedFile { accepted, rejected, faults }: ImportedFile) -> Self {
        let faults = faults.into_iter().map(RowFaultDto::from).collect();
        Self { accepted: count(accepted), rejected: count(rejected), faults }
    }
}

impl From<RowFault> for RowFaultDto {
    fn from(RowFault { line, detail }: RowFault) -> Self {
        Self { line: count(line), detail }
    }
}

impl From<Forgotten> for ForgottenVisitorDto {
    fn from(Forgotten { visitor, events }: Forgotten) -> Self {
        Self { visitor: visitor.to_string(), events: count(events) }
    }
}

fn count(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The fields of events are the columns of files of events.
fn visitor_events() -> Value {
    let fields = "An event, with the columns of docs/events-files.md as fields. Whole numbers above 2^53, such as `visitor`, are texts.";
    json!({"type": "object", "required": ["visitor", "total", "events"], "properties": {
        "visitor": {"type": "string", "description": "The number of the visitor in files of events."},
        "total": {"type": "integer", "description": "How many events there are."},
        "events": {"type": "array", "description": "The first events, by time: 100,000 and 32 MiB at most, of `total`. `assay events export --visitor` writes all.", "items": {"type": "object", "description": fields}},
    }})
}

/// The columns are those of `assay results`.
fn file() -> Value {
    json!({"type": "string", "format": "binary", "description": "CSV, JSON lines or Parquet; as `application/octet-stream`, Assay tells them apart by how the file begins. Rows with the columns `visitor`, `time` and, of exposures, `variation`, `experiment`, `browser`, `device`, `page` and `holdback`, of events `name` and `value`, and `revenue` and the properties that metrics of the live project ask for; see docs/your-files.md."})
}
