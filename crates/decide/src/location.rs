//! Where the visitor is, and the conditions on it.

use std::fmt;

use serde::Deserialize;

/// The visitor's location, in the site's codes. A missing field is unknown, and no condition on it holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Location {
    /// Such as `US`.
    pub country: String,
    /// Such as `CA`.
    pub region: String,
    /// Such as `San Francisco`.
    pub city: String,
    /// Such as `NA`.
    pub continent: String,
    /// The market area, such as `807`.
    pub dma: String,
}

/// As conditions write it.
impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { country, region, continent, dma, .. } = self;
        write!(formatter, "{country}|{region}|{}|{continent}|{dma}", self.written_city())
    }
}

impl Location {
    /// Whether it is the one of a condition: `US`, `US|CA`, `US|CA|SANFRANCISCO` or `US||SANFRANCISCO`. With four parts only the
    /// continent counts, `|||NA`; with five only the market area, `||||807`.
    pub(crate) fn is(&self, wanted: &str) -> bool {
        let parts: Vec<&str> = wanted.split('|').map(str::trim).collect();
        let is_known = |part: &str, actual: &str| !part.is_empty() && part == actual;
        match parts.as_slice() {
            [_, _, _, continent] => is_known(continent, &self.continent),
            [_, _, _, _, dma] => is_known(dma, &self.dma),
            [country] => is_known(country, &self.country),
            [country, region] => is_known(country, &self.country) && self.has_region(region),
            [country, region, city] => {
                is_known(country, &self.country)
                    && self.has_region(region)
                    && *city == self.written_city()
            }
            _ => false,
        }
    }

    fn has_region(&self, wanted: &str) -> bool {
        wanted.is_empty() || wanted == self.region
    }

    /// As conditions write cities: in upper case, without spaces.
    fn written_city(&self) -> String {
        self.city
            .chars()
            .filter(|character| !character.is_whitespace())
            .collect::<String>()
            .to_uppercase()
    }
}
