//! The arguments of `assay simulate`.

use std::path::PathBuf;

use app::events::{Behavior, Effect};
use clap::Args;

pub(super) const EXAMPLES: &str = "Examples:
  assay simulate shop.yaml --url https://shop.example/ --visitors 20000 --event purchase=5% --server http://127.0.0.1:8080
  assay simulate shop.yaml --url https://shop.example/ --event purchase=5%:1999 --effect purchase:short=+8% --server http://127.0.0.1:8080

Without any effect, all variations are alike: one that wins then wins by chance.";

#[derive(Debug, Args)]
pub(crate) struct SimulateArguments {
    /// The project file, as it is live on the server.
    pub(crate) project: PathBuf,
    /// The page that visitors open.
    #[arg(long)]
    pub(crate) url: String,
    /// The server that counts.
    #[arg(long, value_name = "URL")]
    pub(crate) server: String,
    /// How many visitors come.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) visitors: u32,
    /// Over how many days, up to now. The server accepts no older events.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=6))]
    pub(crate) days: u32,
    /// Something that a share of the visitors does, and what it is worth on average in the currency's smallest unit. Repeat for several.
    #[arg(long = "event", value_name = "EVENT=SHARE[:REVENUE]", value_parser = behavior)]
    pub(crate) behaviors: Vec<Behavior>,
    /// By how much a variation changes that share. Repeat for several.
    #[arg(long = "effect", value_name = "EVENT:VARIATION=CHANGE", value_parser = effect)]
    pub(crate) effects: Vec<Effect>,
    /// The same seed makes the same visitors.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// `purchase=5%:1999`.
fn behavior(text: &str) -> Result<Behavior, String> {
    let expected = "expected an event, `=` and a share up to 100%, such as `purchase=5%` or `purchase=5%:1999`";
    let read = || {
        let (event, rest) = text.split_once('=')?;
        let (share, revenue) = match rest.split_once(':') {
            Some((share, revenue)) => (share, Some(revenue.parse().ok()?)),
            None => (rest, None),
        };
        let share = percent(share).filter(|share| (0.0..=1.0).contains(share))?;
        (!event.is_empty()).then(|| Behavior { event: event.to_owned(), share, revenue })
    };
    read().ok_or_else(|| expected.to_owned())
}

/// `purchase:short=+8%`.
fn effect(text: &str) -> Result<Effect, String> {
    let expected = "expected an event, `:`, a variation, `=` and a change, such as `purchase:short=+8%` or `purchase:short=-3%`";
    let read = || {
        let (named, change) = text.split_once('=')?;
        let (event, variation) = named.split_once(':')?;
        let change = percent(change).filter(|change| (-1.0..=100.0).contains(change))?;
        let (event, variation) = (event.to_owned(), variation.to_owned());
        Some(Effect { event, variation, factor: 1.0 + change })
    };
    read().ok_or_else(|| expected.to_owned())
}

fn percent(text: &str) -> Option<f64> {
    let number: f64 = text.strip_suffix('%')?.trim().parse().ok()?;
    Some(number / 100.0)
}

#[cfg(test)]
mod tests {
    use super::{behavior, effect};

    #[test]
    fn shares_revenue_and_changes_are_read() {
        let bought = behavior("purchase=2.5%:1999").unwrap();
        assert_eq!(
            (bought.event.as_str(), bought.share, bought.revenue),
            ("purchase", 0.025, Some(1999))
        );
        assert_eq!(behavior("signup=10%").unwrap().revenue, None);
        let more = effect("purchase:short=+8%").unwrap();
        assert_eq!((more.variation.as_str(), more.factor), ("short", 1.08));
        assert!((effect("purchase:short=-3%").unwrap().factor - 0.97).abs() < 1e-12);
    }

    #[test]
    fn an_unreadable_behavior_or_effect_is_refused_with_an_example() {
        for text in
            ["purchase", "purchase=5", "purchase=101%", "=5%", "purchase=5%:x", "purchase=NaN%"]
        {
            assert!(behavior(text).unwrap_err().contains("such as `purchase=5%`"), "{text}");
        }
        for text in
            ["purchase=8%", "purchase:short=8", "purchase:short=-101%", "purchase:short=inf%"]
        {
            assert!(effect(text).unwrap_err().contains("such as `purchase:short=+8%`"), "{text}");
        }
    }
}
