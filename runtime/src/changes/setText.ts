/** Replaces an element's text. Tells whether it is still so. */

export const setText = (element: Element, text: string): (() => boolean) => {
  element.textContent = text;
  return () => element.textContent === text;
};
