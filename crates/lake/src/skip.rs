//! Which row groups can be skipped, by the least and the largest values that their columns have.

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;
use parquet::schema::types::SchemaDescriptor;

use crate::Wanted;
use crate::schema::{EVENT, EXPOSURE};

/// Whether a row group may have something that is wanted.
pub(crate) fn may_have(
    group: &RowGroupMetaData,
    schema: &SchemaDescriptor,
    wanted: &Wanted,
) -> bool {
    let statistics = |name: &str| {
        let mut columns = schema.columns().iter();
        let place = columns.position(|column| column.path().parts() == [name])?;
        group.columns().get(place)?.statistics()
    };
    let kinds = texts(statistics("kind"));
    let may_be = |kind: &str| {
        kinds.least.as_deref().is_none_or(|least| least <= kind)
            && kinds.most.as_deref().is_none_or(|most| kind <= most)
    };
    let Bounds { least, most } = numbers(statistics("visitor"));
    let visitors = least.is_none_or(|least| least <= wanted.visitors.end().number())
        && most.is_none_or(|most| wanted.visitors.start().number() <= most);
    let exposures = || {
        let Bounds { least, most } = numbers(statistics("experiment_id"));
        let number = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        wanted.exposures.any_between(number(least).as_ref(), number(most).as_ref())
    };
    let events = || {
        let Bounds { least, most } = texts(statistics("name"));
        wanted.events.any_between(least.as_deref(), most.as_deref())
    };
    visitors && ((may_be(EXPOSURE) && exposures()) || (may_be(EVENT) && events()))
}

/// The least and the largest value of a column; `None` for what is not known.
struct Bounds<T> {
    least: Option<T>,
    most: Option<T>,
}

impl<T> Bounds<T> {
    const UNKNOWN: Self = Self { least: None, most: None };
}

fn numbers(statistics: Option<&Statistics>) -> Bounds<i64> {
    let Some(Statistics::Int64(values)) = statistics else { return Bounds::UNKNOWN };
    Bounds { least: values.min_opt().copied(), most: values.max_opt().copied() }
}

/// Long texts may be cut: the least one then comes before all, and the largest after them.
fn texts(statistics: Option<&Statistics>) -> Bounds<String> {
    let Some(Statistics::ByteArray(values)) = statistics else { return Bounds::UNKNOWN };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    Bounds {
        least: values.min_bytes_opt().and_then(text),
        most: values.max_bytes_opt().and_then(text),
    }
}
