/** The value of a page's tag as the page shows it now; `undefined` where there is none, or none that can be read as its type. */

import { TagField } from "../config";
import type { TagConfig } from "../config";
import { guarded } from "../guarded";
import { numberIn } from "./numberIn";

export const tagValue = (tag: TagConfig): unknown => {
  const found = guarded(() => located(tag)) ?? undefined;
  if (found === undefined) {
    return found;
  }
  const text = String(found).trim();
  if (__TAG_NUMBER__ && tag[TagField.ValueType] === "number") {
    return numberIn(text, /,/g);
  }
  if (__TAG_CURRENCY__ && tag[TagField.ValueType] === "currency") {
    // A mark before three digits parts thousands, in whatever country.
    return numberIn(text, /[.,](?=\d{3}(?!\d))/g);
  }
  return text;
};

const located = (tag: TagConfig): unknown => {
  const { [TagField.Locator]: locator, [TagField.Code]: code } = tag;
  if (__TAG_JAVASCRIPT__ && code) {
    return code();
  }
  if (__TAG_CSS_SELECTOR__ && locator && tag[TagField.LocatorType] === "css_selector") {
    return document.querySelector(locator)?.textContent;
  }
  return __TAG_URL_REGEX__ && locator && tag[TagField.LocatorType] === "url_regex" ? new RegExp(locator).exec(location.href)?.[1] : undefined;
};
