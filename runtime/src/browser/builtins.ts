/**
 * The browser's own objects, whatever the page has made of their names. The linker makes one scope of all modules: the linked program has
 * no others, and nothing may come before. See ../main.ts.
 */

import { attempt } from "./attempt";

export const Array = [].constructor as unknown as ArrayConstructor;

export const Number = (0).constructor as unknown as NumberConstructor;

export const Object = {}.constructor as ObjectConstructor;

export const String = "".constructor as unknown as StringConstructor;

export const Date = attempt(() => window.Date) as DateConstructor;

/**
 * The browser's `Map` or `WeakMap`; where the page has something of its own under the name, a map of the world, say, a list that does the
 * same more slowly. Asked of `window`: what begins with `let`, `const` or `class` hides the name, but not what is there.
 */
const tableNamed = (name: "Map" | "WeakMap"): unknown => attempt(() => /native code/.test(String(window[name])) && window[name]) || OwnTable;

/** The parts of a table that we use; a deleted entry is `undefined`. */
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

export const Map = (__CAMPAIGNS__ && tableNamed("Map")) as MapConstructor;

export const WeakMap = (__CAMPAIGNS__ && tableNamed("WeakMap")) as WeakMapConstructor;

const FRAME_MS = 16;

/**
 * `requestAnimationFrame`; where the page has taken it away, something that comes as often. A wrapper of the page's may not give a
 * number: what is run may run twice.
 */
export const requestAnimationFrame = (run: () => void): unknown => attempt(() => window.requestAnimationFrame(run)) || setTimeout(run, FRAME_MS);
