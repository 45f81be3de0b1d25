/**
 * What a browser may refuse us, and the one place that writes to its console. For the member's own code see `guarded` in
 * pageView/events.ts.
 */

/**
 * Runs code that a browser may refuse (cookies, storage, unusual addresses) and returns `undefined` then. A refusal is a setting of the visitor,
 * not a fault: it is not logged.
 */
export const attempt = <T>(run: () => T): T | undefined => {
  try {
    return run();
  } catch {
    // Then there is nothing to give.
  }
  return undefined;
};

/**
 * The one place that writes to the console, where the page has left it one: what the member's code, or a page we cannot change, did
 * wrong. Used everywhere.
 */
export const warn = (...details: unknown[]): void => attempt(() => console.warn("experimentation:", ...details));
