/**
 * Whether somebody has begun to write where a change would have its way once more: around the element, or in a field within what the change
 * replaces. Whatever they wrote stays, also when they go on elsewhere.
 */

import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { recordOf } from "./recordOf";

/** Where somebody was seen to write. */
const written: HTMLElement[] = [];

export const isEdited = (change: ChangeConfig, element: Element): boolean => {
  const kind = change[ChangeField.Kind];
  // What shows an element in another way erases nothing.
  if (kind > ChangeKind.Html && kind < ChangeKind.Insert) {
    return false;
  }
  const active = genuine(document, "activeElement") as HTMLElement | null;
  if (active?.isContentEditable && !written.includes(active)) {
    written.push(active);
  }
  const isAgain = kind <= ChangeKind.Html && recordOf(change).traces.get(element)?.holds;
  const fields = !isAgain ? [] : [...genuine(element, "querySelectorAll")<HTMLInputElement>("input,textarea")];
  return (
    written.some((place) => genuine(place, "contains")(element) || (kind <= ChangeKind.Html && genuine(element, "contains")(place))) ||
    // Fields tell by themselves: what is in them is not what they came with. At first that is what the browser put back there.
    fields.some((field) => field.value !== field.defaultValue)
  );
};
