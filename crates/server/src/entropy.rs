//! The real randomness: the only place that asks the operating system for it.

use app::Entropy;

/// The operating system's random generator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is the place that makes random bytes")]
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer)
            .expect("an operating system without randomness cannot keep secrets");
    }
}
