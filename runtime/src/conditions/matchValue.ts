/** Compares a text about the visitor with a condition's value, case-sensitively. A missing text matches nothing. */

import { attempt } from "../attempt";
import type { Condition } from "../config";

/** Without a match it is `exact` if there is a value, else `exists`. A match or value we cannot use does not hold. */
export const matchValue = (actual: string | undefined, { match, value }: Condition): boolean => {
  if (actual === undefined) {
    return false;
  }
  if (typeof value !== "string") {
    return match === "exists" || (!match && (value ?? null) === null);
  }
  switch (match || "exact") {
    case "exact":
      return actual === value;
    case "exists":
      return true;
    case "substring":
      return actual.includes(value);
    case "regex":
      return attempt(() => new RegExp(value).test(actual)) === true;
    case "range":
      return isInRange(actual, value.split(":"));
    default:
      return false;
  }
};

/** Both ends are included, and neither may be left out; there is no third. */
const isInRange = (actual: string, [from, to, end]: string[]): boolean =>
  !!from && !!to && !!actual && end === undefined && Number(from) <= Number(actual) && Number(actual) <= Number(to);
