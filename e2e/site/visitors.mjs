/**
 * Visitors by the id in their cookie. What becomes of each follows from the demo project's ids and the rules of bucketing, and so
 * never changes: see `spec/vectors/bucketing.json`.
 */

/** Keeps the headline, is greeted, sees the mug's facts first. */
export const ADA = "ada";

/** Gets the short headline, is greeted, sees the mug's facts first. */
export const DAN = "dan";

/** Gets the short headline, is greeted, is redirected to the mug's story. */
export const EMIL = "emil";

/** Gets the short headline, is held back from the greeting, is redirected to the mug's story. */
export const FINN = "finn";
