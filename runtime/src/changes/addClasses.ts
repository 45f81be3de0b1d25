/** Adds classes, separated by spaces, to an element. Tells whether it still has them. */

import { genuine } from "../genuine";

export const addClasses = (element: Element, value: string): (() => boolean) => {
  const classes = value.split(/\s+/).filter((name) => name);
  const list = genuine(element, "classList");
  list.add(...classes);
  return () => classes.every((name) => list.contains(name));
};
