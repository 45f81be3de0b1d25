//! The arguments of `assay decide`.

use std::path::PathBuf;

use clap::Args;

use super::values::pair;

pub(super) const USAGE: &str = "assay decide <PROJECT_FILE> --visitor <ID> --url <URL> [OPTIONS]
       assay decide <PROJECT_FILE> --visits <FILE> [--json]";

pub(super) const EXAMPLES: &str = "Examples:
  assay decide shop.yaml --visitor ada --url https://shop.example/
  assay decide shop.yaml --visitor ada --url https://shop.example/ --attribute plan=pro --stored hero=short
  assay decide shop.yaml --visits visits.jsonl --json > answers.jsonl

A line of visits.jsonl: {\"visitor_id\": \"ada\", \"url\": \"https://shop.example/\", \"attributes\": {\"plan\": \"pro\"}}";

#[derive(Debug, Args)]
pub(crate) struct DecideArguments {
    /// The project file.
    pub(crate) project_file: PathBuf,
    /// The visitor's id: the value of the visitor cookie.
    #[arg(long, value_name = "ID", required_unless_present = "visits", conflicts_with = "visits")]
    pub(crate) visitor: Option<String>,
    /// The address of the page.
    #[arg(long, value_name = "URL", required_unless_present = "visits", conflicts_with = "visits")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) details: VisitDetails,
    /// Read visits from a file instead, one JSON object per line; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "VisitDetails")]
    pub(crate) visits: Option<PathBuf>,
    /// Print JSON, one answer per line. A line that is no visit is answered with its number and an `error`.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Further facts about a visit. A condition on a fact that is left out is unknown.
#[derive(Debug, Args)]
#[group(multiple = true)]
pub(crate) struct VisitDetails {
    /// The address the visitor came from.
    #[arg(long, value_name = "URL")]
    pub(crate) referrer: Option<String>,
    /// A cookie, as the browser shows it. Repeat for several.
    #[arg(long = "cookie", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) cookies: Vec<(String, String)>,
    /// A custom attribute of the visitor, by key or id. Repeat for several.
    #[arg(long = "attribute", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) attributes: Vec<(String, String)>,
    /// The browser's user agent.
    #[arg(long, value_name = "TEXT")]
    pub(crate) user_agent: Option<String>,
    /// How many touch points the screen has. A Macintosh with more than one is an iPad.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) touch_points: Option<u32>,
    /// The browser's language, such as en-US.
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// The visitor's local time.
    #[arg(long, value_name = "YYYY-MM-DDTHH:MM")]
    pub(crate) local_time: Option<String>,
    /// The visitor's location: country, region, city, continent and market area, or part of it, such as US|CA.
    #[arg(long, value_name = "PLACE")]
    pub(crate) location: Option<String>,
    /// Whether this is the visitor's first session.
    #[arg(long, value_name = "true|false")]
    pub(crate) first_session: Option<bool>,
    /// The visitor's earlier variation of an experiment, both by key or id. Repeat for several.
    #[arg(long = "stored", value_name = "EXPERIMENT=VARIATION", value_parser = pair)]
    pub(crate) stored: Vec<(String, String)>,
    /// A variation to show, by key or id, as `?experimentation_x=` in the address does. Repeat for several.
    #[arg(long, value_name = "VARIATION")]
    pub(crate) force: Vec<String>,
    /// A page that the site itself activates, by key or id. Repeat for several.
    #[arg(long = "page", value_name = "PAGE")]
    pub(crate) pages: Vec<String>,
}
