/** Attributes, classes and styles of an element. */

import { genuine } from "../browser/genuine";

/** Sets one attribute of an element; `null` removes it. Returns whether it is still set. */
export const setAttribute = (element: Element, name: string, value: string | null): (() => boolean) => {
  if (value === null) {
    genuine(element, "removeAttribute")(name);
  } else {
    genuine(element, "setAttribute")(name, value);
  }
  return () => genuine(element, "getAttribute")(name) === value;
};

/** Adds classes, separated by spaces, to an element. Returns whether it still has them. */
export const addClasses = (element: Element, value: string): (() => boolean) => {
  const classes = value.split(/\s+/).filter((name) => name);
  const list = genuine(element, "classList");
  list.add(...classes);
  return () => classes.every((name) => list.contains(name));
};

/** Sets one style property of an element; `null` removes it. The value may end with `!important`. Returns whether it is still set. */
export const setStyle = (element: Element, name: string, value: string | null): (() => boolean) => {
  const style = genuine(element as HTMLElement, "style");
  const [plain, important] = (value || "").split(/\s*!\s*(?=important\s*$)/i);
  style.setProperty(name, plain, important && "important");
  // The browser writes values its own way.
  const written = style.getPropertyValue(name);
  return () => style.getPropertyValue(name) === written;
};
