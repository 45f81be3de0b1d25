/** Compares addresses and other texts with the values of conditions. */

import { normalizeUrl, withoutReservedParameters } from "../browser/address";
import { attempt } from "../browser/attempt";
import type { Condition } from "../project/config";

/** All conditions on addresses match in this way. */
const isSimpleAlone = __URL_SIMPLE__ && !(__URL_EXACT__ || __URL_SUBSTRING__ || __URL_REGEX__ || __URL_UNSUITABLE__);

/**
 * Compares an address, the page's or the referrer's, with a condition's value. A match we do not know does not hold, neither does an
 * invalid regular expression, or a value that is no text.
 */
export const matchUrl = (address: string, condition: Condition): boolean => {
  const wanted = condition.value;
  const match = isSimpleAlone ? "simple" : condition.match;
  if (__URL_UNSUITABLE__ && typeof wanted !== "string") {
    return false;
  }
  if (__URL_SIMPLE__ && match === "simple") {
    return withoutWww(upToQuery(address)) === withoutWww(upToQuery(wanted as string));
  }
  const url = __URL_EXACT__ || __URL_SUBSTRING__ || __URL_REGEX__ ? withoutReservedParameters(address) : address;
  if (__URL_EXACT__ && match === "exact") {
    return withoutWww(url) === withoutWww(wanted as string);
  }
  if (__URL_SUBSTRING__ && match === "substring") {
    return normalizeUrl(url).includes(normalizeUrl(wanted as string));
  }
  return __URL_REGEX__ && match === "regex" && matchPattern(wanted as string, url);
};

const upToQuery = (url: string): string => url.split(/[?#]/)[0];

const withoutWww = (url: string): string => normalizeUrl(url).replace(/^www\./, "");

/**
 * Compares a text about the visitor with a condition's value, case-sensitively. A missing text matches nothing. Without a match it is
 * `exact` if there is a value, else `exists`. A match or value we cannot use does not hold.
 */
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

/** Looks for a regular expression in a text. One that is none is nowhere. */
const matchPattern = (pattern: string, text: string): boolean => attempt(() => new RegExp(pattern).test(beginningOf(text))) === true;

/**
 * As much of a text as is compared with regular expressions: 2048 characters. A link can bring a visitor with an address as long as its author
 * they like, and what a browser needs grows with the square of it and more. The same limit in Rust: `crates/decide/src/pattern.rs`.
 */
export const beginningOf = (text: string): string => text.slice(0, 2048);
