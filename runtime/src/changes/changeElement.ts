/**
 * Applies a change to one element, and gives a function that tells whether it is still in place; `undefined` if that
 * cannot be said. `ChangeConfig` tells what stands where.
 */

import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { addClasses } from "./addClasses";
import { addHtml } from "./addHtml";
import { moveElement } from "./moveElement";
import { setAttribute } from "./setAttribute";
import { setStyle } from "./setStyle";
import { setText } from "./setText";

export const changeElement = (change: ChangeConfig, element: Element): (() => boolean) | undefined => {
  const kind = change[ChangeField.Kind];
  const value = change[ChangeField.Value] as string;
  if (__CHANGE_TEXT__ && kind === ChangeKind.Text) {
    return setText(element, value);
  }
  if (__CHANGE_HTML__ && kind === ChangeKind.Html) {
    return addHtml(change, element, "replaceChildren");
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
    return addHtml(change, element, extraOf(change));
  }
  if (__CHANGE_MOVE__ && kind === ChangeKind.Move) {
    return moveElement(element, value, extraOf(change));
  }
  if (__CHANGE_REMOVE__ && kind === ChangeKind.Remove) {
    element.remove();
  }
  return undefined;
};

const extraOf = <Extra extends string>(change: ChangeConfig): Extra => change[ChangeField.Extra] as Extra;
