/** What each kind of change does to an element. */

import { genuine } from "../browser/genuine";
import { ChangeField, ChangeKind } from "../project/config";
import type { ChangeConfig } from "../project/config";
import { addClasses, setAttribute, setStyle } from "./appearance";
import { addNodes, setText } from "./content";
import { fragmentOf, fragmentWith } from "./fragments";
import { markNodes, removeCopies } from "./mark";
import { moveElement, removeElement } from "./move";
import { isAdding, isOtherThanContent, passes, recordOf } from "./records";
import type { Position } from "./records";
import { addStyleSheet } from "./styleSheet";

/** All changes of elements are texts. */
const isTextAlone = __CHANGE_TEXT__ && !(__CHANGE_HTML__ || isOtherThanContent);

/**
 * Applies a change to one element, and returns a function that says whether it is still in place; `undefined` if that is unknown.
 * `ChangeConfig` documents the fields.
 */
export const changeElement = (change: ChangeConfig, element: Element): (() => boolean) | undefined => {
  const kind = isTextAlone ? ChangeKind.Text : change[ChangeField.Kind];
  const value = change[ChangeField.Value] as string;
  if (__CHANGE_TEXT__ && kind === ChangeKind.Text) {
    // The text of a script is code, and not all who may change texts may write code.
    if (genuine(element, "localName") === "script") {
      return () => true;
    }
    return isAdding ? addNodes(change, element, "content", () => fragmentWith([value])) : setText(element, value);
  }
  if (__CHANGE_HTML__ && kind === ChangeKind.Html) {
    return addNodes(change, element, "content", () => fragmentOf(value, element));
  }
  if (__CHANGE_STYLE__ && kind === ChangeKind.Style) {
    return setStyle(element, extraOf(change), value);
  }
  if (__CHANGE_CLASS__ && kind === ChangeKind.Class) {
    return addClasses(element, value);
  }
  if (__CHANGE_ATTRIBUTE__ && kind === ChangeKind.Attribute) {
    return setAttribute(element, extraOf(change), value);
  }
  if (__CHANGE_INSERT__ && kind === ChangeKind.Insert) {
    const position = extraOf<Position>(change);
    const context = (position === "before" || position === "after" ? genuine(element, "parentElement") : 0) || element;
    // Neighbours have one parent: with thousands of them, a search for each would take minutes.
    if (passes.searched !== context) {
      passes.searched = context;
      removeCopies(change, context);
    }
    return addNodes(change, element, position, () => markNodes(change, fragmentOf(value, context), context));
  }
  if (__CHANGE_MOVE__ && kind === ChangeKind.Move) {
    return moveElement(change, element, value, extraOf(change));
  }
  if (__CHANGE_REMOVE__ && kind === ChangeKind.Remove) {
    removeElement(change, element);
  }
  if (__CHANGE_CSS__ && kind === ChangeKind.Css) {
    return addStyleSheet(value, recordOf(change));
  }
  return undefined;
};

const extraOf = <Extra extends string>(change: ChangeConfig): Extra => change[ChangeField.Extra] as Extra;
