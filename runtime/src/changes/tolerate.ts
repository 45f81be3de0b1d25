/** Apps that still count on nodes which changes took out. */

import { Object } from "../browser/builtins";
import { genuine } from "../browser/genuine";
import { noteOf } from "./notes";

/**
 * Makes an element forgive the page's code that it still counts on nodes which changes took out. An app that keeps its own list of what
 * it rendered, as React and Vue do, takes such a node out again, or puts others before it; the browser would throw, and the app end. What
 * comes before one that was replaced goes where that is, out of the page, if it may be wanted there again.
 */
export const tolerate = (parent: Element): void => {
  if (Object.keys(parent).includes("removeChild")) {
    return;
  }
  const { removeChild, insertBefore } = parent;
  const isGone = (node: Node): boolean => noteOf(node).replacement_ !== undefined && genuine(node, "parentNode") !== parent;
  parent.removeChild = <Child extends Node>(node: Child): Child => {
    if (!isGone(node)) {
      return removeChild.call(parent, node) as Child;
    }
    if (__CHANGE_MOVE__ || __CHANGE_REMOVE__) {
      noteOf(node).replacement_?.remove();
    }
    noteOf(node).replacement_ = undefined;
    genuine(node as unknown as ChildNode, "remove")();
    return node;
  };
  parent.insertBefore = <New extends Node>(node: New, before: Node | null): New => {
    const isLost = before && isGone(before);
    if (!(__CHANGE_MOVE__ || __CHANGE_REMOVE__ || __UNDO__)) {
      return insertBefore.call(parent, node, isLost ? null : before) as New;
    }
    const place = ((__CHANGE_MOVE__ || __CHANGE_REMOVE__) && isLost && noteOf(before).replacement_) || before;
    const around = isLost && place ? genuine(place, "parentNode") : null;
    if (around && around !== parent) {
      noteOf(node).replacement_ = null;
    }
    return insertBefore.call(around || parent, node, isLost && !around ? null : place) as New;
  };
  // Nothing can be moved as it is out of a fragment, where we have put what was taken out.
  (parent as Element & { moveBefore?: unknown }).moveBefore &&= parent.insertBefore;
};
