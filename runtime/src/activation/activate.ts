/**
 * Evaluates everything for the page as it is now, under a new activation id: when the snippet starts, and at each
 * `push({type: "activate"})`.
 */

import { emit } from "../api/emit";
import { pages } from "../config";
import { getActivationId } from "../state/getActivationId";
import { activatePages } from "./activatePages";
import { isPageReady } from "./isPageReady";
import { watchDocument } from "./watchDocument";

/** beginActivation.ts comes first. */
export const activate = (): void => {
  if (__PAGES__) {
    const isAnyLater = __MANUAL_ACTIVATION__ || __POLLING_ACTIVATION__ || __CALLBACK_ACTIVATION__;
    activatePages(isAnyLater ? [...pages.keys()].filter(isPageReady) : [...pages.keys()]);
  }
  if (__DOM_CHANGED__) {
    watchDocument();
  }
  emit("activated", () => ({ activationId: getActivationId() }));
};
