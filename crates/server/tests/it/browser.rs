//! A browser without JavaScript: it keeps cookies, shows pages, and sends the forms on them with all their hidden fields.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::IpAddr;

use axum::body::Body;
use axum::http::Request;
use axum::http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};

use web::CallerAddress;

use crate::door::Door;
use crate::site::{Answer, Application, Member, Site, encode};

pub(crate) struct Browser<'a, D = Site> {
    site: &'a D,
    /// Where it is, unless that does not matter.
    address: Option<IpAddr>,
    cookies: RefCell<BTreeMap<String, String>>,
}

/// The same person in a second window.
impl<D> Clone for Browser<'_, D> {
    fn clone(&self) -> Self {
        Self { site: self.site, address: self.address, cookies: self.cookies.clone() }
    }
}

impl<'a, D: Door> Browser<'a, D> {
    pub(crate) fn new(site: &'a D) -> Self {
        Self { site, address: None, cookies: RefCell::default() }
    }

    /// A browser that is somewhere else.
    pub(crate) fn at(site: &'a D, address: [u8; 4]) -> Self {
        Self { address: Some(IpAddr::from(address)), ..Self::new(site) }
    }

    /// Opens a page without following redirects.
    pub(crate) async fn open(&self, path: &str) -> Answer {
        self.send(Request::get(path), Body::empty()).await
    }

    /// Asks what a page would be, without asking for it.
    pub(crate) async fn look(&self, path: &str) -> Answer {
        self.send(Request::head(path), Body::empty()).await
    }

    /// Fills in the form of a page and sends it.
    pub(crate) async fn submit(&self, page: &Answer, filled_in: &[(&str, &str)]) -> Answer {
        self.submit_with(page, filled_in, ("accept", "text/html")).await
    }

    /// The same with one header that tells where the form was.
    pub(crate) async fn submit_with(
        &self,
        page: &Answer,
        filled_in: &[(&str, &str)],
        header: (&str, &str),
    ) -> Answer {
        let hidden = hidden_fields(&page.body);
        let hidden = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let fields: Vec<_> = hidden.chain(filled_in.iter().copied()).collect();
        let action = attribute(&page.body, "<form", "action");
        let request = form(action).header(header.0, header.1);
        self.send(request, Body::from(encode(&fields))).await
    }

    /// Signs in on the page that is there for it.
    pub(crate) async fn sign_in_at_home(&self, member: &Member) {
        let form = self.open("/sign-in").await;
        assert_eq!(self.sign_in(&form, member).await.location(), "/");
    }

    /// Sends a form that is on no page.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let page = form(path).header("accept", "text/html");
        self.send(page, Body::from(encode(fields))).await
    }

    /// Signs in where a page asks for it.
    pub(crate) async fn sign_in(&self, page: &Answer, member: &Member) -> Answer {
        self.submit(page, &[("email", &member.email), ("password", &member.password)]).await
    }

    /// Signs in with a temporary password, and chooses another; returns the member with the new one.
    pub(crate) async fn sign_in_first(&self, member: &Member) -> Member {
        let form = self.open("/sign-in").await;
        let page = self.sign_in(&form, member).await;
        let password = format!("a password that {} chose", member.email);
        assert_eq!(self.submit(&page, &[("new_password", &password)]).await.location(), "/");
        Member { password, ..member.clone() }
    }

    /// Opens the authorization request of an application, signs in, and stops at the consent page.
    pub(crate) async fn go_to_consent(
        &self,
        member: &Member,
        application: &Application,
        more: &[(&str, &str)],
    ) -> Answer {
        let page = self.open(&authorize_path(application, more)).await;
        let signed_in = self.sign_in(&page, member).await;
        self.open(signed_in.location()).await
    }

    /// Walks through sign-in and consent and comes back with a code.
    pub(crate) async fn fetch_code(
        &self,
        member: &Member,
        application: &Application,
        more: &[(&str, &str)],
    ) -> String {
        let consent = self.go_to_consent(member, application, more).await;
        let allowed = self.submit(&consent, &[("decision", "allow")]).await;
        allowed.returned("code").unwrap()
    }

    /// The `Cookie` header that it sends.
    pub(crate) fn cookies(&self) -> String {
        let cookies = self.cookies.borrow();
        let cookies: Vec<_> =
            cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        cookies.join("; ")
    }

    /// What the browser keeps to itself.
    pub(crate) fn cookie_values(&self) -> Vec<String> {
        self.cookies.borrow().values().cloned().collect()
    }

    async fn send(&self, mut request: axum::http::request::Builder, body: Body) -> Answer {
        let cookies = self.cookies();
        if !cookies.is_empty() {
            request = request.header(COOKIE, cookies);
        }
        if let Some(address) = self.address {
            request = request.extension(CallerAddress(address));
        }
        let answer = self.site.send(request.body(body).unwrap()).await;
        assert!(!has_news(&answer) || takes_the_focus(&answer), "{}", answer.body);
        for cookie in answer.headers.get_all(SET_COOKIE) {
            self.keep(cookie.to_str().unwrap());
        }
        answer
    }

    fn keep(&self, cookie: &str) {
        let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
        let mut cookies = self.cookies.borrow_mut();
        if cookie.contains("Max-Age=0;") {
            cookies.remove(name);
        } else {
            cookies.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// The token that the forms of a page carry.
pub(crate) fn form_token(page: &Answer) -> &str {
    let (_, rest) = page.body.split_once("name=\"csrf\" value=\"").unwrap();
    rest.split('"').next().unwrap()
}

/// The token of the same form in another tab: what a browser sends from there is no second click.
pub(crate) fn token_of_another_tab(page: &Answer) -> String {
    let (token, _) = form_token(page).split_once('.').unwrap();
    format!("{token}.another")
}

/// The address of an application's authorization request.
pub(crate) fn authorize_path(application: &Application, more: &[(&str, &str)]) -> String {
    let mut pairs = vec![
        ("response_type", "code"),
        ("client_id", application.client_id.as_str()),
        ("redirect_uri", application.redirect_uri.as_str()),
    ];
    pairs.extend(more);
    format!("/oauth2/authorize?{}", encode(&pairs))
}

fn form(action: &str) -> axum::http::request::Builder {
    Request::post(action).header(CONTENT_TYPE, "application/x-www-form-urlencoded")
}

/// What the first form of a page carries beside what is filled in.
pub(crate) fn hidden_fields(html: &str) -> Vec<(String, String)> {
    let html = html.split("</form>").next().unwrap();
    let inputs = html.match_indices("<input type=\"hidden\"").map(|(start, _)| &html[start..]);
    inputs
        .map(|input| {
            (
                attribute(input, "<input", "name").to_owned(),
                unescaped(attribute(input, "<input", "value")),
            )
        })
        .collect()
}

/// Whether a page says what has become of what a person did.
fn has_news(page: &Answer) -> bool {
    let is_refused = page.status.is_client_error() && page.body.contains("class=\"wrong\"");
    is_refused || ["role=\"alert\">", "shown only now"].iter().any(|it| page.body.contains(it))
}

/// Whether a person with a keyboard or a screen reader starts at what is said to them, not above it.
fn takes_the_focus(page: &Answer) -> bool {
    page.body.contains(" autofocus")
}

/// The value of an attribute of the first such element.
fn attribute<'a>(html: &'a str, element: &str, name: &str) -> &'a str {
    let element = &html[html.find(element).unwrap_or_else(|| panic!("no {element} in {html}"))..];
    let value = element.split_once(&format!(" {name}=\"")).unwrap().1;
    value.split_once('"').unwrap().0
}

fn unescaped(text: &str) -> String {
    let plain = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    plain
        .into_iter()
        .fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}
