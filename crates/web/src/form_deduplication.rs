//! A form that is sent twice is done once: a second click, or a reload of the page that answered, gets the first answer again. Each display of
//! a form has a token of its own ([`crate::FormToken`]), so that the same bytes are the same form.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use sha2::{Digest as _, Sha256};
use storage::MemberId;
use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep};

use crate::forms::SEC_FETCH_SITE;

/// A slow double click, on a slow line. A member who sends the same form later, after Back, wants it done.
const AFTER_A_CLICK: Duration = Duration::from_secs(10);

/// A page that answers a form, such as one that shows a new link, may be reloaded: that makes no second link.
const UNTIL_A_RELOAD: Duration = Duration::from_mins(10);

/// No answer takes longer.
const UNDER_WAY_AT_MOST: Duration = Duration::from_mins(2);

/// Answers with more are pages of forms that change nothing.
const ANSWER_BYTES_AT_MOST: usize = 512 * 1024;

/// Of one sender: the oldest answer makes room for a further one.
const FORMS_OF_SENDER_AT_MOST: usize = 16;

/// Of all: the oldest ones make room.
const BYTES_AT_MOST: usize = 64 * 1024 * 1024;

/// Tells a form that was sent from all others.
pub type FormFingerprint = [u8; 32];

/// Who sent a form, for the places that each has: a member, or all people who are not signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormSender {
    /// The member with this id.
    Member(MemberId),
    /// All people who are not signed in have the places of one.
    SignedOut,
}

/// The forms of the last minutes, with their answers.
#[derive(Debug, Clone, Default)]
pub struct RecentForms(Arc<Mutex<HashMap<FormFingerprint, Sent>>>);

#[derive(Debug)]
struct Sent {
    sender: FormSender,
    answer: Arc<OnceCell<Answer>>,
    at: Instant,
    until: Instant,
}

/// Marks an answer to a form that only looked at something: the form is sent again to look again.
#[derive(Debug, Clone, Copy)]
struct NothingDone;

/// Marks the answer to a form that changed nothing. It is not kept.
#[must_use]
pub fn nothing_done(mut answer: Response) -> Response {
    answer.extensions_mut().insert(NothingDone);
    answer
}

#[derive(Debug, Clone)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    /// What layers around this one make a page of.
    extensions: Extensions,
    body: Bytes,
}

/// What tells a form from all others: what the browser says of itself and of where it comes from, its address and its bytes. `None` if it
/// is no form of a page: scripts that ask something want an answer each time. A person who signs in does so each time, too: callers
/// leave such forms out.
#[must_use]
pub fn form_fingerprint(parts: &Parts, form: &[u8]) -> Option<FormFingerprint> {
    let is_of_page = match parts.headers.get(SEC_FETCH_MODE) {
        Some(mode) => mode == "navigate",
        None => parts.headers.get(header::ACCEPT).is_some_and(asks_for_page),
    };
    let has_token = form.windows(TOKEN.len()).any(|bytes| bytes == TOKEN);
    if parts.method != Method::POST || !is_of_page || !has_token {
        return None;
    }
    let mut hash = Sha256::new();
    let cookies = parts.headers.get_all(header::COOKIE).iter().filter_map(|one| one.to_str().ok());
    for cookie in cookies.flat_map(|cookies| cookies.split("; ")).filter(|one| is_ours(one)) {
        hash.update(cookie);
        hash.update("\n");
    }
    for name in [header::ORIGIN, header::HOST, SEC_FETCH_SITE] {
        for value in parts.headers.get_all(name) {
            hash.update(value.as_bytes());
            hash.update("\n");
        }
        hash.update("\n");
    }
    let address = parts.uri.path_and_query().map_or("/", |address| address.as_str());
    Some(hash.chain_update(address).chain_update("\n").chain_update(form).finalize().into())
}

fn asks_for_page(accept: &HeaderValue) -> bool {
    accept.to_str().is_ok_and(|accept| accept.contains("text/html"))
}

/// Other cookies of the domain change whenever its other sites want.
fn is_ours(cookie: &str) -> bool {
    cookie.trim_start_matches("__Host-").starts_with("assay_")
}

/// The name of the field that has the token.
const TOKEN: &[u8] = b"csrf=";

const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

impl RecentForms {
    /// The answer to a form, which does its work unless that is done, or under way.
    pub async fn answer(
        &self,
        (form, sender): (FormFingerprint, FormSender),
        work: impl Future<Output = Response>,
    ) -> Response {
        let Some(sent) = self.begin(form, sender) else { return work.await };
        let answer = async {
            let answer = Answer::of(work.await).await;
            self.end(form, &answer);
            answer
        };
        sent.get_or_init(|| answer).await.clone().into_response()
    }

    /// Whether a form has an answer that it would get, or will have one.
    #[must_use]
    pub fn knows(&self, form: &FormFingerprint) -> bool {
        self.lock().get(form).is_some_and(|sent| Instant::now() < sent.until)
    }

    fn begin(&self, key: FormFingerprint, sender: FormSender) -> Option<Arc<OnceCell<Answer>>> {
        let (mut forms, now) = (self.lock(), Instant::now());
        forms.retain(|_, sent| now < sent.until);
        let is_of_sender = |sent: &Sent| sent.sender == sender;
        let of_sender = forms.values().filter(|sent| is_of_sender(sent)).count();
        if of_sender >= FORMS_OF_SENDER_AT_MOST && !forms.contains_key(&key) {
            let oldest = oldest_answered(&forms, is_of_sender)?;
            forms.remove(&oldest);
        }
        let until = now + UNDER_WAY_AT_MOST;
        let sent = forms.entry(key).or_insert_with(|| Sent {
            sender,
            answer: Arc::default(),
            at: now,
            until,
        });
        Some(Arc::clone(&sent.answer))
    }

    /// Answers may have secrets: they are gone once no request can get them any more.
    fn end(&self, key: FormFingerprint, answer: &Answer) {
        let lifetime = answer.lifetime();
        let mut forms = self.lock();
        if lifetime.is_zero() {
            forms.remove(&key);
            return;
        }
        if let Some(sent) = forms.get_mut(&key) {
            sent.until = Instant::now() + lifetime;
        }
        while bytes(&forms) + answer.body.len() > BYTES_AT_MOST
            && let Some(oldest) = oldest_answered(&forms, |_| true)
        {
            forms.remove(&oldest);
        }
        drop(forms);
        let (forms, over) = (self.clone(), sleep(lifetime));
        tokio::spawn(async move {
            over.await;
            forms.lock().retain(|_, sent| Instant::now() < sent.until);
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<FormFingerprint, Sent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The form with the oldest answer, of those that are wanted.
fn oldest_answered(
    forms: &HashMap<FormFingerprint, Sent>,
    is_wanted: impl Fn(&Sent) -> bool,
) -> Option<FormFingerprint> {
    let answered = forms.iter().filter(|(_, sent)| sent.answer.initialized() && is_wanted(sent));
    answered.min_by_key(|(_, sent)| sent.at).map(|(one, _)| *one)
}

fn bytes(forms: &HashMap<FormFingerprint, Sent>) -> usize {
    forms.values().filter_map(|sent| sent.answer.get()).map(|answer| answer.body.len()).sum()
}

impl Answer {
    /// Pages are in memory already.
    async fn of(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        Self { status: parts.status, headers: parts.headers, extensions: parts.extensions, body }
    }

    /// How long the same form gets it again.
    fn lifetime(&self) -> Duration {
        // A file is asked for again because it may be another one by now.
        let is_file = self.headers.contains_key(header::CONTENT_DISPOSITION);
        let has_done_nothing = self.extensions.get::<NothingDone>().is_some();
        if is_file || has_done_nothing || self.body.len() > ANSWER_BYTES_AT_MOST {
            Duration::ZERO
        } else if self.status.is_success() {
            UNTIL_A_RELOAD
        } else if self.status.is_redirection() {
            AFTER_A_CLICK
        } else {
            // What was refused is looked at anew.
            Duration::ZERO
        }
    }

    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        *response.extensions_mut() = self.extensions;
        response
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use axum::body::{Body, to_bytes};
    use axum::http::{Request, StatusCode};
    use axum::response::{IntoResponse as _, Response};

    use super::{
        FORMS_OF_SENDER_AT_MOST, FormFingerprint, FormSender, RecentForms, form_fingerprint,
        nothing_done,
    };

    fn member(id: &str) -> FormSender {
        FormSender::Member(id.parse().unwrap())
    }

    fn key(path: &str, mode: &str, form: &[u8]) -> Option<FormFingerprint> {
        let request =
            Request::post(path).header("cookie", "assay_session=a").header("sec-fetch-mode", mode);
        form_fingerprint(&request.body(Body::empty()).unwrap().into_parts().0, form)
    }

    async fn text(response: Response) -> String {
        String::from_utf8(to_bytes(response.into_body(), 1_000).await.unwrap().to_vec()).unwrap()
    }

    fn has_answer(forms: &RecentForms, form: FormFingerprint) -> bool {
        forms.lock().get(&form).is_some_and(|sent| sent.answer.initialized())
    }

    #[tokio::test(start_paused = true)]
    async fn a_second_click_gets_the_answer_to_the_first() {
        let (forms, done) = (RecentForms::default(), AtomicU32::new(0));
        let key = key("/start", "navigate", b"csrf=a.1&act=start").unwrap();
        let work = async || {
            tokio::task::yield_now().await;
            (StatusCode::SEE_OTHER, done.fetch_add(1, Ordering::Relaxed).to_string())
                .into_response()
        };

        let (first, second) = tokio::join!(
            forms.answer((key, member("1")), work()),
            forms.answer((key, member("1")), work())
        );
        let soon = forms.answer((key, member("1")), work()).await;
        tokio::time::advance(Duration::from_secs(11)).await;
        let later = forms.answer((key, member("1")), work()).await;

        assert_eq!(second.status(), StatusCode::SEE_OTHER);
        assert_eq!([text(first).await, text(second).await, text(soon).await], ["0", "0", "0"]);
        assert_eq!(text(later).await, "1", "after Back it is wanted");
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_answered_is_reloaded_and_an_error_is_tried_again() {
        let (forms, done) = (RecentForms::default(), AtomicU32::new(0));
        let answer = async |status: StatusCode| {
            (status, done.fetch_add(1, Ordering::Relaxed).to_string()).into_response()
        };
        let [share, broken] =
            ["/share", "/broken"].map(|path| key(path, "navigate", b"csrf=a.1").unwrap());

        let first = forms.answer((share, member("1")), answer(StatusCode::OK)).await;
        tokio::time::advance(Duration::from_mins(5)).await;
        let reloaded = forms.answer((share, member("1")), answer(StatusCode::OK)).await;
        forms.answer((broken, member("1")), answer(StatusCode::SERVICE_UNAVAILABLE)).await;
        let again = forms.answer((broken, member("1")), answer(StatusCode::OK)).await;

        assert_eq!([text(first).await, text(reloaded).await, text(again).await], ["0", "0", "2"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_file_is_made_anew_and_an_answer_is_gone_in_time() {
        let (forms, done) = (RecentForms::default(), AtomicU32::new(0));
        let count = || done.fetch_add(1, Ordering::Relaxed).to_string();
        let [file, page] =
            ["/file", "/page"].map(|path| key(path, "navigate", b"csrf=a.1").unwrap());
        let download = async || ([("content-disposition", "attachment")], count()).into_response();

        let first = forms.answer((file, member("1")), download()).await;
        let second = forms.answer((file, member("1")), download()).await;
        forms.answer((page, member("1")), async { count().into_response() }).await;
        let is_kept = has_answer(&forms, page);
        tokio::time::advance(Duration::from_mins(11)).await;
        tokio::task::yield_now().await;

        assert_eq!([text(first).await, text(second).await], ["0", "1"]);
        assert!(is_kept && !has_answer(&forms, page) && forms.lock().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_sender_has_some_places_and_takes_none_of_others() {
        let (forms, done) = (RecentForms::default(), AtomicU32::new(0));
        let answer = async || done.fetch_add(1, Ordering::Relaxed).to_string().into_response();
        let of = |cookie: &str, number: usize| {
            let request = Request::post("/share")
                .header("cookie", format!("assay_session={cookie}"))
                .header("sec-fetch-mode", "navigate");
            let parts = request.body(Body::empty()).unwrap().into_parts().0;
            form_fingerprint(&parts, format!("csrf=a.{number}").as_bytes()).unwrap()
        };

        let quiet = forms.answer((of("quiet", 0), member("1")), answer()).await;
        for number in 0..100 {
            tokio::time::advance(Duration::from_millis(1)).await;
            forms.answer((of("busy", number), member("2")), answer()).await;
            forms.answer((of(&number.to_string(), 0), FormSender::SignedOut), answer()).await;
        }
        let of_quiet = forms.answer((of("quiet", 0), member("1")), answer()).await;
        let (newest, oldest) =
            (has_answer(&forms, of("busy", 99)), has_answer(&forms, of("busy", 0)));

        assert_eq!([text(quiet).await, text(of_quiet).await], ["0", "0"]);
        assert_eq!([newest, oldest], [true, false]);
        assert_eq!(forms.lock().len(), 1 + 2 * FORMS_OF_SENDER_AT_MOST);
    }

    #[tokio::test(start_paused = true)]
    async fn a_form_that_changes_nothing_is_answered_anew() {
        let (forms, done) = (RecentForms::default(), AtomicU32::new(0));
        let key = key("/try", "navigate", b"csrf=a.1").unwrap();
        let look =
            async || nothing_done(done.fetch_add(1, Ordering::Relaxed).to_string().into_response());

        let (first, second) = (
            forms.answer((key, member("1")), look()).await,
            forms.answer((key, member("1")), look()).await,
        );

        assert_eq!([text(first).await, text(second).await], ["0", "1"]);
    }

    #[test]
    fn only_the_same_form_of_a_page_is_the_same() {
        let one = key("/a", "navigate", b"csrf=a.1&x=1");

        assert!(one.is_some() && one == key("/a", "navigate", b"csrf=a.1&x=1"));
        for other in [
            key("/b", "navigate", b"csrf=a.1&x=1"),
            key("/a", "navigate", b"csrf=a.2&x=1"),
            key("/a", "navigate", b"csrf=a.1&x=2"),
        ] {
            assert_ne!(one, other);
        }
        assert_eq!(key("/a", "cors", b"csrf=a.1"), None, "of a script");
        assert_eq!(key("/a", "navigate", b"x=1"), None);
    }
}
