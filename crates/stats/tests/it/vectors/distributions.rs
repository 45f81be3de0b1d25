//! Special functions, to the digits that they promise.

use stats::special::beta::Beta;
use stats::special::{chi_squared, gamma, normal, student};

use super::reading::Reference;

pub(super) fn special(reference: &Reference) {
    let number = |name| reference.number(name);
    match reference.function() {
        "t.cdf/t.sf" => {
            let (t, freedom) = (number("x"), number("df"));
            reference.expect_digits("cdf", student::cdf(t, freedom));
            reference.expect_digits("sf", student::survival(t, freedom));
        }
        "t.ppf" => {
            let below = student::upper_quantile(number("q"), number("df"));
            reference.expect_digits("ppf", -below);
        }
        "norm.cdf/logsf" => {
            reference.expect_digits("cdf", normal::cdf(number("x")));
            reference.expect_digits("sf", normal::survival(number("x")));
        }
        "norm.ppf" => reference.expect_digits("ppf", normal::quantile(number("q"))),
        "chi2.sf" => {
            reference.expect_digits("sf", chi_squared::survival(number("x"), number("df")));
        }
        "betainc (regularised)" => {
            let beta = Beta { a: number("a"), b: number("b") };
            reference.expect_digits("value", beta.cdf(number("x")));
        }
        "gammaln" => reference.expect_digits("value", gamma::ln_gamma(number("x"))),
        other => panic!("unknown function {other}"),
    }
}
