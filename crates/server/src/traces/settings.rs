//! What the variables of OpenTelemetry ask for. Where nothing could be sent, the server does not start; any other value that it does not know has no
//! effect but a warning, as the specification wants it.

use std::collections::HashMap;
use std::str::FromStr;
use std::time::Duration;

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{BatchConfig, BatchConfigBuilder, Sampler};
use url::Url;

use super::{headers, resource, sampling};
use crate::failure::Failure;

/// Gives the value of a variable.
pub(super) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

const OF_TRACES: &str = "OTEL_EXPORTER_OTLP_TRACES_";
const OF_ALL: &str = "OTEL_EXPORTER_OTLP_";

/// Where collectors on this machine listen.
const USUAL_ENDPOINT: &str = "http://localhost:4318";

/// Where collectors take gRPC, which this server does not speak.
const PORT_OF_GRPC: u16 = 4317;

const TIMEOUT: Duration = Duration::from_secs(10);

/// What the variables ask for.
pub(super) struct Settings {
    pub(super) endpoint: Url,
    pub(super) headers: HashMap<String, String>,
    pub(super) timeout: Duration,
    pub(super) is_compressed: bool,
    pub(super) sampler: Sampler,
    pub(super) resource: Resource,
    pub(super) batches: BatchConfig,
    /// Whether the caller's trace is continued.
    pub(super) is_continued: bool,
    /// What has no effect, in words.
    pub(super) ignored: Vec<String>,
}

impl Settings {
    /// Reads them; `None` where no traces are wanted.
    pub(super) fn read(variables: Variables<'_>) -> Result<Option<Self>, Failure> {
        if !are_wanted(variables)? {
            return Ok(None);
        }
        check_protocol(variables)?;
        let headers = headers::read(of_exporter(variables, "HEADERS"))?;
        let mut reader = Reader { variables, ignored: Vec::new() };
        let (endpoint, timeout) = (reader.endpoint()?, reader.timeout());
        let is_compressed = reader.is_compressed();
        let sampler = sampling::sampler(&mut reader);
        let (batches, is_continued) = (reader.batches(), reader.is_continued());
        let resource = resource::of(&mut reader);
        let ignored = reader.ignored;
        Ok(Some(Self {
            endpoint,
            headers,
            timeout,
            is_compressed,
            sampler,
            resource,
            batches,
            is_continued,
            ignored,
        }))
    }
}

/// Only who names a collector, or asks for the usual one, gets traces.
fn are_wanted(variables: Variables<'_>) -> Result<bool, Failure> {
    if word(variables, "OTEL_SDK_DISABLED").as_deref() == Some("true") {
        return Ok(false);
    }
    match word(variables, "OTEL_TRACES_EXPORTER").as_deref() {
        None => Ok(of_exporter(variables, "ENDPOINT").is_some()),
        Some("none") => Ok(false),
        Some("otlp") => Ok(true),
        Some(other) => Err(Failure::input(format_args!(
            "`OTEL_TRACES_EXPORTER`: expected `otlp` or `none`, found `{other}`"
        ))),
    }
}

fn check_protocol(variables: Variables<'_>) -> Result<(), Failure> {
    match of_exporter(variables, "PROTOCOL") {
        Some((name, protocol)) if !protocol.eq_ignore_ascii_case("http/protobuf") => {
            Err(Failure::input(format_args!(
                "`{name}`: expected `http/protobuf`, found `{protocol}`\n  \
             hint: collectors take http/protobuf as well, most at port 4318"
            )))
        }
        Some(_) | None => Ok(()),
    }
}

/// A word of a few, in which capitals mean nothing.
fn word(variables: Variables<'_>, name: &str) -> Option<String> {
    variables(name).map(|word| word.to_ascii_lowercase())
}

/// The variable for traces, or that for all signals; with its name.
fn of_exporter(variables: Variables<'_>, last_part: &str) -> Option<(String, String)> {
    [OF_TRACES, OF_ALL].iter().find_map(|first_part| {
        let name = format!("{first_part}{last_part}");
        variables(&name).map(|value| (name, value))
    })
}

/// Reads variables, and notes those that have no effect.
pub(super) struct Reader<'a> {
    variables: Variables<'a>,
    ignored: Vec<String>,
}

impl Reader<'_> {
    pub(super) fn text(&self, name: &str) -> Option<String> {
        (self.variables)(name)
    }

    pub(super) fn word(&self, name: &str) -> Option<String> {
        word(self.variables, name)
    }

    /// Notes that a variable has no effect.
    pub(super) fn ignore(&mut self, name: &str, expected: &str, found: &str) {
        self.ignored.push(format!("`{name}` has no effect: expected {expected}, found `{found}`"));
    }

    /// A number above zero.
    fn number<T: FromStr + PartialOrd + From<u8>>(&mut self, name: &str) -> Option<T> {
        let text = self.text(name)?;
        let number = text.parse().ok().filter(|number| *number > T::from(0));
        if number.is_none() {
            self.ignore(name, "a whole number above zero", &text);
        }
        number
    }

    fn milliseconds(&mut self, name: &str) -> Option<Duration> {
        self.number(name).map(Duration::from_millis)
    }

    /// No error quotes the address: it may be a secret.
    fn endpoint(&mut self) -> Result<Url, Failure> {
        let found = of_exporter(self.variables, "ENDPOINT");
        let (name, text) = found.unwrap_or((String::new(), USUAL_ENDPOINT.to_owned()));
        let wrong = |what: &str| Failure::input(format_args!("`{name}`: {what}"));
        let url = text.parse::<Url>().ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let mut url = url.ok_or_else(|| {
            wrong("expected the address of a collector, such as `http://localhost:4318`")
        })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong(
                "the address must not hold a user or a password: put a header into `OTEL_EXPORTER_OTLP_HEADERS`",
            ));
        }
        if url.port() == Some(PORT_OF_GRPC) {
            self.ignored.push(format!(
                "`{name}` names port {PORT_OF_GRPC}, where collectors expect gRPC; this server speaks http/protobuf, which most take at port 4318"
            ));
        }
        if !name.starts_with(OF_TRACES) {
            let path = format!("{}/v1/traces", url.path().trim_end_matches('/'));
            url.set_path(&path);
        }
        Ok(url)
    }

    /// How long one request to the collector may take.
    fn timeout(&mut self) -> Duration {
        let name = of_exporter(self.variables, "TIMEOUT").map(|(name, _)| name);
        let answered = name.and_then(|name| self.milliseconds(&name)).unwrap_or(TIMEOUT);
        let exported = self.milliseconds("OTEL_BSP_EXPORT_TIMEOUT");
        exported.map_or(answered, |exported| exported.min(answered))
    }

    fn is_compressed(&mut self) -> bool {
        let Some((name, found)) = of_exporter(self.variables, "COMPRESSION") else { return false };
        let is_compressed = found.eq_ignore_ascii_case("gzip");
        if !is_compressed && !found.eq_ignore_ascii_case("none") {
            self.ignore(&name, "`gzip` or `none`", &found);
        }
        is_compressed
    }

    fn batches(&mut self) -> BatchConfig {
        let mut batches = BatchConfigBuilder::default()
            .with_max_queue_size(self.number("OTEL_BSP_MAX_QUEUE_SIZE").map_or(2_048, bounded))
            .with_max_export_batch_size(
                self.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE").map_or(512, bounded),
            )
            .with_scheduled_delay(Duration::from_secs(5));
        if let Some(delay) = self.milliseconds("OTEL_BSP_SCHEDULE_DELAY") {
            batches = batches.with_scheduled_delay(delay);
        }
        batches.build()
    }

    /// Of baggage there is nothing to do: the server passes no request on.
    fn is_continued(&mut self) -> bool {
        const NAME: &str = "OTEL_PROPAGATORS";
        let Some(list) = self.word(NAME) else { return true };
        let names: Vec<&str> = list.split(',').map(str::trim).collect();
        let others =
            names.iter().filter(|name| !["tracecontext", "baggage", "none"].contains(name));
        for other in others {
            self.ignore(NAME, "`tracecontext`, `baggage` or `none`", other);
        }
        names.contains(&"tracecontext")
    }
}

/// As many spans as a queue may have: each takes about a kilobyte, and the SDK makes room for them at once.
const SPANS_AT_MOST: u64 = 1_000_000;

fn bounded(spans: u64) -> usize {
    usize::try_from(spans.min(SPANS_AT_MOST)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use opentelemetry::Key;

    use super::Settings;
    use crate::failure::Failure;

    fn read(variables: &[(&str, &str)]) -> Result<Option<Settings>, Failure> {
        let find = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Settings::read(&find)
    }

    /// With a collector on this machine.
    fn settings(variables: &[(&str, &str)]) -> Settings {
        read(&[&[("OTEL_TRACES_EXPORTER", "otlp")], variables].concat()).unwrap().unwrap()
    }

    fn refusal(variables: &[(&str, &str)]) -> String {
        read(variables).err().unwrap().to_string()
    }

    const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
    const ENDPOINT_OF_TRACES: &str = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";

    #[test]
    fn there_are_traces_only_if_the_operator_asks_for_them() {
        let is_on = |variables: &[(&str, &str)]| read(variables).unwrap().is_some();
        let here = (ENDPOINT, "http://localhost:4318");

        assert!(!is_on(&[]));
        assert!(!is_on(&[("OTEL_SERVICE_NAME", "shop"), ("OTEL_TRACES_SAMPLER", "always_on")]));
        assert!(is_on(&[here]));
        assert!(is_on(&[(ENDPOINT_OF_TRACES, "http://localhost:4318/v1/traces")]));
        assert!(is_on(&[("OTEL_TRACES_EXPORTER", "otlp")]));
        assert!(!is_on(&[here, ("OTEL_TRACES_EXPORTER", "none")]));
        assert!(!is_on(&[here, ("OTEL_SDK_DISABLED", "TRUE")]));
        assert!(is_on(&[here, ("OTEL_SDK_DISABLED", "false")]));
    }

    #[test]
    fn the_address_of_all_signals_gets_the_path_of_traces() {
        let endpoint = |name, address| settings(&[(name, address)]).endpoint.to_string();

        assert_eq!(settings(&[]).endpoint.as_str(), "http://localhost:4318/v1/traces");
        assert_eq!(
            endpoint(ENDPOINT, "https://c.example/otel/"),
            "https://c.example/otel/v1/traces"
        );
        assert_eq!(endpoint(ENDPOINT_OF_TRACES, "https://c.example/in"), "https://c.example/in");
        assert_eq!(endpoint(ENDPOINT_OF_TRACES, "https://c.example"), "https://c.example/");
    }

    #[test]
    fn what_is_for_traces_goes_before_what_is_for_all_signals() {
        let both = settings(&[
            (ENDPOINT, "http://all.example"),
            (ENDPOINT_OF_TRACES, "http://traces.example/in"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"),
            ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "2000"),
        ]);

        assert_eq!(both.endpoint.as_str(), "http://traces.example/in");
        assert_eq!(both.timeout, Duration::from_secs(2));
    }

    #[test]
    fn settings_that_would_send_nothing_are_refused_with_the_right_values() {
        let here = (ENDPOINT, "http://localhost:4318");

        let grpc = refusal(&[here, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]);
        assert!(
            grpc.contains("`OTEL_EXPORTER_OTLP_PROTOCOL`: expected `http/protobuf`, found `grpc`"),
            "{grpc}"
        );
        let zipkin = refusal(&[("OTEL_TRACES_EXPORTER", "zipkin")]);
        assert!(zipkin.contains("expected `otlp` or `none`, found `zipkin`"), "{zipkin}");
        for address in ["collector:4318", "localhost", "ftp://c.example", "http://"] {
            let told = refusal(&[(ENDPOINT, address)]);
            assert!(told.contains("expected the address of a collector"), "{told}");
        }
    }

    #[test]
    fn no_refusal_quotes_a_secret() {
        let header = ("OTEL_EXPORTER_OTLP_HEADERS", "authorization");

        for variables in [
            &[(ENDPOINT, "http://user:s3cret@c.example")][..],
            &[(ENDPOINT, "c.example/s3cret")],
            &[(ENDPOINT, "http://c.example"), ("OTEL_EXPORTER_OTLP_HEADERS", "s3cret")],
            &[
                (ENDPOINT, "http://c.example"),
                header,
                ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=s3cret%0a"),
            ],
        ] {
            let told = refusal(variables);
            assert!(told.contains("expected") || told.contains("must not hold"), "{told}");
            assert!(!told.contains("s3cret"), "{told}");
        }
    }

    #[test]
    fn unknown_settings_are_reported_and_ignored() {
        let strange = settings(&[
            ("OTEL_TRACES_SAMPLER", "xray"),
            ("OTEL_PROPAGATORS", "tracecontext, b3"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "10s"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"),
            ("OTEL_BSP_MAX_QUEUE_SIZE", "0"),
            ("OTEL_RESOURCE_ATTRIBUTES", "stage"),
        ]);

        assert!(strange.is_continued);
        assert_eq!(strange.timeout, Duration::from_secs(10));
        assert_eq!(strange.ignored.len(), 6, "{:?}", strange.ignored);
        let told = strange.ignored.join("\n");
        for words in [
            "`OTEL_EXPORTER_OTLP_TIMEOUT` has no effect: expected a whole number above zero, found `10s`",
            "`OTEL_PROPAGATORS` has no effect: expected `tracecontext`, `baggage` or `none`, found `b3`",
            "found `xray`",
        ] {
            assert!(told.contains(words), "{told}");
        }
    }

    #[test]
    fn an_endpoint_with_the_grpc_port_causes_a_warning() {
        let told = settings(&[(ENDPOINT, "http://collector:4317")]).ignored;

        assert!(told[0].contains("names port 4317, where collectors expect gRPC"), "{told:?}");
    }

    #[test]
    fn the_service_has_the_name_that_the_operator_gives_it() {
        let name = |variables: &[(&str, &str)]| {
            let service = settings(variables).resource.get(&Key::new("service.name"));
            service.unwrap().to_string()
        };
        let attributes = ("OTEL_RESOURCE_ATTRIBUTES", "service.name=shop%20one,stage=live");

        assert_eq!(name(&[]), "assay");
        assert_eq!(name(&[attributes]), "shop one");
        assert_eq!(name(&[attributes, ("OTEL_SERVICE_NAME", "two")]), "two");
        let stage = settings(&[attributes]).resource.get(&Key::new("stage"));
        assert_eq!(stage.unwrap().to_string(), "live");
    }
}
