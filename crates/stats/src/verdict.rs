//! The words of a result: better, worse or inconclusive, for all primary comparisons together.
//!
//! Evidence is the smallest p-value of the looks so far, so that a verdict does not depend on who
//! looked when, and stays once it is made. Benjamini–Hochberg keeps the share of false verdicts below
//! the level over all primary metrics × variations.

use crate::{Alpha, Correction, Figures, NoFigure, PValue};

/// Which way a metric should go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// More is better.
    Up,
    /// Less is better.
    Down,
}

impl Direction {
    /// One for [`Up`](Self::Up), minus one for [`Down`](Self::Down).
    pub(crate) fn sign(self) -> f64 {
        match self {
            Self::Up => 1.0,
            Self::Down => -1.0,
        }
    }
}

/// What is said of a variation and a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The variation is better than the control.
    Better,
    /// The variation is worse than the control.
    Worse,
    /// The evidence does not suffice, yet or ever.
    Inconclusive,
}

/// A comparison that takes part in the verdict.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The figures of all looks, earliest first, as [`Comparison`](crate::Comparison) gives them.
    pub series: &'a [Result<Figures, NoFigure>],
    /// Which way the metric should go.
    pub good: Direction,
}

/// The verdict on a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The words.
    pub verdict: Verdict,
    /// The smallest p-value of all looks, adjusted for the number of comparisons.
    pub adjusted_p_value: PValue,
    /// The look at which the evidence first sufficed for this verdict.
    pub decided_at: Option<usize>,
}

/// Decides all primary comparisons of an experiment. Their series have one entry per look, at the same
/// moments; a comparison without figures is one without evidence, and counts.
#[must_use]
pub fn decide(candidates: &[Candidate<'_>], alpha: Alpha) -> Vec<Decision> {
    let looks = candidates.iter().map(|candidate| candidate.series.len()).max().unwrap_or(0);
    let mut evidence = vec![Evidence::NONE; candidates.len()];
    let mut decided_at = vec![None; candidates.len()];
    let mut adjusted = vec![PValue::ONE; candidates.len()];
    for look in 0..looks {
        let known = evidence.iter_mut().zip(&mut decided_at);
        for ((evidence, decided_at), candidate) in known.zip(candidates) {
            let before = evidence.estimate;
            evidence.add(candidate.series.get(look));
            // Stronger evidence of the opposite is a verdict of its own.
            if evidence.estimate * before < 0.0 {
                *decided_at = None;
            }
        }
        let p_values = evidence.iter().map(|evidence| evidence.p_value).collect::<Vec<_>>();
        adjusted = Correction::BenjaminiHochberg.adjust(&p_values);
        for (decided_at, adjusted) in decided_at.iter_mut().zip(&adjusted) {
            if decided_at.is_none() && adjusted.get() <= alpha.get() {
                *decided_at = Some(look);
            }
        }
    }
    let parts = candidates.iter().zip(evidence).zip(adjusted).zip(decided_at);
    parts
        .map(|(((candidate, evidence), adjusted_p_value), decided_at)| Decision {
            verdict: words(decided_at, evidence.estimate * candidate.good.sign()),
            adjusted_p_value,
            decided_at,
        })
        .collect()
}

fn words(decided_at: Option<usize>, improvement: f64) -> Verdict {
    if decided_at.is_none() {
        Verdict::Inconclusive
    } else if improvement > 0.0 {
        Verdict::Better
    } else {
        Verdict::Worse
    }
}

/// The strongest evidence of the looks so far, and the effect it is for.
#[derive(Clone, Copy)]
struct Evidence {
    p_value: PValue,
    estimate: f64,
}

impl Evidence {
    const NONE: Self = Self { p_value: PValue::ONE, estimate: 0.0 };

    fn add(&mut self, look: Option<&Result<Figures, NoFigure>>) {
        let Some(Ok(figures)) = look else { return };
        let Ok(p_value) = figures.p_value else { return };
        if p_value < self.p_value {
            *self = Self { p_value, estimate: figures.difference.estimate };
        }
    }
}

/// The share of the level at which intervals agree with the verdicts: with `R` discoveries among `m`
/// comparisons, `max(R, 1) / m`. An interval at this level excludes zero if and only if its
/// comparison is a discovery (Benjamini, Yekutieli, JASA 100, 2005; for evidence of any dependence,
/// Xu, Wang, Ramdas 2022, arXiv 2203.12572).
#[must_use]
pub fn discovery_share(p_values: &[PValue], alpha: Alpha) -> f64 {
    let adjusted = Correction::BenjaminiHochberg.adjust(p_values);
    let discoveries = adjusted.iter().filter(|p_value| p_value.get() <= alpha.get());
    let number = |count: usize| crate::moments::number(count as u64);
    number(discoveries.count().max(1)) / number(p_values.len().max(1))
}
