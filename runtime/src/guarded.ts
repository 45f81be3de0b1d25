/**
 * Runs code whose failure must not reach the page, the member's own above all: what it throws is logged and told to listeners, and goes
 * no further.
 */

import { emit } from "./api/emit";
import { warn } from "./warn";

export const guarded = <T>(run: () => T): T | undefined => {
  try {
    return run();
  } catch (error) {
    warn(error);
    // A listener that fails at the news of a failure is not told of its own.
    if (!isTelling) {
      isTelling = true;
      emit("failed", () => ({ error }));
      isTelling = false;
    }
  }
  return undefined;
};

let isTelling = false;
