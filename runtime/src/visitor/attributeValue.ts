/** The value of a custom attribute, given its id or key; `undefined` if the page never told it. */

import { attributeKey } from "./attributeKey";
import { decodePercent } from "./decodePercent";
import { recall } from "./recall";

export const attributeValue = (name: string): string | undefined => {
  const text = recall(attributeKey(name));
  return text ? decodePercent(text.slice(1)) : undefined;
};
