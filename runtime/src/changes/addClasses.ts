/** Adds classes, separated by spaces, to an element. Tells whether it still has them. */

export const addClasses = (element: Element, value: string): (() => boolean) => {
  const classes = value.split(/\s+/).filter((name) => name);
  element.classList.add(...classes);
  return () => classes.every((name) => element.classList.contains(name));
};
