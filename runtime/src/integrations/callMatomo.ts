/** Calls a method of Matomo's tracker by its queue, which works before it loads and after. */

import { globalObject } from "./globalObject";

export const callMatomo = (...call: unknown[]): void => {
  globalObject("_paq", (): unknown[] => []).push(call);
};
