/**
 * The content that an element would have without a change that replaced it. The parser may have been in the midst of the element: it
 * goes on within the last text of ours, and behind it. What the page has put in the place of ours counts instead.
 */

import { genuine } from "../genuine";
import { isArriving } from "./isArriving";
import { isInserted } from "./isInserted";
import { replaced } from "./replaced";
import { taken } from "./taken";
import { TEXT_NODE } from "./textNode";
import type { Trace } from "./Trace";

export const contentBefore = (trace: Trace, element: Element): readonly (ChildNode | string)[] => {
  const noted = replaced.get(trace);
  const nodes = [...genuine(element, "childNodes")].filter((node) => !isInserted(node) && !noted?.own.includes(node));
  if (!noted) {
    return nodes;
  }
  const { before, own, text } = noted;
  const last = own[own.length - 1];
  if ((last && genuine(last, "parentNode")) !== element && !isArriving(element)) {
    return nodes;
  }
  const isGoneOn = last?.nodeType === TEXT_NODE && last.nodeValue !== text && last.nodeValue?.startsWith(text);
  const rest = isGoneOn ? [String(last.nodeValue).slice(text.length)] : [];
  // An app may have taken some of it out meanwhile.
  return [...before.filter((node) => typeof node === "string" || taken.has(node)), ...rest, ...nodes];
};
