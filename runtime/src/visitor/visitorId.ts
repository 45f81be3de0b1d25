/** The source of a visitor's id that is not in our cookie yet. */

import { decodePercent, queryParameter } from "../browser/address";
import { attempt } from "../browser/attempt";
import { globalNamed } from "../browser/globals";
import type { VisitorIdSource } from "../project/config";
import { cookieValue } from "./cookies";

/** The visitor's id from the place that the project names; empty if there is none: then it is ours to give. */
export const namedVisitorId = ({ 0: source, 1: name }: Exclude<VisitorIdSource, 0>): string => {
  if (__ID_FROM_COOKIE__ && source === "cookie") {
    return cookieValue(name) || "";
  }
  if (__ID_FROM_QUERY__ && source === "query") {
    return decodePercent(queryParameter(name) || "");
  }
  if (__ID_FROM_LOCAL_STORAGE__ && source === "local_storage") {
    return attempt(() => localStorage.getItem(name)) || "";
  }
  return __ID_FROM_JAVASCRIPT__ ? globalText(name) : "";
};

/** A global variable, or a property of one: `user.id`. */
const globalText = (path: string): string => {
  const [name, ...keys] = path.split(".");
  let value = attempt(() => globalNamed(name));
  for (const key of keys) {
    value = attempt(() => (value as Record<string, unknown>)[key]);
  }
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

/**
 * Makes an id for a new visitor, or for an event, out of 96 random bits. Some pages and frames have no `crypto`: bucketing needs ids that
 * differ, not secrets. `Math.random` alone gives the same ones again in pages that seed it.
 */
export const randomId = (): string =>
  attempt(() => crypto.getRandomValues(new Uint32Array(3)).join("")) || String(Math.random()).slice(2);
