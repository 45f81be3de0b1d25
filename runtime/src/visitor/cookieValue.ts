/**
 * The decoded value of a cookie; `undefined` if there is none, or cookies are refused. They are read once an activation, and only if
 * asked for: reading them may ask another process.
 */

import { attempt } from "../attempt";
import { namedValue } from "../conditions/namedValue";
import { genuine } from "../genuine";
import { pageView } from "../pageView";
import { decodePercent } from "./decodePercent";

export const cookieValue = (name: string): string | undefined => {
  pageView.cookies ??= attempt(() => genuine(document, "cookie")) || "";
  const value = namedValue(pageView.cookies, "; ", name);
  return value && decodePercent(value);
};
