/** Puts something in the place of an element's content, but for what other changes inserted. The page may still count on that content. */

import { isInserted } from "./isInserted";
import { taken } from "./taken";
import { tolerate } from "./tolerate";

export const takeContent = (element: Element, fragment: DocumentFragment): void => {
  const content = [...element.childNodes].filter((node) => !isInserted(node));
  tolerate(element);
  element.insertBefore(fragment, content[0] || null);
  content.forEach((node) => {
    node.remove();
    taken.set(node, null);
  });
};
