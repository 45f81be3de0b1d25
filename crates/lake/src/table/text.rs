//! The values of a column as texts, as the same rows would have them in CSV.

use half::f16;
use jiff::Timestamp;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::data_type::{
    AsBytes, BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96Type,
};
use parquet::schema::types::ColumnDescriptor;
use thiserror::Error;

use super::TableError;
use crate::columns::{Group, odd};

const SECONDS_OF_DAY: i64 = 86_400;

/// Digits of the largest number of 128 bits.
const DIGITS_AT_MOST: usize = 38;

/// The text of a value, `None` where there is none.
pub(super) type Text = Result<Option<String>, Fault>;

/// Why a value has no text, although others of its column have one. Reads on from the name of the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum Fault {
    /// `infinity` is kept so, and 9999-12-31, which stands for no end.
    #[error("is a moment after 9999-12-30")]
    TooLate,
    #[error("is a moment before the year -9999")]
    TooEarly,
    #[error("is not valid UTF-8")]
    NoUtf8,
    #[error("is a number of more than 128 bits")]
    TooWide,
    #[error(
        "is a floating-point number that is not whole or has lost digits; hint: make it a text where it is still exact"
    )]
    Rounded,
}

/// How exact the texts of a column have to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exactness {
    /// Two numbers that were rounded may be the same.
    AsItIs,
    /// They tell visitors or events apart.
    EachDigit,
}

/// Why there is no text.
enum NoText {
    /// No value of such a column has one.
    Column,
    Value(Fault),
}

/// The texts of a column.
pub(super) fn texts(
    group: &mut Group,
    place: usize,
    exactness: Exactness,
) -> Result<Vec<Text>, TableError> {
    let column = group.schema.column(place);
    let meaning = Meaning::of(&column);
    let number = |number: i64| meaning.number(number);
    let bytes = |bytes: &[u8]| meaning.bytes(bytes, exactness);
    match column.physical_type() {
        Type::BOOLEAN => each::<BoolType>(group, &column, |value| Ok(value.to_string())),
        Type::INT32 => each::<Int32Type>(group, &column, |value| number(meaning.wide(*value))),
        Type::INT64 => each::<Int64Type>(group, &column, |value| number(*value)),
        Type::INT96 => each::<Int96Type>(group, &column, |value| {
            let milliseconds = value.to_millis();
            moment(Timestamp::from_millisecond(milliseconds).ok(), milliseconds)
        }),
        Type::FLOAT => {
            each::<FloatType>(group, &column, |value| float(*value, FLOAT_DIGITS, exactness))
        }
        Type::DOUBLE => {
            each::<DoubleType>(group, &column, |value| float(*value, DOUBLE_DIGITS, exactness))
        }
        Type::BYTE_ARRAY => each::<ByteArrayType>(group, &column, |value| bytes(value.as_bytes())),
        Type::FIXED_LEN_BYTE_ARRAY => {
            each::<FixedLenByteArrayType>(group, &column, |value| bytes(value.as_bytes()))
        }
    }
}

/// The texts of the values.
fn each<T: DataType>(
    group: &mut Group,
    column: &ColumnDescriptor,
    text: impl Fn(&T::T) -> Result<String, NoText>,
) -> Result<Vec<Text>, TableError> {
    let name = column.path().parts().join(".");
    let leaf = group.leaf::<T>(&name)?;
    let mut values = leaf.values.iter();
    let mut next = || match text(values.next().ok_or_else(|| odd(&name))?) {
        // A value of a dictionary is there once, and its text as often as rows have it.
        Ok(text) if !group.has_room_for(text.len()) => Err(TableError::TooLong),
        Ok(text) => Ok(Ok(Some(text))),
        Err(NoText::Value(fault)) => Ok(Err(fault)),
        Err(NoText::Column) => Err(TableError::WrongType(name.clone())),
    };
    if column.max_def_level() == 0 {
        return (0..group.rows).map(|_| next()).collect();
    }
    let is_there = |defined: &i16| *defined == column.max_def_level();
    let defined = leaf.defined.iter().map(is_there);
    let all = defined.map(|is_there| if is_there { next() } else { Ok(Ok(None)) });
    let all = all.collect::<Result<Vec<_>, _>>()?;
    if all.len() == group.rows { Ok(all) } else { Err(odd(&name).into()) }
}

/// The whole numbers below which each floating-point number is one, and no other was rounded to it: of 16, 32 and 64 bits.
const HALF_DIGITS: f64 = 2_048.0;
const FLOAT_DIGITS: f64 = 16_777_216.0;
const DOUBLE_DIGITS: f64 = 9_007_199_254_740_992.0;

fn float<F: Into<f64> + Copy + ToString>(
    value: F,
    exact_below: f64,
    exactness: Exactness,
) -> Result<String, NoText> {
    let number: f64 = value.into();
    let is_exact = number.fract() == 0.0 && number.abs() < exact_below;
    if exactness == Exactness::EachDigit && !is_exact {
        return Err(NoText::Value(Fault::Rounded));
    }
    Ok(value.to_string())
}

/// A moment, unless its number since 1970 is too far from zero.
fn moment(moment: Option<Timestamp>, number: i64) -> Result<String, NoText> {
    let beyond = if number < 0 { Fault::TooEarly } else { Fault::TooLate };
    moment.map(|moment| moment.to_string()).ok_or(NoText::Value(beyond))
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

    fn number(&self, number: i64) -> Result<String, NoText> {
        let timestamp = match self {
            Self::Plain => return Ok(number.to_string()),
            Self::Unsigned => return Ok(number.cast_unsigned().to_string()),
            Self::Decimal(scale) => return Ok(decimal(i128::from(number), *scale)),
            Self::Day => {
                let second = number.checked_mul(SECONDS_OF_DAY);
                second.and_then(|second| Timestamp::from_second(second).ok())
            }
            Self::Moment(TimeUnit::MILLIS) => Timestamp::from_millisecond(number).ok(),
            Self::Moment(TimeUnit::MICROS) => Timestamp::from_microsecond(number).ok(),
            Self::Moment(TimeUnit::NANOS) => Timestamp::from_nanosecond(i128::from(number)).ok(),
            Self::Half | Self::Uuid | Self::Text | Self::Other => return Err(NoText::Column),
        };
        moment(timestamp, number)
    }

    fn bytes(&self, bytes: &[u8], exactness: Exactness) -> Result<String, NoText> {
        match self {
            Self::Text | Self::Plain => {
                let text = std::str::from_utf8(bytes).map(str::to_owned);
                text.map_err(|_| NoText::Value(Fault::NoUtf8))
            }
            Self::Decimal(scale) => {
                let number = big_endian(bytes).ok_or(NoText::Value(Fault::TooWide))?;
                Ok(decimal(number, *scale))
            }
            Self::Half => {
                let bytes = bytes.try_into().map_err(|_| NoText::Column)?;
                float(f16::from_le_bytes(bytes), HALF_DIGITS, exactness)
            }
            Self::Uuid => uuid(bytes).ok_or(NoText::Column),
            Self::Unsigned | Self::Day | Self::Moment(_) | Self::Other => Err(NoText::Column),
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
