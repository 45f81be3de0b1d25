//! `assay compile`: project file in, snippet out.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use domain::{Project, Results};
use serde::Serialize;
use snippet::{Charset, CompileError, Report, Share, Snippet};

use crate::cli::{CompileArguments, CompiledCharset, SizeFormat};
use crate::failure::Failure;
use crate::{output, project_file, whole_file};

pub(crate) fn run(arguments: &CompileArguments) -> Result<(), Failure> {
    let is_source = |output: &&PathBuf| whole_file::is_same(output, &arguments.project_file);
    if let Some(output) = arguments.output.as_ref().filter(is_source) {
        let told = format_args!(
            "`{}` is the project file; write the snippet to another",
            output.display()
        );
        return Err(Failure::input(told));
    }
    let file = project_file::read(&arguments.project_file)?;
    for warning in &file.checked.warnings {
        output::complain(warning);
    }
    let project = file.checked.project;
    let start = Instant::now();
    let charset = match arguments.charset {
        CompiledCharset::Ascii => Charset::Ascii,
        CompiledCharset::Utf8 => Charset::Utf8,
    };
    let snippet = snippet::compile_for(&project, charset).map_err(refused)?;
    let took = start.elapsed();
    match (&arguments.output, arguments.report) {
        (Some(path), _) => whole_file::write(path, &snippet.javascript)?,
        (None, None) => output::print_exactly(&snippet.javascript),
        (None, Some(_)) => {}
    }
    if let Some(path) = arguments.output.as_ref().filter(|_| arguments.source_map) {
        let mut map = path.clone().into_os_string();
        map.push(".map");
        whole_file::write(Path::new(&map), &snippet.source_map)?;
    }
    if project.results == Results::On {
        let told = "note: `results` are on: pages send events to `/v1/events` of the host that serves this file, which has to pass them on to `assay serve`";
        output::complain(told);
    }
    match arguments.report {
        Some(format) => report(&project, &snippet, took, format),
        None => Ok(()),
    }
}

/// Code that the compiler cannot write is a fault of the file's.
pub(crate) fn refused(error: CompileError) -> Failure {
    let CompileError::Code(faults) = error else { return Failure::environment(error) };
    let each = faults.iter().map(|fault| format!("{}: {}", fault.pointer, fault.message));
    Failure::input(each.collect::<Vec<_>>().join("\n"))
}

#[derive(Serialize)]
struct TimedReport {
    #[serde(flatten)]
    report: Report,
    compile_milliseconds: f64,
}

fn report(
    project: &Project,
    snippet: &Snippet,
    took: Duration,
    format: SizeFormat,
) -> Result<(), Failure> {
    let report = snippet::report(project, snippet).map_err(Failure::environment)?;
    let report = TimedReport { report, compile_milliseconds: took.as_secs_f64() * 1000.0 };
    match format {
        SizeFormat::Json => {
            output::print(serde_json::to_string(&report).expect("a report is always JSON"));
        }
        SizeFormat::Text => output::print(text(&report)),
        SizeFormat::Html => output::print(console::size_report(&report.report)),
    }
    Ok(())
}

fn text(TimedReport { report, compile_milliseconds }: &TimedReport) -> String {
    let line = |what: &str, bytes: &snippet::Bytes| {
        format!(
            "{what:<12}{:>8} raw {:>8} gzip {:>8} brotli (bytes)",
            bytes.raw, bytes.gzip, bytes.brotli
        )
    };
    let mut lines = vec![
        format!(
            "project {} (campaigns: {}, experiments: {})",
            report.project_id, report.campaigns, report.experiments
        ),
        line("snippet", &report.bytes),
        line("for any data", &report.runtime),
    ];
    lines.push("\nwithout this feature, the snippet would be smaller by".to_owned());
    lines.extend(report.by_feature.iter().map(share));
    lines.push("\nwithout this experiment, the snippet would be smaller by".to_owned());
    lines.extend(report.by_experiment.iter().map(share));
    let rest = report.unweighed();
    if rest > 0 {
        lines.push(format!("  ({rest} more were not weighed: their documents are shorter)"));
    }
    lines.push(format!("\ncompiled in {compile_milliseconds:.1} ms"));
    lines.join("\n")
}

fn share(Share { of, raw, brotli }: &Share) -> String {
    format!("  {of:<40}{raw:>8} raw {brotli:>8} brotli")
}
