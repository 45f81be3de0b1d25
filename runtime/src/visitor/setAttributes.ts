/** Takes in the visitor's custom attributes from the page. They are kept over page views. */

import { guarded } from "../guarded";
import { attributeKey } from "./attributeKey";
import { memorize } from "./memorize";

/** `null` and `undefined` forget an attribute; everything else is kept as a text: an empty one, too, hence the mark before it. */
export const setAttributes = (attributes: object): void => {
  for (const { 0: name, 1: value } of Object.entries(attributes)) {
    guarded(() => memorize(attributeKey(name), value === null || value === undefined ? "" : "=" + encodeURIComponent(String(value))));
  }
};
