//! The arguments of commands for a running server, such as `assay apply`, `diff` and `export`.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Args;
use secrecy::SecretString;

pub(super) const DIFF_EXAMPLES: &str = "Examples:
  assay diff shop.yaml --server https://assay.example
  assay diff shop.yaml --exit-code || echo 'not applied yet'

Exit codes with --exit-code: 0 no differences, 1 differences, 2 wrong input or usage, 3 the server or a file fails.";

/// The server's address and an access token for it.
#[derive(Debug, Args)]
pub(crate) struct RemoteArguments {
    /// The server's address: https, or http on this machine. [default: that of the last `assay login`]
    #[arg(long, env = "ASSAY_SERVER", value_name = "URL")]
    pub(crate) server: Option<String>,
    /// An access token with `config:read`. Commands that change something need `config:write` as well, and those that publish, `publish`.
    /// Every user of this machine can see arguments: prefer the environment variable. [default: what `assay login` got]
    #[arg(long, env = "ASSAY_TOKEN", value_name = "TOKEN", hide_env_values = true, value_parser = token)]
    pub(crate) token: Option<SecretString>,
}

#[derive(Debug, Args)]
pub(crate) struct ApplyArguments {
    /// The project file; `-` reads standard input.
    pub(crate) project_file: PathBuf,
    #[command(flatten)]
    pub(crate) remote: RemoteArguments,
    /// Publish it, too.
    #[arg(long)]
    pub(crate) publish: bool,
    /// The revision's message.
    #[arg(long, value_name = "TEXT", default_value = "", requires = "publish")]
    pub(crate) message: String,
    /// Apply changes that visitors notice without asking for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Remove resources that the server has and the file does not.
    #[arg(long)]
    pub(crate) prune: bool,
    /// The `ETag` of the draft that the file is based on. [default: the present draft's]
    #[arg(long, value_name = "ETAG")]
    pub(crate) if_match: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// The project file; `-` reads standard input.
    pub(crate) project_file: PathBuf,
    #[command(flatten)]
    pub(crate) remote: RemoteArguments,
    /// Exit with 1 if there are differences, for pipelines.
    #[arg(long)]
    pub(crate) exit_code: bool,
    /// Print JSON: a list of changes. A project that the server does not have is one change of kind `project`.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// The id or the key of the project.
    pub(crate) project: String,
    #[command(flatten)]
    pub(crate) remote: RemoteArguments,
    /// A revision, instead of the draft.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) revision: Option<u32>,
    /// Where to write the project file. [default: standard output]
    #[arg(short, long, value_name = "OUT.yaml")]
    pub(crate) output: Option<PathBuf>,
    /// Write the files that the project file refers to as well, where their text is another. They are in the folder of OUT.yaml, or in
    /// the present one. A file that is there is overwritten only if OUT.yaml, as it is now, refers to it.
    #[arg(long)]
    pub(crate) files: bool,
    /// Write a new file, without the comments, order and references to files of the one that was applied.
    #[arg(long, conflicts_with = "files")]
    pub(crate) generate: bool,
}

/// A secret of a pipeline, or a paste, often ends with a line break.
#[expect(clippy::unnecessary_wraps, reason = "the argument parser asks for a result")]
pub(super) fn token(text: &str) -> Result<SecretString, Infallible> {
    Ok(SecretString::from(text.trim()))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::token;

    #[test]
    fn a_token_may_stand_on_a_line_of_its_own() {
        assert_eq!(token(" assay_pat_x\r\n").unwrap().expose_secret(), "assay_pat_x");
    }
}
