//! The values of a column as texts, as the same rows would have them in CSV.

use half::f16;
use jiff::Timestamp;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::data_type::{
    AsBytes, BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96Type,
};
use parquet::schema::types::ColumnDescriptor;

use super::TableError;
use crate::columns::{Group, odd};

const SECONDS_OF_DAY: i64 = 86_400;

/// Digits of the largest number of 128 bits.
const DIGITS_AT_MOST: usize = 38;

/// The texts of a column, `None` where there is no value.
pub(super) fn texts(group: &mut Group, place: usize) -> Result<Vec<Option<String>>, TableError> {
    let column = group.schema.column(place);
    let meaning = Meaning::of(&column);
    let number = |number: i64| meaning.number(number);
    match column.physical_type() {
        Type::BOOLEAN => each::<BoolType>(group, &column, |value| Some(value.to_string())),
        Type::INT32 => each::<Int32Type>(group, &column, |value| number(meaning.wide(*value))),
        Type::INT64 => each::<Int64Type>(group, &column, |value| number(*value)),
        Type::INT96 => each::<Int96Type>(group, &column, |value| {
            Timestamp::from_millisecond(value.to_millis()).ok().map(|moment| moment.to_string())
        }),
        Type::FLOAT => each::<FloatType>(group, &column, |value| Some(value.to_string())),
        Type::DOUBLE => each::<DoubleType>(group, &column, |value| Some(value.to_string())),
        Type::BYTE_ARRAY => {
            each::<ByteArrayType>(group, &column, |value| meaning.bytes(value.as_bytes()))
        }
        Type::FIXED_LEN_BYTE_ARRAY => {
            each::<FixedLenByteArrayType>(group, &column, |value| meaning.bytes(value.as_bytes()))
        }
    }
}

/// The texts of the values; what has none, says its column has another type.
fn each<T: DataType>(
    group: &mut Group,
    column: &ColumnDescriptor,
    text: impl Fn(&T::T) -> Option<String>,
) -> Result<Vec<Option<String>>, TableError> {
    let name = column.path().parts().join(".");
    let leaf = group.leaf::<T>(&name)?;
    let mut values = leaf.values.iter();
    let mut next = || {
        let value = values.next().ok_or_else(|| odd(&name))?;
        text(value).map(Some).ok_or_else(|| TableError::WrongType(name.clone()))
    };
    if column.max_def_level() == 0 {
        return (0..group.rows).map(|_| next()).collect();
    }
    let is_there = |defined: &i16| *defined == column.max_def_level();
    let defined = leaf.defined.iter().map(is_there);
    let all = defined.map(|is_there| if is_there { next() } else { Ok(None) });
    let all = all.collect::<Result<Vec<_>, _>>()?;
    if all.len() == group.rows { Ok(all) } else { Err(odd(&name).into()) }
}

/// What the numbers or bytes of a column mean.
enum Meaning {
    Plain,
    Unsigned,
    Day,
    Moment(TimeUnit),
    Decimal(usize),
    Half,
    Uuid,
    Text,
    Other,
}

impl Meaning {
    /// Older files tell the converted type only.
    fn of(column: &ColumnDescriptor) -> Self {
        let scale = |scale: i32| {
            let scale = usize::try_from(scale).ok().filter(|scale| *scale <= DIGITS_AT_MOST);
            scale.map_or(Self::Other, Self::Decimal)
        };
        if let Some(logical) = column.logical_type_ref() {
            return match logical {
                LogicalType::Timestamp(moment) => Self::Moment(moment.unit),
                LogicalType::Date => Self::Day,
                LogicalType::Decimal(decimal) => scale(decimal.scale),
                LogicalType::Integer(integer) if integer.is_signed => Self::Plain,
                LogicalType::Integer(_) => Self::Unsigned,
                LogicalType::Float16 => Self::Half,
                LogicalType::Uuid => Self::Uuid,
                LogicalType::String | LogicalType::Enum | LogicalType::Json => Self::Text,
                LogicalType::Map
                | LogicalType::List
                | LogicalType::Time(_)
                | LogicalType::Unknown
                | LogicalType::Bson
                | LogicalType::Variant(_)
                | LogicalType::Geometry(_)
                | LogicalType::Geography(_)
                | LogicalType::File
                | LogicalType::_Unknown { .. } => Self::Other,
            };
        }
        match column.converted_type() {
            ConvertedType::TIMESTAMP_MILLIS => Self::Moment(TimeUnit::MILLIS),
            ConvertedType::TIMESTAMP_MICROS => Self::Moment(TimeUnit::MICROS),
            ConvertedType::DATE => Self::Day,
            ConvertedType::DECIMAL => scale(column.type_scale()),
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Self::Unsigned,
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Self::Text,
            ConvertedType::NONE
            | ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64 => Self::Plain,
            ConvertedType::MAP
            | ConvertedType::MAP_KEY_VALUE
            | ConvertedType::LIST
            | ConvertedType::TIME_MILLIS
            | ConvertedType::TIME_MICROS
            | ConvertedType::BSON
            | ConvertedType::INTERVAL => Self::Other,
        }
    }

    /// A number of 32 bits in 64.
    fn wide(&self, number: i32) -> i64 {
        if matches!(self, Self::Unsigned) {
            return i64::from(number.cast_unsigned());
        }
        i64::from(number)
    }

    fn number(&self, number: i64) -> Option<String> {
        let moment = match self {
            Self::Plain => return Some(number.to_string()),
            Self::Unsigned => return Some(number.cast_unsigned().to_string()),
            Self::Decimal(scale) => return Some(decimal(i128::from(number), *scale)),
            Self::Day => Timestamp::from_second(number.checked_mul(SECONDS_OF_DAY)?),
            Self::Moment(TimeUnit::MILLIS) => Timestamp::from_millisecond(number),
            Self::Moment(TimeUnit::MICROS) => Timestamp::from_microsecond(number),
            Self::Moment(TimeUnit::NANOS) => Timestamp::from_nanosecond(i128::from(number)),
            Self::Half | Self::Uuid | Self::Text | Self::Other => return None,
        };
        moment.ok().map(|moment| moment.to_string())
    }

    fn bytes(&self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Text | Self::Plain => std::str::from_utf8(bytes).ok().map(str::to_owned),
            Self::Decimal(scale) => Some(decimal(big_endian(bytes)?, *scale)),
            Self::Half => Some(f16::from_le_bytes(bytes.try_into().ok()?).to_string()),
            Self::Uuid => uuid(bytes),
            Self::Unsigned | Self::Day | Self::Moment(_) | Self::Other => None,
        }
    }
}

fn decimal(number: i128, scale: usize) -> String {
    let (sign, size) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
    let digits = format!("{size:0width$}", width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

/// A number of 128 bits, the highest byte first, in two's complement; it may be written with more.
fn big_endian(bytes: &[u8]) -> Option<i128> {
    let is_negative = bytes.first()?.cast_signed() < 0;
    let (start, sign) = if is_negative { (-1, u8::MAX) } else { (0, 0) };
    let (further, own) = bytes.split_at(bytes.len().saturating_sub(16));
    let number = own.iter().fold(start, |number: i128, byte| number << 8 | i128::from(*byte));
    let fits = further.iter().all(|byte| *byte == sign) && (number < 0) == is_negative;
    fits.then_some(number)
}

fn uuid(bytes: &[u8]) -> Option<String> {
    let digits = hex::encode(bytes);
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|place| digits.get(place));
    let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
    (digits.len() == 32).then(|| parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::{big_endian, decimal, uuid};

    #[test]
    fn decimal_numbers_are_written_with_their_point() {
        assert_eq!(decimal(1_999, 2), "19.99");
        assert_eq!(decimal(-5, 3), "-0.005");
        assert_eq!(decimal(7, 0), "7");
        assert_eq!(decimal(i128::MIN, 38), "-1.70141183460469231731687303715884105728");
    }

    #[test]
    fn bytes_are_numbers_and_uuids() {
        assert_eq!(big_endian(&[0xFF, 0x38]), Some(-200));
        assert_eq!(big_endian(&[0x00, 0xC8]), Some(200));
        assert_eq!(big_endian(&[&[u8::MAX; 20][..], &[0x38]].concat()), Some(-200));
        let wide = |first: u8, next: u8| big_endian(&[&[first, next][..], &[0; 15]].concat());
        assert_eq!((big_endian(&[]), wide(0, 0)), (None, Some(0)));
        assert_eq!((wide(1, 0), wide(0, 0x80), wide(0xFF, 0x7F)), (None, None, None));
        let bytes: Vec<u8> = (0..16).collect();
        assert_eq!(uuid(&bytes).as_deref(), Some("00010203-0405-0607-0809-0a0b0c0d0e0f"));
        assert_eq!(uuid(&bytes[1..]), None);
    }
}
