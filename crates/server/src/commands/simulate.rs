//! `assay simulate`: sends a running server what made-up visitors would, to try results.

use std::thread;
use std::time::Duration;

use app::events::{SimulatedVisitors, Simulation};
use ureq::Agent;
use ureq::http::{Response, StatusCode};
use url::Url;

use crate::cli::SimulateArguments;
use crate::clock::machine_time;
use crate::failure::Failure;
use crate::output::Percents;
use crate::{output, project_file};

const PATIENCE: Duration = Duration::from_secs(30);

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
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE))
        .build()
        .into();
    let address = format!("{}/v1/events", server.as_str().trim_end_matches('/'));
    let mut progress = Percents::of("visitors");
    let mut came = 0;
    for batch in visitors.batches(machine_time().as_milliseconds()) {
        send(&agent, &address, &batch.to_string())?;
        came += 1;
        progress.tell(came, arguments.visitors.into());
    }
    output::print(format_args!(
        "{came} of {} visitors were given a variation, and the server has counted them",
        arguments.visitors
    ));
    Ok(())
}

/// Sends a batch, as late as the server wants it.
fn send(agent: &Agent, address: &str, batch: &str) -> Result<(), Failure> {
    loop {
        let sent = agent.post(address).content_type("text/plain;charset=UTF-8").send(batch);
        let mut response = sent.map_err(|error| {
            Failure::environment(format_args!("`{address}` does not answer: {error}"))
        })?;
        match response.status() {
            StatusCode::ACCEPTED => return Ok(()),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                thread::sleep(asked_to_wait(&response));
            }
            status => {
                let text = response.body_mut().read_to_string().unwrap_or_default();
                let problem: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
                let detail = problem["detail"].as_str().unwrap_or("the server gives no reason");
                let of_first = problem["rejected"][0]["detail"].as_str();
                let of_first = of_first.map(|detail| format!("\n  {detail}")).unwrap_or_default();
                let told = format_args!("the server says {}: {detail}{of_first}", status.as_u16());
                return Err(Failure::input(told));
            }
        }
    }
}

fn asked_to_wait<B>(response: &Response<B>) -> Duration {
    let seconds = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
    Duration::from_secs(seconds.and_then(|text| text.parse().ok()).unwrap_or(1))
}
