//! What an address says: the names in its path, and its query. Whatever is wrong with them is told in words of ours.

use std::ops::RangeInclusive;

use app::SentMoment;
use axum::extract::{self, FromRequestParts};
use axum::http::Uri;
use axum::http::request::Parts;
use domain::{CalendarDay, Fault, Pointer};
use oauth::Timestamp;
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use url::form_urlencoded;
use web::{Problem, ProblemCode};

/// The names in the path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    /// Nothing is called by what is no text, or holds a NUL, which PostgreSQL keeps in none.
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        if parts.uri.path().contains("%00") {
            return Err(Problem::not_found());
        }
        let names = extract::Path::<T>::from_request_parts(parts, state).await;
        names.map(|extract::Path(names)| Self(names)).map_err(|_| Problem::not_found())
    }
}

/// The parameters that are repeated, once for each thing that they list.
const REPEATED: [&str; 1] = ["column"];

/// The parameters of a query, each there once but those that list something. Which there may be is checked in `known_parameters.rs`.
pub(crate) struct Query(Vec<(String, String)>);

/// What is read of a query.
pub(crate) trait FromQuery: Sized {
    /// Reads it.
    fn read(query: &Query) -> Result<Self, Problem>;
}

/// What the query says.
pub(crate) struct Parameters<T>(pub(crate) T);

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        T::read(&Query::of(&parts.uri)?).map(Self)
    }
}

impl Query {
    /// The query of an address.
    pub(crate) fn of(uri: &Uri) -> Result<Self, Problem> {
        let text = percent_decode_str(uri.query().unwrap_or_default()).decode_utf8();
        let pairs = extract::Query::<Vec<(String, String)>>::try_from_uri(uri);
        let (Ok(text), Ok(extract::Query(pairs))) = (text, pairs) else {
            return Err(invalid(&fault("the query is not text in UTF-8")));
        };
        if text.contains('\0') {
            return Err(invalid(&fault("the query holds a NUL")));
        }
        let mut names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        let mut neighbours = names.iter().zip(names.iter().skip(1));
        let twice = neighbours.find(|(one, next)| one == next && !REPEATED.contains(one));
        if let Some((twice, _)) = twice {
            let message = format!("the query parameter `{twice}` is there twice");
            let fault = Fault::error("repeated_parameter", Pointer::root(), message);
            return Err(refused(ProblemCode::RepeatedParameter, &fault));
        }
        Ok(Self(pairs))
    }

    /// The names of the parameters.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// All parameters but these, as they continue a query.
    pub(crate) fn without(&self, left_out: &[&str]) -> String {
        let kept = self.0.iter().filter(|(name, _)| !left_out.contains(&name.as_str()));
        let mut query = form_urlencoded::Serializer::for_suffix(String::from("&"), 1);
        let query = query.extend_pairs(kept).finish();
        if query == "&" { String::new() } else { query }
    }

    /// The text of a parameter, if it is there.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// What a parameter says as `name=value`, each time that it is there.
    pub(crate) fn pairs(&self, name: &str) -> Result<Vec<(String, String)>, Problem> {
        let given = self.0.iter().filter(|(known, _)| known == name);
        let pairs = given.map(|(_, text)| match text.split_once('=') {
            Some((one, other)) if !one.is_empty() => Ok((one.to_owned(), other.to_owned())),
            Some(_) | None => Err(unfit(name, "a name, `=` and a value")),
        });
        pairs.collect()
    }

    /// A parameter that is one of these words, if it is there.
    pub(crate) fn word<T: Copy>(
        &self,
        name: &str,
        words: &[(&'static str, T)],
    ) -> Result<Option<T>, Problem> {
        let Some(given) = self.text(name) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| *word == given);
        found.map(|(_, meant)| Some(*meant)).ok_or_else(|| {
            let listed: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            let expected = format!("one of {}", listed.join(", "));
            let known = words.iter().map(|(word, _)| *word);
            invalid(&misfit(name, expected).did_you_mean(given, known))
        })
    }

    /// A parameter that switches something on with `true`; off without it.
    pub(crate) fn switch(&self, name: &str) -> Result<bool, Problem> {
        Ok(self.word(name, &[("false", false), ("true", true)])?.unwrap_or_default())
    }

    /// A parameter that is a moment, if it is there.
    pub(crate) fn moment(&self, name: &str) -> Result<Option<Timestamp>, Problem> {
        let Some(given) = self.text(name) else { return Ok(None) };
        let moment = given.parse().map(|SentMoment(at)| Some(at));
        moment.map_err(|_| {
            let expected = "a moment as RFC 3339 writes it, such as `2027-01-31T12:00:00Z`";
            unfit(name, expected)
        })
    }

    /// A parameter that is a day, if it is there.
    pub(crate) fn day(&self, name: &str) -> Result<Option<CalendarDay>, Problem> {
        let Some(given) = self.text(name) else { return Ok(None) };
        let day = given.parse::<CalendarDay>().map(Some);
        day.map_err(|_| unfit(name, "a day, such as `2027-01-31`"))
    }

    /// A parameter that is a decimal number, if it is there.
    pub(crate) fn decimal(&self, name: &str) -> Result<Option<f64>, Problem> {
        let Some(given) = self.text(name) else { return Ok(None) };
        let number = given.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| unfit(name, "a number, such as `0.05`"))
    }

    /// A parameter that is a decimal number between zero and one, if it is there.
    pub(crate) fn share(&self, name: &str) -> Result<Option<f64>, Problem> {
        let share = self.decimal(name)?;
        if share.is_some_and(|share| share <= 0.0 || share >= 1.0) {
            return Err(unfit(name, "a number between 0 and 1"));
        }
        Ok(share)
    }

    /// A parameter that is a whole number within this range, if it is there.
    pub(crate) fn number(
        &self,
        name: &str,
        range: RangeInclusive<u32>,
    ) -> Result<Option<u32>, Problem> {
        let Some(given) = self.text(name) else { return Ok(None) };
        let number = given.parse().ok().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            unfit(name, expected)
        })
    }
}

/// The value of a parameter is not what is expected of it.
pub(crate) fn unfit(name: &str, expected: impl Into<String>) -> Problem {
    invalid(&misfit(name, expected))
}

fn misfit(name: &str, expected: impl Into<String>) -> Fault {
    fault(format!("the value of the query parameter `{name}` does not fit")).expected(expected)
}

fn fault(message: impl Into<String>) -> Fault {
    Fault::error("invalid_parameter", Pointer::root(), message)
}

fn invalid(fault: &Fault) -> Problem {
    refused(ProblemCode::InvalidParameter, fault)
}

fn refused(code: ProblemCode, fault: &Fault) -> Problem {
    Problem::new(code, fault.message.clone()).with_faults(std::slice::from_ref(fault))
}
