//! Everything that can be done with a server, rightly and wrongly, with every secret written down that was given or typed.

use std::cell::RefCell;
use std::process::Command;

use axum::body::{Body, to_bytes};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Method, Request};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::redirect::Policy;
use serde_json::Value;

use super::scan::Secret;
use crate::browser::{Browser, authorize_path, form_token};
use crate::command_line::binary::{Folder, Server, project_with};
use crate::door::Door;
use crate::oauth::token_call::{FORM, about, exchange, form_to, refresh, with, without};
use crate::site::{Answer, Application, Member, encode};

const REDIRECT_URI: &str = "http://127.0.0.1:1/callback";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: [(&str, &str); 2] = [
    ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ("code_challenge_method", "S256"),
];

pub(super) struct Tour {
    pub(super) folder: Folder,
    pub(super) secrets: Vec<Secret>,
    /// All that was answered over HTTP.
    pub(super) answers: RefCell<Vec<String>>,
    /// What commands and the server itself printed that gives nothing away.
    pub(super) outputs: Vec<String>,
    /// No secret, and stored.
    pub(super) canary: String,
    place: [String; 2],
    server: Option<Server>,
    client: reqwest::Client,
}

impl Door for Tour {
    async fn send(&self, request: Request<Body>) -> Answer {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        let url = self.server.as_ref().unwrap().url(&parts.uri.to_string());
        let request = self.client.request(parts.method, url).headers(parts.headers).body(body);
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.text().await.unwrap();
        self.answers.borrow_mut().push(format!("{status} {headers:?} {body}"));
        Answer { status, headers, body }
    }
}

impl Tour {
    /// Goes everywhere on a new store; the server still runs afterwards.
    pub(super) async fn through(folder: Folder, place: [&str; 2]) -> Self {
        folder.write("shop.yaml", &project_with("snippet: {preview: true}"));
        let server = folder.serve_with_limits("trace", &["shop.yaml", place[0], place[1]]);
        let client = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        let mut tour = Self {
            folder,
            secrets: Vec::new(),
            answers: RefCell::default(),
            outputs: Vec::new(),
            canary: String::new(),
            place: place.map(str::to_owned),
            server: Some(server),
            client,
        };
        let (member, confidential) = (tour.add_member(), tour.add_application(&[]));
        tour.canary.clone_from(&confidential.client_id);
        let access_token = tour.use_confidential(&member, &confidential).await;
        let phone = tour.add_application(&["--public"]);
        tour.use_public(&member, &phone).await;
        tour.make_previews(&access_token).await;
        tour.make_webhooks(&access_token).await;
        tour.write_to_a_full_disk(&confidential).await;
        tour.run_commands(&confidential);
        tour
    }

    /// Ends the server as an operator does, and gives its whole log.
    pub(super) fn stop(&mut self) -> String {
        self.folder.log_of(self.server.take().unwrap())
    }

    pub(super) fn learn(&mut self, name: &'static str, value: &str, answers: usize) -> String {
        self.secrets.push(Secret { name, value: value.to_owned(), answers });
        value.to_owned()
    }

    /// What a command prints as JSON. It is scanned unless it gives something away.
    fn command(&self, arguments: &[&str]) -> String {
        let place = self.place.each_ref().map(String::as_str);
        let output = self.folder.assay(&[arguments, &place, &["--json"]].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    }

    fn command_that_tells(&mut self, arguments: &[&str], name: &'static str, key: &str) -> Value {
        let told: Value = serde_json::from_str(&self.command(arguments)).unwrap();
        if let Some(secret) = told[key].as_str() {
            self.learn(name, secret, 0);
        }
        told
    }

    fn add_member(&mut self) -> Member {
        let command = ["member", "add", "ann@example.com"];
        let told = self.command_that_tells(&command, "the password", "password");
        let text = |name: &str| told[name].as_str().unwrap().to_owned();
        Member { email: text("email"), password: text("password") }
    }

    fn add_application(&mut self, more: &[&str]) -> Application {
        let command = ["application", "add", "Reports", "--redirect-uri", REDIRECT_URI];
        let told = self.command_that_tells(
            &[&command, more].concat(),
            "the client secret",
            "client_secret",
        );
        let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        Application {
            client_id: text("client_id"),
            client_secret: text("client_secret"),
            redirect_uri: REDIRECT_URI.to_owned(),
        }
    }

    /// Signs in, wrongly and rightly, allows the application, and comes back with a code.
    async fn fetch_code(&mut self, member: &Member, application: &Application) -> String {
        let wrong = self.learn("a wrong password", "wrong horse battery", 0);
        // The pages on the way carry it.
        let state = self.learn("the state", "state+of the art", usize::MAX);
        let (code, cookies, tokens) = {
            let browser = Browser::new(&*self);
            let asked = [("scope", "config:read config:write results:read"), ("state", &state)];
            let path = authorize_path(application, &[&CHALLENGE[..], &asked].concat());
            let form = browser.open(&path).await;
            let mistyped = Member { password: wrong, ..member.clone() };
            let again = browser.sign_in(&form, &mistyped).await;
            let signed_in = browser.sign_in(&again, member).await;
            let consent = browser.open(signed_in.location()).await;
            let forged = [("csrf", "forged token"), ("decision", "allow")];
            browser.post("/oauth2/authorize", &forged).await;
            let allowed = browser.submit(&consent, &[("decision", "allow")]).await;
            browser.open("/account").await;
            let tokens = [form_token(&form).to_owned(), form_token(&consent).to_owned()];
            (allowed.returned("code").unwrap(), browser.cookie_values(), tokens)
        };
        for cookie in cookies {
            // Each form renews the cookie of a browser without a session.
            self.learn("a cookie", &cookie, 2);
        }
        for token in tokens {
            self.learn("a form token", &token, usize::MAX);
        }
        self.learn("the verifier", VERIFIER, 0);
        self.learn("the code", &code, 1)
    }

    async fn use_confidential(&mut self, member: &Member, application: &Application) -> String {
        let code = self.fetch_code(member, application).await;
        let pairs = exchange(application, &code);
        let pairs = with(&pairs, "code_verifier", VERIFIER);
        self.ask_wrongly(application, &pairs).await;
        let tokens = self.query(Method::POST, "/oauth2/token", &pairs).await.json();
        let access = self.learn("the access token", tokens["access_token"].as_str().unwrap(), 1);
        let refreshing =
            self.learn("the refresh token", tokens["refresh_token"].as_str().unwrap(), 1);
        let refreshed =
            form_to(self, "/oauth2/token", &refresh(application, &refreshing)).await.json();
        let later = refreshed["access_token"].as_str().unwrap();
        let later = self.learn("the refreshed access token", later, 1);
        for token in [&access, &refreshing, &later, &code] {
            form_to(self, "/oauth2/introspect", &about(application, token)).await;
            self.bearer(Method::GET, "/v1/projects", token).await;
        }
        self.bearer(Method::GET, &format!("/v1/nothing?access_token={access}"), &access).await;
        self.bearer(Method::GET, &format!("/v1/projects/{access}"), &access).await;
        form_to(self, "/oauth2/revoke", &about(application, &later)).await;
        access
    }

    /// Every way to be refused, with good secrets in all of them.
    async fn ask_wrongly(&mut self, application: &Application, pairs: &[(&str, &str)]) {
        let wrong = self.learn("a wrong secret", "assay_cs_wrong", 0);
        for path in [
            "/oauth2/token",
            "/oauth2/revoke",
            "/oauth2/introspect",
            "/oauth2/authorize",
            "/oauth2/tokn",
            "/js/1.js",
        ] {
            self.query(Method::GET, path, pairs).await;
            self.query(Method::PUT, path, pairs).await;
            self.query(Method::POST, path, &with(pairs, "client_secret", &wrong)).await;
            self.query(Method::POST, path, &[pairs, pairs].concat()).await;
            self.query(Method::POST, &format!("{path}/%zz/%ff"), pairs).await;
            form_to(self, path, &with(pairs, "grant_type", "password")).await;
            form_to(self, path, &with(pairs, "redirect_uri", "http://127.0.0.1:2/other")).await;
        }
        form_to(self, "/oauth2/token", &with(pairs, "client_secret", &wrong)).await;
        let by_body = |kind: &str, body: String| {
            Request::post("/oauth2/token")
                .header(CONTENT_TYPE, kind)
                .body(Body::from(body))
                .unwrap()
        };
        let json: Value = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).into()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        self.send(by_body("application/json", json.to_string())).await;
        self.send(by_body(FORM, format!("{}&{}", encode(pairs), "a".repeat(60_000)))).await;
        self.send(by_body(FORM, format!("{}&%zz=%ff%fe", encode(pairs)))).await;
        let basic = STANDARD.encode(format!("{}:{wrong}", application.client_id));
        let mut request = by_body(FORM, encode(&without(pairs, "client_secret")));
        request.headers_mut().insert(AUTHORIZATION, format!("Basic {basic}").parse().unwrap());
        self.send(request).await;
    }

    async fn use_public(&mut self, member: &Member, application: &Application) {
        let code = self.fetch_code(member, application).await;
        let pairs = without(&exchange(application, &code), "client_secret");
        let pairs = with(&pairs, "code_verifier", VERIFIER);
        let mut tokens = form_to(self, "/oauth2/token", &pairs).await.json();
        let first = tokens["refresh_token"].as_str().unwrap().to_owned();
        for _ in 0..2 {
            self.learn("an access token of the phone", tokens["access_token"].as_str().unwrap(), 1);
            let next = tokens["refresh_token"].as_str().unwrap();
            let next = self.learn("a refresh token of the phone", next, 1);
            let pairs = without(&refresh(application, &next), "client_secret");
            tokens = form_to(self, "/oauth2/token", &pairs).await.json();
        }
        let stolen = without(&refresh(application, &first), "client_secret");
        assert_eq!(form_to(self, "/oauth2/token", &stolen).await.status, 400);
    }

    async fn make_previews(&mut self, access_token: &str) {
        let preview = r#"{"url": "https://shop.example/", "variations": ["short"]}"#;
        let editor = r#"{"url": "https://shop.example/", "variation": "short"}"#;
        for (links, wanted, what) in [
            ("preview-links", preview, "the token of a preview"),
            ("visual-editor-links", editor, "the token of an editor"),
        ] {
            let request = Request::post(format!("/v1/projects/1000/{links}"))
                .header(AUTHORIZATION, format!("Bearer {access_token}"))
                .header(CONTENT_TYPE, "application/json");
            let made = self.send(request.body(Body::from(wanted)).unwrap()).await.json();
            let (_, token) =
                made["url"].as_str().unwrap().split_once("experimentation_preview=").unwrap();
            let token = self.learn(what, token, 1);
            self.query(Method::GET, "/js/1000.js", &[("preview", &token)]).await;
            self.query(Method::GET, "/js/1000.js", &[("preview", &token[..token.len() - 1])]).await;
        }
    }

    /// A webhook gets two secrets, and a test: no host is called so, which is logged.
    async fn make_webhooks(&mut self, access_token: &str) {
        let path = "/v1/projects/1000/webhooks";
        let request = Request::post(path)
            .header(AUTHORIZATION, format!("Bearer {access_token}"))
            .header(CONTENT_TYPE, "application/json")
            .header("idempotency-key", "webhook");
        let body = Body::from(r#"{"url": "https://hooks.invalid/in"}"#);
        let made = self.send(request.body(body).unwrap()).await.json();
        self.learn("the secret of a webhook", made["secret"].as_str().unwrap(), 1);
        let path = format!("{path}/{}", made["id"].as_str().unwrap());
        let renewed = self.bearer(Method::POST, &format!("{path}/secret"), access_token).await;
        let renewed = renewed.json();
        self.learn("the second secret of a webhook", renewed["secret"].as_str().unwrap(), 1);
        self.bearer(Method::POST, &format!("{path}/test"), access_token).await;
        self.bearer(Method::GET, &format!("{path}/deliveries"), access_token).await;
    }

    /// Errors of the store are logged, and answered with 503.
    async fn write_to_a_full_disk(&mut self, application: &Application) {
        let pid = self.server.as_ref().unwrap().ready["pid"].to_string();
        let limit = |bytes: &str| {
            let limit = format!("--fsize={bytes}:unlimited");
            Command::new("prlimit").args(["--pid", &pid, &limit]).status().unwrap().success()
        };
        let refreshing =
            self.secrets.iter().find(|secret| secret.name == "the refresh token").unwrap();
        let pairs = refresh(application, &refreshing.value);
        assert!(limit("0"));
        form_to(self, "/oauth2/token", &pairs).await;
        assert!(limit("unlimited"));
    }

    fn run_commands(&mut self, application: &Application) {
        let id = application.client_id.as_str();
        self.command_that_tells(
            &["application", "add-secret", id],
            "another secret",
            "client_secret",
        );
        let commands: [&[&str]; 5] = [
            &["audit", "--limit", "1000"],
            &["application", "list"],
            &["application", "show", id],
            &["application", "set", id, "--name", "Renamed"],
            &["tokens", "end-all"],
        ];
        self.outputs = commands.map(|command| self.command(command)).to_vec();
    }

    async fn query(&self, method: Method, path: &str, pairs: &[(&str, &str)]) -> Answer {
        let request = Request::builder().method(method).uri(format!("{path}?{}", encode(pairs)));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn bearer(&self, method: Method, path: &str, token: &str) -> Answer {
        let request = Request::builder().method(method).uri(path);
        let request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }
}
