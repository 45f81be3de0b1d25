//! One run of a load: how much was done, for how much of the machine, and how long each answer took.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use tokio::task::JoinSet;

use crate::member::Application;
use crate::server::Server;
use crate::task::Task;
use crate::wire::Wire;

#[derive(Clone, Copy, Serialize)]
pub(crate) struct Sample {
    pub(crate) per_second: f64,
    pub(crate) per_cpu_second: f64,
    pub(crate) p50_milliseconds: f64,
    pub(crate) p99_milliseconds: f64,
}

impl Sample {
    /// A connection for each task, all busy until the time is up or there is nothing more to ask for.
    pub(crate) async fn take(
        server: &Server,
        application: &Application,
        tasks: Vec<Task>,
        limit: Duration,
    ) -> Result<Self> {
        let mut wires = Vec::new();
        for task in tasks {
            wires.push((Wire::open(&server.url).await?, task));
        }
        let (start, used_before) = (Instant::now(), server.cpu_seconds()?);
        let mut working = JoinSet::new();
        for (wire, task) in wires {
            working.spawn(work(wire, task, application.clone(), start + limit));
        }
        let mut times = Vec::new();
        while let Some(done) = working.join_next().await {
            times.extend(done??);
        }
        let (seconds, used) = (start.elapsed().as_secs_f64(), server.cpu_seconds()? - used_before);
        times.sort_unstable();
        let count = f64::from(u32::try_from(times.len())?);
        Ok(Self {
            per_second: count / seconds,
            per_cpu_second: count / used,
            p50_milliseconds: milliseconds(times[times.len() / 2]),
            p99_milliseconds: milliseconds(times[times.len() * 99 / 100]),
        })
    }

    /// In each respect the middle one.
    pub(crate) fn median(samples: &[Self]) -> Self {
        let middle = |of: fn(&Self) -> f64| median(samples.iter().map(of).collect());
        Self {
            per_second: middle(|sample| sample.per_second),
            per_cpu_second: middle(|sample| sample.per_cpu_second),
            p50_milliseconds: middle(|sample| sample.p50_milliseconds),
            p99_milliseconds: middle(|sample| sample.p99_milliseconds),
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// The middle one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

async fn work(
    mut wire: Wire,
    mut task: Task,
    application: Application,
    end: Instant,
) -> Result<Vec<Duration>> {
    let mut times = Vec::new();
    let mut now = Instant::now();
    while now < end && task.ask(&mut wire, &application).await? {
        let then = Instant::now();
        times.push(then - now);
        now = then;
    }
    Ok(times)
}
