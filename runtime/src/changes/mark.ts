/** The mark by which copies of what a change put into the page are known. */

import { genuine } from "../browser/genuine";
import type { ChangeConfig } from "../project/config";
import { removeNodes, TEXT_NODE } from "./nodes";
import { noteOf } from "./notes";
import { recordOf } from "./records";

/**
 * The attribute that identifies copies of what a change inserted: pages rewrite themselves from their own HTML, clone what
 * they show, and restore cached parts, including our nodes. Its value names the owner: the campaign's id, and which of its
 * changes.
 */
export const MARK = "data-experimentation";

/** Their text is theirs alone: nothing shows of an element in it. */
const TEXT_ONLY = /^(title|textarea|option|style|script|text|tspan)$/;

/**
 * Marks what a change inserts: see `MARK`. Text cannot carry a mark, so that it gets an element that does. `context`: what the nodes
 * will stand in.
 */
export const markNodes = (change: ChangeConfig, fragment: DocumentFragment, context: Element): DocumentFragment => {
  fragment.childNodes.forEach((node) => {
    let carrier = node as Element;
    if (node.nodeType === TEXT_NODE && node.nodeValue?.trim() && !TEXT_ONLY.test(genuine(context, "localName"))) {
      carrier = genuine(document, "createElement")("span");
      node.replaceWith(carrier);
      carrier.append(node);
    }
    // Comments have none.
    (genuine(carrier, "setAttribute") as Element["setAttribute"] | undefined)?.(MARK, recordOf(change).id_);
  });
  return fragment;
};

/** A selector of all that a change put into the page, and of all copies of it: see `MARK`. */
export const markedBy = (change: ChangeConfig): string => `[${MARK}="${recordOf(change).id_}"]`;

/** Removes copies of what a change inserts, among the children of an element: new nodes replace them. See `MARK`. */
export const removeCopies = (change: ChangeConfig, parent: Element): void => {
  const marked = genuine(parent, "querySelectorAll")(":scope>" + markedBy(change));
  removeNodes([...marked].filter((node) => !noteOf(node).addedBy_));
};
