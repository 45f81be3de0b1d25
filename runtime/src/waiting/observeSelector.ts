/** Waiting for elements. */

import type { ObserveSelectorOptions } from "../../types/index";
import { genuine } from "../browser/genuine";
import { keepUp, selectorWatchers } from "../changes/keepUp";
import { noteOf } from "../changes/notes";
import { guarded } from "../pageView/events";

/**
 * Calls back for each element that matches a selector: at once for those that are there, later for those that come, once for each. Gives
 * a function that ends it. A selector that is none throws, as it does everywhere in the browser.
 */
export const observeSelector = (
  selector: string,
  callback: (element: Element) => unknown,
  { once, timeout, onTimeout }: ObserveSelectorOptions = {},
): (() => void) => {
  const look = (): void =>
    genuine(document, "querySelectorAll")(selector).forEach((element) => {
      const note = noteOf(element);
      if (!note.seenBy_.includes(look) && selectorWatchers.includes(look)) {
        note.seenBy_ = [...note.seenBy_, look];
        if (once === true) {
          stop();
        }
        guarded(() => callback(element));
      }
    });
  const stop = (): void => {
    clearTimeout(timer);
    const at = selectorWatchers.indexOf(look);
    if (at >= 0) {
      selectorWatchers.splice(at, 1);
    }
  };
  const giveUp = (): void => {
    stop();
    guarded(() => onTimeout?.());
  };
  // A missing option would be looked up in `Object.prototype`, to which pages add.
  const timer = Number(timeout) > 0 ? setTimeout(giveUp, timeout) : 0;
  genuine(document, "querySelector")(selector);
  selectorWatchers.push(look);
  keepUp();
  return stop;
};
