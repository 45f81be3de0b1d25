/**
 * Runs what a browser may refuse (cookies, storage, unusual addresses) and gives `undefined` then. A refusal is a setting of the
 * visitor, not a fault: it is not logged. For the member's own code see guarded.ts.
 */

export const attempt = <T>(run: () => T): T | undefined => {
  try {
    return run();
  } catch {
    // Then there is nothing to give.
  }
  return undefined;
};
