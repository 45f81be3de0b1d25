//! Bars: what each part adds to the live snippet and to that of the draft.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use app::revisions::{Report, Share};

/// Parts as rows of a table, those that add the most first.
pub(super) struct Chart {
    /// Its id, and its title.
    pub(super) heading: (&'static str, &'static str),
    /// What a row is.
    pub(super) part: &'static str,
    pub(super) rows: Vec<Row>,
    /// Parts that were not weighed.
    pub(super) more: usize,
}

/// What a part adds, in bytes as most browsers receive them.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) live: Option<Bar>,
    pub(super) draft: Option<Bar>,
}

/// A bar of the chart.
#[derive(Clone, Copy)]
pub(super) struct Bar {
    pub(super) bytes: i64,
    /// Its length in hundredths of the longest.
    pub(super) width: i64,
}

impl Chart {
    pub(super) fn of_features(live: Option<&Report>, draft: Option<&Report>) -> Self {
        let rows = rows(live, draft, |report| &report.by_feature);
        Self { heading: ("features", "By feature"), part: "Feature", rows, more: 0 }
    }

    pub(super) fn of_experiments(live: Option<&Report>, draft: Option<&Report>) -> Self {
        let rows = rows(live, draft, |report| &report.by_experiment);
        let more =
            [live, draft].into_iter().flatten().map(Report::unweighed).max().unwrap_or_default();
        Self { heading: ("experiments", "By experiment"), part: "Campaign/experiment", rows, more }
    }
}

fn rows(
    live: Option<&Report>,
    draft: Option<&Report>,
    shares: fn(&Report) -> &Vec<Share>,
) -> Vec<Row> {
    let mut parts: BTreeMap<&str, [Option<i64>; 2]> = BTreeMap::new();
    for (place, report) in [live, draft].into_iter().enumerate() {
        for share in report.into_iter().flat_map(shares) {
            parts.entry(&share.of).or_default()[place] = Some(share.brotli);
        }
    }
    let longest = parts.values().flatten().flatten().copied().max().unwrap_or_default().max(1);
    let bar = |bytes| Bar::of(bytes, longest);
    let rows = parts.into_iter().map(|(name, [live, draft])| Row {
        name: name.replace('_', " "),
        live: live.map(bar),
        draft: draft.map(bar),
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| Reverse(row.largest()));
    rows
}

impl Bar {
    pub(super) fn of(bytes: i64, longest: i64) -> Self {
        Self { bytes, width: bytes.max(0) * 100 / longest }
    }
}

impl Row {
    fn largest(&self) -> i64 {
        [self.live, self.draft].into_iter().flatten().map(|bar| bar.bytes).max().unwrap_or_default()
    }

    /// How many bytes the draft adds or saves, if it changes them.
    pub(super) fn difference(&self) -> Option<String> {
        let bytes = |bar: Option<Bar>| bar.map_or(0, |bar| bar.bytes);
        let difference = bytes(self.draft) - bytes(self.live);
        (difference != 0).then(|| signed(difference))
    }
}

/// A number with its sign.
pub(crate) fn signed(difference: i64) -> String {
    if difference > 0 {
        format!("+{difference}")
    } else {
        format!("−{}", difference.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn a_difference_has_its_sign() {
        assert_eq!([signed(12), signed(-3)], ["+12", "−3"]);
    }
}
