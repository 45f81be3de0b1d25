//! Numbers of files in which semicolons separate, as spreadsheets write them where commas are in numbers: `19,99` is 19.99 there. Other programs
//! write points between the same semicolons, so the numbers of a file tell together which it is.

use std::borrow::Cow;

use thiserror::Error;

/// One sign before three digits, where nothing else says whether decimals or thousands follow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("is it {thousands} or {fraction}? hint: write one of these")]
pub struct DoubtfulNumber {
    /// The number, if the sign parts thousands.
    pub thousands: String,
    /// The number, if decimals follow the sign.
    pub fraction: String,
}

/// A number of people alone, with a point before the decimals and without what parts its thousands. What is no number stays as it is.
///
/// # Errors
/// If it can be two numbers: `2.000`.
pub fn plain_number(text: &str) -> Result<Cow<'_, str>, DoubtfulNumber> {
    let plain = Decimals::default().plain(text)?;
    Ok(plain.map_or(Cow::Borrowed(text), Cow::Owned))
}

/// The sign before the decimals of a file, as far as its numbers say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decimals {
    commas: bool,
    points: bool,
}

/// What a number says with its signs.
enum Signs<'t> {
    /// Nothing, or it is no number.
    None,
    /// This sign is before decimals, as in `19,99`, `0.125` and `1.999,50`, or would be, as in `1.999.000`.
    Sure(char),
    /// One sign before three digits, as in `2.000`: before decimals or between thousands.
    Doubtful(&'t str, char, &'t str),
}

impl Decimals {
    /// Looks at one more number of the file.
    pub(super) fn look(&mut self, text: &str) {
        match signs(text) {
            Signs::Sure(',') => self.commas = true,
            Signs::Sure(_) => self.points = true,
            Signs::None | Signs::Doubtful(..) => {}
        }
    }

    /// The number as it is written elsewhere, with a point and without thousands apart, if that is anything else.
    pub(super) fn plain(self, text: &str) -> Result<Option<String>, DoubtfulNumber> {
        let (whole, sign, rest) = match signs(text) {
            Signs::None => return Ok(None),
            Signs::Sure(decimal) => return Ok(Some(with_point(text, decimal))),
            Signs::Doubtful(whole, sign, rest) => (whole, sign, rest),
        };
        match (self.commas, self.points) {
            (true, false) => Ok(Some(with_point(text, ','))),
            (false, true) => Ok(Some(with_point(text, '.'))),
            (true, true) | (false, false) => {
                // Another number of decimals than three leaves no doubt.
                let fraction = match rest.trim_end_matches('0') {
                    "" => "0".to_owned(),
                    decimals if decimals.len() < rest.len() => decimals.to_owned(),
                    all => format!("{all}0"),
                };
                Err(DoubtfulNumber {
                    thousands: format!("{whole}{rest}"),
                    fraction: format!("{whole}{sign}{fraction}"),
                })
            }
        }
    }
}

/// The number with a point before the decimals, and nothing between thousands.
fn with_point(text: &str, decimal: char) -> String {
    let kept = text.chars().filter(|sign| *sign == decimal || !matches!(sign, ',' | '.'));
    kept.map(|sign| if sign == decimal { '.' } else { sign }).collect()
}

fn signs(text: &str) -> Signs<'_> {
    let number = text.strip_prefix('-').unwrap_or(text);
    for (decimal, thousands) in [(',', '.'), ('.', ',')] {
        if let Some((whole, rest)) = number.split_once(decimal)
            && is_digits(rest)
            && (is_digits(whole) || groups(whole, thousands) > 0)
        {
            let is_doubtful = rest.len() == 3 && is_first_group(whole);
            let whole = &text[..text.len() - rest.len() - 1];
            return if is_doubtful {
                Signs::Doubtful(whole, decimal, rest)
            } else {
                Signs::Sure(decimal)
            };
        }
        if groups(number, thousands) > 1 {
            return Signs::Sure(decimal);
        }
    }
    Signs::None
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// Whether these can be the first digits where thousands are apart: up to three, without a zero before them.
fn is_first_group(text: &str) -> bool {
    is_digits(text) && text.len() <= 3 && !text.starts_with('0')
}

/// How many groups of three digits follow the first, each after this sign; none if anything else is there.
fn groups(text: &str, thousands: char) -> usize {
    let mut groups = text.split(thousands);
    let is_right = groups.next().is_some_and(is_first_group)
        && groups.clone().all(|group| group.len() == 3 && is_digits(group));
    if is_right { groups.count() } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Decimals, plain_number};

    fn of(file: &[&str]) -> Decimals {
        let mut decimals = Decimals::default();
        for text in file {
            decimals.look(text);
        }
        decimals
    }

    /// The number as it is read in a file of such numbers; as it is written if nothing has to change.
    fn read(file: &[&str], text: &str) -> String {
        of(file).plain(text).unwrap().unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn what_is_proposed_for_a_doubtful_number_leaves_no_doubt() {
        for (text, proposed) in [("2.000", "2.0"), ("2.120", "2.12"), ("2,125", "2,1250")] {
            let doubt = plain_number(text).unwrap_err();

            assert_eq!(doubt.fraction, proposed, "{text}");
            for number in [&doubt.thousands, &doubt.fraction] {
                assert!(plain_number(number).is_ok(), "{number}");
            }
        }
    }

    #[test]
    fn an_unambiguous_number_is_read_alike_in_any_file() {
        for file in [&[][..], &["0.5"], &["0,5"], &["0.5", "0,5"]] {
            for (text, plain) in [
                ("-19,99", "-19.99"),
                ("19.99", "19.99"),
                ("0,125", "0.125"),
                ("1234.500", "1234.500"),
                ("1.999,50", "1999.50"),
                ("-1,999.500", "-1999.500"),
                ("1.999.000", "1999000"),
                ("12,345,678", "12345678"),
            ] {
                assert_eq!(read(file, text), plain, "{file:?}");
            }
        }
    }

    #[test]
    fn one_sign_before_three_digits_is_what_the_other_numbers_say() {
        for commas in [&["7", "19,99"][..], &["2.000", "1.999,50"], &["1.999.000"]] {
            assert_eq!(read(commas, "2.000"), "2000", "{commas:?}");
            assert_eq!(read(commas, "-1,250"), "-1.250", "{commas:?}");
        }
        for points in [&["2.000", "19.99"][..], &["0.125"], &["1,999.50"], &["12,345,678"]] {
            assert_eq!(read(points, "2.000"), "2.000", "{points:?}");
            assert_eq!(read(points, "-1,250"), "-1250", "{points:?}");
        }
    }

    #[test]
    fn it_is_asked_where_no_other_number_says_it_or_two_disagree() {
        for file in [&[][..], &["7", "2.000", "1,250", "n/a"], &["19,99", "1999.0"]] {
            for (text, told) in [
                ("2.000", "is it 2000 or 2.0?"),
                ("-120.050", "is it -120050 or -120.05?"),
                ("1,250", "is it 1250 or 1,25?"),
            ] {
                let asked = of(file).plain(text).unwrap_err().to_string();
                assert!(asked.starts_with(told), "{asked}");
            }
        }
    }

    #[test]
    fn what_is_no_number_stays_as_it_is() {
        for text in ["", "7", "a.000", "1,5,0", "1.99.000", "1,234.567,8", ",5", "5.", "--1,5"] {
            assert_eq!(of(&["19,99"]).plain(text), Ok(None), "{text}");
        }
    }

    proptest! {
        #[test]
        fn prices_are_read_as_they_were_written(cents in prop::collection::vec(-9_999_999_i32..9_999_999, 1..40)) {
            let file: Vec<_> = cents.iter().map(|cents| format!("{:.2}", f64::from(*cents) / 100.0)).collect();
            let commas: Vec<_> = file.iter().map(|text| text.replace('.', ",")).collect();
            let decimals = of(&commas.iter().map(String::as_str).collect::<Vec<_>>());
            for (comma, point) in commas.iter().zip(&file) {
                prop_assert_eq!(decimals.plain(comma), Ok(Some(point.clone())));
            }
        }
    }
}
