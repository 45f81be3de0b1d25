/**
 * Replaces an element's text where nothing else of ours can stand in the element: there, addNodes.ts does. Tells whether it is still so.
 * An app may still count on what was there: see tolerate.ts.
 */

import { genuine } from "../genuine";
import { taken } from "./taken";
import { tolerate } from "./tolerate";

export const setText = (element: Element, text: string): (() => boolean) => {
  tolerate(element);
  genuine(element, "childNodes").forEach((node) => taken.set(node, null));
  genuine(element, "replaceChildren")(text);
  return () => genuine(element, "textContent") === text;
};
