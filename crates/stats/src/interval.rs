//! An interval of plausible values.

/// All values from `lower` to `upper`. An end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl Interval {
    /// The interval that reaches `half_width` to both sides of `center`.
    #[must_use]
    pub fn around(center: f64, half_width: f64) -> Self {
        Self { lower: center - half_width, upper: center + half_width }
    }

    /// Whether `value` lies in it, ends included.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// Both ends times `factor`, in order.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let (a, b) = (self.lower * factor, self.upper * factor);
        Self { lower: a.min(b), upper: a.max(b) }
    }
}
