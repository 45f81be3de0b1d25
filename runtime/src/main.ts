/**
 * Where the snippet begins: api/install.ts takes the global name, api/start.ts does the rest.
 *
 * Runs in Chrome 86, Firefox 79, Safari 14 and later: ES2021, and nothing newer without asking for it. The snippet compiler links all
 * modules into one scope, so that their top-level names are unique; see crates/snippet/src/link.rs.
 */

// The linker makes one scope of all modules: they all see these instead of what the page has under the names, and none may come before.
import "./browser/builtins";
import { install } from "./api/install";
import { switchOff } from "./visitor/visitor";
import { guarded } from "./pageView/events";
import { pageView } from "./pageView/pageView";
import { showPanel } from "./preview/panel";
import { keepPreview, loadPreview } from "./preview/preview";
import { tellUnmatched } from "./preview/tellUnmatched";

/** If the page has broken the browser's builtins, we must not throw into the page: no experiment runs, and the API says so. */
const begin = (): void => {
  if (!guarded(install)) {
    guarded(switchOff);
  }
};

const previewToken = __PREVIEWED__ && guarded(keepPreview);
if (!__PREVIEW__ || !guarded(() => loadPreview(begin))) {
  begin();
}
// A snippet that finds another one in place has no panel: it shows nothing.
if (!__EDITOR__ && previewToken && (pageView.activationId || pageView.isOff)) {
  guarded(() => showPanel(previewToken));
  guarded(tellUnmatched);
}
