/** Where `memory` keeps a custom attribute, given its id or key; a name the project does not know stands for itself. */

import { attributes } from "../config";

/** Throws for half a surrogate pair. */
export const attributeKey = (name: string): string => {
  const known = attributes.find(({ 1: key }) => key === name);
  return "a" + encodeURIComponent(known ? known[0] : name);
};
