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
  switch (tag[TagField.ValueType]) {
    case "number":
      return numberIn(text, /,/g);
    case "currency":
      // A mark before three digits parts thousands, in whatever country.
      return numberIn(text, /[.,](?=\d{3}(?!\d))/g);
    default:
      return text;
  }
};

const located = (tag: TagConfig): unknown => {
  const { [TagField.Locator]: locator, [TagField.Code]: code } = tag;
  if (code || !locator) {
    return code ? code() : undefined;
  }
  const isSelector = tag[TagField.LocatorType] === "css_selector";
  return isSelector ? document.querySelector(locator)?.textContent : new RegExp(locator).exec(location.href)?.[1];
};
