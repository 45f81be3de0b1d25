/** What a page's tags find in the page. */

import { genuine } from "../browser/genuine";
import { beginningOf } from "../conditions/text";
import { guarded } from "../pageView/events";
import { TagField } from "../project/config";
import type { TagConfig } from "../project/config";

/** The value of a page's tag as the page shows it now; `undefined` where there is none, or none that can be read as its type. */
export const tagValue = (tag: TagConfig): unknown => {
  const type = tag[TagField.ValueType];
  const isNumber = (__TAG_NUMBER__ && type === "number") || (__TAG_CURRENCY__ && type === "currency");
  // What the member's code finds may be nothing that can be read as a text.
  const found = guarded(() => {
    const value = located(tag) ?? undefined;
    return value === undefined || (isNumber && typeof value === "number") ? value : String(value).trim();
  });
  if (!isNumber || typeof found !== "string") {
    return found;
  }
  if (__TAG_NUMBER__ && type === "number") {
    return numberIn(found.replace(/,/g, ""));
  }
  // In amounts, a separator before three digits separates thousands, in every country.
  return numberIn(found.replace(/(\d)[.,\s'\u2019](?=\d{3}(?!\d))/g, "$1"));
};

const located = (tag: TagConfig): unknown => {
  const { [TagField.Locator]: locator, [TagField.Code]: code } = tag;
  if (__TAG_JAVASCRIPT__ && code) {
    return code();
  }
  if (__TAG_CSS_SELECTOR__ && locator && tag[TagField.LocatorType] === "css_selector") {
    const element = genuine(document, "querySelector")(locator);
    return element && genuine(element, "textContent");
  }
  return __TAG_URL_REGEX__ && locator && tag[TagField.LocatorType] === "url_regex" ? new RegExp(locator).exec(beginningOf(location.href))?.[1] : undefined;
};

/**
 * The first number in a text such as `$ 1234.50`, `1234,50 EUR` or `$.99`, once nothing parts thousands any more; `undefined` for none.
 */
const numberIn = (text: string): number | undefined => {
  // A letter before the mark makes it the end of a word: `Rs.500`.
  const [whole, fraction] = /-?\d+(?:[.,]\d+)?|(?:^|[^\w.,])([.,]\d+)/.exec(text) || [];
  return whole === undefined ? undefined : Number((fraction || whole).replace(",", "."));
};
