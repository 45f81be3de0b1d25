/** Sets one attribute of an element; `null` removes it. Tells whether it is still so. */

export const setAttribute = (element: Element, name: string, value: string | null): (() => boolean) => {
  if (value === null) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value);
  }
  return () => element.getAttribute(name) === value;
};
