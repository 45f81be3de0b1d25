/** Every custom attribute of the project that the page told of, by id. */

import type { CustomAttribute } from "../../types/index";
import { attributes } from "../config";
import { attributeValue } from "./attributeValue";

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
