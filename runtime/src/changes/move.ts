/** Elements that leave their place, or the page. */

import { attempt } from "../browser/attempt";
import { genuine } from "../browser/genuine";
import { ChangeField } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { fragmentWith } from "./fragments";
import { MARK } from "./mark";
import { noteOf, traceOn } from "./notes";
import { recordOf } from "./records";
import type { ChangeRecord, Position, Trace } from "./records";
import { tolerate } from "./tolerate";

/** Moves an element beside or inside another. Returns whether it is still in its new place, or still has none. */
export const moveElement = (change: ChangeConfig, element: Element, to: string, position: Exclude<Position, "content">): (() => boolean) => {
  const target = genuine(document, "querySelector")(to);
  if (target) {
    (traceOn(element, recordOf(change)) as Trace).from_ = genuine(element, "parentNode");
    leaveMark(change, element);
    const isBeside = position === "before" || position === "after";
    const parent = (isBeside ? genuine(target, "parentNode") : target) as Element & { moveBefore(node: Node, next: Node | null): void };
    const next = position === "before" ? target : position === "append" ? null : genuine(target, isBeside ? "nextSibling" : "firstChild");
    // What plays, is loaded or has the focus goes on where the browser can move an element as it is.
    if (!attempt(() => [genuine(parent, "moveBefore")(element, next)])) {
      genuine(target, position)(element);
    }
  }
  const parent = genuine(element, "parentNode");
  return () => (target ? genuine(element, "parentNode") === parent : !genuine(document, "querySelector")(to));
};

/**
 * Takes out the element that the change moved away from where `element` stands now, and that the page has rendered anew there: both have the
 * same id. The page has lost the mark alone then, or has written into it. What the page has put elsewhere meanwhile is not ours any more.
 */
export const takeOutEarlier = (change: ChangeConfig, element: Element): Trace | undefined => {
  const id = genuine(element, "id");
  const earlier = id
    ? recordOf(change).traces_.find(({ element_: other, from_: from, holds_: holds }) => {
        const mark = genuine(other, "id") === id && other !== element && markOf(change, other);
        return mark && (isWrittenOver(mark) || !genuine(mark, "parentNode")) && (from === genuine(element, "parentNode") || !genuine(from as Node, "isConnected")) && holds?.();
      })
    : undefined;
  if (earlier) {
    noteOf(earlier.element_).replacement_ = undefined;
    genuine(earlier.element_, "remove")();
  }
  return earlier;
};

/** Whether the page has made a mark a text of its own, as morphing does: the mark is an empty one. */
const isWrittenOver = (mark: ChildNode): boolean => !!mark.nodeValue;

/** Where removed elements are, as the present pass knows: an app may go on with them there. */
export const asides: Node[] = [];

/** Takes an element out of the page, in a fragment of its own: an app that goes on with it finds a parent there. See `keepPlace`. */
export const removeElement = (change: ChangeConfig, element: Element): void => {
  leaveMark(change, element);
  const aside = fragmentWith([element]);
  (traceOn(element, recordOf(change)) as Trace).aside_ = aside;
  asides.push(aside);
};

/**
 * Whether a mark has left the document with what is around it: it is neither there nor in a fragment, be it one of ours. A page that
 * writes its HTML anew or joins its texts loses the mark alone, and knows nothing of it.
 */
const isDiscarded = (mark: Node): boolean => !!genuine(mark, "parentNode") && genuine(mark, "getRootNode")().nodeType < DOCUMENT_NODE;

/**
 * Keeps the place of a moved or removed element while the page goes on. An app puts others beside what it believes to stand there still,
 * or has dropped the place, or has built anew where the element was moved to: then it goes back, and is moved once more if it is found.
 */
export const keepPlace = (change: ChangeConfig, trace: Trace): void => {
  const { element_: element, aside_: aside } = trace;
  const mark = markOf(change, element);
  if (!mark) {
    return;
  }
  if (__CHANGE_REMOVE__ && aside) {
    mark.before(...[...aside.childNodes].filter((node) => node !== element));
    asides.push(aside);
  }
  const isLost = !__CHANGE_MOVE__ || aside ? !(aside as Node).firstChild : genuine(element, "isConnected") ? isDiscarded(mark) : genuine(mark, "isConnected");
  if (isLost) {
    putBack(change, trace);
  }
};

/** The mark that a change left in an element's place: another one may have moved it on since. */
const markOf = (change: ChangeConfig, element: Element): ChildNode | null | undefined => {
  const mark = noteOf(element).replacement_;
  return mark && noteOf(mark).addedBy_ === change ? mark : null;
};

/** Puts a moved or removed element back to where it left its mark, unless an app has taken it out meanwhile. */
export const putBack = (change: ChangeConfig, { element_: element, aside_: aside }: Trace): void => {
  const mark = markOf(change, element);
  if (!mark) {
    return;
  }
  const nodes = (__CHANGE_REMOVE__ && aside && [...aside.childNodes]) || (genuine(element, "parentNode") ? [element] : []);
  noteOf(element).replacement_ = undefined;
  if (!aside) {
    genuine(element, "remove")();
  }
  if (isWrittenOver(mark)) {
    mark.before(...nodes);
  } else {
    mark.replaceWith(...nodes);
  }
};

/** Of lists that render new elements as the visitor scrolls, hardly any come back. */
const AWAY_MAX = 1000;

/**
 * Keeps in mind those that have left the page, without keeping them alive: an app may bring them back after the change was undone (Vue's
 * `KeepAlive`, tabs). Safari 14.0 has no such references, and forgets them.
 */
export const keepAway = (record: ChangeRecord, listed: readonly Trace[]): void => {
  attempt(() => {
    const left = listed.filter((trace) => !trace.isListed_).map((trace) => new window.WeakRef(trace));
    record.away_ = [...record.away_, ...left].slice(-AWAY_MAX);
  });
};

/** What a document says it is, higher than elements and texts and lower than fragments. A page may have a `Node` of its own. */
const DOCUMENT_NODE = 9;

/** Selectors that find another element once one before it comes or goes. */
export const COUNTING = /[+~]|:(nth|first|last|only)/;

/**
 * Leaves an invisible mark in the place of an element that is about to be moved or removed, to restore it there. If a selector
 * counts elements, the mark counts too: otherwise the next element would take the place of the removed one, and follow it.
 */
const leaveMark = (change: ChangeConfig, element: Element): void => {
  const mark = COUNTING.test(String(change[ChangeField.Selector])) ? standIn(change, element) : genuine(document, "createTextNode")("");
  const note = noteOf(element);
  note.replacement_?.remove();
  const parent = genuine(element, "parentElement");
  if (parent) {
    tolerate(parent);
  }
  genuine(element, "before")(mark);
  note.replacement_ = mark;
  noteOf(mark).addedBy_ = change;
};

/** One of a page's own kind would run the page's code. */
const standIn = (change: ChangeConfig, element: Element): ChildNode => {
  const name = genuine(element, "localName");
  const mark = genuine(document, "createElementNS")(genuine(element, "namespaceURI"), name.includes("-") ? "i" : name) as Element & Partial<ElementCSSInlineStyle>;
  mark.setAttribute(MARK, recordOf(change).id_);
  mark.style?.setProperty("display", "none", "important");
  return mark;
};
