/** Content that a change puts beside or inside an element, or instead of its content. */

import { genuine } from "../browser/genuine";
import type { ChangeConfig } from "../project/config";
import { fragmentWith } from "./fragments";
import { MARK } from "./mark";
import { isArriving, isInserted, isTranslation, removeNodes, TEXT_NODE } from "./nodes";
import { noteOf, traceOn } from "./notes";
import { recordOf } from "./records";
import type { Position, Trace } from "./records";
import { mayOnceMore } from "./restraint";
import { tolerate } from "./tolerate";

/** A page may have a `Node` of its own. */
const COMMENT_NODE = 8;

/**
 * Adds a change's text or HTML to the page, at a position seen from an element; in its place, what other changes insert stays. Tells
 * whether all of it is still there, and alone or at the end where it shall be: the parser may not be through with the element. What the page
 * has made its own is ours no longer.
 */
export const addNodes = (change: ChangeConfig, element: Element, position: Position, make: () => DocumentFragment): (() => boolean) => {
  const fragment = make();
  const trace = traceOn(element, recordOf(change)) as Trace;
  const nodes = [...fragment.childNodes];
  const texts = nodes.map((node) => node.nodeValue);
  [...nodes, ...(__CHANGE_HTML__ || __CHANGE_INSERT__ ? fragment.querySelectorAll("*") : [])].forEach((node) => (noteOf(node).addedBy_ = change));
  removeNodes(trace.added_);
  trace.added_ = nodes;
  // The parser goes on within our last text, and behind it.
  let isOpen = isArriving(element);
  if (!__CHANGE_INSERT__ || position === "content") {
    takeContent(element, fragment);
    return () => {
      const content = [...genuine(element, "childNodes")];
      const isAlone = content.every((node) => nodes.includes(node) || isInserted(node) || isTranslation(node) || (!isOpen && isBlank(node)));
      isOpen &&= isArriving(element);
      const isTranslated = content.some(isTranslation);
      return isAlone && nodes.every((node, at) => (genuine(node, "parentNode") === element ? node.nodeValue === texts[at] : isTranslated && node.nodeType === TEXT_NODE));
    };
  }
  genuine(element, position)(fragment);
  const tries = { count_: 0, since_: 0 };
  return () => {
    nodes.forEach((node, at) => {
      if (isAdopted(node, make, at)) {
        [node, ...genuine(node as unknown as Element, "querySelectorAll")("*")].forEach((own) => (noteOf(own).addedBy_ = undefined));
        trace.added_ = trace.added_.filter((other) => other !== node);
      }
    });
    const end = genuine(element, "lastChild");
    const isAtEnd = position !== "append" || !isOpen || !end || !!noteOf(end).addedBy_;
    isOpen &&= isArriving(element);
    // What the page takes out has no parent.
    const isThere = isAtEnd && nodes.every((node) => genuine(node, "parentNode") && noteOf(node).addedBy_);
    if (isThere && !isBeside(nodes, element, position) && mayOnceMore(tries, element)) {
      genuine(element, position)(...nodes);
    }
    return isThere;
  };
};

/**
 * Whether the page has made a node one of its own, as morphing does with what stands where another is to stand: it has lost our mark, and
 * is not what we made otherwise.
 */
const isAdopted = (node: Node, make: () => DocumentFragment, at: number): boolean => {
  if ((genuine(node as Element, "hasAttribute") as Element["hasAttribute"] | undefined)?.(MARK) !== false) {
    return false;
  }
  const made = make().childNodes[at] as Element;
  made.removeAttribute(MARK);
  return !genuine(node, "isEqualNode")(made);
};

/**
 * Whether nodes before or after an element are still beside it, but for what else was inserted or moved there: an app may have sorted its
 * list. An element that has gone to another parent is not followed.
 */
const isBeside = (nodes: readonly ChildNode[], element: Element, position: Position): boolean => {
  const towards = position === "before" ? "previousSibling" : "nextSibling";
  const [first] = nodes;
  if (!first || position === "prepend" || position === "append" || genuine(first, "parentNode") !== genuine(element, "parentNode")) {
    return true;
  }
  let beside: Node | null = element;
  do {
    beside = genuine(beside as Node, towards);
  } while (beside && (isInserted(beside) || noteOf(beside).replacement_) && !nodes.includes(beside as ChildNode));
  return nodes.includes(beside as ChildNode);
};

/** Content without text may stay beside ours: an icon, say. */
const isBlank = (node: ChildNode): boolean => node.nodeType === COMMENT_NODE || !genuine(node, "textContent")?.trim();

/**
 * Replaces an element's text where nothing else of ours can stand in the element: there, `addNodes` does. Returns whether it is still in place.
 * An app may still rely on the old content: see `tolerate`.
 */
export const setText = (element: Element, text: string): (() => boolean) => {
  takeOut(element, [...genuine(element, "childNodes")]);
  genuine(element, "append")(text);
  // `isTranslation` would tell more exactly, in more bytes.
  return () => !!genuine(element, "querySelector")("font>font") || genuine(element, "textContent") === text;
};

/** Replaces an element's content, except for nodes that other changes inserted. The page may still rely on the old content. */
const takeContent = (element: Element, fragment: DocumentFragment): void => {
  const content = [...genuine(element, "childNodes")].filter((node) => !isInserted(node));
  genuine(element, "insertBefore")(fragment, content[0] || null);
  takeOut(element, content);
};

/** Takes content out of an element, all of it together: see `fragmentWith`. */
const takeOut = (element: Element, content: readonly ChildNode[]): void => {
  tolerate(element);
  content.forEach((node) => (noteOf(node).replacement_ = null));
  fragmentWith(content);
};
