/**
 * The decoded value of a cookie; `undefined` if there is none, or cookies are refused. They are read once an activation, and only if
 * asked for: reading them may ask another process. A form named `cookie` stands before the document's own.
 */

import { attempt } from "../attempt";
import { namedValue } from "../conditions/namedValue";
import { pageView } from "../pageView";
import { decodePercent } from "./decodePercent";

export const cookieValue = (name: string): string | undefined => {
  pageView.cookies ??= attempt(() => String(document.cookie)) || "";
  const value = namedValue(pageView.cookies, "; ", name);
  return value && decodePercent(value);
};
