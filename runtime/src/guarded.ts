/** Runs code whose failure must not reach the page, the member's own above all: what it throws is logged, and goes no further. */

import { warn } from "./warn";

export const guarded = <T>(run: () => T): T | undefined => {
  try {
    return run();
  } catch (error) {
    warn(error);
  }
  return undefined;
};
