/**
 * `requestAnimationFrame`; where the page has taken it away, something that comes as often. A wrapper of the page's may not give a
 * number: what is run may run twice. The linked program has no other: see ../main.ts.
 */

import { attempt } from "../attempt";

const FRAME_MS = 16;

export const requestAnimationFrame = (run: () => void): unknown => attempt(() => window.requestAnimationFrame(run)) || setTimeout(run, FRAME_MS);
