/** The visitor's custom attributes. */

import type { CustomAttribute } from "../../types/index";
import { decodePercent } from "../browser/address";
import { guarded } from "../pageView/events";
import { attributes } from "../project/config";
import { memorize, recall } from "./memory";

/**
 * Takes in the visitor's custom attributes from the page. They are kept over page views. `null` and `undefined` forget an attribute;
 * everything else is kept as a text: an empty one, too, hence the mark before it.
 */
export const setAttributes = (attributes: object): void => {
  for (const { 0: name, 1: value } of Object.entries(attributes)) {
    guarded(() => memorize(attributeKey(name), value === null || value === undefined ? "" : "=" + encodeURIComponent(String(value))));
  }
};

/** The value of a custom attribute, given its id or key; `undefined` if the page never pushed it. */
export const attributeValue = (name: string): string | undefined => {
  const text = recall(attributeKey(name));
  return text ? decodePercent(text.slice(1)) : undefined;
};

/** Every custom attribute of the project that the page pushed, by id. */
export const customAttributes = (): Record<string, CustomAttribute> => {
  const custom: Record<string, CustomAttribute> = {};
  for (const { 0: id, 1: key, 2: name } of attributes) {
    const value = attributeValue(key);
    if (value !== undefined) {
      custom[id] = { id: String(id), value, name: name || null };
    }
  }
  return custom;
};

/**
 * Where `memory` keeps a custom attribute, given its id or key; a name that the project does not know is used as it is. Throws for half a
 * surrogate pair.
 */
const attributeKey = (name: string): string => {
  return "a" + encodeURIComponent(attributes.find(({ 1: key }) => key === name)?.[0] || name);
};
