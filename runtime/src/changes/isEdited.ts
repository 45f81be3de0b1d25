/**
 * Whether somebody has begun to write where a change would have its way once more: around the element, or in a field within what the change
 * replaces. Whatever they wrote stays, also when they go on elsewhere.
 */

import { ChangeField, ChangeKind } from "../config";
import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";

/** Where somebody was seen to write. */
const written: HTMLElement[] = [];

export const isEdited = (change: ChangeConfig, element: Element): boolean => {
  const kind = change[ChangeField.Kind];
  // What shows an element in another way erases nothing.
  if (kind > ChangeKind.Html && kind < ChangeKind.Insert) {
    return false;
  }
  const active = genuine(document, "activeElement") as HTMLElement | null;
  if (active && !written.includes(active) && (active.isContentEditable || "selectionStart" in active)) {
    written.push(active);
  }
  return written.some(
    (place) =>
      (place.isContentEditable && genuine(place, "contains")(element)) || (kind <= ChangeKind.Html && genuine(element, "contains")(place)),
  );
};
