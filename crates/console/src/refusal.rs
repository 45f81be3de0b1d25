//! What pages say when something cannot be done. A handler only names the refusal; it becomes a page in [`word`], which knows the
//! request id that a person will quote.

use app::App;
use app::drafts::ReadError;
use app::grants::{AuthorizeError, DecideConsentError};
use app::roles::RoleError;
use askama::Template;
use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use oauth::UnansweredRequest;
use storage::StorageError;
use web::{Failure, FormTargets, RETRY_AFTER_SECONDS, RequestId, Session, log_storage_error};

use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::return_address::page_of;
use crate::words::sentence;

/// What the addresses of a project's pages begin with.
const PROJECTS: &str = "/projects/";

/// Why the console refuses a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No page has this address.
    NoSuchPage,
    /// The page exists, but not for this method.
    WrongMethod,
    /// The form is incomplete or unreadable.
    UnreadableForm,
    /// The form does not come from a page that we showed to this browser.
    ForeignForm,
    /// The form has done all it can do.
    AnsweredBefore,
    /// The server has a member already.
    AlreadySetUp,
    /// The session ended while the request was done.
    SignedOut,
    /// The member's role is not enough; names the required one.
    RoleRequired(String),
    /// An authorization request that must not be redirected.
    Authorization(UnansweredRequest),
    /// There is too much to do at this moment.
    Busy,
    /// There is no room for anything new.
    DiskFull,
    /// The database does not answer as it should.
    NoDatabase,
    /// The database takes no writes.
    ReadOnly,
    /// The file of the database was moved, removed or replaced.
    FileGone,
    /// Events that are in files cannot be had.
    EventFiles,
    /// Events that results need are lost for the moment; which, and what can be done.
    EventsLost(String),
    /// A part of the database cannot be read.
    DamagedDatabase,
    /// A stored document cannot be read; which, and why.
    UnreadableDocument(String),
    /// It is our fault.
    Internal,
    /// No handler answered.
    Failed(Failure),
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    title: &'a str,
    explanation: String,
    /// The form to which the refused one belongs, of which the browser keeps what was typed.
    form: Option<&'a str>,
    /// The project that needs a repair.
    repaired: Option<&'a str>,
    /// The first page of that project, elsewhere.
    first_page: Option<&'a str>,
    status: u16,
    request_id: &'a str,
    /// For a member who is signed in.
    frame: Option<Frame>,
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::NoSuchPage => StatusCode::NOT_FOUND,
            Self::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Self::UnreadableForm | Self::Authorization(_) => StatusCode::BAD_REQUEST,
            Self::ForeignForm | Self::SignedOut | Self::RoleRequired(_) => StatusCode::FORBIDDEN,
            Self::AnsweredBefore | Self::AlreadySetUp => StatusCode::CONFLICT,
            Self::Busy
            | Self::DiskFull
            | Self::NoDatabase
            | Self::ReadOnly
            | Self::FileGone
            | Self::EventFiles
            | Self::EventsLost(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::DamagedDatabase | Self::UnreadableDocument(_) | Self::Internal => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
            Self::Failed(failure) => failure.status(),
        }
    }

    /// Whether the storage may answer what else the page shows.
    fn storage_answers(&self) -> bool {
        self.status().is_client_error() && *self != Self::SignedOut
    }

    fn title(&self) -> &'static str {
        match self {
            Self::NoSuchPage => "There is no such page",
            Self::WrongMethod => "The page does not support this",
            Self::UnreadableForm => "The form could not be read",
            Self::ForeignForm => "This form is no longer valid",
            Self::AnsweredBefore => "This was already answered",
            Self::AlreadySetUp => "This server is set up already",
            Self::SignedOut => "You are signed out",
            Self::RoleRequired(_) => "Your role does not allow this",
            Self::Authorization(_) => "This application cannot be authorized",
            Self::Busy | Self::Failed(Failure::Overloaded) => "The server is busy",
            Self::DiskFull => "The disk is full",
            Self::NoDatabase => "The database does not answer",
            Self::ReadOnly => "The database is read-only",
            Self::FileGone => "The database is gone",
            Self::DamagedDatabase => "The database is damaged",
            Self::EventFiles => "Events cannot be read",
            Self::EventsLost(_) => "Events of this campaign are lost",
            Self::UnreadableDocument(_) => "This project needs a repair",
            Self::Internal | Self::Failed(Failure::Panicked) => "Something went wrong",
            Self::Failed(Failure::Malformed) => "The request could not be read",
            Self::Failed(Failure::InsecureTransport) => "The request came over plain http",
            Self::Failed(Failure::LateRequest) => "This took too long",
            Self::Failed(Failure::LateAnswer) => "The server is still working on this",
        }
    }

    fn explanation(&self) -> String {
        let explanation = match self {
            Self::NoSuchPage => "The address may be mistyped, or the page was removed.",
            Self::WrongMethod => "The page exists, but does not accept this kind of request.",
            Self::UnreadableForm => "Part of it is missing. Go back and try again.",
            Self::ForeignForm => {
                "It was made for another session, as before you signed in again, or another site sent it. Open the page again and send it from there."
            }
            Self::AnsweredBefore => {
                "The application already has your answer. Go back to it, and start again there if something is wrong."
            }
            Self::AlreadySetUp => {
                "It has an owner, and what you sent changed nothing. If that was not you in another window, ask the owner to add you as a member."
            }
            Self::SignedOut => {
                "Your session ended before this was done, so nothing was changed. Sign in and try again."
            }
            Self::RoleRequired(why) => {
                return format!("{} An admin can give you a higher one.", sentence(why));
            }
            Self::Authorization(reason) => {
                return format!(
                    "{reason} Ask the application's developer, and quote the request id below."
                );
            }
            Self::UnreadableDocument(why) => {
                return format!(
                    "{} Visitors get what is live all the same. Discard the draft, restore a revision into it, or replace it with `assay apply`. Where what is live cannot be read, the project's first page publishes the draft in its place.",
                    sentence(why)
                );
            }
            Self::EventsLost(why) => {
                return format!(
                    "{} Visitors notice nothing of it.",
                    sentence(&why.replace('`', ""))
                );
            }
            Self::Busy | Self::Failed(Failure::Overloaded) => "Try again in a second.",
            Self::DiskFull => {
                "The server cannot store anything. Tell its operator, and try again later."
            }
            Self::NoDatabase => {
                "Try again in a second. If that does not help, tell the server's operator."
            }
            Self::ReadOnly => "Nothing can be changed at the moment. Tell the server's operator.",
            Self::FileGone => {
                "Its file was moved, removed or replaced. Tell the server's operator, who has to put it back."
            }
            Self::EventFiles => {
                "Files of events are damaged or missing, and the log tells which. Tell the server's operator, and quote the request id below."
            }
            Self::DamagedDatabase => {
                "A part of it cannot be read. Tell the server's operator, who has to restore a backup."
            }
            Self::Internal | Self::Failed(Failure::Panicked) => {
                "This is our fault, and the log has details. Quote the request id below."
            }
            Self::Failed(Failure::Malformed) => "It breaks a rule of HTTP.",
            Self::Failed(Failure::InsecureTransport) => {
                "Others can read requests over plain http. Use the https address. If you sent a password, change it."
            }
            Self::Failed(Failure::LateRequest) => "The request did not arrive in time. Try again.",
            Self::Failed(Failure::LateAnswer) => {
                "It takes longer than 30 seconds, and may be done meanwhile. Go back and reload the page to see before you try again."
            }
        };
        explanation.to_owned()
    }

    /// The address of the project that needs a repair.
    fn repaired<'a>(&self, sent_to: &'a str) -> Option<&'a str> {
        let Self::UnreadableDocument(_) = self else { return None };
        let rest = sent_to.strip_prefix(PROJECTS)?;
        let id = rest.split('/').next().unwrap_or(rest);
        sent_to.get(..PROJECTS.len() + id.len())
    }

    /// The refusal as a page.
    pub(crate) fn page(&self, id: &RequestId, sent_to: &str, frame: Option<Frame>) -> Response {
        let status = self.status();
        let form = sent_to.strip_suffix("/save").filter(|_| *self == Self::ForeignForm);
        // The visual editor keeps nothing in the browser.
        let form = form.filter(|form| !form.ends_with("/visual"));
        let template = ErrorPage {
            title: self.title(),
            explanation: self.explanation(),
            form,
            repaired: self.repaired(sent_to),
            first_page: self.repaired(sent_to).filter(|project| *project != sent_to),
            status: status.as_u16(),
            request_id: id.as_str(),
            frame,
        };
        let mut response = page(status, &template, FormTargets::OwnPages);
        if matches!(
            self,
            Self::Busy | Self::Failed(Failure::Overloaded) | Self::DiskFull | Self::NoDatabase
        ) {
            response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        response
    }
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        if !matches!(error, StorageError::SignedOut | StorageError::NoSuchProject) {
            log_storage_error(&error);
        }
        match error {
            StorageError::SignedOut => Self::SignedOut,
            StorageError::NoSuchProject => Self::NoSuchPage,
            StorageError::Busy => Self::Busy,
            StorageError::Unavailable(_) => Self::NoDatabase,
            StorageError::ReadOnly => Self::ReadOnly,
            StorageError::FileGone => Self::FileGone,
            StorageError::EventFiles(_) => Self::EventFiles,
            StorageError::Document(why) => Self::UnreadableDocument(why),
            StorageError::Full => Self::DiskFull,
            StorageError::Damaged(_) => Self::DamagedDatabase,
            StorageError::Conflict
            | StorageError::KeyTaken
            | StorageError::Corrupt(_)
            | StorageError::Stopped(_) => Self::Internal,
        }
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::UnknownProject | ReadError::NotFound | ReadError::NotPublished => {
                Self::NoSuchPage
            }
            ReadError::Role(error) => error.into(),
            ReadError::Storage(error) => error.into(),
        }
    }
}

impl From<RoleError> for Refusal {
    fn from(error: RoleError) -> Self {
        match error {
            RoleError::Insufficient { .. } | RoleError::Scope(_) => {
                Self::RoleRequired(error.to_string().replace('`', ""))
            }
            RoleError::Storage(error) => error.into(),
        }
    }
}

impl From<AuthorizeError> for Refusal {
    fn from(error: AuthorizeError) -> Self {
        match error {
            AuthorizeError::Unanswered(reason) => Self::Authorization(reason),
            AuthorizeError::Storage(error) => error.into(),
        }
    }
}

impl From<DecideConsentError> for Refusal {
    fn from(error: DecideConsentError) -> Self {
        match error {
            DecideConsentError::Unanswered(reason) => Self::Authorization(reason),
            DecideConsentError::AnsweredBefore => Self::AnsweredBefore,
            // Pages lead to the sign-in form instead.
            DecideConsentError::SignedOut => Self::ForeignForm,
            DecideConsentError::Storage(error) => error.into(),
        }
    }
}

impl IntoResponse for Refusal {
    /// Only the status; [`word`] adds the page.
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Makes pages of refusals. A member who opens the address of a form, as that of a page that answered one, gets the page that has the form.
pub(crate) async fn word(
    State(app): State<App>,
    id: RequestId,
    request: Request,
    next: Next,
) -> Response {
    let (path, headers) = (request.uri().path().to_owned(), request.headers().clone());
    let is_get = request.method() == Method::GET;
    let mut response = next.run(request).await;
    let Some(refusal) = response.extensions_mut().remove::<Refusal>() else { return response };
    if refusal == Refusal::WrongMethod && is_get {
        return Redirect::to(page_of(&path)).into_response();
    }
    let session = if refusal.storage_answers() {
        Session::find(&app, &headers).await.ok().flatten()
    } else {
        None
    };
    refusal.page(&id, &path, session.map(|session| Frame::new(&session, NavigationTab::Elsewhere)))
}
