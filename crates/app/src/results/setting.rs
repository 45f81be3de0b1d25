//! How variations are compared.

use events::Day;
use stats::Alpha;

use crate::results::bayesian::BayesianSetting;
use crate::results::comparisons::Tests;

/// How variations are compared.
#[derive(Clone, Copy)]
pub(super) enum Setting {
    /// By rules that hold an error rate.
    Tested(Tests),
    /// By what is believed after the data.
    Bayesian(BayesianSetting),
}

impl Setting {
    /// One minus the confidence.
    pub(super) fn alpha(self) -> Alpha {
        match self {
            Self::Tested(tests) => tests.alpha,
            Self::Bayesian(beliefs) => beliefs.alpha,
        }
    }

    /// The day on which the plan ended: nothing is looked at later.
    pub(super) fn ended(self) -> Option<Day> {
        match self {
            Self::Tested(tests) => tests.ended,
            Self::Bayesian(beliefs) => beliefs.ended,
        }
    }
}
