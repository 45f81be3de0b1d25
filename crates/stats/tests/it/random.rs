//! Random draws from a seed, so that a simulation gives the same figures everywhere.

use stats::special::normal;

/// `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Strictly between zero and one.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0
    }

    pub(crate) fn normal(&mut self) -> f64 {
        normal::quantile(self.uniform())
    }
}

/// The number of successes among `trials`, drawn by its distribution function.
pub(crate) struct Binomial {
    cumulative: Vec<f64>,
}

impl Binomial {
    pub(crate) fn new(trials: u32, rate: f64) -> Self {
        let mut term = (1.0 - rate).powi(trials.cast_signed());
        let mut sum = 0.0;
        let mut cumulative = Vec::new();
        for successes in 0..=trials {
            sum += term;
            cumulative.push(sum);
            term *= f64::from(trials - successes) / f64::from(successes + 1) * rate / (1.0 - rate);
        }
        Self { cumulative }
    }

    pub(crate) fn draw(&self, random: &mut Random) -> u64 {
        let uniform = random.uniform();
        let place = self.cumulative.partition_point(|sum| *sum < uniform);
        place.min(self.cumulative.len() - 1) as u64
    }
}
