/** JSON without `JSON`, whose output old libraries change. */

import { Object, String } from "./builtins";

/** A value as JSON. Lone surrogates, of which a text has been cut, and line breaks are spaces. */
export const json = (value: unknown): string =>
  String(value) === value
    ? '"' + value.replace(/[\0-\x1f\ud800-\udfff]/gu, " ").replace(/["\\]/g, "\\$&") + '"'
    : Object(value) === value
      ? "{" + Object.entries(value as object).map(([key, part]) => json(key) + ":" + json(part)) + "}"
      : String(value);
