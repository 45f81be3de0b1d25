/**
 * Notes how an element is before a change, and gives a function that makes it so again. What the page's code did to the element
 * meanwhile in the same place is lost; undoChange.ts asks first whether the change is still there.
 */

import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { contentBefore } from "./contentBefore";
import { recordOf } from "./recordOf";
import { removeNodes } from "./removeNodes";
import type { Trace } from "./Trace";

export const undoOf = (change: ChangeConfig, element: Element, trace: Trace): (() => void) => {
  const kind = change[ChangeField.Kind];
  const name = String(change[ChangeField.Extra]);
  if ((__CHANGE_TEXT__ && kind === ChangeKind.Text) || (__CHANGE_HTML__ && kind === ChangeKind.Html)) {
    return () => {
      const content = contentBefore(trace, element);
      element.textContent = "";
      element.append(...content);
    };
  }
  if (__CHANGE_STYLE__ && kind === ChangeKind.Style) {
    const { style } = element as HTMLElement;
    const value = style.getPropertyValue(name);
    const priority = style.getPropertyPriority(name);
    return () => style.setProperty(name, value, priority);
  }
  if (__CHANGE_CLASS__ && kind === ChangeKind.Class) {
    const before = [...element.classList];
    const added = String(change[ChangeField.Value]).split(/\s+/).filter((each) => each && !before.includes(each));
    return () => element.classList.remove(...added);
  }
  if (__CHANGE_ATTRIBUTE__ && kind === ChangeKind.Attribute) {
    const value = element.getAttribute(name);
    return () => (value === null ? element.removeAttribute(name) : element.setAttribute(name, value));
  }
  if (__CHANGE_INSERT__ && kind === ChangeKind.Insert) {
    return () => removeNodes(recordOf(change).added?.get(element));
  }
  // Moved, or taken out: back to where it was, or to the start if both that stood beside it have gone. The next may have arrived since.
  const { parentNode, previousSibling, nextSibling } = element;
  return () => {
    const follower = nextSibling?.parentNode === parentNode ? nextSibling : parentNode?.firstChild;
    parentNode?.insertBefore(element, (previousSibling?.parentNode === parentNode ? previousSibling?.nextSibling : follower) || null);
  };
};
