/** Waits for the first element that matches a selector. */

import { observeSelector } from "./observeSelector";

export const waitForElement = (selector: string): Promise<Element> =>
  new Promise((resolve) => {
    observeSelector(selector, resolve, { once: true });
  });
