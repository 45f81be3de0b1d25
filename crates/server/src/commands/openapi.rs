//! `assay openapi`: prints the description of the REST API.

use crate::output;

pub(crate) fn run() {
    output::print(format_args!("{:#}", api::openapi()));
}
