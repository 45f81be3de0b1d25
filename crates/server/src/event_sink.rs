//! Other systems that take events by HTTP: `ClickHouse` by its own protocol, and whatever takes lines of JSON.

use std::fmt;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use app::events::{EventSink, SinkError};
use async_trait::async_trait;
use sha2::{Digest as _, Sha256};
use ureq::http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, request};
use ureq::{Agent, Body};
use url::{Host, Url};

use crate::failure::Failure;
use crate::{authorities, proxies};

/// A request has some three megabytes.
const PATIENCE: Duration = Duration::from_mins(1);

/// As much of a refusal as is read: more than is told, so that no half of a secret stays at its end.
const READ_BYTES: u64 = 4_096;

/// As much of a refusal as is told.
const TOLD_CHARACTERS: usize = 300;

/// As long as a command waits for an answer.
const TRIAL_PATIENCE: Duration = Duration::from_secs(10);

/// Words of headers that may be secrets; shorter ones are names.
const SECRET_BYTES: usize = 6;

/// `ClickHouse` says so where it failed after the head of its answer.
const CLICKHOUSE_FAILED: &str = "x-clickhouse-exception-code";

/// An insert had no rows (`NO_DATA_TO_INSERT`).
const NO_DATA: &str = "108";

const EXPECTED: &str = "--sink: expected `clickhouse+https://HOST:8443/DATABASE/TABLE`, or the `https://…` address of a system that takes lines of JSON";

const SECRET: &str = "--sink: the address must not hold a user or a password: put headers into a file, and name it with --sink-headers";

/// The system at an address.
pub(crate) struct HttpSink {
    agent: Agent,
    id: String,
    to: Target,
    headers: HeaderMap,
}

/// Why a system did not take a request.
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// The number of the error, if it is `ClickHouse`'s.
    pub(crate) code: Option<String>,
    pub(crate) said: String,
}

/// What came of a request without events.
pub(crate) enum TrialError {
    Refused(Refusal),
    /// There was no answer, for this reason.
    Unreachable(String),
}

enum Target {
    /// The table with its database, as statements name it.
    ClickHouse {
        server: Url,
        table: String,
    },
    Lines(Url),
}

impl HttpSink {
    pub(crate) fn of(address: &str, headers: Option<&Path>) -> Result<Self, Failure> {
        let (address, is_clickhouse) = match address.strip_prefix("clickhouse+") {
            Some(address) => (address, true),
            None => (address, false),
        };
        let url = Url::parse(address).map_err(|_| Failure::input(EXPECTED))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Failure::input(EXPECTED));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Failure::input(SECRET));
        }
        let to = if is_clickhouse { clickhouse(url)? } else { Target::Lines(url) };
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(proxies::from_environment())
            .timeout_global(Some(PATIENCE))
            .tls_config(authorities::tls())
            .build();
        let headers = headers.map(read_headers).transpose()?.unwrap_or_default();
        Ok(Self { agent: agent.into(), id: to.id(), to, headers })
    }

    /// The host. The rest of an address may be a secret.
    pub(crate) fn host(&self) -> &str {
        self.to.url().host_str().unwrap_or_default()
    }

    /// Whether anyone on the network in between can read the headers.
    pub(crate) fn is_exposed(&self) -> bool {
        let is_here = match self.to.url().host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        };
        self.to.url().scheme() == "http" && !self.headers.is_empty() && !is_here
    }

    /// Sends a request as all others are, but with no event in it: it needs the same rights, and leaves nothing behind. `ClickHouse` may say that
    /// there is nothing to insert before it looks at the table, so that it is asked for that first.
    pub(crate) fn try_without_events(&self) -> Result<(), TrialError> {
        if let Target::ClickHouse { server, table } = &self.to {
            let mut url = server.clone();
            url.query_pairs_mut().append_pair("query", &format!("DESCRIBE TABLE {table}"));
            self.try_request(Request::post(url.as_str()))?;
        }
        match self.try_request(self.insert("assay-doctor")) {
            Err(TrialError::Refused(refusal)) if refusal.code.as_deref() == Some(NO_DATA) => Ok(()),
            tried => tried,
        }
    }

    fn try_request(&self, request: request::Builder) -> Result<(), TrialError> {
        let unreachable = |error: &dyn fmt::Display| TrialError::Unreachable(error.to_string());
        let request = self.complete(request, String::new()).map_err(|error| unreachable(&error))?;
        let request = self.agent.configure_request(request);
        let request = request.timeout_global(Some(TRIAL_PATIENCE)).build();
        let answer = self.agent.run(request).map_err(|error| unreachable(&error))?;
        refusal(answer, &self.headers).map_or(Ok(()), |refusal| Err(TrialError::Refused(refusal)))
    }

    /// The request that sends lines.
    fn insert(&self, key: &str) -> request::Builder {
        match &self.to {
            Target::ClickHouse { server, table } => {
                let mut url = server.clone();
                url.query_pairs_mut()
                    .append_pair("query", &insert_into(table))
                    .append_pair("insert_deduplication_token", key)
                    .append_pair("date_time_input_format", "best_effort")
                    .append_pair("async_insert", "0")
                    .append_pair("wait_end_of_query", "1");
                Request::post(url.as_str())
            }
            Target::Lines(url) => Request::post(url.as_str())
                .header("content-type", "application/x-ndjson")
                .header("idempotency-key", key),
        }
    }

    fn complete(
        &self,
        mut request: request::Builder,
        lines: String,
    ) -> Result<Request<String>, SinkError> {
        if let Some(known) = request.headers_mut() {
            known.extend(self.headers.clone());
        }
        request.body(lines).map_err(|error| SinkError(error.to_string()))
    }
}

impl Target {
    fn url(&self) -> &Url {
        match self {
            Self::ClickHouse { server: url, .. } | Self::Lines(url) => url,
        }
    }

    /// Another table is another system. What is stored says nothing of the address.
    fn id(&self) -> String {
        let text = match self {
            Self::ClickHouse { server, table } => format!("{server} {}", insert_into(table)),
            Self::Lines(url) => url.to_string(),
        };
        hex::encode(&Sha256::digest(text)[..16])
    }
}

/// The last two parts of the path name a table; whatever is before them is that of a proxy.
fn clickhouse(mut server: Url) -> Result<Target, Failure> {
    let wrong = || Failure::input(EXPECTED);
    let path = server.path().trim_matches('/').to_owned();
    let (rest, table) = path.rsplit_once('/').ok_or_else(wrong)?;
    let (before, database) = rest.rsplit_once('/').unwrap_or(("", rest));
    let is_name = |text: &str| {
        let rest = |character: char| character.is_ascii_alphanumeric() || character == '_';
        text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && text.chars().all(rest)
    };
    if !is_name(database) || !is_name(table) || server.query().is_some() {
        return Err(wrong());
    }
    let table = format!("`{database}`.`{table}`");
    server.set_path(&format!("/{before}"));
    Ok(Target::ClickHouse { server, table })
}

fn insert_into(table: &str) -> String {
    format!("INSERT INTO {table} FORMAT JSONEachRow")
}

/// A header in each line, such as `Authorization: Bearer …`. No fault quotes any of them.
fn read_headers(file: &Path) -> Result<HeaderMap, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::unreadable("--sink-headers", &error))?;
    let mut headers = HeaderMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = || {
            Failure::input(format_args!(
                "{}:{number}: expected a header, such as `X-ClickHouse-Key: …`",
                file.display()
            ))
        };
        let (name, value) = line.split_once(':').ok_or_else(wrong)?;
        let name = name.trim().parse::<HeaderName>().map_err(|_| wrong())?;
        let mut value = value.trim().parse::<HeaderValue>().map_err(|_| wrong())?;
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}

#[async_trait]
impl EventSink for HttpSink {
    fn id(&self) -> &str {
        &self.id
    }

    async fn send(&self, key: &str, lines: String) -> Result<(), SinkError> {
        let (agent, headers) = (self.agent.clone(), self.headers.clone());
        let request = self.complete(self.insert(key), lines)?;
        let send = move || taken(agent.run(request), &headers);
        let taken = tokio::task::spawn_blocking(send).await;
        taken.unwrap_or_else(|panic| Err(SinkError(panic.to_string())))
    }
}

fn taken(
    answer: Result<Response<Body>, ureq::Error>,
    headers: &HeaderMap,
) -> Result<(), SinkError> {
    let answer = answer.map_err(|error| SinkError(format!("the sink: {error}")))?;
    match refusal(answer, headers) {
        None => Ok(()),
        Some(Refusal { status, said, .. }) => {
            Err(SinkError(format!("the sink answers {status}: {said}")))
        }
    }
}

/// Why this is no success; `headers` are those that were sent.
fn refusal(mut answer: Response<Body>, headers: &HeaderMap) -> Option<Refusal> {
    let status = answer.status();
    let code = answer.headers().get(CLICKHOUSE_FAILED);
    if status.is_success() && code.is_none() {
        return None;
    }
    let code = code.map(|code| String::from_utf8_lossy(code.as_bytes()).into_owned());
    let mut said = Vec::new();
    // A refusal without its words is one as well.
    let _cut_short = answer.body_mut().as_reader().take(READ_BYTES).read_to_end(&mut said);
    let said = String::from_utf8_lossy(&said);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = without_secrets(said, headers).chars().take(TOLD_CHARACTERS).collect();
    Some(Refusal { status, code, said })
}

/// Some systems quote what they were sent.
fn without_secrets(text: String, headers: &HeaderMap) -> String {
    let values = headers.values().filter_map(|value| value.to_str().ok());
    let words = values.flat_map(str::split_whitespace);
    let secrets = words.filter(|word| word.len() >= SECRET_BYTES);
    secrets.fold(text, |text, secret| text.replace(secret, "…"))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use app::events::EventSink as _;

    use super::HttpSink;

    /// Answers one request; returns its head and body.
    fn answered(
        listener: TcpListener,
        answer: &'static str,
    ) -> thread::JoinHandle<(String, String)> {
        thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let fields = head.to_lowercase();
            let length = fields.lines().find_map(|line| line.strip_prefix("content-length:"));
            let mut body = vec![0; length.map_or(0, |number| number.trim().parse().unwrap())];
            reader.read_exact(&mut body).unwrap();
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
            (head, String::from_utf8(body).unwrap())
        })
    }

    const TAKEN: &str = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    async fn sent(address: &str, answer: &'static str) -> (Result<(), String>, String, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let folder = tempfile::tempdir().unwrap();
        let headers = folder.path().join("headers");
        std::fs::write(&headers, "X-ClickHouse-User: assay\n\nX-ClickHouse-Key: s3cret\n").unwrap();
        let sink = HttpSink::of(&address.replace("PORT", &port), Some(&headers)).unwrap();
        let server = answered(listener, answer);
        let sent = sink.send("a.parquet#0", "{\"a\":1}\n".to_owned()).await;
        let (head, body) = server.join().unwrap();
        (sent.map_err(|error| error.to_string()), head, body)
    }

    #[tokio::test]
    async fn clickhouse_gets_an_insert_that_it_takes_once() {
        let address = "clickhouse+http://127.0.0.1:PORT/shop/events";

        let (sent, head, body) = sent(address, TAKEN).await;

        assert_eq!((sent, body.as_str()), (Ok(()), "{\"a\":1}\n"));
        let line = head.lines().next().unwrap();
        let query = "query=INSERT+INTO+%60shop%60.%60events%60+FORMAT+JSONEachRow&insert_deduplication_token=a.parquet%230&";
        assert!(line.starts_with(&format!("POST /?{query}")), "{line}");
        assert!(head.to_lowercase().contains("x-clickhouse-key: s3cret\r\n"), "{head}");
    }

    #[tokio::test]
    async fn anything_else_gets_lines_with_a_key_of_their_own() {
        let (sent, head, body) = sent("http://127.0.0.1:PORT/in?a=b", TAKEN).await;

        assert_eq!((sent, body.as_str()), (Ok(()), "{\"a\":1}\n"));
        let head = head.to_lowercase();
        assert!(head.starts_with("post /in?a=b http/1.1\r\n"), "{head}");
        for field in ["content-type: application/x-ndjson", "idempotency-key: a.parquet#0"] {
            assert!(head.contains(&format!("{field}\r\n")), "{head}");
        }
    }

    #[tokio::test]
    async fn a_refusal_and_a_failure_behind_the_head_are_told_without_secrets() {
        for (answer, told) in [
            (
                "HTTP/1.1 404 Not Found\r\nContent-Length: 14\r\n\r\nUNKNOWN\n TABLE",
                "the sink answers 404 Not Found: UNKNOWN TABLE",
            ),
            (
                "HTTP/1.1 200 OK\r\nX-ClickHouse-Exception-Code: 252\r\nContent-Length: 4\r\n\r\nmany",
                "the sink answers 200 OK: many",
            ),
            (
                "HTTP/1.1 403 Forbidden\r\nContent-Length: 15\r\n\r\ns3cret is wrong",
                "the sink answers 403 Forbidden: … is wrong",
            ),
        ] {
            let address = "clickhouse+http://127.0.0.1:PORT/shop/events";
            let (sent, ..) = sent(address, answer).await;

            assert_eq!(sent, Err(told.to_owned()));
        }
    }

    #[test]
    fn addresses_that_no_system_has_are_refused_and_no_secret_is_quoted() {
        for address in [
            "kafka://broker:9092/events",
            "clickhouse+https://host:8443/events",
            "clickhouse+https://host:8443/shop/ev`ents",
            "clickhouse+https://host:8443/shop/events?password=s3cret",
            "https://ann:s3cret@host/in",
            "shop",
        ] {
            let refused = HttpSink::of(address, None).err().map(|error| error.to_string());

            let told = refused.unwrap_or_else(|| panic!("{address} is taken"));
            assert!(told.contains("--sink: ") && !told.contains("s3cret"), "{told}");
        }
        let id = |address: &str| HttpSink::of(address, None).unwrap().id;
        let table = "clickhouse+https://host/shop/events";
        assert_eq!(id(table), id(table));
        assert_ne!(id(table), id("clickhouse+https://host/shop/others"));
    }
}
