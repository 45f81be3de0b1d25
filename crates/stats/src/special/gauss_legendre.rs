//! Integrals of smooth functions by the rule of Gauss and Legendre with eight points (NIST DLMF 3.5(v)).

/// Where the function is looked at on both sides of the middle of an interval from −1 to 1, and how much that counts.
const POINTS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// Shows `visit` every point between `start` and `end` with its weight.
pub(crate) fn each_point(start: f64, end: f64, mut visit: impl FnMut(f64, f64)) {
    let (middle, half) = (0.5 * (start + end), 0.5 * (end - start));
    for (at, weight) in POINTS {
        visit(middle - half * at, half * weight);
        visit(middle + half * at, half * weight);
    }
}
