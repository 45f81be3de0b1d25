/** Conditions of pages. */

import { guarded } from "../pageView/events";
import { PageField, pages } from "../project/config";
import type { Condition } from "../project/config";
import { matchUrl } from "./text";
import { evaluateTree } from "./tree";

/**
 * Whether a page's conditions hold for the address the visitor is at. A page without conditions always matches. Conditions we cannot
 * read, and member's code that throws, make the whole page not match.
 */
export const isPageMatched = (place: number): boolean => {
  const conditions = pages[place][PageField.Conditions];
  if (!conditions?.length) {
    return true;
  }
  const isMatched = (): boolean | undefined => evaluateTree(conditions, holds);
  return (__CUSTOM_CODE__ || __URL_REGEX__ ? guarded(isMatched) : isMatched()) === true;
};

const holds = (condition: Condition): boolean => {
  if (!__CUSTOM_CODE__ || condition.type === "url") {
    return matchUrl(location.href, condition);
  }
  if (condition.code) {
    return !!condition.code();
  }
  throw new TypeError("condition " + condition.type);
};
