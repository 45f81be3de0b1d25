//! Sends requests to webhooks by HTTP. Members choose the addresses, so that a request goes to the public internet only, or where the operator
//! lets it: what a name means is looked at when it is resolved, and the connection goes to that very address.

use std::io::Read as _;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use app::webhooks::{SendError, WebhookAnswer, WebhookMessage, WebhookSender, is_public};
use async_trait::async_trait;
use httpdate::parse_http_date;
use ipnet::IpNet;
use oauth::{Lifetime, Timestamp};
use secrecy::ExposeSecret as _;
use ureq::config::Config;
use ureq::http::header::{DATE, RETRY_AFTER};
use ureq::http::{HeaderMap, Request, Response, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body};

use crate::authorities;
use crate::clock::machine_time;

/// Receivers are to answer first and work then; Standard Webhooks says 15 to 30 seconds.
const PATIENCE: Duration = Duration::from_secs(15);

/// More than the log keeps.
const READ_BYTES: u64 = 2_048;

/// A receiver has few headers to send.
const HEADER_BYTES: usize = 16 * 1_024;

const AGENT: &str = concat!("assay/", env!("CARGO_PKG_VERSION"), " (webhooks)");

const PRIVATE: &str = "the host has an address of a private network, where the operator of this \
                       server does not let webhooks go";

const WITHOUT_TLS: &str = "the host is in no network that the operator of this server names, and \
                           only there do webhooks go without TLS; use `https://`";

/// Sends to public addresses, and to those of these networks.
pub(crate) struct HttpWebhooks {
    agent: Agent,
    patience: Duration,
    networks: Networks,
}

/// Where requests may go beside the public internet.
#[derive(Debug, Clone)]
struct Networks(Arc<[IpNet]>);

impl HttpWebhooks {
    pub(crate) fn allowing(networks: &[IpNet]) -> Self {
        Self::waiting(networks, PATIENCE)
    }

    fn waiting(networks: &[IpNet], patience: Duration) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .max_idle_connections(0)
            .max_response_header_size(HEADER_BYTES)
            .user_agent(AGENT)
            .timeout_global(Some(patience))
            .tls_config(authorities::tls())
            .build();
        let networks = Networks(networks.into());
        let resolver = Guarded { networks: networks.clone(), all: DefaultResolver::default() };
        let agent = Agent::with_parts(config, DefaultConnector::default(), resolver);
        Self { agent, patience, networks }
    }
}

#[async_trait]
impl WebhookSender for HttpWebhooks {
    fn may_reach(&self, address: IpAddr) -> bool {
        is_public(address) || self.networks.have(address)
    }

    fn has_own_networks(&self) -> bool {
        !self.networks.0.is_empty()
    }

    fn is_in_own_network(&self, address: IpAddr) -> bool {
        self.networks.have(address)
    }

    async fn send(&self, message: WebhookMessage) -> Result<WebhookAnswer, SendError> {
        let WebhookMessage { url, headers, body } = message;
        let mut request =
            Request::post(url.expose_secret()).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request =
            request.body(body).map_err(|_| SendError("the address is none".to_owned()))?;
        let (agent, patience) = (self.agent.clone(), self.patience);
        let work = move || answer(agent.run(request), patience);
        let sent = tokio::task::spawn_blocking(work).await;
        sent.unwrap_or_else(|panic| Err(SendError(panic.to_string())))
    }
}

fn answer(
    answer: Result<Response<Body>, ureq::Error>,
    patience: Duration,
) -> Result<WebhookAnswer, SendError> {
    let mut answer =
        answer.map_err(|error| SendError(message_without_address(&error, patience)))?;
    let mut beginning = Vec::new();
    // A status without all of its words is one as well.
    let _cut_short = answer.body_mut().as_reader().take(READ_BYTES).read_to_end(&mut beginning);
    let beginning = String::from_utf8_lossy(&beginning).into_owned();
    let retry_after = retry_after(answer.headers(), machine_time());
    Ok(WebhookAnswer { status: answer.status().as_u16(), beginning, retry_after })
}

/// For how long a receiver asks to be left alone: seconds, or a date (RFC 9110 section 10.2.3). A date is compared with the receiver's own `Date`, so
/// that clocks may differ; one that is over asks for nothing.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Lifetime> {
    let field = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let asked = field(RETRY_AFTER)?;
    let seconds = if asked.bytes().all(|byte| byte.is_ascii_digit()) && !asked.is_empty() {
        // What has more digits than fit is longer than the server waits.
        asked.parse().unwrap_or(i64::MAX)
    } else {
        let there = field(DATE).and_then(seconds_of).unwrap_or(now.as_milliseconds() / 1_000);
        (seconds_of(asked)? - there).max(0)
    };
    Some(Lifetime::from_seconds(seconds))
}

/// The seconds from 1970 to a date of HTTP.
fn seconds_of(date: &str) -> Option<i64> {
    let since = parse_http_date(date).ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}

/// What went wrong. Some errors quote the address, which may be a secret: of those, only the kind is told.
fn message_without_address(error: &ureq::Error, patience: Duration) -> String {
    if let ureq::Error::Timeout(_) = error {
        return format!("no answer within {} seconds", patience.as_secs_f64());
    }
    let is_about_address = matches!(
        error,
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::RequireHttpsOnly(_)
    );
    if is_about_address {
        return "the address cannot be used".to_owned();
    }
    // Before these the library writes what it calls them.
    if let ureq::Error::Other(reason) = error {
        return reason.to_string();
    }
    if let ureq::Error::Io(reason) = error {
        return reason.to_string();
    }
    error.to_string()
}

impl Networks {
    fn have(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// Resolves names, and leaves out the addresses where no request may go.
#[derive(Debug)]
struct Guarded {
    networks: Networks,
    all: DefaultResolver,
}

impl Resolver for Guarded {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        // Without TLS, a request goes only where the operator knows who listens.
        let is_secret = uri.scheme_str() == Some("https");
        let may_reach =
            |address: IpAddr| (is_secret && is_public(address)) || self.networks.have(address);
        let found = self.all.resolve(uri, config, timeout)?;
        let mut allowed = self.empty();
        for address in &found {
            if may_reach(address.ip()) {
                allowed.push(*address);
            }
        }
        if allowed.is_empty() {
            let lacks_tls = found.iter().any(|address| is_public(address.ip()));
            return Err(ureq::Error::Other(if lacks_tls { WITHOUT_TLS } else { PRIVATE }.into()));
        }
        Ok(allowed)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    use app::webhooks::{SendError, WebhookAnswer, WebhookMessage, WebhookSender as _};

    use oauth::{Lifetime, Timestamp};
    use ureq::http::HeaderMap;

    use super::{HttpWebhooks, retry_after};

    fn message(url: &str) -> WebhookMessage {
        let header = |text: &str| text.to_owned();
        WebhookMessage {
            url: url.into(),
            headers: [
                ("webhook-id", header("msg_1")),
                ("webhook-timestamp", header("1800000000")),
                ("webhook-signature", header("v1,abc=")),
            ],
            body: "{\"type\":\"a\"}".to_owned(),
        }
    }

    /// A receiver on this machine that takes so many requests, and what it got.
    fn receiver(answer: &'static str) -> (u16, thread::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let at_work = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut got = Vec::new();
            let mut chunk = [0; 4_096];
            while !got.ends_with(b"{\"type\":\"a\"}") {
                let read = stream.read(&mut chunk).unwrap();
                assert!(read > 0, "the request is whole");
                got.extend_from_slice(&chunk[..read]);
            }
            stream.write_all(answer.as_bytes()).unwrap();
            // The client ends it: then it has read what it wants, or waited long enough.
            let _ended = stream.read(&mut chunk);
            String::from_utf8(got).unwrap()
        });
        (port, at_work)
    }

    fn for_this_machine() -> HttpWebhooks {
        HttpWebhooks::waiting(&["127.0.0.0/8".parse().unwrap()], Duration::from_secs(5))
    }

    async fn sent(answer: &'static str) -> (Result<WebhookAnswer, SendError>, String) {
        let (port, receiver) = receiver(answer);
        let url = format!("http://127.0.0.1:{port}/in?key=s3cret");
        let sent = for_this_machine().send(message(&url)).await;
        (sent, receiver.join().unwrap())
    }

    #[tokio::test]
    async fn a_request_has_the_headers_of_the_standard_and_its_answer_comes_back() {
        let answer = "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\nbusy";

        let (sent, got) = sent(answer).await;

        let beginning = "busy".to_owned();
        assert_eq!(sent, Ok(WebhookAnswer { status: 500, beginning, retry_after: None }));
        let got = got.to_lowercase();
        assert!(got.starts_with("post /in?key=s3cret http/1.1\r\n"), "{got}");
        for header in [
            "content-type: application/json",
            "webhook-id: msg_1",
            "webhook-timestamp: 1800000000",
            "webhook-signature: v1,abc=",
            "user-agent: assay/",
        ] {
            assert!(got.contains(&format!("\r\n{header}")), "{header} in {got}");
        }
        assert!(got.ends_with("\r\n\r\n{\"type\":\"a\"}"));
    }

    #[tokio::test]
    async fn a_busy_receiver_says_when_to_come_back() {
        let head = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n";
        let date = "Date: Wed, 21 Oct 2015 07:28:00 GMT\r\n";
        let cases = [
            ("", None),
            ("Retry-After: 30\r\n", Some(30)),
            ("retry-after: 0\r\n", Some(0)),
            ("Retry-After: 99999999999999999999\r\n", Some(i64::MAX)),
            ("Retry-After: Wed, 21 Oct 2015 07:30:00 GMT\r\n", Some(120)),
            ("Retry-After: Wednesday, 21-Oct-15 07:29:00 GMT\r\n", Some(60)),
            ("Retry-After: Wed, 21 Oct 2015 07:00:00 GMT\r\n", Some(0)),
            ("Retry-After: -5\r\n", None),
            ("Retry-After: soon\r\n", None),
            ("Retry-After:\r\n", None),
        ];

        for (field, expected) in cases {
            let (sent, _) = sent(format!("{head}{date}{field}\r\n").leak()).await;

            let asked = sent.unwrap().retry_after.map(Lifetime::seconds);
            assert_eq!(asked, expected, "{field:?}");
        }
    }

    #[test]
    fn a_date_without_another_is_compared_with_this_machines_clock() {
        let now = Timestamp::from_milliseconds(1_445_412_480_900);
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", "Wed, 21 Oct 2015 07:28:45 GMT".parse().unwrap());

        assert_eq!(retry_after(&headers, now), Some(Lifetime::from_seconds(45)));
    }

    #[tokio::test]
    async fn a_redirect_is_an_answer_and_is_not_followed() {
        let answer = "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/meta-data/\r\nContent-Length: 0\r\n\r\n";

        let (sent, _) = sent(answer).await;

        assert_eq!(sent.unwrap().status, 302);
    }

    #[tokio::test]
    async fn of_an_answer_without_an_end_the_beginning_is_read() {
        let body = "x".repeat(100_000);
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n{body}");

        let (sent, _) = sent(answer.leak()).await;

        let WebhookAnswer { status, beginning, .. } = sent.unwrap();
        assert_eq!((status, beginning.len()), (200, 2_048));
    }

    #[tokio::test]
    async fn a_receiver_that_does_not_answer_is_left_after_some_time() {
        let (port, receiver) = receiver("");
        let sender =
            HttpWebhooks::waiting(&["127.0.0.0/8".parse().unwrap()], Duration::from_millis(200));

        let sent = sender.send(message(&format!("http://127.0.0.1:{port}/"))).await;

        assert_eq!(sent, Err(SendError("no answer within 0.2 seconds".to_owned())));
        receiver.join().unwrap();
    }

    #[tokio::test]
    async fn what_is_on_a_private_network_is_never_connected_to() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let sender = HttpWebhooks::allowing(&[]);

        let hosts = ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"];
        let urls = hosts.iter().flat_map(|host| {
            ["http", "https"].map(|scheme| format!("{scheme}://{host}:{port}/s3cret"))
        });
        for url in urls {
            let error = sender.send(message(&url)).await.unwrap_err().to_string();
            assert!(error.starts_with("the host has an address of a private network"), "{error}");
            assert!(!error.contains("s3cret"), "{error}");
        }
        assert!(listener.accept().is_err(), "no request came");
    }

    #[tokio::test]
    async fn without_tls_a_request_goes_only_to_networks_of_the_operator() {
        let sent = for_this_machine().send(message("http://1.1.1.1:9/")).await;

        let told = sent.unwrap_err().to_string();
        assert!(told.starts_with("the host is in no network that the operator"), "{told}");
    }

    #[tokio::test]
    async fn errors_tell_no_address() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let urls = [
            format!("http://127.0.0.1:{port}/s3cret"),
            format!("https://127.0.0.1:{port}/s3cret"),
            "http:///s3cret".to_owned(),
            "gopher://127.0.0.1/s3cret".to_owned(),
            "s3cret".to_owned(),
        ];

        for url in urls {
            let error = for_this_machine().send(message(&url)).await.unwrap_err().to_string();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }
}
