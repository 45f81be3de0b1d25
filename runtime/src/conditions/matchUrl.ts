/** Compares an address, the page's or the referrer's, with a condition's value. */

import type { Condition } from "../config";
import { matchPattern } from "./matchPattern";
import { normalizeUrl } from "./normalizeUrl";
import { withoutReservedParameters } from "./withoutReservedParameters";

/** A match we do not know does not hold, neither does an invalid regular expression, or a value that is no text. */
export const matchUrl = (address: string, { match, value: wanted }: Condition): boolean => {
  const url = withoutReservedParameters(address);
  if (typeof wanted !== "string") {
    return false;
  }
  if (__URL_SIMPLE__ && match === "simple") {
    return withoutWww(upToQuery(url)) === withoutWww(upToQuery(wanted));
  }
  if (__URL_EXACT__ && match === "exact") {
    return withoutWww(url) === withoutWww(wanted);
  }
  if (__URL_SUBSTRING__ && match === "substring") {
    return normalizeUrl(url).includes(normalizeUrl(wanted));
  }
  return __URL_REGEX__ && match === "regex" && matchPattern(wanted, url);
};

const upToQuery = (url: string): string => url.split(/[?#]/)[0];

const withoutWww = (url: string): string => normalizeUrl(url).replace(/^www\./, "");
