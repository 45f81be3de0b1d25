//! Audiences: groups of visitors, and the trees of audiences that experiments target.

use serde::Serialize;

use crate::{AudienceId, Conditions, Key};

/// A group of visitors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Audience {
    /// Names the audience for programs.
    pub id: AudienceId,
    /// Names the audience in documents.
    pub key: Key,
    /// The audience's display name.
    pub name: Option<String>,
    /// Describes the audience, in the members' words.
    pub description: Option<String>,
    /// Which visitors belong to it; without conditions, none.
    pub conditions: Conditions,
    /// Whether it is archived: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}

/// Which visitors an experiment targets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Audiences {
    /// Every visitor.
    #[default]
    Everyone,
    /// Visitors for whom the tree holds.
    Tree(AudienceTree),
}

/// A logical tree over audiences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AudienceTree {
    /// Members of this audience.
    Audience(AudienceId),
    /// Visitors for whom all operands hold.
    And(Vec<AudienceTree>),
    /// Visitors for whom at least one operand holds.
    Or(Vec<AudienceTree>),
    /// Visitors for whom the operand does not hold.
    Not(Box<AudienceTree>),
}

impl AudienceTree {
    /// Every audience that the tree names, in the tree's order, with repetitions.
    #[must_use]
    pub fn audiences(&self) -> Vec<AudienceId> {
        match self {
            Self::Audience(id) => vec![*id],
            Self::And(operands) | Self::Or(operands) => {
                operands.iter().flat_map(Self::audiences).collect()
            }
            Self::Not(operand) => operand.audiences(),
        }
    }
}
