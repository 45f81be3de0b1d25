/**
 * Notes how an element is before a change, and gives a function that makes it so again. What the page's code did to the element
 * meanwhile in the same place is lost; undoChange.ts asks first whether the change is still there.
 */

import { Array } from "../builtins/Array";
import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { contentBefore } from "./contentBefore";
import { recordOf } from "./recordOf";
import { removeNodes } from "./removeNodes";
import { setAttribute } from "./setAttribute";
import { taken } from "./taken";
import type { Trace } from "./Trace";

export const undoOf = (change: ChangeConfig, element: Element, trace: Trace): (() => void) => {
  const kind = change[ChangeField.Kind];
  const name = String(change[ChangeField.Extra]);
  if ((__CHANGE_TEXT__ && kind === ChangeKind.Text) || (__CHANGE_HTML__ && kind === ChangeKind.Html)) {
    return () => {
      const own = recordOf(change).added?.get(element) || [];
      const content = contentBefore(trace, element);
      if (own.length > 0) {
        genuine(own[0], "before")(...content);
      } else {
        genuine(element, "append")(...content);
      }
      removeNodes(own);
    };
  }
  if (__CHANGE_STYLE__ && kind === ChangeKind.Style) {
    const style = genuine(element as HTMLElement, "style");
    const before = longhands(name).map((each) => [each, style.getPropertyValue(each), style.getPropertyPriority(each)] as const);
    return () => {
      style.removeProperty(name);
      before.forEach((declaration) => style.setProperty(...declaration));
    };
  }
  if (__CHANGE_CLASS__ && kind === ChangeKind.Class) {
    const list = genuine(element, "classList");
    const before = [...list];
    const added = String(change[ChangeField.Value]).split(/\s+/).filter((each) => each && !before.includes(each));
    return () => list.remove(...added);
  }
  if (__CHANGE_ATTRIBUTE__ && kind === ChangeKind.Attribute) {
    const value = genuine(element, "getAttribute")(name);
    return () => setAttribute(element, name, value);
  }
  if (__CHANGE_INSERT__ && kind === ChangeKind.Insert) {
    return () => removeNodes(recordOf(change).added?.get(element));
  }
  if (__CHANGE_CSS__ && kind === ChangeKind.Css) {
    return () => recordOf(change).removeStyleSheet?.();
  }
  // Moved, or taken out: back to where it left a mark.
  return () => {
    taken.get(element)?.replaceWith(element);
    taken.delete(element);
  };
};

/** What a style property stands for: itself, unless it is a shorthand. */
const longhands = (name: string): string[] => {
  const { style } = genuine(document, "createElement")("i");
  style.setProperty(name, "inherit");
  return Array.from(style);
};
