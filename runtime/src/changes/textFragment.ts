/** A text, as what addNodes.ts adds. An empty one is no node at all. */

import { genuine } from "../genuine";

export const textFragment = (text: string): DocumentFragment => {
  const fragment = genuine(document, "createDocumentFragment")();
  fragment.append(text);
  return fragment;
};
