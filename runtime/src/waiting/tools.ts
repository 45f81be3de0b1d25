/** `get("utils")`: what code of variations needs to wait for a page that is still being built. */

import type { WaitingTools } from "../../types/index";
import { guarded } from "../pageView/events";
import { observeSelector } from "./observeSelector";

/** `get("utils")`: what code of variations needs to wait for a page that is still being built. */
export const tools = (): WaitingTools => ({ observeSelector, poll, Promise, waitForElement, waitUntil });

/** Waits for the first element that matches a selector. */
const waitForElement = (selector: string): Promise<Element> =>
  new Promise((resolve) => {
    observeSelector(selector, resolve, { once: true });
  });

/** Waits until a condition holds, and resolves to its result. Rejects with what it throws. */
const waitUntil = <Answer>(condition: () => Answer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let stop = (): void => undefined;
    const ask = (): boolean => {
      try {
        const answer = condition();
        if (!answer) {
          return false;
        }
        resolve(answer);
      } catch (error) {
        reject(error as Error);
      }
      stop();
      return true;
    };
    if (!ask()) {
      stop = poll(ask);
    }
  });

/** Calls a function again and again until it throws, or until the returned function is called. */
const poll = (callback: () => unknown, intervalMs = 50): (() => void) => {
  const stop = (): void => clearInterval(timer);
  const timer = setInterval(
    () =>
      guarded(() => {
        callback();
        return true;
      }) || stop(),
    intervalMs,
  );
  return stop;
};
