//! `assay schema`: prints the JSON Schema of the project file.

use crate::output;

pub(crate) fn run() {
    output::print(format_args!("{:#}", domain::json_schema()));
}
