/** Compares a text about the visitor with a condition's value, case-sensitively. A missing text matches nothing. */

import type { Condition } from "../config";
import { matchPattern } from "./matchPattern";

/** Without a match it is `exact` if there is a value, else `exists`. A match or value we cannot use does not hold. */
export const matchValue = (actual: string | undefined, { match, value }: Condition): boolean => {
  const way = match || ((value ?? null) === null ? "exists" : "exact");
  if (actual === undefined || typeof value !== "string") {
    return __MATCH_EXISTS__ && actual !== undefined && way === "exists";
  }
  return (
    (__MATCH_EXISTS__ && way === "exists") ||
    (__MATCH_EXACT__ && way === "exact" && actual === value) ||
    (__MATCH_SUBSTRING__ && way === "substring" && actual.includes(value)) ||
    (__MATCH_REGEX__ && way === "regex" && matchPattern(value, actual)) ||
    (__MATCH_RANGE__ && way === "range" && isInRange(actual, value.split(":")))
  );
};

/** Both ends are included, and neither may be left out; there is no third. */
const isInRange = (actual: string, [from, to, end]: string[]): boolean =>
  !!from && !!to && !!actual && end === undefined && Number(from) <= Number(actual) && Number(actual) <= Number(to);
