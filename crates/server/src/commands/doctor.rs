//! `assay doctor`: looks for what would go wrong with a server, and says how to cure it. It changes nothing, but for
//! an empty object in object storage, which it removes.

mod elsewhere;
mod finding;
mod folders;
mod machine;
mod proxy;
mod public_address;
mod stored;

use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

use self::finding::{Finding, State};
use crate::cli::DoctorArguments;
use crate::failure::Failure;
use crate::{output, remote};

/// For an answer over HTTP. Servers that hang are asked four times at most, and people wait ten seconds. A server that takes longer has a fault.
const PATIENCE: Duration = Duration::from_millis(2_500);

pub(crate) fn run(arguments: &DoctorArguments) -> Result<(), Failure> {
    let DoctorArguments { place, network, events, json } = arguments;
    let findings: Vec<Finding> = [
        folders::look(place, events),
        machine::look(network),
        stored::look(place, events.folder.of(place).as_deref()),
        elsewhere::look(events, place),
        public_address::look(network, place),
    ]
    .concat();
    if *json {
        output::print(findings.iter().map(Finding::to_json).collect::<Value>());
    } else {
        findings.iter().for_each(output::print);
    }
    let has_fault = findings.iter().any(|finding| finding.state == State::Fault);
    if has_fault { Err(Failure::AlreadyReported) } else { Ok(()) }
}

/// What asks servers that may hang.
fn agent() -> Agent {
    remote::agent_with(PATIENCE)
}

impl Finding {
    fn to_json(&self) -> Value {
        json!({
            "check": self.about,
            "state": self.state.as_str(),
            "message": self.told,
            "cure": self.cure,
        })
    }
}
