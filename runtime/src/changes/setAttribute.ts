/** Sets one attribute of an element; `null` removes it. Tells whether it is still so. */

import { genuine } from "../genuine";

export const setAttribute = (element: Element, name: string, value: string | null): (() => boolean) => {
  if (value === null) {
    genuine(element, "removeAttribute")(name);
  } else {
    genuine(element, "setAttribute")(name, value);
  }
  return () => genuine(element, "getAttribute")(name) === value;
};
