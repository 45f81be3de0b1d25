/** Marks what a change inserts: see mark.ts. Text cannot carry a mark, so that it gets an element that does. */

import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { MARK } from "./mark";
import { recordOf } from "./recordOf";
import { TEXT_NODE } from "./textNode";

/** Their text is theirs alone: nothing shows of an element in it. */
const TEXT_ONLY = /^(title|textarea|option|style|script|text|tspan)$/;

/** `context`: what the nodes will stand in. */
export const markNodes = (change: ChangeConfig, fragment: DocumentFragment, context: Element): DocumentFragment => {
  fragment.childNodes.forEach((node) => {
    let carrier = node as Element;
    if (node.nodeType === TEXT_NODE && node.nodeValue?.trim() && !TEXT_ONLY.test(genuine(context, "localName"))) {
      carrier = genuine(document, "createElement")("span");
      node.replaceWith(carrier);
      carrier.append(node);
    }
    // Comments have none.
    (genuine(carrier, "setAttribute") as Element["setAttribute"] | undefined)?.(MARK, recordOf(change).id);
  });
  return fragment;
};
