/**
 * Notes how an element is before a change, and gives a function that makes it so again. What the page's code did to the element
 * meanwhile in the same place is lost; undoChange.ts asks first whether the change is still there.
 */

import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { recordOf } from "./recordOf";
import { removeNodes } from "./removeNodes";

export const undoOf = (change: ChangeConfig, element: Element): (() => void) => {
  const kind = change[ChangeField.Kind];
  const name = String(change[ChangeField.Extra]);
  if ((__CHANGE_TEXT__ && kind === ChangeKind.Text) || (__CHANGE_HTML__ && kind === ChangeKind.Html)) {
    const nodes = [...element.childNodes];
    return () => {
      element.textContent = "";
      element.append(...nodes);
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
  // Moved, or taken out: back to where it was, or to the end if what stood behind it has gone.
  const { parentNode, nextSibling } = element;
  return () => parentNode?.insertBefore(element, nextSibling?.parentNode === parentNode ? nextSibling : null);
};
