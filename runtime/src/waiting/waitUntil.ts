/** Waits until a condition holds, and gives what it answered. Fails with what it throws. */

import { poll } from "./poll";

export const waitUntil = <Answer>(condition: () => Answer): Promise<Answer> =>
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
