//! `assay compile --report html`: what each feature and experiment of a snippet costs the visitor, as a file to open and to pass on.

use app::revisions::{Bytes, Report, Share};
use askama::Template;

use super::chart::Bar;

/// Milliseconds of a first view that a thousand uncompressed bytes of the runtime take, and of the project's data. Chromium on a desktop's
/// processor that was busy; `bench/README.md` says how they were measured.
const RUNTIME_MS: f64 = 0.34;
const DATA_MS: f64 = 0.12;

/// The colours of the console's pages, by day and by night.
const TOKENS: &str = include_str!("../../assets/tokens.css");

#[derive(Template)]
#[template(path = "size_report.html")]
struct SizeReport<'r> {
    tokens: &'static str,
    project_id: &'r str,
    sizes: [(&'static str, Bytes); 2],
    /// What a first view spends on the whole snippet.
    whole_ms: String,
    charts: [Chart<'r>; 2],
    /// Experiments that were not weighed.
    more: usize,
}

struct Chart<'r> {
    id: &'static str,
    title: &'static str,
    rows: Vec<Row<'r>>,
}

struct Row<'r> {
    share: &'r Share,
    name: String,
    bar: Bar,
    milliseconds: String,
    advice: &'static str,
}

/// The report as a page that needs nothing else.
///
/// # Panics
/// Never: the template has no filter that fails.
#[must_use]
pub fn size_report(report: &Report) -> String {
    let charts = [
        Chart::of("features", "By feature", &report.by_feature, RUNTIME_MS),
        Chart::of("experiments", "By experiment", &report.by_experiment, DATA_MS),
    ];
    let page = SizeReport {
        tokens: TOKENS,
        project_id: &report.project_id,
        sizes: [
            ("The whole snippet", report.bytes),
            ("Its runtime, as it is for any data", report.runtime),
        ],
        whole_ms: whole_milliseconds(report),
        charts,
        more: report.unweighed(),
    };
    page.render().expect("the template has no filter that fails")
}

impl<'r> Chart<'r> {
    fn of(id: &'static str, title: &'static str, shares: &'r [Share], thousand_ms: f64) -> Self {
        let longest = shares.iter().map(|share| share.brotli).max().unwrap_or_default().max(1);
        let row = |share: &'r Share| Row {
            name: share.of.replace('_', " "),
            bar: Bar::of(share.brotli, longest),
            milliseconds: milliseconds(share.raw, thousand_ms),
            advice: advice(&share.of),
            share,
        };
        Self { id, title, rows: shares.iter().map(row).collect() }
    }
}

fn whole_milliseconds(report: &Report) -> String {
    let [whole, runtime] = [report.bytes.raw, report.runtime.raw.min(report.bytes.raw)];
    format!("{:.1}", thousands(runtime) * RUNTIME_MS + thousands(whole - runtime) * DATA_MS)
}

#[expect(clippy::cast_precision_loss, reason = "no snippet has 2^52 bytes")]
fn thousands(bytes: usize) -> f64 {
    bytes as f64 / 1000.0
}

#[expect(clippy::cast_precision_loss, reason = "no snippet has 2^52 bytes")]
fn milliseconds(raw: i64, thousand_ms: f64) -> String {
    format!("{:.2}", raw.max(0) as f64 / 1000.0 * thousand_ms)
}

/// How a project goes without a feature, where that is a setting and nothing that it was made for.
fn advice(feature: &str) -> &'static str {
    match feature {
        "data" => "snippet.data: false, if no code of yours reads get(\"data\")",
        "utils" => "snippet.utils: false, if no code of yours waits with get(\"utils\")",
        "force" => "snippet.allow_force: false, if no member looks at variations by address",
        "explain" => "snippet.explain: false, for visitors",
        "preview" => "snippet.preview: false, if your team follows no preview links",
        "global_aliases" => "snippet.global_aliases: [], once no code asks under another name",
        "undo" => "undo_changes: false, for pages that are left by loading another",
        "results" => "results: off, where another tool counts",
        "weights" => "equal weights",
        "campaign_pages" => "one page for each campaign",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(of: &str) -> Report {
        let bytes = Bytes { raw: 13_000, gzip: 6_000, brotli: 5_500 };
        let share = |of: &str, raw, brotli| Share { of: of.to_owned(), raw, brotli };
        Report {
            project_id: "1000".to_owned(),
            snippet_hash: "abc".to_owned(),
            bytes,
            runtime: bytes,
            features: Vec::new(),
            campaigns: 1,
            experiments: 3,
            by_feature: vec![share("data", 1000, 300), share("url_simple", 100, -2)],
            by_experiment: vec![share(of, 200, 60)],
        }
    }

    #[test]
    fn parts_have_bytes_milliseconds_and_what_to_switch_off() {
        let page = size_report(&report("hero/hero"));

        insta::assert_snapshot!(page.split_once("<main>").unwrap().1);
    }

    #[test]
    fn names_are_text() {
        let page = size_report(&report("<script>alert(1)</script>/hero"));

        assert!(!page.contains("<script"), "{page}");
    }
}
