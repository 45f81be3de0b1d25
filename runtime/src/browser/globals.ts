/** Globals of the page, by name. */

import { Object } from "./builtins";

/**
 * A global of the page's, `false` for none: elements answer under their ids and names, frames under theirs, and are none. What a page
 * declares is the window's own, and they are not.
 */
export const globalNamed = (name: string): unknown =>
  Object.prototype.hasOwnProperty.call(window, name) && (window as unknown as Record<string, unknown>)[name];

/** The global that a tool is reached by. If the tool is not there yet, it is what the tool will find, as its own loader would leave it. */
export const globalObject = <T>(name: string, substitute: () => T): T => {
  const globals = window as unknown as Record<string, unknown>;
  return (globals[name] = globalNamed(name) || substitute()) as T;
};
