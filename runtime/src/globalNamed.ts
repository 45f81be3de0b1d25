/**
 * A global of the page's, `undefined` for none: elements answer under their ids and names, frames under theirs, and are none. What a page
 * declares is the window's own, and they are not.
 */

import { Object } from "./builtins/Object";

export const globalNamed = (name: string): unknown =>
  Object.prototype.hasOwnProperty.call(window, name) ? (window as unknown as Record<string, unknown>)[name] : undefined;
