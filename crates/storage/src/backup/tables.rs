//! Which tables there are: those that the steps of the schema make, in the order in which they make them. So no row refers to a row
//! of a later table.

/// How a step makes a table.
const CREATE: &str = "CREATE TABLE ";

/// The names of all tables that these steps make.
pub(crate) fn made_by<'a>(steps: &[&'a str]) -> Vec<&'a str> {
    let lines = steps.iter().flat_map(|step| step.lines());
    lines.filter_map(|line| line.strip_prefix(CREATE)?.split([' ', '(']).next()).collect()
}

#[cfg(test)]
mod tests {
    use super::made_by;

    #[test]
    fn tables_come_as_they_are_made() {
        let steps = [
            "-- A remark.\nCREATE TABLE member (\n    id BIGINT\n);\nCREATE INDEX a ON member (id);",
            "ALTER TABLE member ADD COLUMN a TEXT;\nCREATE TABLE page(id BIGINT);\n",
        ];
        assert_eq!(made_by(&steps), ["member", "page"]);
    }
}
