/** Whether a change put a node beside what an element has, and not in its place. */

import { ChangeField, ChangeKind } from "../config";
import { addedBy } from "./addedBy";

export const isInserted = (node: Node): boolean => __CHANGE_INSERT__ && addedBy.get(node)?.[ChangeField.Kind] === ChangeKind.Insert;
