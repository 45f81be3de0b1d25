/**
 * The browser's `Map` or `WeakMap`; where the page has something of its own under the name, a map of the world, say, a list that does the
 * same more slowly.
 */

import { attempt } from "../attempt";

/** Asked of `window`: what begins with `let`, `const` or `class` hides the name, but not what is there. */
export const tableNamed = (name: "Map" | "WeakMap"): unknown => attempt(() => /native code/.test(String(window[name])) && window[name]) || OwnTable;

/** As much of a table as we use; what is deleted is `undefined`. */
const OwnTable = function () {
  const keys: unknown[] = [];
  const values: unknown[] = [];
  const table = {
    get: (key: unknown) => values[keys.indexOf(key)],
    has: (key: unknown) => table.get(key) !== undefined,
    set(key: unknown, value?: unknown) {
      if (!keys.includes(key)) {
        keys.push(key);
      }
      values[keys.indexOf(key)] = value;
      return table;
    },
    delete: (key: unknown) => table.set(key),
    forEach: (run: (value: unknown, key: unknown) => void) => keys.forEach((key) => table.has(key) && run(table.get(key), key)),
  };
  return table;
};
