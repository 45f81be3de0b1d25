/**
 * Runs the JavaScript of a change. What depends on it waits for the promise that the code may return; a promise that fails is logged as
 * an exception would be, and what depends on it is not applied.
 */

import { guarded } from "../guarded";
import type { ChangeRecord } from "./ChangeRecord";
import { keepUp } from "./keepUp";

export const runCode = (code: () => unknown, record: ChangeRecord): void => {
  const answer = code();
  if (!(Object(answer) as { then?: unknown }).then) {
    record.isApplied = true;
    return;
  }
  Promise.resolve(answer).then(
    () => {
      record.isApplied = true;
      keepUp();
    },
    (error: unknown) =>
      guarded(() => {
        throw error;
      }),
  );
};
