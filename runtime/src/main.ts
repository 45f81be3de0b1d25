/**
 * Where the snippet begins: api/install.ts takes the global name, api/start.ts does the rest.
 *
 * Runs in Chrome 86, Firefox 79, Safari 14 and later: ES2021, and nothing newer without asking for it. The snippet compiler links all
 * modules into one scope, so that their top-level names are unique; see crates/snippet/src/link.rs.
 */

// The linker makes one scope of all modules: they all see these instead of what the page has under the names, and none may come before.
import "./builtins/Array";
import "./builtins/Number";
import "./builtins/Object";
import "./builtins/String";
import "./builtins/Date";
import "./builtins/Map";
import "./builtins/WeakMap";
import "./builtins/requestAnimationFrame";
import { install } from "./api/install";
import { switchOff } from "./api/switchOff";
import { guarded } from "./guarded";
import { keepPreview } from "./preview/keepPreview";
import { loadPreview } from "./preview/loadPreview";

/** Nothing that a page has done to the browser's own may reach it as a failure of ours: then no experiment runs, and the API says so. */
const begin = (): void => {
  if (!guarded(install)) {
    guarded(switchOff);
  }
};

if (__PREVIEWED__) {
  guarded(keepPreview);
}
if (!__PREVIEW__ || !guarded(() => loadPreview(begin))) {
  begin();
}
