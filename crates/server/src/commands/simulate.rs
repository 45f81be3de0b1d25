//! `assay simulate`: sends a running server what made-up visitors would, to try results.

use std::thread;
use std::time::Duration;

use app::events::{SimulatedVisitors, Simulation};
use serde_json::Value;
use ureq::Agent;
use ureq::http::StatusCode;
use ureq::http::response::Parts;
use url::Url;

use crate::cli::SimulateArguments;
use crate::clock::machine_time;
use crate::failure::Failure;
use crate::output::Percents;
use crate::remote::{self, Expected};
use crate::{authorities, output, project_file, proxies};

const PATIENCE: Duration = Duration::from_secs(30);

/// The server knows a project by its id alone.
const ID_CURE: &str = "without an `id`, a project has one made of its `key`; `assay export` writes the live project with its ids";

pub(crate) fn run(arguments: &SimulateArguments) -> Result<(), Failure> {
    let file = project_file::read(&arguments.project)?;
    let server: Url = arguments.server.parse().map_err(|error| {
        Failure::input(format_args!("`--server {}`: {error}", arguments.server))
    })?;
    let simulation = Simulation {
        url: arguments.url.clone(),
        visitors: arguments.visitors,
        days: arguments.days,
        behaviors: arguments.behaviors.clone(),
        effects: arguments.effects.clone(),
        seed: arguments.seed,
    };
    let visitors = SimulatedVisitors::new(&file.checked.project, simulation);
    let visitors = visitors.map_err(Failure::input)?;
    let page: Url = arguments.url.parse().map_err(Failure::input)?;
    authorities::check()?;
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(proxies::from_environment())
        .timeout_global(Some(PATIENCE))
        .tls_config(authorities::tls())
        .build()
        .into();
    let events = Events { server, origin: page.origin().ascii_serialization() };
    let mut progress = Percents::of("visitors");
    let mut came = 0;
    for batch in visitors.batches(machine_time().as_milliseconds()) {
        events.send(&agent, &batch.to_string())?;
        came += 1;
        progress.tell(came, arguments.visitors.into());
    }
    output::print(format_args!(
        "{came} of {} visitors were given a variation, and the server has counted them",
        arguments.visitors
    ));
    Ok(())
}

/// Where events go, and whose they are.
struct Events {
    server: Url,
    /// That of the visitors' page: a browser says it, and the live project may list whose events it takes.
    origin: String,
}

impl Events {
    /// Sends a batch, as late as the server wants it.
    fn send(&self, agent: &Agent, batch: &str) -> Result<(), Failure> {
        let address = format!("{}/v1/events", self.server.as_str().trim_end_matches('/'));
        loop {
            let request = agent.post(&address).header("origin", &self.origin);
            let sent = request.content_type("text/plain;charset=UTF-8").send(batch);
            let (parts, mut body) =
                sent.map_err(|error| remote::silent(&self.server, &error))?.into_parts();
            let text = body.read_to_string().unwrap_or_default();
            let answer: Value = serde_json::from_str(&text).unwrap_or_default();
            if parts.status.is_success() {
                let other = Expected::Field("accepted").other_than(&parts, &answer);
                return other
                    .map_or(Ok(()), |came| Err(remote::other_than_assay(&self.server, &came)));
            }
            let pause = asked_to_wait(&parts).ok_or_else(|| self.refused(&parts, &answer))?;
            thread::sleep(pause);
        }
    }

    /// Why the server does not take a batch, in its words.
    fn refused(&self, answer: &Parts, problem: &Value) -> Failure {
        if let Some(failure) = remote::led_elsewhere(&self.server, answer) {
            return failure;
        }
        let status = answer.status;
        let detail = problem["detail"].as_str().unwrap_or("the server gives no reason");
        let of_first = problem["rejected"][0]["detail"].as_str();
        let of_first = of_first.map(|detail| format!("\n  {detail}")).unwrap_or_default();
        let told = format_args!("the server says {}: {detail}{of_first}", status.as_u16());
        let failure = if status.is_server_error() {
            Failure::environment(told)
        } else {
            Failure::input(told)
        };
        if status == StatusCode::NOT_FOUND { failure.with_hint(ID_CURE) } else { failure }
    }
}

/// For how long the server wants no batch; `None` if waiting does not help.
fn asked_to_wait(answer: &Parts) -> Option<Duration> {
    let is_busy =
        matches!(answer.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    remote::retry_after(answer).filter(|_| is_busy).map(Duration::from_secs)
}
