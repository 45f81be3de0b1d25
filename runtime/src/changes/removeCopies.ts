/** Takes out copies of what a change inserts, among the children of an element: what is new takes their place. See mark.ts. */

import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { addedBy } from "./addedBy";
import { markedBy } from "./markedBy";
import { removeNodes } from "./removeNodes";

export const removeCopies = (change: ChangeConfig, parent: Element): void => {
  const marked = genuine(parent, "querySelectorAll")(":scope>" + markedBy(change));
  removeNodes([...marked].filter((node) => !addedBy.has(node)));
};
