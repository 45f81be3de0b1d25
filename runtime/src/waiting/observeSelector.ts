/**
 * Calls back for each element that matches a selector: at once for those that are there, later for those that come, once for each.
 * Gives a function that ends it. A selector that is none throws, as it does everywhere in the browser.
 */

import type { ObserveSelectorOptions } from "../../types/index";
import { keepUp } from "../changes/keepUp";
import { guarded } from "../guarded";
import { selectorWatchers } from "./selectorWatchers";

export const observeSelector = (
  selector: string,
  callback: (element: Element) => unknown,
  { once, timeout, onTimeout }: ObserveSelectorOptions = {},
): (() => void) => {
  const seen = new WeakSet<Element>();
  const look = (): void =>
    document.querySelectorAll(selector).forEach((element) => {
      if (!seen.has(element) && selectorWatchers.has(look)) {
        seen.add(element);
        if (once) {
          stop();
        }
        guarded(() => callback(element));
      }
    });
  const stop = (): void => {
    clearTimeout(timer);
    selectorWatchers.delete(look);
  };
  const giveUp = (): void => {
    stop();
    guarded(() => onTimeout?.());
  };
  const timer = timeout ? setTimeout(giveUp, timeout) : 0;
  document.querySelector(selector);
  selectorWatchers.add(look);
  keepUp();
  return stop;
};
