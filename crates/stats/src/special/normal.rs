//! The normal distribution.
//!
//! Quantiles are algorithm AS 241 (Wichura, Applied Statistics 37, 1988), exact to 16 digits.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// The probability of a value of at most `x`.
#[must_use]
pub fn cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// The probability of a value above `x`, exact in the tail.
#[must_use]
pub fn survival(x: f64) -> f64 {
    cdf(-x)
}

/// The density at `x`.
#[must_use]
pub fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / TAU.sqrt()
}

/// The value below which the share `q` of the distribution lies, for `q` between zero and one.
#[must_use]
pub fn quantile(q: f64) -> f64 {
    let centered = q - 0.5;
    if centered.abs() <= 0.425 {
        return centered * CENTRAL.at(0.180_625 - centered * centered);
    }
    let tail = if centered < 0.0 { q } else { 1.0 - q };
    let r = (-tail.ln()).sqrt();
    let size = if r <= 5.0 { MIDDLE.at(r - 1.6) } else { FAR.at(r - 5.0) };
    size.copysign(centered)
}

/// The value above which the share `q` of the distribution lies: exact also for tiny `q`.
#[must_use]
pub fn upper_quantile(q: f64) -> f64 {
    -quantile(q)
}

/// A quotient of two polynomials, highest power first.
struct Rational {
    numerator: [f64; 8],
    denominator: [f64; 8],
}

impl Rational {
    fn at(&self, r: f64) -> f64 {
        let value = |coefficients: &[f64]| coefficients.iter().fold(0.0, |sum, c| sum * r + c);
        value(&self.numerator) / value(&self.denominator)
    }
}

const CENTRAL: Rational = Rational {
    numerator: [
        2_509.080_928_730_122_7,
        33_430.575_583_588_13,
        67_265.770_927_008_7,
        45_921.953_931_549_87,
        13_731.693_765_509_46,
        1_971.590_950_306_551_3,
        133.141_667_891_784_38,
        3.387_132_872_796_366_5,
    ],
    denominator: [
        5_226.495_278_852_854,
        28_729.085_735_721_943,
        39_307.895_800_092_71,
        21_213.794_301_586_597,
        5_394.196_021_424_751,
        687.187_007_492_057_9,
        42.313_330_701_600_91,
        1.0,
    ],
};

const MIDDLE: Rational = Rational {
    numerator: [
        0.000_774_545_014_278_341_4,
        0.022_723_844_989_269_184,
        0.241_780_725_177_450_6,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_546,
        1.423_437_110_749_683_5,
    ],
    denominator: [
        1.050_750_071_644_416_9e-9,
        0.000_547_593_808_499_534_5,
        0.015_198_666_563_616_457,
        0.148_103_976_427_480_08,
        0.689_767_334_985_1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ],
};

const FAR: Rational = Rational {
    numerator: [
        2.010_334_399_292_288_1e-7,
        2.711_555_568_743_487_6e-5,
        0.001_242_660_947_388_078_4,
        0.026_532_189_526_576_124,
        0.296_560_571_828_504_87,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ],
    denominator: [
        2.044_263_103_389_939_7e-15,
        1.421_511_758_316_446e-7,
        1.846_318_317_510_054_8e-5,
        0.000_786_869_131_145_613_3,
        0.014_875_361_290_850_615,
        0.136_929_880_922_735_8,
        0.599_832_206_555_888,
        1.0,
    ],
};
