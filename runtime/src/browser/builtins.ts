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

const FRAME_MS = 16;

/**
 * `requestAnimationFrame`; where the page has taken it away, something that comes as often. A wrapper of the page's may not give a
 * number: what is run may run twice.
 */
export const requestAnimationFrame = (run: () => void): unknown => attempt(() => window.requestAnimationFrame(run)) || setTimeout(run, FRAME_MS);
