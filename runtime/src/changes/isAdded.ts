/** Whether a change brought the element in itself: its selector may find it, but it must not be applied inside itself for ever. */

import type { ChangeRecord } from "./ChangeRecord";

export const isAdded = ({ added = new Map() }: ChangeRecord, element: Element): boolean =>
  [...added.values()].some((nodes) => nodes.some((node) => node.contains(element)));
