//! Made-up visitors of the demo, so that there are results to look at: they come through the same door as real ones.

use app::App;
use app::events::{
    Behavior, Effect, Sender, SentBatch, SimulatedVisitors, Simulation, accept_events,
};
use app::roles::Actor;
use domain::Project;
use serde_json::Value;
use tokio::task::JoinSet;

/// Commits are shared by those that wait.
const AT_ONCE: usize = 64;

/// Lets visitors come to the shop over the last days. A demo without them is a demo still, so what fails is only told.
pub(crate) async fn let_come(app: App, project: Project) {
    let looks = |share| Behavior { event: "find_mug".to_owned(), share, revenue: None };
    let simulation = Simulation {
        url: app.public_url().join("/demo/"),
        visitors: 4_000,
        days: 6,
        behaviors: vec![looks(0.3)],
        effects: vec![Effect {
            event: "find_mug".to_owned(),
            variation: "short".to_owned(),
            factor: 1.25,
        }],
        seed: 1,
    };
    let visitors = match SimulatedVisitors::new(&project, simulation) {
        Ok(visitors) => visitors,
        Err(error) => return tracing::warn!("no visitors come to the demo: {error}"),
    };
    let batches: Vec<Value> = visitors.batches(app.wall_time().as_milliseconds()).collect();
    for together in batches.chunks(AT_ONCE) {
        let mut coming = JoinSet::new();
        for batch in together {
            let (app, batch) = (app.clone(), batch.clone());
            coming.spawn(async move {
                // A program is not limited.
                let sent = SentBatch { json: &batch, bytes: 0 };
                accept_events(&app, Sender::Program(Actor::Command), sent).await
            });
        }
        while let Some(taken) = coming.join_next().await {
            match taken {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => {
                    return tracing::warn!("a visitor of the demo was not counted: {error}");
                }
                // The server ends before all have come.
                Err(_) => return,
            }
        }
    }
}
