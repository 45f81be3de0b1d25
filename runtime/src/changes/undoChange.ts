/** Takes a change back wherever it is still in place. JavaScript of the member cannot be taken back. */

import type { ChangeConfig } from "../config";
import { genuine } from "../genuine";
import { guarded } from "../guarded";
import { markedBy } from "./markedBy";
import { recordOf } from "./recordOf";
import { records } from "./records";
import { removeNodes } from "./removeNodes";

export const undoChange = (change: ChangeConfig): void => {
  const { traces, undo } = recordOf(change);
  undo.forEach((run, element) => {
    const { holds } = traces.get(element) || {};
    if (!holds || holds()) {
      guarded(run);
    }
  });
  if (__CHANGE_INSERT__ || __CHANGE_MOVE__ || __CHANGE_REMOVE__) {
    removeNodes([...genuine(document, "querySelectorAll")(markedBy(change))]);
  }
  records.delete(change);
};
