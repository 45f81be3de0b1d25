//! The codes of problems: what programs decide by. A problem cannot be made without one, and `docs/rest.md` lists them all.

use axum::http::StatusCode;

/// Makes the enum of its lines: the code's name, its status, its word for programs, and its meaning.
macro_rules! problem_codes {
    ($($name:ident, $status:ident, $word:literal, $meaning:literal;)+) => {
        /// Why a request was refused, in a word that stays the same.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ProblemCode {
            $(#[doc = $meaning] $name,)+
        }

        impl ProblemCode {
            /// Every code, in the order of their statuses.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The word that programs read in `code`.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// The status of every problem with this code.
            #[must_use]
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)+ }
            }

            /// What it means, in a sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)+ }
            }
        }
    };
}

problem_codes! {
    Malformed, BAD_REQUEST, "malformed", "The request is not proper HTTP.";
    TokenMisplaced, BAD_REQUEST, "token_misplaced", "The access token belongs in the one `Authorization` header only.";
    UnknownParameter, BAD_REQUEST, "unknown_parameter", "The address does not know this query parameter; `errors` has the nearest name.";
    RepeatedParameter, BAD_REQUEST, "repeated_parameter", "A query parameter is there twice.";
    InvalidParameter, BAD_REQUEST, "invalid_parameter", "The value of a query parameter does not fit.";
    InvalidHeader, BAD_REQUEST, "invalid_header", "`If-Match` or `Idempotency-Key` is not readable.";
    InvalidRange, BAD_REQUEST, "invalid_range", "The address does not name two states to compare.";
    BodyRequired, BAD_REQUEST, "body_required", "The address needs a body, and there is none.";
    BodyIncomplete, BAD_REQUEST, "body_incomplete", "The body did not arrive whole.";
    Unreadable, BAD_REQUEST, "unreadable", "The body is not JSON, is nested too deep, or has a field twice; `errors` says where.";
    TokenRequired, UNAUTHORIZED, "token_required", "The request has no access token.";
    InvalidToken, UNAUTHORIZED, "invalid_token", "The access token is unknown, expired or revoked.";
    InsufficientScope, FORBIDDEN, "insufficient_scope", "The access token lacks a scope; `WWW-Authenticate` names it.";
    RoleRequired, FORBIDDEN, "role_required", "The member's role is not enough; `needed` says what it takes, `role` what the member has.";
    MembersOnly, FORBIDDEN, "members_only", "An API token may not do this; a signed-in member has to.";
    ResultsOff, FORBIDDEN, "results_off", "The live project has `results: off`; events are sent once it says `on`.";
    OriginNotListed, FORBIDDEN, "origin_not_listed", "The live project lists the `origins` whose pages may send events, and this page's is not among them.";
    HttpsRequired, FORBIDDEN, "https_required", "The request came over plain HTTP, where others can read it.";
    NotFound, NOT_FOUND, "not_found", "Nothing has this address, or the member may not read it.";
    MethodNotAllowed, METHOD_NOT_ALLOWED, "method_not_allowed", "The address takes other methods; see `Allow`.";
    RequestTimeout, REQUEST_TIMEOUT, "request_timeout", "The request did not arrive in time.";
    AddressUnproved, CONFLICT, "address_unproved", "Nothing has proved the member's address but the word of another member, who could not give this role.";
    AlreadyDone, CONFLICT, "already_done", "A request with this `Idempotency-Key` was done; its answer held a secret, which is shown once.";
    BuiltInApplication, CONFLICT, "built_in_application", "The application is part of the server; disable it instead.";
    DeclaredInProjectFile, CONFLICT, "declared_in_project_file", "A project file declares the application; change it there.";
    DeliveryUnderWay, CONFLICT, "delivery_under_way", "The delivery is being sent at this moment; look what comes of it first.";
    EmailTaken, CONFLICT, "email_taken", "Another member has this address.";
    InProgress, CONFLICT, "in_progress", "The server is still doing a request with this `Idempotency-Key`.";
    InUse, CONFLICT, "in_use", "Other resources use what is to be archived; `errors` names them.";
    InvalidTransition, CONFLICT, "invalid_transition", "The action is not possible in the present `state`; `allowed` lists those that are.";
    LastOwner, CONFLICT, "last_owner", "The server would be left without an owner.";
    ManagedByFile, CONFLICT, "managed_by_file", "A project file manages the project.";
    NotPublished, CONFLICT, "not_published", "Nothing of the project is live yet.";
    PreviewsOff, CONFLICT, "previews_off", "The live project has `snippet.preview: false`.";
    ProjectArchived, CONFLICT, "project_archived", "The project is archived: it takes no events, and nothing starts or goes live in it, until it is restored and published.";
    PublicApplication, CONFLICT, "public_application", "A public application has no secrets.";
    Running, CONFLICT, "running", "Visitors would notice: a campaign may still run, or its experiment has begun; `errors` says where.";
    Taken, CONFLICT, "taken", "Another project has this key or id.";
    NameTaken, CONFLICT, "name_taken", "Another service in the same place has this name.";
    TooManyApiTokens, CONFLICT, "too_many_api_tokens", "The member has as many tokens as may work at a time, or made as many for services; remove some.";
    TooManyInvitations, CONFLICT, "too_many_invitations", "As many people are invited as may be at a time; revoke some invitations.";
    TooManyResultsLinks, CONFLICT, "too_many_results_links", "As many links to results of the project work as may; revoke some.";
    TooManyPreviewLinks, CONFLICT, "too_many_preview_links", "As many preview links of the project work as may; revoke some.";
    TooManySecrets, CONFLICT, "too_many_secrets", "The application has as many secrets as it can.";
    TooManyWebhooks, CONFLICT, "too_many_webhooks", "The project has as many webhooks as may be; remove one.";
    WebhookOff, CONFLICT, "webhook_off", "The webhook is switched off, or the server sends to none.";
    EtagMismatch, PRECONDITION_FAILED, "etag_mismatch", "It changed since the client read it; `current` is how it is now.";
    WeakEtag, PRECONDITION_FAILED, "weak_etag", "`If-Match` has a tag that a proxy made of `ETag` as it compressed an answer, `W/\"…\"` or `\"…-gzip\"`; send it without `W/`, `-gzip` and `-br`.";
    Exists, PRECONDITION_FAILED, "exists", "`If-None-Match: *` asks for a new project, and there is one already.";
    BodyTooLong, PAYLOAD_TOO_LARGE, "body_too_long", "The body is too long.";
    UnsupportedMediaType, UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", "`Content-Type` does not say that the body is JSON, or there is a `Content-Encoding`.";
    Compile, UNPROCESSABLE_ENTITY, "compile", "The compiler makes no snippet of the project.";
    Invalid, UNPROCESSABLE_ENTITY, "invalid", "The body, or what would come out, is not right; `errors` says what and where.";
    NoValidEvent, UNPROCESSABLE_ENTITY, "no_valid_event", "No event of the batch can be kept; `rejected` says why of each.";
    KeyReused, UNPROCESSABLE_ENTITY, "key_reused", "This `Idempotency-Key` came with another request, or with a token of other scopes.";
    TooCostly, UNPROCESSABLE_ENTITY, "too_costly", "The conditions take too long on the server for so many or so long texts, or their reasons are too long; `detail` says which.";
    PreconditionRequired, PRECONDITION_REQUIRED, "precondition_required", "The change needs `If-Match`.";
    TooManyHeavyReads, TOO_MANY_REQUESTS, "too_many_heavy_reads", "The client asked for too many comparisons and whole documents; see `Retry-After`.";
    TooManyEvents, TOO_MANY_REQUESTS, "too_many_events", "The address sent too many batches of events, or too many events of the project came; see `Retry-After`.";
    TooManyWrites, TOO_MANY_REQUESTS, "too_many_writes", "The client made too many changes; see `Retry-After`.";
    DocumentUnreadable, INTERNAL_SERVER_ERROR, "document_unreadable", "The stored document of a draft or a revision cannot be read; `detail` says which and why. Replace the draft by a document, discard it, or restore a revision.";
    DatabaseDamaged, INTERNAL_SERVER_ERROR, "database_damaged", "A part of the server's database cannot be read; its operator runs `assay doctor`, and restores a backup.";
    Internal, INTERNAL_SERVER_ERROR, "internal", "The server failed; its log tells more under the id in `X-Request-Id`.";
    Busy, SERVICE_UNAVAILABLE, "busy", "The server is busy; try again in a second.";
    DatabaseFileGone, SERVICE_UNAVAILABLE, "database_file_gone", "The file of the server's database was moved, removed or replaced; its operator puts it back, or restarts the server.";
    DatabaseReadOnly, SERVICE_UNAVAILABLE, "database_read_only", "The server's database takes no changes, as a standby takes none.";
    DatabaseUnavailable, SERVICE_UNAVAILABLE, "database_unavailable", "The server's database does not answer, or fails; try again in a second.";
    DiskFull, SERVICE_UNAVAILABLE, "disk_full", "The server's disk is full.";
    EventFilesUnusable, SERVICE_UNAVAILABLE, "event_files_unusable", "Files of events are damaged or missing, or cannot be written; the server's log tells more under the id in `X-Request-Id`.";
    EventsLost, SERVICE_UNAVAILABLE, "events_lost", "Events that results of the campaign need are in files that are lost; `days` says of which days, and how many.";
    Overloaded, SERVICE_UNAVAILABLE, "overloaded", "The server has more heavy work than it can do soon; try again in a second.";
    StillWorking, SERVICE_UNAVAILABLE, "still_working", "The work goes on after the answer: what the request asks for may be done, or there soon. Look, or repeat the request, a change with the same `Idempotency-Key`.";
}

#[cfg(test)]
mod tests {
    use super::ProblemCode;

    #[test]
    fn the_documentation_lists_every_code() {
        let documentation = include_str!("../../../docs/rest.md");
        let (_, table) =
            documentation.split_once("| Code | Status | Meaning |\n|---|---|---|\n").unwrap();
        let listed: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();

        let row = |code: &ProblemCode| {
            format!("| `{}` | {} | {} |", code.word(), code.status().as_u16(), code.meaning())
        };
        assert_eq!(listed, ProblemCode::ALL.iter().map(row).collect::<Vec<_>>());
    }

    #[test]
    fn a_word_stands_for_one_code() {
        let mut words: Vec<&str> = ProblemCode::ALL.iter().map(|code| code.word()).collect();
        words.sort_unstable();
        words.dedup();

        assert_eq!(words.len(), ProblemCode::ALL.len());
    }
}
