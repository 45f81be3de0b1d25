/**
 * The content that an element would have without a change that replaced it. The parser may have been in the midst of the element: it
 * goes on within the last text of ours, and behind it.
 */

import { addedBy } from "./addedBy";
import { replaced } from "./replaced";
import type { Trace } from "./Trace";

export const contentBefore = (trace: Trace, element: Element): readonly (ChildNode | string)[] => {
  const nodes = [...element.childNodes];
  const noted = replaced.get(trace);
  if (!noted) {
    return nodes;
  }
  const { before, own, text } = noted;
  const last = own[own.length - 1];
  if (last?.parentNode !== element) {
    return before;
  }
  const isByUs = (node: ChildNode) => own.includes(node) || ((__CHANGE_HTML__ || __CHANGE_INSERT__) && addedBy.has(node as Element));
  const isGoneOn = last.nodeType === Node.TEXT_NODE && last.nodeValue !== text && last.nodeValue?.startsWith(text);
  const rest = isGoneOn ? [String(last.nodeValue).slice(text.length)] : [];
  return [...before, ...rest, ...nodes.filter((node) => !isByUs(node))];
};
