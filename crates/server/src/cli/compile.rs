//! The arguments of `assay compile`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub(super) const EXAMPLES: &str = "Example:
  assay compile shop.yaml -o shop.js --report text";

#[derive(Debug, Args)]
pub(crate) struct CompileArguments {
    /// The project file.
    pub(crate) project_file: PathBuf,
    /// Where to write the snippet. [default: standard output, or nowhere with --report]
    #[arg(short, long, value_name = "OUT.js")]
    pub(crate) output: Option<PathBuf>,
    /// Write a source map beside the snippet, as OUT.js.map.
    #[arg(long, requires = "output")]
    pub(crate) source_map: bool,
    /// Print the size of the snippet and of its parts; as HTML, a page with charts.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) report: Option<SizeFormat>,
    /// Which characters to write. ASCII works in a page of any encoding; UTF-8 is shorter, but the server must declare the charset.
    #[arg(long, value_enum, default_value = "ascii")]
    pub(crate) charset: CompiledCharset,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CompiledCharset {
    Ascii,
    #[value(name = "utf-8")]
    Utf8,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SizeFormat {
    Json,
    Text,
    Html,
}
