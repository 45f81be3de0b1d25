/** Calls a function again and again until it throws, or until the function that this gives is called. */

import { guarded } from "../guarded";

export const poll = (callback: () => unknown, intervalMs = 50): (() => void) => {
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
