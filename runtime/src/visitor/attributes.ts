/** The visitor's custom attributes. */

import type { CustomAttribute } from "../../types/index";
import { decodePercent } from "../browser/address";
import { guarded } from "../pageView/events";
import { attributes } from "../project/config";
import { memorize, recall } from "./memory";

/**
 * Takes in the visitor's custom attributes from the page. They are kept over page views, but those that the project does not know: nothing
 * asks for them. `null` and `undefined` forget an attribute; everything else is kept as a text: an empty one, too, hence the mark before it.
 * Half a surrogate pair is logged.
 */
export const setAttributes = (attributes: object): void => {
  for (const { 0: name, 1: value } of Object.entries(attributes)) {
    const key = attributeKey(name);
    if (key) {
      guarded(() => memorize(key, value === null || value === undefined ? "" : "=" + encodeURIComponent(String(value))));
    }
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

/** Where `memory` keeps a custom attribute, given its id or key; empty if the project has no such attribute. */
const attributeKey = (name: string): string => {
  const known = attributes.find(({ 0: id, 1: key }) => [key, String(id)].includes(name));
  return known ? "a" + known[0] : "";
};
