/** Puts something in the place of an element's content, but for what other changes inserted. The page may still count on that content. */

import { genuine } from "../genuine";
import { isInserted } from "./isInserted";
import { removeNodes } from "./removeNodes";
import { taken } from "./taken";
import { tolerate } from "./tolerate";

export const takeContent = (element: Element, fragment: DocumentFragment): void => {
  const content = [...genuine(element, "childNodes")].filter((node) => !isInserted(node));
  tolerate(element);
  genuine(element, "insertBefore")(fragment, content[0] || null);
  removeNodes(content);
  content.forEach((node) => taken.set(node, null));
};
