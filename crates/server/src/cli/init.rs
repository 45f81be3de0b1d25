//! The arguments of `assay init`.

use std::path::PathBuf;

use clap::Args;
use domain::Key;
use url::Url;

pub(super) const EXAMPLES: &str = "Examples:
  assay init
  assay init shop.yaml --site https://shop.example --name 'Our shop'";

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The file to write, which must not be there yet: JSON if its name ends in `.json`, else YAML with comments. `-` is standard output.
    #[arg(value_name = "FILE", default_value = "project.yaml")]
    pub(crate) project_file: PathBuf,
    /// The address of the site, as visitors see it.
    #[arg(long, value_name = "URL", default_value = "http://localhost:3000", value_parser = site)]
    pub(crate) site: Url,
    /// The project's name. [default: the name of the folder]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The project's key, by which commands know it. [default: made of the letters `a-z` and digits of the name]
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<Key>,
}

fn site(text: &str) -> Result<Url, String> {
    let url: Url =
        text.parse().map_err(|error| format!("{error}, expected such as https://shop.example"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("expected an http or https address, such as https://shop.example".to_owned());
    }
    Ok(url)
}
