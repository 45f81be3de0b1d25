/**
 * Where the snippet begins: api/install.ts takes the global name, api/start.ts does the rest.
 *
 * Runs in Chrome 86, Firefox 79, Safari 14 and later: ES2021, and nothing newer without asking for it. The snippet compiler links all
 * modules into one scope, so that their top-level names are unique; see crates/snippet/src/link.rs.
 */

import { install } from "./api/install";
import { guarded } from "./guarded";
import { keepPreview } from "./preview/keepPreview";
import { loadPreview } from "./preview/loadPreview";

const begin = () => guarded(install);

if (__PREVIEWED__) {
  keepPreview();
}
if (!__PREVIEW__ || !guarded(() => loadPreview(begin))) {
  begin();
}
