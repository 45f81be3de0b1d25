//! Many comparisons: twenty without an effect have a winner by chance in 64 % of all experiments.
//!
//! Results use [`Correction::BenjaminiHochberg`] over primary metrics × variations. It holds where
//! these are independent or depend on each other positively, and in any case at `α(1 + 1/2 + … +
//! 1/m)` (Benjamini, Yekutieli, Annals of Statistics 29, 2001): the smallest p-value of several
//! looks is no single piece of evidence, which would hold without that factor.

use crate::PValue;
use crate::moments::number;

/// How p-values are adjusted for their number. An adjusted p-value of at most `α` is a discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// False discovery rate (Benjamini, Hochberg, JRSS B 57, 1995). The one that results use.
    BenjaminiHochberg,
    /// False discovery rate under any dependence (Benjamini, Yekutieli, Annals of Statistics 29, 2001).
    BenjaminiYekutieli,
    /// Any false discovery: every p-value times their number.
    Bonferroni,
    /// Any false discovery, for independent tests (Šidák, JASA 62, 1967).
    Sidak,
    /// Any false discovery, step down (Holm, Scandinavian Journal of Statistics 6, 1979).
    Holm,
    /// Any false discovery, step up (Simes, Biometrika 73, 1986; Hochberg, Biometrika 75, 1988).
    SimesHochberg,
    /// Any false discovery (Hommel, Biometrika 75, 1988).
    Hommel,
}

impl Correction {
    /// The adjusted p-values, in the order of `p_values`.
    #[must_use]
    pub fn adjust(self, p_values: &[PValue]) -> Vec<PValue> {
        let mut order = (0..p_values.len()).collect::<Vec<_>>();
        order.sort_by(|a, b| p_values[*a].get().total_cmp(&p_values[*b].get()));
        let sorted = order.iter().map(|place| p_values[*place].get()).collect::<Vec<_>>();
        let mut adjusted = vec![PValue::ONE; p_values.len()];
        for (place, value) in order.into_iter().zip(self.adjust_sorted(&sorted)) {
            adjusted[place] = PValue::new(value);
        }
        adjusted
    }

    fn adjust_sorted(self, sorted: &[f64]) -> Vec<f64> {
        let all = ranks(sorted).last().unwrap_or(0.0);
        let up_to_here = || sorted.iter().zip(ranks(sorted));
        let from_here = || sorted.iter().zip(ranks(sorted).map(move |rank| all - rank + 1.0));
        match self {
            Self::BenjaminiHochberg => step_up(up_to_here().map(|(p, rank)| p * all / rank)),
            Self::BenjaminiYekutieli => {
                let harmonic = ranks(sorted).map(f64::recip).sum::<f64>();
                step_up(up_to_here().map(|(p, rank)| p * all * harmonic / rank))
            }
            Self::Bonferroni => sorted.iter().map(|p| p * all).collect(),
            Self::Sidak => sorted.iter().map(|p| -(all * (-p).ln_1p()).exp_m1()).collect(),
            Self::Holm => step_down(from_here().map(|(p, left)| p * left)),
            Self::SimesHochberg => step_up(from_here().map(|(p, left)| p * left)),
            Self::Hommel => hommel(sorted),
        }
    }
}

/// 1, 2, 3, … for each value.
fn ranks(values: &[f64]) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + use<> {
    (0..values.len()).map(|place| number(place as u64 + 1))
}

/// No value is above a later one.
fn step_up(raw: impl DoubleEndedIterator<Item = f64>) -> Vec<f64> {
    let mut adjusted = running(raw.rev(), f64::min);
    adjusted.reverse();
    adjusted
}

/// No value is below an earlier one.
fn step_down(raw: impl Iterator<Item = f64>) -> Vec<f64> {
    running(raw, f64::max)
}

fn running(raw: impl Iterator<Item = f64>, choose: fn(f64, f64) -> f64) -> Vec<f64> {
    let mut chosen = None;
    raw.map(|value| *chosen.insert(chosen.map_or(value, |before| choose(before, value)))).collect()
}

/// The algorithm of Wright, "Adjusted P-Values for Simultaneous Inference", Biometrics 48, 1992.
fn hommel(sorted: &[f64]) -> Vec<f64> {
    let mut adjusted = sorted.to_vec();
    for size in (2..=sorted.len()).rev() {
        let factor = number(size as u64);
        let first_of_tail = sorted.len() - size;
        let tail = &sorted[first_of_tail..];
        let smallest = tail.iter().zip(ranks(tail)).map(|(p, rank)| factor * p / rank);
        let smallest = smallest.fold(f64::INFINITY, f64::min);
        for (place, value) in adjusted.iter_mut().enumerate() {
            let bound =
                if place < first_of_tail { smallest.min(factor * sorted[place]) } else { smallest };
            *value = value.max(bound);
        }
    }
    adjusted
}
