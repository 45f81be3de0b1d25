/** Takes a change back wherever it is still in place. JavaScript of the member cannot be taken back. */

import type { ChangeConfig } from "../config";
import { guarded } from "../guarded";
import { recordOf } from "./recordOf";
import { records } from "./records";

export const undoChange = (change: ChangeConfig): void => {
  const { traces, undo } = recordOf(change);
  undo.forEach((run, element) => {
    const { holds } = traces.get(element) || {};
    if (!holds || holds()) {
      guarded(run);
    }
  });
  records.delete(change);
};
