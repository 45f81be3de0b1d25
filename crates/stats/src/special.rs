//! Special functions: the distributions that tests and intervals need.
//!
//! `libm` has the error function and the logarithm of the gamma function. The rest is here, because
//! the tails have to be right to ten digits for millions of degrees of freedom.

pub mod beta;
pub mod chi_squared;
mod continued_fraction;
pub mod gamma;
pub(crate) mod gauss_legendre;
pub mod normal;
mod root;
mod stirling;
pub mod student;

pub(crate) use root::bisect;
