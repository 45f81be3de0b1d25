//! What one feature or one experiment adds to a snippet: the difference that leaving out just that makes.

use std::cmp::Reverse;
use std::sync::Arc;

use domain::Project;
use serde::Serialize;

use super::Bytes;
use crate::compile::{CompileError, Snippet};
use crate::config::{Config, revision_of, running};
use crate::features::Features;
use crate::program::Program;

/// So many experiments are weighed, for each takes as long as compiling the project.
const MAX_WEIGHED_EXPERIMENTS: usize = 20;

/// Bytes that go when one part is left out and all others stay. What several share is in no share; brotli may find
/// a longer text shorter, so that a share can be below zero.
#[derive(Debug, Clone, Serialize)]
pub struct Share {
    /// A feature's name, or `campaign/experiment` by their keys.
    pub of: String,
    /// Bytes as they are.
    pub raw: i64,
    /// Bytes compressed with brotli at its best level.
    pub brotli: i64,
}

impl Share {
    fn new(of: String, whole: Bytes, rest: Bytes) -> Self {
        let less = |whole: usize, rest: usize| {
            i64::try_from(whole).unwrap_or(i64::MAX) - i64::try_from(rest).unwrap_or(i64::MAX)
        };
        Self { of, raw: less(whole.raw, rest.raw), brotli: less(whole.brotli, rest.brotli) }
    }
}

/// What each feature in use adds to `snippet`, the largest first.
pub(super) fn by_feature(project: &Project, snippet: &Snippet) -> Result<Vec<Share>, CompileError> {
    let whole = Bytes::of(&snippet.javascript);
    let config = Config::of(project, revision_of(project));
    let program = Program::of(&config).in_charset(snippet.charset());
    let features = Features::of(project);
    let shares = features.iter().map(|left_out| {
        let printed = program.minify(&features.without(left_out))?;
        Ok(Share::new(left_out.name(), whole, Bytes::of(&printed.text)))
    });
    Ok(largest_first(shares.collect::<Result<_, CompileError>>()?))
}

/// What each of the experiments that say the most adds to `snippet`, the largest first.
pub(super) fn by_experiment(
    project: &Project,
    snippet: &Snippet,
) -> Result<Vec<Share>, CompileError> {
    let whole = Bytes::of(&snippet.javascript);
    let features = Features::of(project);
    let mut places: Vec<(usize, usize, usize)> = Vec::new();
    for (campaign_place, campaign) in project.campaigns.iter().enumerate() {
        if running(project).any(|one| one.id == campaign.id) {
            for (place, experiment) in campaign.experiments.iter().enumerate() {
                let length = format!("{experiment:?}").len();
                places.push((length, campaign_place, place));
            }
        }
    }
    places.sort_unstable_by_key(|(length, ..)| Reverse(*length));
    places.truncate(MAX_WEIGHED_EXPERIMENTS);
    let shares = places.into_iter().map(|(_, campaign, experiment)| {
        let rest = without(project, campaign, experiment);
        let config = Config::of(&rest, revision_of(project));
        let printed = Program::of(&config).in_charset(snippet.charset()).minify(&features)?;
        let campaign = &project.campaigns[campaign];
        let name = format!("{}/{}", campaign.key, campaign.experiments[experiment].key);
        Ok(Share::new(name, whole, Bytes::of(&printed.text)))
    });
    Ok(largest_first(shares.collect::<Result<_, CompileError>>()?))
}

/// A campaign goes with its only experiment.
fn without(project: &Project, campaign: usize, experiment: usize) -> Project {
    let mut rest = project.clone();
    if rest.campaigns[campaign].experiments.len() == 1 {
        rest.campaigns.remove(campaign);
        return rest;
    }
    let left = Arc::make_mut(&mut rest.campaigns[campaign]);
    let gone = left.experiments.remove(experiment).id;
    for group in &mut left.priorities {
        group.retain(|id| *id != gone);
    }
    left.priorities.retain(|group| !group.is_empty());
    rest
}

fn largest_first(mut shares: Vec<Share>) -> Vec<Share> {
    shares.sort_by_key(|share| Reverse(share.raw));
    shares
}
