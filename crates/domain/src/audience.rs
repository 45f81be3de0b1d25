//! Audiences: groups of visitors, and the trees over them that experiments are for.

use serde::Serialize;

use crate::{AudienceId, Conditions, Key};

/// A group of visitors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Audience {
    /// Names the audience for programs.
    pub id: AudienceId,
    /// Names the audience in documents.
    pub key: Key,
    /// What people call the audience.
    pub name: Option<String>,
    /// Who is meant, in the members' words.
    pub description: Option<String>,
    /// Who is in it; without conditions, nobody.
    pub conditions: Conditions,
    /// Whether it is archived: it keeps its id and key, but is in no snippet.
    pub archived: bool,
}

/// Whom an experiment is for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Audiences {
    /// Every visitor.
    #[default]
    Everyone,
    /// The visitors for whom the tree holds.
    Tree(AudienceTree),
}

/// A logical tree over audiences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AudienceTree {
    /// Members of this audience.
    Audience(AudienceId),
    /// Those for whom all operands hold.
    And(Vec<AudienceTree>),
    /// Those for whom at least one operand holds.
    Or(Vec<AudienceTree>),
    /// Those for whom the operand does not hold.
    Not(Box<AudienceTree>),
}

impl AudienceTree {
    /// Every audience that the tree names, in its order, with repetitions.
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
