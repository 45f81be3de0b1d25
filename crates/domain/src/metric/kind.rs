//! How events become the number of a metric.

use crate::words::words;
use crate::{BasisPoints, CovariateDays, MeasuredEvents, MetricCap};

/// How events become the number of a metric, with what only such a metric has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetricKind {
    /// The share of visitors with an event.
    Conversion {
        /// The days before the first exposure that explain a part of the value.
        covariate: Option<CovariateDays>,
    },
    /// Events per visitor.
    Count {
        /// The most that a visitor's value can be.
        cap: Option<MetricCap>,
        /// The days before the first exposure that explain a part of the value.
        covariate: Option<CovariateDays>,
    },
    /// The total of a visitor's values, per visitor.
    Sum {
        /// The most that a visitor's value can be, either way.
        cap: Option<MetricCap>,
        /// The days before the first exposure that explain a part of the value.
        covariate: Option<CovariateDays>,
    },
    /// Value per event: the total of all values by the number of events.
    Mean,
    /// The total of one thing by the total of another.
    Ratio {
        /// The denominator.
        per: MeasuredEvents,
    },
    /// A quantile of the visitors' totals.
    Quantile {
        /// Which quantile: more than 0 %, and less than 100 %.
        level: BasisPoints,
    },
}

impl MetricKind {
    /// How documents name it.
    #[must_use]
    pub fn metric_type(&self) -> MetricType {
        match self {
            Self::Conversion { .. } => MetricType::Conversion,
            Self::Count { .. } => MetricType::Count,
            Self::Sum { .. } => MetricType::Sum,
            Self::Mean => MetricType::Mean,
            Self::Ratio { .. } => MetricType::Ratio,
            Self::Quantile { .. } => MetricType::Quantile,
        }
    }

    /// The denominator of a ratio. That of a mean is the number of its events.
    #[must_use]
    pub fn per(&self) -> Option<&MeasuredEvents> {
        match self {
            Self::Ratio { per } => Some(per),
            Self::Conversion { .. }
            | Self::Count { .. }
            | Self::Sum { .. }
            | Self::Mean
            | Self::Quantile { .. } => None,
        }
    }

    /// Which quantile, if it is one.
    #[must_use]
    pub fn quantile(&self) -> Option<BasisPoints> {
        match self {
            Self::Quantile { level } => Some(*level),
            Self::Conversion { .. }
            | Self::Count { .. }
            | Self::Sum { .. }
            | Self::Mean
            | Self::Ratio { .. } => None,
        }
    }

    /// The most that a visitor's value can be, either way.
    #[must_use]
    pub fn cap(&self) -> Option<MetricCap> {
        match self {
            Self::Count { cap, .. } | Self::Sum { cap, .. } => *cap,
            Self::Conversion { .. } | Self::Mean | Self::Ratio { .. } | Self::Quantile { .. } => {
                None
            }
        }
    }

    /// The days before the first exposure that explain a part of the value.
    #[must_use]
    pub fn covariate(&self) -> Option<CovariateDays> {
        match self {
            Self::Conversion { covariate }
            | Self::Count { covariate, .. }
            | Self::Sum { covariate, .. } => *covariate,
            Self::Mean | Self::Ratio { .. } | Self::Quantile { .. } => None,
        }
    }
}

words! {
    /// The `type` of a metric in documents: the name of its kind.
    pub enum MetricType {
        /// The share of visitors with an event.
        Conversion = "conversion",
        /// Events per visitor.
        Count = "count",
        /// The total of a visitor's values, per visitor.
        Sum = "sum",
        /// Value per event: the total of all values by the number of events.
        Mean = "mean",
        /// The total of one thing by the total of another.
        Ratio = "ratio",
        /// A quantile of the visitors' totals.
        Quantile = "quantile",
    }
}
