//! Reads reference values and compares figures with them within their tolerance.

use std::cell::RefCell;
use std::path::Path;

use serde_json::Value;
use stats::{Alpha, Conversions, Interval, Moments, PairMoments};

/// Near zero, figures are compared absolutely: the other tools subtract a probability from one.
const NEAR_ZERO: f64 = 1e-12;

pub(crate) struct References(Vec<Reference>);

impl References {
    pub(crate) fn read(file: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        let vectors = document["vectors"].as_array().unwrap().iter();
        Self(vectors.map(Reference::new).collect())
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Reference> {
        self.0.iter()
    }
}

pub(crate) struct Reference {
    vector: Value,
    failures: RefCell<Vec<String>>,
}

impl Reference {
    fn new(vector: &Value) -> Self {
        Self { vector: vector.clone(), failures: RefCell::default() }
    }

    pub(crate) fn id(&self) -> &str {
        self.vector["id"].as_str().unwrap()
    }

    pub(crate) fn category(&self) -> &str {
        self.vector["category"].as_str().unwrap()
    }

    pub(crate) fn function(&self) -> &str {
        self.vector["function"].as_str().unwrap()
    }

    pub(crate) fn input(&self, name: &str) -> &Value {
        &self.vector["inputs"][name]
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        number(self.input(name))
    }

    pub(crate) fn numbers(&self, name: &str) -> Vec<f64> {
        self.input(name).as_array().unwrap().iter().map(number).collect()
    }

    pub(crate) fn alpha(&self) -> Alpha {
        Alpha::new(self.number("alpha")).unwrap()
    }

    pub(crate) fn output(&self, name: &str) -> &Value {
        &self.vector["outputs"][name]
    }

    /// Whether the other tool refused; then it gave neutral figures.
    pub(crate) fn is_refused(&self) -> bool {
        self.output("error").is_string()
    }

    pub(crate) fn tolerance(&self) -> f64 {
        number(&self.vector["rtol"])
    }

    /// Compares `figure` with the output `name`, if the reference has one.
    pub(crate) fn expect(&self, name: &str, figure: f64) {
        if !self.output(name).is_null() {
            self.expect_within(name, figure, self.output(name), NEAR_ZERO);
        }
    }

    /// Compares digits only, however small the figure is.
    pub(crate) fn expect_digits(&self, name: &str, figure: f64) {
        let is_zero = number(self.output(name)) == 0.0;
        let near_zero = if is_zero { NEAR_ZERO } else { 0.0 };
        self.expect_within(name, figure, self.output(name), near_zero);
    }

    pub(crate) fn expect_interval(&self, name: &str, interval: Interval) {
        let ends = self.output(name);
        // Some tools write the ends of a relative effect of a negative mean in reverse order.
        let is_reversed = number(&ends[0]) > number(&ends[1]);
        let (lower, upper) = if is_reversed { (1, 0) } else { (0, 1) };
        self.expect_within(&format!("{name}.lower"), interval.lower, &ends[lower], NEAR_ZERO);
        self.expect_within(&format!("{name}.upper"), interval.upper, &ends[upper], NEAR_ZERO);
    }

    pub(crate) fn expect_list(&self, name: &str, figures: &[f64]) {
        let expected = self.output(name).as_array().unwrap();
        if expected.len() != figures.len() {
            self.fail(&format!("{name} has {} figures", figures.len()));
        }
        for (figure, expected) in figures.iter().zip(expected) {
            self.expect_within(name, *figure, expected, NEAR_ZERO);
        }
    }

    pub(crate) fn expect_item(&self, name: &str, index: usize, figure: f64) {
        self.expect_within(name, figure, &self.output(name)[index], NEAR_ZERO);
    }

    pub(crate) fn expect_item_interval(&self, name: &str, index: usize, interval: Interval) {
        let ends = &self.output(name)[index];
        self.expect_within(name, interval.lower, &ends[0], NEAR_ZERO);
        self.expect_within(name, interval.upper, &ends[1], NEAR_ZERO);
    }

    pub(crate) fn fail(&self, what: &str) {
        self.failures.borrow_mut().push(format!("{}: {what}", self.id()));
    }

    fn expect_within(&self, name: &str, figure: f64, expected: &Value, near_zero: f64) {
        let expected = number(expected);
        let allowed = near_zero.max(self.tolerance() * expected.abs());
        let is_met = figure.to_bits() == expected.to_bits() || (figure - expected).abs() <= allowed;
        if !is_met {
            self.fail(&format!("{name} is {figure}, not {expected}"));
        }
    }

    pub(crate) fn failures(&self) -> Vec<String> {
        self.failures.take()
    }
}

pub(crate) fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("Infinity") => f64::INFINITY,
        Some("-Infinity") => f64::NEG_INFINITY,
        Some(other) => panic!("{other} is no number"),
        None => value.as_f64().unwrap_or_else(|| panic!("{value} is no number")),
    }
}

pub(crate) fn conversions(value: &Value) -> Conversions {
    Conversions {
        visitors: value["n"].as_u64().unwrap(),
        converted: value["sum"].as_u64().unwrap(),
    }
}

pub(crate) fn moments(value: &Value, prefix: &str) -> Moments {
    let sums = |name: &str| number(&value[format!("{prefix}{name}")]);
    Moments::of_sums(value["n"].as_u64().unwrap(), sums("sum"), sums("sum_squares"))
}

pub(crate) fn pair(value: &Value, first: &str, second: &str, products: &str) -> PairMoments {
    PairMoments::of_sums(moments(value, first), moments(value, second), number(&value[products]))
}
