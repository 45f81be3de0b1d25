//! Trees of conditions with and, or and not, whose leaves may be unknown: a page's address rules,
//! an audience's conditions, an experiment's audiences.

/// What a condition says about this visitor at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Truth {
    /// It holds.
    Yes,
    /// It does not hold.
    No,
    /// What it asks about is not known; neither it nor its opposite holds.
    Unknown,
}

impl Truth {
    /// Whether it holds for sure.
    #[must_use]
    pub fn is_met(self) -> bool {
        self == Self::Yes
    }
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

impl std::ops::Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }
}

/// A tree over leaves of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionTree<Leaf> {
    /// Holds when all operands do; with none, it holds.
    And(Vec<Self>),
    /// Holds when one operand does; with none, it does not.
    Or(Vec<Self>),
    /// Holds when the operand does not.
    Not(Box<Self>),
    /// A condition.
    Leaf(Leaf),
}

impl<Leaf> ConditionTree<Leaf> {
    /// What the tree says, given what its leaves say. Operands are asked in order, and no more of
    /// them than needed.
    ///
    /// # Errors
    ///
    /// The first error of a leaf that was asked: nothing is known about such a tree, so it does not
    /// count as met.
    pub fn evaluate<Error>(
        &self,
        leaf: &mut impl FnMut(&Leaf) -> Result<Truth, Error>,
    ) -> Result<Truth, Error> {
        match self {
            Self::And(operands) => first_or_weakest(operands, Truth::No, leaf),
            Self::Or(operands) => first_or_weakest(operands, Truth::Yes, leaf),
            Self::Not(operand) => operand.evaluate(leaf).map(|truth| !truth),
            Self::Leaf(condition) => leaf(condition),
        }
    }
}

/// `settling` as soon as one operand says so, else unknown if one is, else the opposite.
fn first_or_weakest<Leaf, Error>(
    operands: &[ConditionTree<Leaf>],
    settling: Truth,
    leaf: &mut impl FnMut(&Leaf) -> Result<Truth, Error>,
) -> Result<Truth, Error> {
    let mut answer = !settling;
    for operand in operands {
        let truth = operand.evaluate(leaf)?;
        if truth == settling {
            return Ok(settling);
        }
        if truth == Truth::Unknown {
            answer = Truth::Unknown;
        }
    }
    Ok(answer)
}
