/** Sets a property of the document's own: to one that an element of the page stands before, nothing can be assigned. See genuine.ts. */

import { Object } from "./builtins/Object";

interface Prototype {
  __lookupSetter__(name: string): (value: unknown) => void;
}

export const setGenuine = <Name extends keyof Document & string>(name: Name, value: Document[Name]): void =>
  (Object.getPrototypeOf(document) as Prototype).__lookupSetter__(name).call(document, value);
