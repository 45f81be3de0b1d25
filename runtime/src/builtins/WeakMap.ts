/** `WeakMap`, whatever the page has made of the name. The linked program has no other: see ../main.ts. */

import { tableNamed } from "./tableNamed";

export const WeakMap = (__CAMPAIGNS__ && tableNamed("WeakMap")) as WeakMapConstructor;
