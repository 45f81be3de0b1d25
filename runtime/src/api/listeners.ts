/** The page's listeners. */

import type { Listener } from "./Listener";

export const listeners = new Set<Listener>();
