/**
 * Where the snippet of the visual editor begins: as any other, and then the editor. The compiler links it in place of main.ts for the
 * link of a member who edits; see crates/snippet/src/editor.rs.
 */

import "./main";
import { startEditor } from "./editor/startEditor";
import { guarded } from "./pageView/events";

guarded(startEditor);
