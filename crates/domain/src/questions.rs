//! What a campaign must know about a visitor: the conditions of its audiences and of the audiences that these name.

use std::collections::HashSet;

use crate::{AudienceId, Audiences, Campaign, ConditionKind, Project};

impl Project {
    /// Whether the campaign's decision may depend on a condition of that kind.
    #[must_use]
    pub fn asks_about(&self, campaign: &Campaign, kind: ConditionKind) -> bool {
        let named =
            campaign.experiments.iter().flat_map(|experiment| match &experiment.audiences {
                Audiences::Everyone => Vec::new(),
                Audiences::Tree(tree) => tree.audiences(),
            });
        let mut waiting: Vec<AudienceId> = named.collect();
        let mut asked = HashSet::new();
        while let Some(id) = waiting.pop() {
            let audience = self.audiences.iter().find(|audience| audience.id == id);
            let Some(audience) = audience.filter(|_| asked.insert(id)) else { continue };
            let asks: Vec<ConditionKind> =
                audience.conditions.tree.leaves().iter().map(|condition| condition.kind).collect();
            if asks.contains(&kind) {
                return true;
            }
            waiting.extend(asks.into_iter().filter_map(ConditionKind::audience));
        }
        false
    }
}
